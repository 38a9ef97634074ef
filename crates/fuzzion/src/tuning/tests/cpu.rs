//! The CPU's sweeps against the textbook.

use super::super::cpu::Sweep;
use super::super::network::Network;
use super::super::problem::{FORMS, Problem, network, samples};
use super::super::rows::{Loss, Rows, Samples, Slope};
use super::super::solve::solve;
use super::super::statistics::Statistics;
use super::super::textbook::Textbook;
use crate::device::{Cpu, Simd};

/// Sums of up to a few thousand terms of size 1, each with some tens of roundings of 1e-16, which mostly cancel.
const BOUND: f64 = 1e-12;

/// The largest difference, relative to the largest number; infinite where one is not a number.
fn apart(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let largest = expected.iter().fold(1e-3f64, |largest, x| largest.max(x.abs()));
    let apart = found.iter().zip(expected).map(|(a, b)| (a - b).abs() / largest);
    apart.fold(0.0, |most, apart| if apart.is_nan() { f64::INFINITY } else { apart.max(most) })
}

fn assert_statistics(found: &Statistics, expected: &Statistics, what: &str) {
    assert!(apart(&found.gram, &expected.gram) < BOUND, "gram, {what}");
    assert!(apart(&found.cross, &expected.cross) < BOUND, "cross, {what}");
    assert!(apart(&found.squares, &expected.squares) < BOUND, "squares, {what}");
    assert!(apart(&[found.weight], &[expected.weight]) < BOUND && found.rows == expected.rows, "{what}");
}

fn assert_slope(found: &Slope, expected: &Slope, what: &str) {
    assert!(apart(&found.loss, &expected.loss) < BOUND, "loss, {what}");
    assert!(apart(&found.squares, &expected.squares) < BOUND, "squares, {what}");
    assert!(apart(&found.weight, &expected.weight) < BOUND, "weight, {what}");
    assert!(apart(&found.theta, &expected.theta) < BOUND, "theta, {what}");
    assert!(apart(found.sets.as_flattened(), expected.sets.as_flattened()) < BOUND, "sets, {what}");
}

fn assert_textbook(problem: &Problem) {
    let (network, samples) = (network(problem, 1), samples(problem, 2));
    let mut textbook = Textbook(&samples);
    let statistics = textbook.statistics(&network).unwrap();
    let slopes =
        [Loss::Squares, Loss::CrossEntropy].map(|loss| (loss, textbook.slope(&network, loss).unwrap()));
    let outputs = textbook.predict(&network).unwrap();
    for simd in Simd::all() {
        let cpu = Cpu::with_threads(2).unwrap().with_simd(simd);
        let what = format!("{problem:?} {simd:?}");
        let mut sweep = Sweep::new(&samples, &cpu);
        assert_statistics(&sweep.statistics(&network).unwrap(), &statistics, &what);
        for (loss, slope) in &slopes {
            assert_slope(&sweep.slope(&network, *loss).unwrap(), slope, &format!("{loss:?} {what}"));
        }
        for (found, expected) in sweep.predict(&network).unwrap().iter().zip(&outputs) {
            assert!(apart(found, expected) < BOUND, "predict, {what}");
        }
    }
}

#[test]
fn every_form_order_and_sharing_agrees_with_the_textbook() {
    for form in FORMS {
        for order in 0..4 {
            for (untied, gap) in [(false, false), (false, true), (true, true)] {
                assert_textbook(&Problem { form, order, untied, gap, ..Problem::default() });
            }
        }
    }
}

#[test]
fn weights_missing_inputs_and_several_outputs_agree_with_the_textbook() {
    for form in FORMS {
        for (weighted, missing, untied) in [(true, false, false), (false, true, false), (true, true, true)] {
            let gap = weighted;
            let problem =
                Problem { form, weighted, missing, untied, gap, inputs: 3, outputs: 3, ..Problem::default() };
            assert_textbook(&problem);
        }
    }
}

#[test]
fn any_number_of_rows_agrees_with_the_textbook() {
    // One row; a block less one, a block and one more; more than a chunk.
    for rows in [1, 2, 9, 511, 512, 513, 2600] {
        assert_textbook(&Problem { rows, order: 0, ..Problem::default() });
    }
}

#[test]
fn more_columns_than_a_band_agree_with_the_textbook() {
    // 27 rules of 10 monomials: 270 columns and 2 targets.
    assert_textbook(&Problem { inputs: 3, order: 2, outputs: 2, rows: 40, ..Problem::default() });
}

#[test]
fn rows_far_from_all_rules_have_the_firing_strengths_of_the_textbook() {
    // Rules on the diagonal alone, with sets so narrow that beside it every product of two memberships is 0.
    let problem = Problem { rows: 200, ..Problem::default() };
    let (mut network, samples) = (network(&problem, 13), samples(&problem, 14));
    network.antecedents.sets.iter_mut().for_each(|set| set.parameters[1] = 0.01);
    network.antecedents.uses = [0, 3, 0, 3, 1, 4, 1, 4, 2, 5, 2, 5].to_vec();
    network = Network::new(network.antecedents, 0, 1);
    (0..6).for_each(|rule| network.theta[rule] = rule as f64);
    let expected = Textbook(&samples).predict(&network).unwrap();
    for simd in Simd::all() {
        let cpu = Cpu::with_threads(1).unwrap().with_simd(simd);
        let found = Sweep::new(&samples, &cpu).predict(&network).unwrap();
        // −ln μ of 10,000 is rounded to 1e-12, and φ to as much.
        assert!(apart(&found[0], &expected[0]) < 1e-11, "{simd:?}");
    }
}

