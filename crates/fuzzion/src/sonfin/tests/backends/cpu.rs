//! Training on the CPU compared with the textbook implementation.

/// The plain loop that the benchmarks compare with.
#[path = "../../../../../fuzzion-bench/src/sonfin/bench/plain.rs"]
mod plain;

use crate::device::{Cpu, Simd};
use crate::sonfin::cpu::CpuLearner;
use crate::sonfin::learner::{EpochStats, Learner, NONE, StepSettings, TrainingRun};
use crate::sonfin::reference::problem::{Problem, network, order, samples, step_settings};
use crate::sonfin::reference::textbook::Textbook;
use crate::sonfin::types::network::Network;
use crate::sonfin::types::options::{Loss, WidthRule};
use crate::sonfin::types::scaled_samples::ScaledSamples;
use plain::PlainLoop;

/// Result of a training run: the network, its outputs and the statistics.
pub(in crate::sonfin::tests) type Trained = (Network, Vec<f32>, EpochStats);

pub(in crate::sonfin::tests) fn train(learner: &mut dyn Learner, run: TrainingRun<'_>) -> Trained {
    let rows = run.order.to_vec();
    let stats = learner.learn(&[run]).unwrap().remove(0);
    (learner.network(0).unwrap(), learner.outputs(0, &rows).unwrap(), stats)
}

/// Largest difference relative to the largest magnitude; infinite for NaN.
pub(in crate::sonfin::tests) fn relative_difference(found: &[f32], expected: &[f32]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let max_abs = expected.iter().fold(1e-3f64, |max_abs, x| max_abs.max(f64::from(x.abs())));
    let relative_difference =
        found.iter().zip(expected).map(|(a, b)| (f64::from(*a) - f64::from(*b)).abs() / max_abs);
    relative_difference.fold(0.0, |max, relative_difference| {
        if relative_difference.is_nan() { f64::INFINITY } else { relative_difference.max(max) }
    })
}

pub(in crate::sonfin::tests) fn assert_same(found: &Trained, expected: &Trained, bound: f64, what: &str) {
    assert_eq!(found.2.decisions, expected.2.decisions, "decisions, {what}");
    assert_eq!(found.0.rules(), expected.0.rules(), "{what}");
    for (name, a, b) in [
        ("a", &found.0.a, &expected.0.a),
        ("c", &found.0.c, &expected.0.c),
        ("w", &found.0.w, &expected.0.w),
        ("outputs", &found.1, &expected.1),
    ] {
        assert!(relative_difference(a, b) < bound, "{name} {}, {what}", relative_difference(a, b));
    }
    let loss = (found.2.loss - expected.2.loss).abs() / expected.2.loss.max(1e-3);
    assert!(loss < bound, "loss {loss}, {what}");
    assert!(found.2.misclassified.abs_diff(expected.2.misclassified) <= 1, "misclassified, {what}"); // a tie may be resolved either way
}

/// A few hundred steps with about twenty roundings of 6e-8 each; the steps dampen the errors.
pub(in crate::sonfin::tests) const BOUND: f64 = 2e-5;

/// Trains on all rows at every SIMD level and compares with the textbook implementation, replaying its decisions.
fn assert_textbook(problem: &Problem, settings: StepSettings) {
    let (samples, what) = (samples(problem), format!("{problem:?} {settings:?}"));
    let (network, order) = (network(problem, &samples), order(problem.rows, 3));
    let start = std::slice::from_ref(&network);
    let run = |replay| TrainingRun { order: &order, settings, replay };
    let expected = train(&mut Textbook::new(&samples, start), run(None));
    for simd in Simd::all() {
        let cpu = Cpu::with_threads(1).unwrap().with_simd(simd);
        let found = train(&mut CpuLearner::new(&samples, start, &cpu), run(Some(&expected.2.decisions)));
        assert_same(&found, &expected, BOUND, &format!("{simd:?} {what}"));
    }
}

#[test]
fn training_matches_the_textbook_for_every_loss_step_rule_and_output_count() {
    for loss in [Loss::SquaredError, Loss::CrossEntropy] {
        for plain_gradient in [false, true] {
            for outputs in [1, 3, 17] {
                let (rate_m, rate_s) = if plain_gradient { (1e-3, 1e-3) } else { (0.05, 0.02) };
                let problem = Problem { outputs, ..Problem::default() };
                assert_textbook(
                    &problem,
                    StepSettings { loss, plain_gradient, rate_m, rate_s, ..step_settings() },
                );
            }
        }
    }
}

