//! CPU back end compared with the textbook implementation.

use crate::device::{Cpu, Simd};
use crate::tuning::cpu::CpuBackend;
use crate::tuning::network::Network;
use crate::tuning::network::form::Form;
use crate::tuning::reference::problem::{Problem, network, samples};
use crate::tuning::reference::textbook::Textbook;
use crate::tuning::solver::normal_equations::NormalEquations;
use crate::tuning::solver::solve::solve;
use crate::tuning::training::backend::Backend;
use crate::tuning::training::loss::{Gradient, Loss};
use crate::tuning::training::samples::ScaledSamples;

/// Sums of up to a few thousand terms of size 1, each with some tens of roundings of 1e-16, which mostly cancel.
const BOUND: f64 = 1e-12;

/// Largest difference relative to the largest expected value; infinite for NaN.
fn relative_difference(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let largest = expected.iter().fold(1e-3f64, |largest, x| largest.max(x.abs()));
    let relative_difference = found.iter().zip(expected).map(|(a, b)| (a - b).abs() / largest);
    relative_difference.fold(0.0, |max, relative_difference| {
        if relative_difference.is_nan() { f64::INFINITY } else { relative_difference.max(max) }
    })
}

fn assert_normal_equations(found: &NormalEquations, expected: &NormalEquations, what: &str) {
    assert!(relative_difference(&found.gram, &expected.gram) < BOUND, "gram, {what}");
    assert!(relative_difference(&found.cross, &expected.cross) < BOUND, "cross, {what}");
    assert!(relative_difference(&found.squares, &expected.squares) < BOUND, "squares, {what}");
    assert!(
        relative_difference(&[found.weight], &[expected.weight]) < BOUND && found.rows == expected.rows,
        "{what}"
    );
}

fn assert_gradient(found: &Gradient, expected: &Gradient, what: &str) {
    assert!(relative_difference(&found.loss, &expected.loss) < BOUND, "loss, {what}");
    assert!(relative_difference(&found.squares, &expected.squares) < BOUND, "squares, {what}");
    assert!(relative_difference(&found.weight, &expected.weight) < BOUND, "weight, {what}");
    assert!(relative_difference(&found.theta, &expected.theta) < BOUND, "theta, {what}");
    assert!(
        relative_difference(found.sets.as_flattened(), expected.sets.as_flattened()) < BOUND,
        "sets, {what}"
    );
}

fn assert_textbook(problem: &Problem) {
    let (network, samples) = (network(problem, 1), samples(problem, 2));
    let mut textbook = Textbook(&samples);
    let normal_equations = textbook.normal_equations(&network).unwrap();
    let gradients = [Loss::SquaredError, Loss::CrossEntropy]
        .map(|loss| (loss, textbook.loss_and_gradient(&network, loss).unwrap()));
    let (outputs, squared_firing) =
        (textbook.predict(&network).unwrap(), textbook.squared_firing(&network).unwrap());
    for simd in Simd::all() {
        let cpu = Cpu::with_threads(2).unwrap().with_simd(simd);
        let what = format!("{problem:?} {simd:?}");
        let mut backend = CpuBackend::new(&samples, &cpu);
        assert_normal_equations(&backend.normal_equations(&network).unwrap(), &normal_equations, &what);
        let found = backend.squared_firing(&network).unwrap();
        assert!(relative_difference(&found, &squared_firing) < BOUND, "squared firing strengths, {what}");
        for (loss, gradient) in &gradients {
            assert_gradient(
                &backend.loss_and_gradient(&network, *loss).unwrap(),
                gradient,
                &format!("{loss:?} {what}"),
            );
        }
        for (found, expected) in backend.predict(&network).unwrap().iter().zip(&outputs) {
            assert!(relative_difference(found, expected) < BOUND, "predict, {what}");
        }
    }
}

