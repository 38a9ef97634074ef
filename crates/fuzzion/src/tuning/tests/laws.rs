//! Properties of all networks and rows.

use crate::device::Cpu;
use crate::tuning::cpu::CpuBackend;
use crate::tuning::network::Network;
use crate::tuning::network::form::Form;
use crate::tuning::reference::problem::{Problem, network, samples};
use crate::tuning::reference::textbook::Textbook;
use crate::tuning::training::backend::Backend;
use crate::tuning::training::loss::Loss;
use crate::tuning::training::samples::ScaledSamples;
use proptest::prelude::*;

fn problems() -> impl Strategy<Value = (Problem, u64)> {
    let shape = (0..Form::ALL.len(), 0usize..3, any::<bool>(), 1usize..3, 1usize..4);
    (shape, 2usize..40, any::<bool>(), any::<bool>(), any::<bool>(), any::<u64>()).prop_map(
        |((form, order, untied, outputs, inputs), rows, weighted, missing, unused_input, seed)| {
            let form = Form::ALL[form];
            (Problem { form, order, untied, outputs, inputs, rows, weighted, missing, unused_input }, seed)
        },
    )
}

/// Mean training loss of the textbook implementation.
fn mean_loss(samples: &ScaledSamples, network: &Network, loss: Loss) -> f64 {
    let gradient = Textbook(samples).loss_and_gradient(network, loss).unwrap();
    gradient.loss[0] / gradient.weight[0]
}

/// Derivative of `f` by central differences with step `h`, with an error of order h².
fn central_difference(h: f64, f: impl Fn(f64) -> f64) -> f64 {
    (f(h) - f(-h)) / (2.0 * h)
}

/// A step of 1e-5 leaves an error of h² = 1e-10 times the third derivative (up to 1e4 for sets of width 0.2) and
/// rounding errors of 1e-16/h.
const STEP: f64 = 1e-5;
const BOUND: f64 = 3e-6;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn firing_strengths_of_covered_rows_sum_to_one((problem, seed) in problems()) {
        let (mut network, samples) = (network(&Problem { order: 0, ..problem }, seed), samples(&problem, seed));
        // If all consequents are 1, ŷ is the sum of the normalized firing strengths.
        network.theta.fill(1.0);
        let cpu = Cpu::with_threads(1).unwrap();
        for output in CpuBackend::new(&samples, &cpu).predict(&network).unwrap() {
            for (i, sum) in output.iter().enumerate() {
                let x = samples.inputs_of(i);
                let covered = network.antecedents.firing(&x).iter().any(|phi| *phi > 0.0);
                // At most 27 rules, each rounded once.
                prop_assert!((sum - f64::from(u8::from(covered))).abs() < 1e-14, "{sum} {x:?}");
            }
        }
    }

    #[test]
    fn scaling_all_weights_scales_sums_and_preserves_means((problem, seed) in problems()) {
        let problem = Problem { weighted: true, rows: problem.rows.max(5), ..problem };
        let (network, mut samples) = (network(&problem, seed), samples(&problem, seed));
        let cpu = Cpu::with_threads(1).unwrap();
        let all = |samples: &ScaledSamples| {
            let mut backend = CpuBackend::new(samples, &cpu);
            (backend.normal_equations(&network).unwrap(), backend.loss_and_gradient(&network, Loss::SquaredError).unwrap())
        };
        let (sums, gradient) = all(&samples);
        // A factor of 4 has an exact square root.
        samples.weights.iter_mut().flatten().for_each(|weight| *weight *= 4.0);
        let (scaled_sums, scaled_gradient) = all(&samples);
        prop_assert!(sums.gram.iter().zip(&scaled_sums.gram).all(|(a, b)| 4.0 * a == *b));
        prop_assert_eq!(&gradient.theta, &scaled_gradient.theta);
        prop_assert_eq!(&gradient.sets, &scaled_gradient.sets);
    }

    #[test]
    fn gradients_match_central_differences((problem, seed) in problems(), cross: bool) {
        let problem = Problem { rows: problem.rows.max(5), ..problem };
        let (network, samples) = (network(&problem, seed), samples(&problem, seed));
        let loss = if cross { Loss::CrossEntropy } else { Loss::SquaredError };
        let cpu = Cpu::with_threads(1).unwrap();
        let gradient = CpuBackend::new(&samples, &cpu).loss_and_gradient(&network, loss).unwrap();
        for (at, found) in gradient.theta.iter().enumerate().step_by(7) {
            let loss_at = |h: f64| {
                let mut network = network.clone();
                network.theta[at] += h;
                mean_loss(&samples, &network, loss)
            };
            let expected = central_difference(STEP, loss_at);
            prop_assert!((found - expected).abs() < BOUND * expected.abs().max(1.0), "θ {found} {expected}");
        }
        if !problem.form.is_differentiable() {
            prop_assert!(gradient.sets.iter().flatten().all(|gradient| *gradient == 0.0));
            return Ok(());
        }
        for (set, parameter) in (0..gradient.sets.len()).step_by(2).flat_map(|s| (0..problem.form.parameter_count()).map(move |p| (s, p))) {
            let loss_at = |h: f64| {
                let mut network = network.clone();
                network.antecedents.sets[set].parameters[parameter] += h;
                mean_loss(&samples, &network, loss)
            };
            let (found, expected) = (gradient.sets[set][parameter], central_difference(STEP, loss_at));
            prop_assert!((found - expected).abs() < BOUND * expected.abs().max(1.0), "{problem:?} {found} {expected}");
        }
    }
}