#[test]
fn missing_inputs_are_ignored_as_in_the_textbook() {
    for dims in [1, 2, 9, 150] {
        let problem = Problem { dims, missing: true, ..Problem::default() };
        assert_textbook(&problem, step_settings());
        assert_textbook(&problem, StepSettings { ln_threshold: -1.0, ..step_settings() });
    }
}

#[test]
fn growth_from_no_rules_or_some_rules_matches_the_textbook() {
    for width_rule in [WidthRule::Distance, WidthRule::Thesis, WidthRule::LogFiring] {
        for rules in [0, 5] {
            let beta = if width_rule == WidthRule::LogFiring { 0.05 } else { 0.6 };
            let problem = Problem { rules, ..Problem::default() };
            assert_textbook(
                &problem,
                StepSettings { width_rule, beta, ln_threshold: -1.5, max_rules: 30, ..step_settings() },
            );
        }
    }
}

#[test]
fn decisions_match_the_textbook_if_none_is_near_the_threshold() {
    let problem = Problem { rules: 0, ..Problem::default() };
    let (samples, order) = (samples(&problem), order(problem.rows, 3));
    let empty = [Network::empty(problem.dims, problem.outputs)];
    let settings = StepSettings { ln_threshold: -2.0, ..step_settings() };
    let run = || TrainingRun { order: &order, settings, replay: None };
    let expected = train(&mut Textbook::new(&samples, &empty), run());
    let added = expected.2.decisions.iter().filter(|decision| **decision != NONE).count();
    assert!((10..100).contains(&added), "{added}");
    let cpu = Cpu::with_threads(1).unwrap();
    let found = train(&mut CpuLearner::new(&samples, &empty, &cpu), run());
    assert_same(&found, &expected, BOUND, "own decisions");
}

#[test]
fn every_network_shape_matches_the_textbook() {
    // One input and rule; one less than, equal to and one more than a vector, an unrolled step and a check
    // interval.
    for (dims, rules) in [(1, 1), (3, 15), (4, 16), (5, 17), (63, 31), (64, 32), (65, 33), (617, 40)] {
        assert_textbook(&Problem { dims, rules, rows: 60, ..Problem::default() }, step_settings());
    }
}

#[test]
fn nothing_underflows_in_five_thousand_dimensions() {
    // A hundredth of the usual widths: ln μ is about −40,000 for all rules except the sample's own.
    let problem = Problem { dims: 5000, rules: 30, rows: 60, width: 0.01, ..Problem::default() };
    let samples = samples(&problem);
    let network = network(&problem, &samples);
    let cpu = Cpu::with_threads(1).unwrap();
    let rows: Vec<u32> = (0..60).collect();
    let start = std::slice::from_ref(&network);
    let found = CpuLearner::new(&samples, start, &cpu).outputs(0, &rows).unwrap();
    let expected = Textbook::new(&samples, start).outputs(0, &rows).unwrap();
    // −ln μ of 40,000 has a rounding error of 0.004, which is the relative error of φ.
    assert!(relative_difference(&found, &expected) < 0.02, "{}", relative_difference(&found, &expected));
    assert_textbook(&Problem { dims: 5000, rules: 20, rows: 20, ..Problem::default() }, step_settings());
}

fn bits(train: &Trained) -> Vec<u32> {
    let network = &train.0;
    let all = network.a.iter().chain(&network.c).chain(&network.w).chain(&train.1);
    all.map(|x| x.to_bits()).collect()
}

fn train_on_cpu(problem: &Problem, samples: &ScaledSamples, settings: StepSettings, cpu: &Cpu) -> Trained {
    let network = network(problem, samples);
    let order = order(problem.rows, 3);
    train(
        &mut CpuLearner::new(samples, &[network], cpu),
        TrainingRun { order: &order, settings, replay: None },
    )
}

#[test]
fn training_is_bit_identical_for_any_number_of_threads() {
    for (dims, rules, missing) in [(7, 45, false), (300, 300, false), (300, 100, true)] {
        let problem = Problem { dims, rules, missing, ..Problem::default() };
        let samples = samples(&problem);
        let settings = StepSettings { ln_threshold: -1.0, ..step_settings() };
        let one = train_on_cpu(&problem, &samples, settings, &Cpu::with_threads(1).unwrap());
        assert!(one.0.rules() > rules, "some rules are added");
        for threads in [2, 3, 5] {
            let found = train_on_cpu(&problem, &samples, settings, &Cpu::with_threads(threads).unwrap());
            assert!(bits(&found) == bits(&one) && found.2 == one.2, "{threads} threads, {problem:?}");
        }
    }
}

