//! CUDA back end, run in the emulator and compared with the textbook implementation.

mod initial;
mod large;
mod multi_gpu;

use crate::device::cuda::Program;
use crate::device::cuda::emulator::Order;
use crate::device::{Cpu, Cuda};
use crate::tuning::algorithm::{advance, fit_consequents};
use crate::tuning::cuda::CudaBackend;
use crate::tuning::cuda::layout::{self, KernelLayout};
use crate::tuning::cuda::variances::VarianceLayout;
use crate::tuning::network::Network;
use crate::tuning::network::form::Form;
use crate::tuning::reference::problem::{Problem, network, samples};
use crate::tuning::reference::textbook::Textbook;
use crate::tuning::settings::StepRule;
use crate::tuning::training::backend::Backend;
use crate::tuning::training::descent::{Descent, DescentSettings, parameter_count};
use crate::tuning::training::loss::Loss;
use crate::tuning::training::samples::ScaledSamples;
use crate::tuning::training::step::StepState;

/// Tests that together run every launch of this module.
pub(crate) const LAUNCHING_TESTS: &[fn()] = &[
    emulated_products_match_the_textbook,
    emulated_gradients_and_outputs_match_the_textbook_with_full_and_phi_only_tiles,
    emulated_descent_stops_before_a_singular_iteration,
    initial::emulated_variances_match_the_textbook,
    large::emulated_kernels_for_many_unknowns_match_the_textbook,
];

/// Emulated GPU: two multiprocessors, and the shared memory of the smallest supported GPU.
const LIMITS: (usize, usize) = (2, 99 << 10);

const PLAIN: Problem = Problem {
    form: Form::Gaussian,
    order: 0,
    untied: false,
    unused_input: true,
    outputs: 1,
    inputs: 2,
    rows: 150,
    weighted: false,
    missing: false,
};

/// Problems that cover all forms and orders, weights, missing inputs and several outputs, with their losses.
fn cases() -> Vec<(Problem, Loss)> {
    let squares = [
        PLAIN,
        Problem { form: Form::TwoSided, order: 1, outputs: 2, weighted: true, ..PLAIN },
        Problem { form: Form::Bell, order: 2, missing: true, ..PLAIN },
        Problem { form: Form::Triangle, order: 1, rows: 33, ..PLAIN },
        Problem { form: Form::Trapezoid, order: 1, rows: 41, ..PLAIN },
    ];
    let softmax = Problem { order: 1, outputs: 3, untied: true, weighted: true, ..PLAIN };
    let squares = squares.into_iter().map(|problem| (problem, Loss::SquaredError));
    squares.chain([(softmax, Loss::CrossEntropy)]).collect()
}

/// Problems with many unknowns.
const LARGE: [Problem; 2] = [
    Problem { inputs: 3, order: 1, outputs: 2, weighted: true, rows: 400, ..PLAIN },
    Problem { inputs: 3, rows: 300, missing: true, ..PLAIN },
];

fn problem_data(problem: &Problem) -> (Network, ScaledSamples) {
    (network(problem, 7), samples(problem, 7))
}

fn layout_of(problem: &Problem, network: &Network, loss: Loss) -> KernelLayout {
    KernelLayout::new(network, problem.weighted, loss, problem.rows, LIMITS).unwrap()
}

/// The same layout with tiles that contain only φ.
fn phi_only(layout: KernelLayout) -> KernelLayout {
    KernelLayout { full_phi: false, rows: 32, ..layout }
}

/// All programs with typical specializations.
pub(in crate::tuning) fn programs() -> Vec<Program> {
    let variances = VarianceLayout::new((2, 2, true), 4, LIMITS.1).unwrap();
    let mut all = vec![layout::scale_program(), variances.program()];
    for (problem, loss) in cases() {
        let layout = layout_of(&problem, &problem_data(&problem).0, loss);
        all.extend([layout.sweep_program(), phi_only(layout.clone()).sweep_program()]);
        if problem.form.is_differentiable() {
            all.push(layout.descent_program(StepRule::Adam));
        }
    }
    for problem in LARGE {
        let layout = phi_only(layout_of(&problem, &problem_data(&problem).0, Loss::SquaredError));
        all.extend([layout.firing_program(), layout.pair_program(), layout.cholesky_program()]);
    }
    all
}

/// Emulated GPUs in every order.
fn gpus() -> impl Iterator<Item = Cuda> {
    Order::ALL.into_iter().filter_map(Cuda::emulated)
}

#[track_caller]
fn assert_close(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let unit = expected.iter().fold(1.0, |max: f64, x| max.max(x.abs()));
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!(
            (found - expected).abs() <= tolerance * unit,
            "{what}, index {i}: found {found}, expected {expected}"
        );
    }
}

#[test]
fn emulated_products_match_the_textbook() {
    for (problem, _) in cases() {
        let (network, samples) = problem_data(&problem);
        let expected = Textbook(&samples).normal_equations(&network).unwrap();
        for cuda in gpus() {
            let cpu = Cpu::new().unwrap();
            let resident = CudaBackend::new(&samples, &cuda, &cpu).unwrap();
            assert!(resident.layout(&network, Loss::SquaredError).unwrap().full_phi);
            for mut backend in [resident, CudaBackend::streamed(&samples, &cuda, &cpu, 40).unwrap()] {
                let found = backend.normal_equations(&network).unwrap();
                assert_close(&found.gram, &expected.gram, 1e-12, "ΦᵀWΦ");
                assert_close(&found.cross, &expected.cross, 1e-12, "ΦᵀWY");
                assert_close(&found.squares, &expected.squares, 1e-12, "YᵀWY");
            }
        }
    }
}

