//! The CPU's learning against the textbook.

use super::super::bench::plain::Plain;
use super::super::cpu::OnCpu;
use super::super::learner::{Course, Learner, Lesson, Loss, NONE, Tally, WidthRule};
use super::super::network::Network;
use super::super::problem::{Problem, course, network, order, samples};
use super::super::samples::Samples;
use super::super::textbook::Textbook;
use crate::device::{Cpu, Simd};

/// What learning left behind: the network, the outputs it then has, how the lesson went.
pub(super) type Learned = (Network, Vec<f32>, Tally);

pub(super) fn learned(learner: &mut dyn Learner, lesson: Lesson<'_>) -> Learned {
    let rows = lesson.order.to_vec();
    let tally = learner.learn(&[lesson]).unwrap().remove(0);
    (learner.network(0).unwrap(), learner.outputs(0, &rows).unwrap(), tally)
}

/// The largest difference, relative to the largest number; infinite where one is not a number.
fn apart(found: &[f32], expected: &[f32]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let largest = expected.iter().fold(1e-3f64, |largest, x| largest.max(f64::from(x.abs())));
    let apart = found.iter().zip(expected).map(|(a, b)| (f64::from(*a) - f64::from(*b)).abs() / largest);
    apart.fold(0.0, |most, apart| if apart.is_nan() { f64::INFINITY } else { apart.max(most) })
}

pub(super) fn assert_same(found: &Learned, expected: &Learned, bound: f64, what: &str) {
    assert_eq!(found.2.grown, expected.2.grown, "decisions, {what}");
    assert_eq!(found.0.rules(), expected.0.rules(), "{what}");
    for (name, a, b) in [
        ("a", &found.0.a, &expected.0.a),
        ("c", &found.0.c, &expected.0.c),
        ("w", &found.0.w, &expected.0.w),
        ("outputs", &found.1, &expected.1),
    ] {
        assert!(apart(a, b) < bound, "{name} {}, {what}", apart(a, b));
    }
    let loss = (found.2.loss - expected.2.loss).abs() / expected.2.loss.max(1e-3);
    assert!(loss < bound, "loss {loss}, {what}");
    assert!(found.2.wrong.abs_diff(expected.2.wrong) <= 1, "wrong, {what}"); // a tie may fall either way
}

/// A few hundred steps with some twenty roundings of 6e-8 each, whose effects steps shrink rather than grow.
pub(super) const BOUND: f64 = 2e-5;

/// Learns from all rows on every vector level, and compares with the textbook whose decisions are repeated.
fn assert_textbook(problem: &Problem, course: Course) {
    let (samples, what) = (samples(problem), format!("{problem:?} {course:?}"));
    let (network, order) = (network(problem, &samples), order(problem.rows, 3));
    let start = std::slice::from_ref(&network);
    let lesson = |replay| Lesson { order: &order, course, replay };
    let expected = learned(&mut Textbook::new(&samples, start), lesson(None));
    for simd in Simd::all() {
        let cpu = Cpu::with_threads(1).unwrap().with_simd(simd);
        let found = learned(&mut OnCpu::new(&samples, start, &cpu), lesson(Some(&expected.2.grown)));
        assert_same(&found, &expected, BOUND, &format!("{simd:?} {what}"));
    }
}

#[test]
fn learning_agrees_with_the_textbook_for_every_loss_step_and_number_of_outputs() {
    for loss in [Loss::Squares, Loss::CrossEntropy] {
        for plain in [false, true] {
            for outputs in [1, 3, 17] {
                let (rate_m, rate_s) = if plain { (1e-3, 1e-3) } else { (0.05, 0.02) };
                let problem = Problem { outputs, ..Problem::default() };
                assert_textbook(&problem, Course { loss, plain, rate_m, rate_s, ..course() });
            }
        }
    }
}

#[test]
fn missing_inputs_are_left_out_as_in_the_textbook() {
    for dims in [1, 2, 9, 150] {
        let problem = Problem { dims, missing: true, ..Problem::default() };
        assert_textbook(&problem, course());
        assert_textbook(&problem, Course { ln_threshold: -1.0, ..course() });
    }
}

