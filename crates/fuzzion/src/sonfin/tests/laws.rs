//! Laws of learning, on the textbook and on the CPU.

use super::super::cpu::OnCpu;
use super::super::learner::{Course, Learner, Lesson, Loss};
use super::super::network::Network;
use super::super::problem::{Problem, course, network, order, samples};
use super::super::samples::Samples;
use super::super::textbook::{Rule, Textbook, firing, ln_mu, loss, outputs, rules_of};
use crate::device::Cpu;
use proptest::prelude::*;

/// The loss of one sample as a function of the rules.
fn loss_of(rules: &[Rule], x: &[f64], t: &[f64], kind: Loss) -> f64 {
    let phi = firing(&rules.iter().map(|rule| ln_mu(rule, x)).collect::<Vec<_>>());
    loss(&outputs(rules, &phi, t.len()), t, kind).0
}

/// The slope of the loss along one parameter, by central differences.
fn slope(rules: &[Rule], parameter: impl Fn(&mut [Rule]) -> &mut f64, of: impl Fn(&[Rule]) -> f64) -> f64 {
    let mut moved = rules.to_vec();
    let at = *parameter(&mut moved);
    let h = 1e-5 * at.abs().max(0.1);
    *parameter(&mut moved) = at + h;
    let above = of(&moved);
    *parameter(&mut moved) = at - h;
    (above - of(&moved)) / (2.0 * h)
}

#[test]
fn a_step_goes_down_the_slopes_of_the_loss() {
    // Rates so small that a step is the slope times the rate, and large enough for the differences to show.
    let rate = 1e-4;
    for (loss, plain) in [
        (Loss::Squares, false),
        (Loss::CrossEntropy, false),
        (Loss::Squares, true),
        (Loss::CrossEntropy, true),
    ] {
        let problem = Problem { rules: 4, clumps: 2, spread: 0.5, ..Problem::default() };
        let samples = samples(&problem);
        let start = network(&problem, &samples);
        let course = Course { loss, plain, rate_w: rate, rate_m: rate, rate_s: rate, ..course() };
        let mut textbook = Textbook::new(&samples, &[start]);
        let rules = textbook.networks[0].clone();
        textbook.learn(&[Lesson { order: &[7], course, replay: None }]).unwrap();
        let wide = |values: &[f32]| values.iter().map(|x| f64::from(*x)).collect::<Vec<_>>();
        let (x, t) = (wide(samples.inputs_of(7)), wide(samples.targets_of(7)));
        let of = |rules: &[Rule]| loss_of(rules, &x, &t, loss);
        let rate = f64::from(course.rate_w);
        for (k, (before, after)) in rules.iter().zip(&textbook.networks[0]).enumerate() {
            let close = |found: f64, expected: f64, what: &str| {
                // A step of 1e-4 is a straight line to 1e-4, and differences to 1e-9 of the loss.
                let bound = rate * (1e-3 * (expected / rate).abs() + 1e-8);
                assert!(
                    (found - expected).abs() < bound,
                    "{what} of {k}: {found} {expected}, {loss:?} {plain}"
                );
            };
            for l in 0..t.len() {
                let slope = slope(&rules, |rules| &mut rules[k].w[l], of);
                close(after.w[l] - before.w[l], -rate * slope, "w");
            }
            for j in 0..x.len() {
                let s = before.s[j];
                let unit = if plain { 1.0 } else { s * s };
                let m_slope = slope(&rules, |rules| &mut rules[k].m[j], of);
                close(after.m[j] - before.m[j], -rate * unit * m_slope, "m");
                let s_slope = slope(&rules, |rules| &mut rules[k].s[j], of);
                close(after.s[j] - s, -rate * unit * s_slope, "s");
            }
        }
    }
}

/// A network whose outputs are the φ of its rules.
fn showing_phi(mut network: Network) -> Network {
    let rules = network.rules();
    network.outputs = rules;
    network.w = (0..rules * rules).map(|i| if i / rules == i % rules { 1.0 } else { 0.0 }).collect();
    network
}

/// φ of every rule for every row.
fn phi(problem: &Problem) -> (Samples, Network, Vec<f32>) {
    let mut samples = samples(problem);
    let network = showing_phi(network(problem, &samples));
    samples.outputs = network.outputs;
    samples.t = vec![0.0; samples.rows() * network.outputs];
    let rows: Vec<u32> = (0..samples.rows() as u32).collect();
    let cpu = Cpu::with_threads(1).unwrap();
    let phi = OnCpu::new(&samples, std::slice::from_ref(&network), &cpu).outputs(0, &rows).unwrap();
    (samples, network, phi)
}

