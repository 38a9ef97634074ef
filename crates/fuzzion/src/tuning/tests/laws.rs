//! What holds for every network and every row.

use super::super::cpu::Sweep;
use super::super::form::Form;
use super::super::network::Network;
use super::super::problem::{FORMS, Problem, network, samples};
use super::super::rows::{Loss, Rows, Samples};
use super::super::textbook::Textbook;
use crate::device::Cpu;
use proptest::prelude::*;

fn problems() -> impl Strategy<Value = (Problem, u64)> {
    let shape = (0usize..4, 0usize..3, any::<bool>(), 1usize..3, 1usize..4);
    (shape, 2usize..40, any::<bool>(), any::<bool>(), any::<bool>(), any::<u64>()).prop_map(
        |((form, order, untied, outputs, inputs), rows, weighted, missing, gap, seed)| {
            let form = FORMS[form];
            (Problem { form, order, untied, outputs, inputs, rows, weighted, missing, gap }, seed)
        },
    )
}

/// The mean of the training loss: of both back ends the same, so that the oracle itself is checked too.
fn mean_loss(samples: &Samples, network: &Network, loss: Loss) -> f64 {
    let slope = Textbook(samples).slope(network, loss).unwrap();
    slope.loss[0] / slope.weight[0]
}

/// The slope of `of` by central differences at distance `h`, whose error is of order h².
fn central(h: f64, of: impl Fn(f64) -> f64) -> f64 {
    (of(h) - of(-h)) / (2.0 * h)
}

/// Steps of 1e-5 leave h² = 1e-10 of the third derivative (up to 1e4 for sets 0.2 wide) and 1e-16/h of rounding.
const STEP: f64 = 1e-5;
const BOUND: f64 = 3e-6;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn firing_strengths_sum_to_one_where_a_rule_covers_the_row((problem, seed) in problems()) {
        let (mut network, samples) = (network(&Problem { order: 0, ..problem }, seed), samples(&problem, seed));
        // Where every rule concludes 1, ŷ is the sum of the firing strengths.
        network.theta.fill(1.0);
        let cpu = Cpu::with_threads(1).unwrap();
        for output in Sweep::new(&samples, &cpu).predict(&network).unwrap() {
            for (i, sum) in output.iter().enumerate() {
                let x = samples.inputs_of(i);
                let covered = network.antecedents.firing(&x).iter().any(|phi| *phi > 0.0);
                // 27 rules at most, each rounded once.
                prop_assert!((sum - f64::from(u8::from(covered))).abs() < 1e-14, "{sum} {x:?}");
            }
        }
    }

    #[test]
    fn doubling_all_weights_doubles_sums_and_keeps_means((problem, seed) in problems()) {
        let problem = Problem { weighted: true, rows: problem.rows.max(5), ..problem };
        let (network, mut samples) = (network(&problem, seed), samples(&problem, seed));
        let cpu = Cpu::with_threads(1).unwrap();
        let all = |samples: &Samples| {
            let mut sweep = Sweep::new(samples, &cpu);
            (sweep.statistics(&network).unwrap(), sweep.slope(&network, Loss::Squares).unwrap())
        };
        let (sums, slope) = all(&samples);
        // Four times, whose square root is exact.
        samples.weights.iter_mut().flatten().for_each(|weight| *weight *= 4.0);
        let (more, same) = all(&samples);
        prop_assert!(sums.gram.iter().zip(&more.gram).all(|(a, b)| 4.0 * a == *b));
        prop_assert_eq!(&slope.theta, &same.theta);
        prop_assert_eq!(&slope.sets, &same.sets);
    }

    #[test]
    fn slopes_are_those_of_central_differences((problem, seed) in problems(), cross: bool) {
        let problem = Problem { rows: problem.rows.max(5), ..problem };
        let (network, samples) = (network(&problem, seed), samples(&problem, seed));
        let loss = if cross { Loss::CrossEntropy } else { Loss::Squares };
        let cpu = Cpu::with_threads(1).unwrap();
        let slope = Sweep::new(&samples, &cpu).slope(&network, loss).unwrap();
        for (at, found) in slope.theta.iter().enumerate().step_by(7) {
            let moved = |h: f64| {
                let mut network = network.clone();
                network.theta[at] += h;
                mean_loss(&samples, &network, loss)
            };
            let expected = central(STEP, moved);
            prop_assert!((found - expected).abs() < BOUND * expected.abs().max(1.0), "θ {found} {expected}");
        }
        if problem.form == Form::Triangle {
            prop_assert!(slope.sets.iter().flatten().all(|slope| *slope == 0.0));
            return Ok(());
        }
        for (set, parameter) in (0..slope.sets.len()).step_by(2).flat_map(|s| (0..problem.form.count()).map(move |p| (s, p))) {
            let moved = |h: f64| {
                let mut network = network.clone();
                network.antecedents.sets[set].parameters[parameter] += h;
                mean_loss(&samples, &network, loss)
            };
            let (found, expected) = (slope.sets[set][parameter], central(STEP, moved));
            prop_assert!((found - expected).abs() < BOUND * expected.abs().max(1.0), "{problem:?} {found} {expected}");
        }
    }
}