#[test]
fn rules_grow_as_in_the_textbook_from_none_or_some() {
    for width_rule in [WidthRule::Distance, WidthRule::Thesis, WidthRule::LogFiring] {
        for rules in [0, 5] {
            let beta = if width_rule == WidthRule::LogFiring { 0.05 } else { 0.6 };
            let problem = Problem { rules, ..Problem::default() };
            assert_textbook(
                &problem,
                Course { width_rule, beta, ln_threshold: -1.5, most_rules: 30, ..course() },
            );
        }
    }
}

#[test]
fn decisions_are_the_textbooks_where_none_hangs_on_rounding() {
    let problem = Problem { rules: 0, ..Problem::default() };
    let (samples, order) = (samples(&problem), order(problem.rows, 3));
    let empty = [Network::empty(problem.dims, problem.outputs)];
    let course = Course { ln_threshold: -2.0, ..course() };
    let lesson = || Lesson { order: &order, course, replay: None };
    let expected = learned(&mut Textbook::new(&samples, &empty), lesson());
    let grown = expected.2.grown.iter().filter(|grown| **grown != NONE).count();
    assert!((10..100).contains(&grown), "{grown}");
    let cpu = Cpu::with_threads(1).unwrap();
    let found = learned(&mut OnCpu::new(&samples, &empty, &cpu), lesson());
    assert_same(&found, &expected, BOUND, "own decisions");
}

#[test]
fn any_shape_agrees_with_the_textbook() {
    // One input and rule; one less, as many and one more than a vector, a step of inputs, a look.
    for (dims, rules) in [(1, 1), (3, 15), (4, 16), (5, 17), (63, 31), (64, 32), (65, 33), (617, 40)] {
        assert_textbook(&Problem { dims, rules, rows: 60, ..Problem::default() }, course());
    }
}

#[test]
fn nothing_underflows_in_five_thousand_dimensions() {
    // A hundredth of the usual widths: ln μ is about −40,000 for every rule but a sample's own.
    let problem = Problem { dims: 5000, rules: 30, rows: 60, width: 0.01, ..Problem::default() };
    let samples = samples(&problem);
    let network = network(&problem, &samples);
    let cpu = Cpu::with_threads(1).unwrap();
    let rows: Vec<u32> = (0..60).collect();
    let start = std::slice::from_ref(&network);
    let found = OnCpu::new(&samples, start, &cpu).outputs(0, &rows).unwrap();
    let expected = Textbook::new(&samples, start).outputs(0, &rows).unwrap();
    // −ln μ of 40,000 is rounded to 0.004, and φ relative to that.
    assert!(apart(&found, &expected) < 0.02, "{}", apart(&found, &expected));
    assert_textbook(&Problem { dims: 5000, rules: 20, rows: 20, ..Problem::default() }, course());
}

fn bits(learned: &Learned) -> Vec<u32> {
    let network = &learned.0;
    let all = network.a.iter().chain(&network.c).chain(&network.w).chain(&learned.1);
    all.map(|x| x.to_bits()).collect()
}

fn run(problem: &Problem, samples: &Samples, course: Course, cpu: &Cpu) -> Learned {
    let network = network(problem, samples);
    let order = order(problem.rows, 3);
    learned(&mut OnCpu::new(samples, &[network], cpu), Lesson { order: &order, course, replay: None })
}

#[test]
fn every_number_of_threads_makes_the_same_bits() {
    for (dims, rules, missing) in [(7, 45, false), (300, 300, false), (300, 100, true)] {
        let problem = Problem { dims, rules, missing, ..Problem::default() };
        let samples = samples(&problem);
        let course = Course { ln_threshold: -1.0, ..course() };
        let one = run(&problem, &samples, course, &Cpu::with_threads(1).unwrap());
        assert!(one.0.rules() > rules, "some rule grows");
        for threads in [2, 3, 5] {
            let found = run(&problem, &samples, course, &Cpu::with_threads(threads).unwrap());
            assert!(bits(&found) == bits(&one) && found.2 == one.2, "{threads} threads, {problem:?}");
        }
    }
}