#[test]
fn results_are_the_same_to_the_bit_for_any_number_of_threads() {
    let problem = Problem { rows: 9000, order: 0, weighted: true, ..Problem::default() };
    let (network, samples) = (network(&problem, 3), samples(&problem, 4));
    let all = |threads| {
        let cpu = Cpu::with_threads(threads).unwrap();
        let mut sweep = Sweep::new(&samples, &cpu);
        let statistics = sweep.statistics(&network).unwrap();
        (statistics, sweep.slope(&network, Loss::Squares).unwrap(), sweep.predict(&network).unwrap())
    };
    let one = all(1);
    for threads in [2, 3, 5] {
        assert!(all(threads) == one, "{threads}");
    }
}

#[test]
fn statistics_of_parts_of_the_rows_merge_into_those_of_all() {
    let problem = Problem { rows: 700, weighted: true, ..Problem::default() };
    let (network, mut whole) = (network(&problem, 5), samples(&problem, 6));
    whole.training = 700;
    let cpu = Cpu::with_threads(1).unwrap();
    let statistics = |samples: &Samples| Sweep::new(samples, &cpu).statistics(&network).unwrap();
    let mut merged = Statistics::zero(network.unknowns(), 1);
    for rows in [0..100, 100..101, 101..700] {
        let cut = |columns: &[Vec<f64>]| columns.iter().map(|x| x[rows.clone()].to_vec()).collect::<Vec<_>>();
        let mut part = whole.clone();
        (part.inputs, part.targets) = (cut(&whole.inputs), cut(&whole.targets));
        part.weights = part.weights.map(|weights| weights[rows.clone()].to_vec());
        part.training = rows.len();
        merged.merge(&statistics(&part)).unwrap();
    }
    assert_statistics(&merged, &statistics(&whole), "merged");
}

#[test]
fn shared_sets_learn_what_copies_of_them_learn_together() {
    let problem = Problem { rows: 300, ..Problem::default() };
    let (tied, samples) = (network(&problem, 7), samples(&problem, 8));
    let mut untied = tied.clone();
    untied.antecedents = tied.antecedents.untied();
    let cpu = Cpu::with_threads(1).unwrap();
    let mut sweep = Sweep::new(&samples, &cpu);
    let together = sweep.slope(&tied, Loss::Squares).unwrap();
    let apart_slopes = sweep.slope(&untied, Loss::Squares).unwrap();
    let mut sums = vec![[0.0; 4]; tied.antecedents.sets.len()];
    for (set, copy) in tied.antecedents.uses.iter().zip(&untied.antecedents.uses) {
        if let (Some(sum), Some(slopes)) =
            (sums.get_mut(*set as usize), apart_slopes.sets.get(*copy as usize))
        {
            sum.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += slope);
        }
    }
    assert!(apart(sums.as_flattened(), together.sets.as_flattened()) < BOUND);
    assert!(apart(&apart_slopes.theta, &together.theta) < BOUND);
}

#[test]
fn a_shift_of_all_inputs_and_sets_changes_nothing() {
    let problem = Problem { rows: 100, ..Problem::default() };
    let (mut network, mut samples) = (network(&problem, 9), samples(&problem, 10));
    let cpu = Cpu::with_threads(1).unwrap();
    let before = Sweep::new(&samples, &cpu).predict(&network).unwrap();
    // A power of two: x + 4 is rounded to 1e-15, and with sets 0.2 wide u to a few times that.
    samples.inputs.iter_mut().flatten().for_each(|x| *x += 4.0);
    network.antecedents.sets.iter_mut().for_each(|set| set.parameters[0] += 4.0);
    network.frames.centers.iter_mut().for_each(|center| *center += 4.0);
    let after = Sweep::new(&samples, &cpu).predict(&network).unwrap();
    assert!(apart(&after[0], &before[0]) < 1e-12);
}

#[test]
fn the_error_of_the_solution_is_what_the_statistics_say() {
    let problem = Problem { rows: 400, outputs: 2, order: 1, weighted: true, ..Problem::default() };
    let (mut network, samples) = (network(&problem, 11), samples(&problem, 12));
    let cpu = Cpu::with_threads(1).unwrap();
    let mut sweep = Sweep::new(&samples, &cpu);
    let statistics = sweep.statistics(&network).unwrap();
    network.theta = solve(&statistics, 0.0).theta;
    let slope = sweep.slope(&network, Loss::Squares).unwrap();
    // At the least squares yᵀy − θᵀΦᵀy is left, and no θ has a slope.
    let explained: f64 =
        network.theta.iter().zip(&statistics.cross).map(|(theta, cross)| theta * cross).sum();
    let left = statistics.squares.iter().sum::<f64>() - explained;
    assert!((slope.squares[0] - left).abs() < 1e-9 * left, "{} {left}", slope.squares[0]);
    assert!(slope.theta.iter().all(|slope| slope.abs() < 1e-9));
}