#[test]
fn concurrent_networks_match_networks_trained_alone() {
    let problem = Problem::default();
    let samples = samples(&problem);
    let starts: Vec<Network> =
        (0..3).map(|seed| network(&Problem { seed: 10 + seed, ..problem }, &samples)).collect();
    let orders: Vec<Vec<u32>> = (0..3).map(|seed| order(100 + 10 * seed as usize, seed)).collect();
    let all_settings =
        [0.1, 0.2, 0.3].map(|rate_w| StepSettings { rate_w, ln_threshold: -2.0, ..step_settings() });
    let runs = || {
        orders.iter().zip(all_settings).map(|(order, settings)| TrainingRun { order, settings, replay: None })
    };
    let cpu = Cpu::with_threads(2).unwrap();
    let mut concurrent = CpuLearner::new(&samples, &starts, &cpu);
    let stats = concurrent.learn(&runs().collect::<Vec<_>>()).unwrap();
    for (i, run) in runs().enumerate() {
        let mut single = CpuLearner::new(&samples, &starts[i..=i], &cpu);
        assert_eq!(single.learn(&[run]).unwrap(), stats[i..=i]);
        assert_eq!(single.network(0).unwrap(), concurrent.network(i).unwrap());
    }
}

#[test]
fn a_learner_returns_the_network_that_it_was_given() {
    for missing in [false, true] {
        let problem = Problem { rules: 37, missing, ..Problem::default() };
        let samples = samples(&problem);
        let (first, second) =
            (network(&problem, &samples), network(&Problem { seed: 2, ..problem }, &samples));
        for simd in Simd::all() {
            let cpu = Cpu::with_threads(1).unwrap().with_simd(simd);
            let mut learner = CpuLearner::new(&samples, std::slice::from_ref(&first), &cpu);
            assert_eq!(learner.network(0).unwrap(), first);
            learner.replace(0, &second).unwrap();
            assert_eq!(learner.network(0).unwrap(), second);
        }
    }
}

#[test]
fn a_network_without_rules_outputs_zeros() {
    let problem = Problem { rows: 9, ..Problem::default() };
    let (samples, cpu) = (samples(&problem), Cpu::with_threads(1).unwrap());
    let mut learner = CpuLearner::new(&samples, &[Network::empty(problem.dims, problem.outputs)], &cpu);
    assert_eq!(learner.outputs(0, &[0, 4, 8]).unwrap(), vec![0.0; 9]);
    assert!(learner.outputs(0, &[]).unwrap().is_empty());
}

#[test]
fn two_consecutive_runs_equal_one_run() {
    let problem = Problem { rows: 300, ..Problem::default() };
    let (samples, order) = (samples(&problem), order(300, 5));
    let (network, cpu) = ([network(&problem, &samples)], Cpu::with_threads(1).unwrap());
    let settings = StepSettings { ln_threshold: -2.0, ..step_settings() };
    let after = |pieces: &[&[u32]]| {
        let mut learner = CpuLearner::new(&samples, &network, &cpu);
        for order in pieces {
            learner.learn(&[TrainingRun { order, settings, replay: None }]).unwrap();
        }
        learner.network(0).unwrap()
    };
    assert_eq!(after(&[&order]), after(&[&order[..101], &order[101..]]));
}

#[test]
fn the_benchmark_baseline_matches_the_textbook() {
    for (dims, outputs) in [(5, 3), (16, 10), (37, 26)] {
        let problem = Problem { dims, outputs, ..Problem::default() };
        let (samples, order) = (samples(&problem), order(problem.rows, 3));
        let start = network(&problem, &samples);
        let run = || TrainingRun { order: &order, settings: step_settings(), replay: None };
        let expected = train(&mut Textbook::new(&samples, std::slice::from_ref(&start)), run());
        for simd in Simd::all() {
            let mut found = train(&mut PlainLoop::new(&samples, &start, simd), run());
            found.2.misclassified = expected.2.misclassified; // not counted by the plain loop
            // The plain loop also updates rules with φ < 2⁻²⁴: 200 times by up to 2·0.02·2⁻²⁴·z² with z² in the
            // hundreds.
            assert_same(&found, &expected, 5e-4, &format!("{problem:?} {simd:?}"));
        }
    }
}