#[test]
fn several_networks_learn_what_each_learns_alone() {
    let problem = Problem::default();
    let samples = samples(&problem);
    let starts: Vec<Network> =
        (0..3).map(|seed| network(&Problem { seed: 10 + seed, ..problem }, &samples)).collect();
    let orders: Vec<Vec<u32>> = (0..3).map(|seed| order(100 + 10 * seed as usize, seed)).collect();
    let courses = [0.1, 0.2, 0.3].map(|rate_w| Course { rate_w, ln_threshold: -2.0, ..course() });
    let lessons = || orders.iter().zip(courses).map(|(order, course)| Lesson { order, course, replay: None });
    let cpu = Cpu::with_threads(2).unwrap();
    let mut together = OnCpu::new(&samples, &starts, &cpu);
    let tallies = together.learn(&lessons().collect::<Vec<_>>()).unwrap();
    for (i, lesson) in lessons().enumerate() {
        let mut alone = OnCpu::new(&samples, &starts[i..=i], &cpu);
        assert_eq!(alone.learn(&[lesson]).unwrap(), tallies[i..=i]);
        assert_eq!(alone.network(0).unwrap(), together.network(i).unwrap());
    }
}

#[test]
fn a_network_comes_back_as_it_went_in() {
    for missing in [false, true] {
        let problem = Problem { rules: 37, missing, ..Problem::default() };
        let samples = samples(&problem);
        let (first, second) =
            (network(&problem, &samples), network(&Problem { seed: 2, ..problem }, &samples));
        for simd in Simd::all() {
            let cpu = Cpu::with_threads(1).unwrap().with_simd(simd);
            let mut learner = OnCpu::new(&samples, std::slice::from_ref(&first), &cpu);
            assert_eq!(learner.network(0).unwrap(), first);
            learner.replace(0, &second).unwrap();
            assert_eq!(learner.network(0).unwrap(), second);
        }
    }
}

#[test]
fn a_network_without_rules_says_nothing() {
    let problem = Problem { rows: 9, ..Problem::default() };
    let (samples, cpu) = (samples(&problem), Cpu::with_threads(1).unwrap());
    let mut learner = OnCpu::new(&samples, &[Network::empty(problem.dims, problem.outputs)], &cpu);
    assert_eq!(learner.outputs(0, &[0, 4, 8]).unwrap(), vec![0.0; 9]);
    assert!(learner.outputs(0, &[]).unwrap().is_empty());
}

#[test]
fn two_lessons_are_one_lesson_cut_in_two() {
    let problem = Problem { rows: 300, ..Problem::default() };
    let (samples, order) = (samples(&problem), order(300, 5));
    let (network, cpu) = ([network(&problem, &samples)], Cpu::with_threads(1).unwrap());
    let course = Course { ln_threshold: -2.0, ..course() };
    let after = |pieces: &[&[u32]]| {
        let mut learner = OnCpu::new(&samples, &network, &cpu);
        for order in pieces {
            learner.learn(&[Lesson { order, course, replay: None }]).unwrap();
        }
        learner.network(0).unwrap()
    };
    assert_eq!(after(&[&order]), after(&[&order[..101], &order[101..]]));
}

#[test]
fn the_plain_loop_that_times_are_compared_with_learns_the_same() {
    for (dims, outputs) in [(5, 3), (16, 10), (37, 26)] {
        let problem = Problem { dims, outputs, ..Problem::default() };
        let (samples, order) = (samples(&problem), order(problem.rows, 3));
        let start = network(&problem, &samples);
        let lesson = || Lesson { order: &order, course: course(), replay: None };
        let expected = learned(&mut Textbook::new(&samples, std::slice::from_ref(&start)), lesson());
        for simd in Simd::all() {
            let mut found = learned(&mut Plain::new(&samples, &start, simd), lesson());
            found.2.wrong = expected.2.wrong; // which it does not count
            // It moves rules with φ < 2⁻²⁴ too, each of 200 times by up to 2·0.02·2⁻²⁴·z² with z² of some hundreds.
            assert_same(&found, &expected, 5e-4, &format!("{problem:?} {simd:?}"));
        }
    }
}
