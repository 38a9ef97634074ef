//! CUDA kernels, run in the emulator and compared with the textbook implementation.

mod large;

use crate::device::cuda::emulator::{Arg, Emulator, Order, or_skip};
use crate::device::cuda::{Grid, Program};
use crate::stop::Stop;
use crate::tuning::algorithm::{advance, fit_consequents};
use crate::tuning::cuda::descent::{DeviceDescent, RECORD_LEN};
use crate::tuning::cuda::device_samples::interleave;
use crate::tuning::cuda::gpu::{gradient_from_sums, set_indices};
use crate::tuning::cuda::layout::{self, KernelLayout, THREADS};
use crate::tuning::network::Network;
use crate::tuning::network::form::Form;
use crate::tuning::reference::problem::{Problem, network, samples};
use crate::tuning::reference::textbook::Textbook;
use crate::tuning::settings::StepRule;
use crate::tuning::solver::normal_equations::NormalEquations;
use crate::tuning::training::backend::Backend;
use crate::tuning::training::descent::{Descent, DescentSettings, parameter_count};
use crate::tuning::training::loss::Loss;
use crate::tuning::training::samples::ScaledSamples;
use crate::tuning::training::step::StepState;

/// Emulated GPU: two multiprocessors, and the shared memory of the smallest supported GPU.
const LIMITS: (usize, usize) = (2, 99 << 10);
const BLOCKS: usize = 2;

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
    let mut all = vec![layout::scale_program()];
    for (problem, loss) in cases() {
        let layout = layout_of(&problem, &problem_data(&problem).0, loss);
        all.extend([layout.sweep_program(), phi_only(layout.clone()).sweep_program()]);
        if problem.form != Form::Triangle {
            all.push(layout.descent_program(StepRule::Adam));
        }
    }
    for problem in LARGE {
        let layout = phi_only(layout_of(&problem, &problem_data(&problem).0, Loss::SquaredError));
        all.extend([layout.firing_program(), layout.pair_program(), layout.cholesky_program()]);
    }
    all
}

/// Kernel inputs of a problem.
struct EncodedProblem {
    rows: Vec<f64>,
    sets: Vec<f64>,
    set_indices: Vec<i32>,
    frames: Vec<f64>,
}

fn encode(
    layout: &KernelLayout,
    network: &Network,
    samples: &ScaledSamples,
    emulator: &Emulator,
    order: Order,
) -> EncodedProblem {
    let width = samples.inputs.len() + samples.targets.len() + usize::from(samples.weights.is_some());
    let mut rows = vec![0.0; samples.rows() * width];
    interleave(samples, 0, &mut rows);
    let parameters: Vec<f64> = network.antecedents.sets.iter().flat_map(|set| set.parameters).collect();
    let mut sets = vec![f64::NAN; parameters.len()];
    let mut args = [Arg::slice(&parameters), Arg::value(layout.sets as i32), Arg::slice_mut(&mut sets)];
    emulator.launch("prepare_sets", Grid::new(1, THREADS as u32), order, &mut args).unwrap();
    let frames = network.frames.centers.iter().zip(&network.frames.inverse_widths);
    let frames = frames.flat_map(|(center, inverse)| [*center, *inverse]).collect();
    EncodedProblem { rows, sets, set_indices: set_indices(network), frames }
}

fn sum_blocks(emulator: &Emulator, order: Order, partial: &[f64], width: usize) -> Vec<f64> {
    let mut total = vec![f64::NAN; width];
    let mut args = [
        Arg::slice(partial),
        Arg::value((partial.len() / width) as i32),
        Arg::value(width as i32),
        Arg::slice_mut(&mut total),
    ];
    emulator.launch("sum_blocks", Grid::new(2, THREADS as u32), order, &mut args).unwrap();
    total
}