fn problems() -> impl Strategy<Value = Problem> {
    let shapes =
        (1usize..40, 1usize..40, 1usize..20, 0.01f64..1.0, 0.05f64..3.0, any::<bool>(), any::<u64>());
    shapes.prop_map(|(dims, rules, clumps, spread, width, missing, seed)| Problem {
        rows: 40,
        dims,
        rules,
        clumps,
        spread,
        width,
        missing,
        seed,
        ..Problem::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn firing_strengths_of_a_sample_sum_to_one(problem in problems()) {
        let (_, network, phi) = phi(&problem);
        for phi in phi.chunks(network.rules()) {
            let sum: f64 = phi.iter().map(|phi| f64::from(*phi)).sum();
            // Up to 40 terms, each rounded twice.
            prop_assert!((sum - 1.0).abs() < 40.0 * 1.2e-7 && phi.iter().all(|phi| *phi >= 0.0), "{sum}");
        }
    }

    #[test]
    fn nothing_fires_more_than_a_rule_at_its_own_center(problem in problems()) {
        let problem = Problem { missing: false, ..problem };
        let (mut samples, network, _) = phi(&problem);
        let centers = rules_of(&network).into_iter().flat_map(|rule| rule.m);
        samples.x = centers.map(|m| m as f32).collect();
        samples.t = vec![0.0; network.rules() * network.rules()];
        let rows: Vec<u32> = (0..network.rules() as u32).collect();
        let cpu = Cpu::with_threads(1).unwrap();
        let phi = OnCpu::new(&samples, std::slice::from_ref(&network), &cpu).outputs(0, &rows).unwrap();
        for (k, phi) in phi.chunks(network.rules()).enumerate() {
            // Two rules with almost the same center may differ by rounding.
            prop_assert!(phi.iter().all(|other| *other <= phi[k] * (1.0 + 1e-5)), "{k}: {phi:?}");
        }
    }

    #[test]
    fn the_order_of_the_inputs_does_not_matter(problem in problems()) {
        // Rules so wide that −ln μ stays below some thousands, and rounding it changes φ by less than a thousandth.
        let (spread, width) = (problem.spread.max(0.1), problem.width.max(0.3));
        let problem = Problem { spread, width, ..problem };
        let samples = samples(&problem);
        let start = network(&problem, &samples);
        let dims = problem.dims;
        let turned = |values: &[f32]| -> Vec<f32> {
            values.chunks(dims).flat_map(|row| row.iter().rev().copied()).collect()
        };
        let mirror = Samples { x: turned(&samples.x), ..samples.clone() };
        let mirrored = Network { a: turned(&start.a), c: turned(&start.c), ..start.clone() };
        let (order, cpu) = (order(problem.rows, 1), Cpu::with_threads(1).unwrap());
        let learned = |samples: &Samples, start: Network| {
            let mut learner = OnCpu::new(samples, &[start], &cpu);
            learner.learn(&[Lesson { order: &order, course: course(), replay: None }]).unwrap();
            (learner.network(0).unwrap(), learner.outputs(0, &order).unwrap())
        };
        let ((one, y), (other, y_mirrored)) = (learned(&samples, start), learned(&mirror, mirrored));
        let bound = 1e-2; // and steps do not blow it up
        prop_assert!(y.iter().zip(&y_mirrored).all(|(a, b)| (a - b).abs() < bound), "{y:?} {y_mirrored:?}");
        let same = one.w.iter().zip(&other.w).all(|(a, b)| (a - b).abs() < bound);
        prop_assert!(same);
    }

    #[test]
    fn a_sample_that_a_rule_says_exactly_moves_nothing(problem in problems()) {
        // One rule alone has φ = 1 and y = w: without an error there is no slope.
        let mut samples = samples(&problem);
        let start = network(&Problem { rules: 1, ..problem }, &samples);
        for targets in samples.t.chunks_mut(problem.outputs) {
            targets.copy_from_slice(&start.w);
        }
        let (order, cpu) = (order(problem.rows, 1), Cpu::with_threads(1).unwrap());
        let mut learner = OnCpu::new(&samples, std::slice::from_ref(&start), &cpu);
        let tally = learner.learn(&[Lesson { order: &order, course: course(), replay: None }]).unwrap();
        prop_assert_eq!(learner.network(0).unwrap(), start);
        prop_assert_eq!(tally[0].loss, 0.0);
    }
}