#[test]
fn all_forms_orders_and_ties_match_the_textbook() {
    for form in Form::ALL {
        for order in 0..4 {
            for (untied, unused_input) in [(false, false), (false, true), (true, true)] {
                assert_textbook(&Problem { form, order, untied, unused_input, ..Problem::default() });
            }
        }
    }
}

#[test]
fn weights_missing_inputs_and_several_outputs_match_the_textbook() {
    for form in Form::ALL {
        for (weighted, missing, untied) in [(true, false, false), (false, true, false), (true, true, true)] {
            let unused_input = weighted;
            let problem = Problem {
                form,
                weighted,
                missing,
                untied,
                unused_input,
                inputs: 3,
                outputs: 3,
                ..Problem::default()
            };
            assert_textbook(&problem);
        }
    }
}

#[test]
fn any_number_of_rows_matches_the_textbook() {
    // One row; one row less than a block, a block, one row more; more than a chunk.
    for rows in [1, 2, 9, 511, 512, 513, 2600] {
        assert_textbook(&Problem { rows, order: 0, ..Problem::default() });
    }
}

#[test]
fn more_columns_than_a_band_match_the_textbook() {
    // 27 rules with 10 monomials each: 270 columns and 2 targets.
    assert_textbook(&Problem { inputs: 3, order: 2, outputs: 2, rows: 40, ..Problem::default() });
}

#[test]
fn firing_strengths_far_from_all_rules_match_the_textbook() {
    // Rules only on the diagonal, with sets so narrow that all products of two memberships underflow elsewhere.
    let problem = Problem { rows: 200, ..Problem::default() };
    let (mut network, samples) = (network(&problem, 13), samples(&problem, 14));
    network.antecedents.sets.iter_mut().for_each(|set| set.parameters[1] = 0.01);
    network.antecedents.set_indices = [0, 3, 0, 3, 1, 4, 1, 4, 2, 5, 2, 5].to_vec();
    network = Network::new(network.antecedents, 0, 1);
    (0..6).for_each(|rule| network.theta[rule] = rule as f64);
    let expected = Textbook(&samples).predict(&network).unwrap();
    for simd in Simd::all() {
        let cpu = Cpu::with_threads(1).unwrap().with_simd(simd);
        let found = CpuBackend::new(&samples, &cpu).predict(&network).unwrap();
        // −ln μ of 10,000 is rounded to 1e-12, and so is φ.
        assert!(relative_difference(&found[0], &expected[0]) < 1e-11, "{simd:?}");
    }
}

#[test]
fn results_are_bit_identical_for_any_number_of_threads() {
    let problem = Problem { rows: 9000, order: 0, weighted: true, ..Problem::default() };
    let (network, samples) = (network(&problem, 3), samples(&problem, 4));
    let all = |threads| {
        let cpu = Cpu::with_threads(threads).unwrap();
        let mut backend = CpuBackend::new(&samples, &cpu);
        let normal_equations = backend.normal_equations(&network).unwrap();
        (
            normal_equations,
            backend.loss_and_gradient(&network, Loss::SquaredError).unwrap(),
            backend.predict(&network).unwrap(),
        )
    };
    let one = all(1);
    for threads in [2, 3, 5] {
        assert!(all(threads) == one, "{threads}");
    }
}

#[test]
fn normal_equations_of_chunks_merge_into_those_of_all_rows() {
    let problem = Problem { rows: 700, weighted: true, ..Problem::default() };
    let (network, mut whole) = (network(&problem, 5), samples(&problem, 6));
    whole.training = 700;
    let cpu = Cpu::with_threads(1).unwrap();
    let normal_equations =
        |samples: &ScaledSamples| CpuBackend::new(samples, &cpu).normal_equations(&network).unwrap();
    let mut merged = NormalEquations::zero(network.unknowns(), 1);
    for rows in [0..100, 100..101, 101..700] {
        let select =
            |columns: &[Vec<f64>]| columns.iter().map(|x| x[rows.clone()].to_vec()).collect::<Vec<_>>();
        let mut part = whole.clone();
        (part.inputs, part.targets) = (select(&whole.inputs), select(&whole.targets));
        part.weights = part.weights.map(|weights| weights[rows.clone()].to_vec());
        part.training = rows.len();
        merged.merge(&normal_equations(&part)).unwrap();
    }
    assert_normal_equations(&merged, &normal_equations(&whole), "merged");
}