fn sweep_grid(layout: &KernelLayout) -> Grid {
    Grid::new(BLOCKS as u32, THREADS as u32).shared(layout.sweep_bytes() as u32)
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

/// Sums of `sum_gradients`: the gradient, or ΦᵀWY if `targets`.
fn gradient_sums(
    layout: &KernelLayout,
    network: &Network,
    samples: &ScaledSamples,
    targets: bool,
    order: Order,
) -> Option<Vec<f64>> {
    let emulator = or_skip(&layout.sweep_program())?;
    let encoded = encode(layout, network, samples, &emulator, order);
    let weight: f64 = (0..samples.training).map(|row| samples.weight(row)).sum();
    let mut partial = vec![f64::NAN; BLOCKS * layout.gradient_len()];
    let mut args = [
        Arg::slice(&encoded.rows),
        Arg::value(samples.rows() as i64),
        Arg::value(samples.training as i64),
        Arg::slice(&encoded.sets),
        Arg::slice(&encoded.set_indices),
        Arg::slice(&encoded.frames),
        Arg::slice(&network.theta),
        Arg::value(1.0 / weight),
        Arg::value(i32::from(targets)),
        Arg::value(0i32),
        Arg::slice_mut(&mut partial),
    ];
    emulator.launch("sum_gradients", sweep_grid(layout), order, &mut args).unwrap();
    Some(sum_blocks(&emulator, order, &partial, layout.gradient_len()))
}

#[test]
fn emulated_products_match_the_textbook() {
    for (problem, loss) in cases() {
        let (network, samples) = problem_data(&problem);
        let layout = layout_of(&problem, &network, loss);
        assert!(layout.full_phi);
        let expected = Textbook(&samples).normal_equations(&network).unwrap();
        let Some(emulator) = or_skip(&layout.sweep_program()) else { return };
        for order in Order::ALL {
            let encoded = encode(&layout, &network, &samples, &emulator, order);
            let mut partial = vec![f64::NAN; BLOCKS * layout.gram_len()];
            let mut args = [
                Arg::slice(&encoded.rows),
                Arg::value(samples.rows() as i64),
                Arg::value(samples.training as i64),
                Arg::slice(&encoded.sets),
                Arg::slice(&encoded.set_indices),
                Arg::slice(&encoded.frames),
                Arg::value(0i32),
                Arg::slice_mut(&mut partial),
            ];
            emulator.launch("sum_products", sweep_grid(&layout), order, &mut args).unwrap();
            let triangle = sum_blocks(&emulator, order, &partial, layout.gram_len());
            let shape = (layout.unknowns(), layout.outputs);
            let found = NormalEquations::from_triangle(&triangle, shape, expected.weight, samples.training);
            assert_close(&found.gram, &expected.gram, 1e-12, "ΦᵀWΦ");
            assert_close(&found.cross, &expected.cross, 1e-12, "ΦᵀWY");
            assert_close(&found.squares, &expected.squares, 1e-12, "YᵀWY");
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
        let full = layout_of(&problem, &network, loss);
        for layout in [full.clone(), phi_only(full)] {
            for order in Order::ALL {
                let Some(sums) = gradient_sums(&layout, &network, &samples, false, order) else { return };
                let found = gradient_from_sums(&layout, &network, expected.weight, &sums);
                assert_close(&found.loss, &expected.loss, 1e-12, "loss");
                assert_close(&found.squares, &expected.squares, 1e-12, "squares");
                assert_close(&found.theta, &expected.theta, 1e-12, "gradient of θ");
                assert_close(
                    found.sets.as_flattened(),
                    expected.sets.as_flattened(),
                    1e-12,
                    "gradients of sets",
                );
                let sums = gradient_sums(&layout, &network, &samples, true, order).unwrap();
                assert_close(&sums[layout.theta_offset()..], &cross, 1e-12, "ΦᵀWY");
                let emulator = or_skip(&layout.sweep_program()).unwrap();
                let encoded = encode(&layout, &network, &samples, &emulator, order);
                let mut out = vec![f64::NAN; outputs.len()];
                let mut args = [
                    Arg::slice(&encoded.rows),
                    Arg::value(samples.rows() as i64),
                    Arg::slice(&encoded.sets),
                    Arg::slice(&encoded.set_indices),
                    Arg::slice(&encoded.frames),
                    Arg::slice(&network.theta),
                    Arg::slice_mut(&mut out),
                ];
                emulator.launch("predict_rows", sweep_grid(&layout), order, &mut args).unwrap();
                assert_close(&out, &outputs, 1e-12, "outputs");
            }
        }
    }
}

/// The descent after up to `max_iterations` iterations of the `gradient_descent` kernel.
fn run_kernel(
    problem: &Problem,
    descent: &Descent,
    settings: &DescentSettings,
    samples: &ScaledSamples,
    max_iterations: usize,
    order: Order,
) -> Option<Descent> {
    let layout = layout_of(problem, &descent.network, Loss::SquaredError);
    let emulator = or_skip(&layout.descent_program(descent.step_state.rule))?;
    let weight = |rows: std::ops::Range<usize>| rows.map(|row| samples.weight(row)).sum::<f64>();
    let width = samples.inputs.len() + samples.targets.len() + usize::from(samples.weights.is_some());
    let mut rows = vec![0.0; samples.rows() * width];
    interleave(samples, 0, &mut rows);
    let inputs: Vec<i32> = descent.network.antecedents.sets.iter().map(|set| set.input as i32).collect();
    let set_indices = set_indices(&descent.network);
    let mut state = DeviceDescent::new(descent);
    let mut partial = vec![f64::NAN; BLOCKS * layout.exchange_len()];
    let mut total = vec![f64::NAN; layout.exchange_len()];
    let mut history = vec![0.0; max_iterations * RECORD_LEN];
    let (mut barrier, mut result) = (vec![0u32], vec![0i32; 2]);
    let last = descent.history.len() + max_iterations > settings.iterations;
    let mut args = [
        Arg::slice(&rows),
        Arg::value(samples.rows() as i64),
        Arg::value(samples.training as i64),
        Arg::value(weight(0..samples.training)),
        Arg::value(weight(samples.training..samples.rows())),
        Arg::slice_mut(&mut state.values),
        Arg::slice(&inputs),
        Arg::slice(&set_indices),
        Arg::slice_mut(&mut state.step_state),
        Arg::slice_mut(&mut partial),
        Arg::slice_mut(&mut total),
        Arg::slice_mut(&mut history),
        Arg::value(max_iterations as i32),
        Arg::value(i32::from(last)),
        Arg::value(settings.patience as i32),
        Arg::value(settings.rate),
        Arg::value(settings.ridge),
        Arg::slice_mut(&mut barrier),
        Arg::slice_mut(&mut result),
    ];
    let grid = Grid::new(BLOCKS as u32, THREADS as u32).shared(layout.descent_bytes() as u32).cooperative();
    emulator.launch("gradient_descent", grid, order, &mut args).unwrap();
    drop(args);
    Some(state.into_descent(descent, settings, &history[..result[0] as usize * RECORD_LEN], result[1]))
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
        for order in Order::ALL {
            let Some(mut found) = run_kernel(&problem, &start, &settings, &samples, 3, order) else { return };
            if found.stop.is_none() {
                found = run_kernel(&problem, &found, &settings, &samples, 4, order).unwrap();
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
    let Some(found) = run_kernel(&PLAIN, &start, &settings, &samples, 3, Order::ALL[0]) else { return };
    assert!(found.history.is_empty() && found.stop != Some(Stop::MaxIterations));
}