#[test]
fn emulated_gradients_and_outputs_match_the_textbook_with_full_and_phi_only_tiles() {
    for (problem, loss) in cases() {
        let (network, samples) = problem_data(&problem);
        let expected = Textbook(&samples).loss_and_gradient(&network, loss).unwrap();
        let outputs = Textbook(&samples).predict(&network).unwrap().concat();
        let cross = Textbook(&samples).normal_equations(&network).unwrap().cross;
        for (replace_layout, cuda) in [std::convert::identity, phi_only]
            .into_iter()
            .flat_map(|replace| gpus().map(move |cuda| (replace, cuda)))
        {
            let cpu = Cpu::new().unwrap();
            let resident = CudaBackend::new(&samples, &cuda, &cpu).unwrap();
            for mut backend in [resident, CudaBackend::streamed(&samples, &cuda, &cpu, 40).unwrap()] {
                backend.replace_layout = replace_layout;
                let found = backend.loss_and_gradient(&network, loss).unwrap();
                assert_eq!(found.weight, expected.weight);
                assert_close(&found.loss, &expected.loss, 1e-12, "loss");
                assert_close(&found.squares, &expected.squares, 1e-12, "squares");
                assert_close(&found.theta, &expected.theta, 1e-12, "gradient of θ");
                assert_close(
                    found.sets.as_flattened(),
                    expected.sets.as_flattened(),
                    1e-12,
                    "gradients of sets",
                );
                let layout = backend.layout(&network, loss).unwrap();
                let sums = backend.gradient_sums(&layout, &network, true).unwrap();
                assert_close(&sums[layout.theta_offset()..], &cross, 1e-12, "ΦᵀWY");
                assert_close(&backend.predict(&network).unwrap().concat(), &outputs, 1e-12, "outputs");
            }
        }
    }
}

#[test]
fn emulated_iterations_in_one_launch_match_the_textbook() {
    let runs = [
        (Problem { outputs: 2, weighted: true, untied: true, ..PLAIN }, StepRule::Adam, 0.02),
        (Problem { order: 1, ..PLAIN }, StepRule::Jang, 0.05),
        (Problem { form: Form::Bell, ..PLAIN }, StepRule::Plain, 0.5),
        (Problem { form: Form::TwoSided, rows: 400, ..PLAIN }, StepRule::Adam, 0.6), // overshoots
    ];
    for (i, (problem, step, rate)) in runs.into_iter().enumerate() {
        let (mut network, mut samples) = problem_data(&problem);
        // A target that can be learned and that large steps miss.
        for (o, target) in samples.targets.iter_mut().enumerate() {
            let inputs = samples.inputs[0].iter().zip(&samples.inputs[1]);
            let learned = inputs.map(|(a, b)| (6.0 * a).sin() + (o + 1) as f64 * b * b);
            *target = learned.collect();
        }
        let settings = DescentSettings {
            iterations: 6,
            solve_every: 1,
            rate,
            ridge: 1e-9,
            readable: false,
            loss: Loss::SquaredError,
            patience: 4,
        };
        fit_consequents(&mut Textbook(&samples), &mut network, settings.ridge).unwrap();
        let step_state = StepState::new(step, rate, parameter_count(&network, &settings));
        let start = Descent::new(network, step_state, false);
        let mut expected = start.clone();
        while expected.stop.is_none() {
            advance(&mut expected, &mut Textbook(&samples), &settings).unwrap();
        }
        // The kernel also resumes from its own state.
        for cuda in gpus() {
            let cpu = Cpu::new().unwrap();
            let mut backend = CudaBackend::new(&samples, &cuda, &cpu).unwrap();
            let mut found = backend.iterate_on_device(&start, &settings, 3).unwrap().unwrap();
            if found.stop.is_none() {
                found = backend.iterate_on_device(&found, &settings, 4).unwrap().unwrap();
            }
            assert_eq!(found.stop, expected.stop, "{i}");
            assert_eq!(found.history.len(), expected.history.len(), "{i}");
            for (a, b) in found.history.iter().zip(&expected.history) {
                assert_close(&a.loss, &b.loss, 1e-9, "loss");
                assert!((a.rate / b.rate - 1.0).abs() < 1e-12, "{i}: {} for {}", a.rate, b.rate);
            }
            let parameters = |network: &Network| -> Vec<f64> {
                network.antecedents.sets.iter().flat_map(|set| set.parameters).collect()
            };
            assert_close(
                &parameters(&found.best_network),
                &parameters(&expected.best_network),
                1e-7,
                "best sets",
            );
            assert_close(&found.best_network.theta, &expected.best_network.theta, 1e-6, "best θ");
            assert_close(
                &parameters(&found.min_loss_network),
                &parameters(&expected.min_loss_network),
                1e-7,
                "sets with the lowest loss",
            );
        }
        if i == 3 {
            assert!(expected.history.last().unwrap().rate < rate, "no step was rejected");
        }
    }
}

#[test]
fn emulated_descent_stops_before_a_singular_iteration() {
    let (mut network, samples) = problem_data(&PLAIN);
    let same = network.antecedents.sets[0].parameters;
    network.antecedents.sets[1].parameters = same; // makes two rules equal
    let settings = DescentSettings {
        iterations: 3,
        solve_every: 1,
        rate: 0.01,
        ridge: 0.0,
        readable: false,
        loss: Loss::SquaredError,
        patience: 9,
    };
    let step_state = StepState::new(StepRule::Adam, 0.01, parameter_count(&network, &settings));
    let start = Descent::new(network, step_state, false);
    let Some(cuda) = Cuda::emulated(Order::ALL[0]) else { return };
    let cpu = Cpu::new().unwrap();
    let mut backend = CudaBackend::new(&samples, &cuda, &cpu).unwrap();
    assert!(backend.iterate_on_device(&start, &settings, 3).unwrap().is_none());
}