#[test]
fn gradient_of_a_tied_set_is_the_sum_over_its_untied_copies() {
    let problem = Problem { rows: 300, ..Problem::default() };
    let (tied, samples) = (network(&problem, 7), samples(&problem, 8));
    let mut untied = tied.clone();
    untied.antecedents = tied.antecedents.untied();
    let cpu = Cpu::with_threads(1).unwrap();
    let mut backend = CpuBackend::new(&samples, &cpu);
    let tied_gradient = backend.loss_and_gradient(&tied, Loss::SquaredError).unwrap();
    let untied_gradient = backend.loss_and_gradient(&untied, Loss::SquaredError).unwrap();
    let mut sums = vec![[0.0; 4]; tied.antecedents.sets.len()];
    for (set, copy) in tied.antecedents.set_indices.iter().zip(&untied.antecedents.set_indices) {
        if let (Some(sum), Some(gradients)) =
            (sums.get_mut(*set as usize), untied_gradient.sets.get(*copy as usize))
        {
            sum.iter_mut().zip(gradients).for_each(|(sum, gradient)| *sum += gradient);
        }
    }
    assert!(relative_difference(sums.as_flattened(), tied_gradient.sets.as_flattened()) < BOUND);
    assert!(relative_difference(&untied_gradient.theta, &tied_gradient.theta) < BOUND);
}

#[test]
fn shifting_all_inputs_and_sets_does_not_change_predictions() {
    let problem = Problem { rows: 100, ..Problem::default() };
    let (mut network, mut samples) = (network(&problem, 9), samples(&problem, 10));
    let cpu = Cpu::with_threads(1).unwrap();
    let before = CpuBackend::new(&samples, &cpu).predict(&network).unwrap();
    // A power of two: x + 4 is rounded to 1e-15, and u to a few times that for sets of width 0.2.
    samples.inputs.iter_mut().flatten().for_each(|x| *x += 4.0);
    network.antecedents.sets.iter_mut().for_each(|set| set.parameters[0] += 4.0);
    network.frames.centers.iter_mut().for_each(|center| *center += 4.0);
    let after = CpuBackend::new(&samples, &cpu).predict(&network).unwrap();
    assert!(relative_difference(&after[0], &before[0]) < 1e-12);
}

#[test]
fn squared_error_of_the_solution_follows_from_the_normal_equations() {
    let problem = Problem { rows: 400, outputs: 2, order: 1, weighted: true, ..Problem::default() };
    let (mut network, samples) = (network(&problem, 11), samples(&problem, 12));
    let cpu = Cpu::with_threads(1).unwrap();
    let mut backend = CpuBackend::new(&samples, &cpu);
    let normal_equations = backend.normal_equations(&network).unwrap();
    network.theta = solve(&normal_equations, 0.0).theta;
    let gradient = backend.loss_and_gradient(&network, Loss::SquaredError).unwrap();
    // At the minimum, the squared error is yᵀy − θᵀΦᵀy, and the gradient of θ is 0.
    let explained: f64 =
        network.theta.iter().zip(&normal_equations.cross).map(|(theta, cross)| theta * cross).sum();
    let remaining = normal_equations.squares.iter().sum::<f64>() - explained;
    assert!(
        (gradient.squares[0] - remaining).abs() < 1e-9 * remaining,
        "{} {remaining}",
        gradient.squares[0]
    );
    assert!(gradient.theta.iter().all(|gradient| gradient.abs() < 1e-9));
}
