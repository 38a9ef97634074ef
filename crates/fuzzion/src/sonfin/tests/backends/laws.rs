//! Properties of training, for the textbook implementation and the CPU back end.

use crate::device::Cpu;
use crate::sonfin::cpu::CpuLearner;
use crate::sonfin::learner::{Learner, StepSettings, TrainingRun};
use crate::sonfin::reference::problem::{Problem, network, order, samples, step_settings};
use crate::sonfin::reference::textbook::{Rule, Textbook, firing, ln_mu, loss, outputs, rules_in_f64};
use crate::sonfin::types::network::Network;
use crate::sonfin::types::options::Loss;
use crate::sonfin::types::scaled_samples::ScaledSamples;
use proptest::prelude::*;

/// Loss of one sample as a function of the rules.
fn loss_of(rules: &[Rule], x: &[f64], t: &[f64], kind: Loss) -> f64 {
    let phi = firing(&rules.iter().map(|rule| ln_mu(rule, x)).collect::<Vec<_>>());
    loss(&outputs(rules, &phi, t.len()), t, kind).0
}

/// Derivative of the loss with respect to one parameter, by central differences.
fn derivative(
    rules: &[Rule],
    parameter: impl Fn(&mut [Rule]) -> &mut f64,
    of: impl Fn(&[Rule]) -> f64,
) -> f64 {
    let mut perturbed = rules.to_vec();
    let at = *parameter(&mut perturbed);
    let h = 1e-5 * at.abs().max(0.1);
    *parameter(&mut perturbed) = at + h;
    let above = of(&perturbed);
    *parameter(&mut perturbed) = at - h;
    (above - of(&perturbed)) / (2.0 * h)
}

#[test]
fn steps_follow_the_negative_gradient_of_the_loss() {
    // Rates small enough for a linear step and large enough for measurable differences.
    let rate = 1e-4;
    for (loss, plain_gradient) in [
        (Loss::SquaredError, false),
        (Loss::CrossEntropy, false),
        (Loss::SquaredError, true),
        (Loss::CrossEntropy, true),
    ] {
        let problem = Problem { rules: 4, clusters: 2, spread: 0.5, ..Problem::default() };
        let samples = samples(&problem);
        let start = network(&problem, &samples);
        let settings = StepSettings {
            loss,
            plain_gradient,
            rate_w: rate,
            rate_m: rate,
            rate_s: rate,
            ..step_settings()
        };
        let mut textbook = Textbook::new(&samples, &[start]);
        let rules = textbook.networks[0].clone();
        textbook.learn(&[TrainingRun { order: &[7], settings, replay: None }]).unwrap();
        let wide = |values: &[f32]| values.iter().map(|x| f64::from(*x)).collect::<Vec<_>>();
        let (x, t) = (wide(samples.inputs_of(7)), wide(samples.targets_of(7)));
        let of = |rules: &[Rule]| loss_of(rules, &x, &t, loss);
        let rate = f64::from(settings.rate_w);
        for (k, (before, after)) in rules.iter().zip(&textbook.networks[0]).enumerate() {
            let assert_close = |found: f64, expected: f64, what: &str| {
                // A step of 1e-4 is linear to 1e-4, and the differences are accurate to 1e-9 of the loss.
                let bound = rate * (1e-3 * (expected / rate).abs() + 1e-8);
                assert!(
                    (found - expected).abs() < bound,
                    "{what} of {k}: {found} {expected}, {loss:?} {plain_gradient}"
                );
            };
            for l in 0..t.len() {
                let derivative = derivative(&rules, |rules| &mut rules[k].w[l], of);
                assert_close(after.w[l] - before.w[l], -rate * derivative, "w");
            }
            for j in 0..x.len() {
                let s = before.s[j];
                let unit = if plain_gradient { 1.0 } else { s * s };
                let m_derivative = derivative(&rules, |rules| &mut rules[k].m[j], of);
                assert_close(after.m[j] - before.m[j], -rate * unit * m_derivative, "m");
                let s_derivative = derivative(&rules, |rules| &mut rules[k].s[j], of);
                assert_close(after.s[j] - s, -rate * unit * s_derivative, "s");
            }
        }
    }
}

/// The network with φ of its rules as outputs.
fn with_phi_outputs(mut network: Network) -> Network {
    let rules = network.rules();
    network.outputs = rules;
    network.w = (0..rules * rules).map(|i| if i / rules == i % rules { 1.0 } else { 0.0 }).collect();
    network
}

/// φ of every rule for every row.
fn phi(problem: &Problem) -> (ScaledSamples, Network, Vec<f32>) {
    let mut samples = samples(problem);
    let network = with_phi_outputs(network(problem, &samples));
    samples.outputs = network.outputs;
    samples.t = vec![0.0; samples.rows() * network.outputs];
    let rows: Vec<u32> = (0..samples.rows() as u32).collect();
    let cpu = Cpu::with_threads(1).unwrap();
    let phi = CpuLearner::new(&samples, std::slice::from_ref(&network), &cpu).outputs(0, &rows).unwrap();
    (samples, network, phi)
}

fn problems() -> impl Strategy<Value = Problem> {
    let shapes =
        (1usize..40, 1usize..40, 1usize..20, 0.01f64..1.0, 0.05f64..3.0, any::<bool>(), any::<u64>());
    shapes.prop_map(|(dims, rules, clusters, spread, width, missing, seed)| Problem {
        rows: 40,
        dims,
        rules,
        clusters,
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
    fn the_strongest_rule_at_a_center_is_the_rule_itself(problem in problems()) {
        let problem = Problem { missing: false, ..problem };
        let (mut samples, network, _) = phi(&problem);
        let centers = rules_in_f64(&network).into_iter().flat_map(|rule| rule.m);
        samples.x = centers.map(|m| m as f32).collect();
        samples.t = vec![0.0; network.rules() * network.rules()];
        let rows: Vec<u32> = (0..network.rules() as u32).collect();
        let cpu = Cpu::with_threads(1).unwrap();
        let phi = CpuLearner::new(&samples, std::slice::from_ref(&network), &cpu).outputs(0, &rows).unwrap();
        for (k, phi) in phi.chunks(network.rules()).enumerate() {
            // Rules with almost the same center may differ by rounding.
            prop_assert!(phi.iter().all(|second| *second <= phi[k] * (1.0 + 1e-5)), "{k}: {phi:?}");
        }
    }

    #[test]
    fn results_do_not_depend_on_the_order_of_the_inputs(problem in problems()) {
        // Rules so wide that −ln μ stays below a few thousand; its rounding changes φ by less than 0.001.
        let (spread, width) = (problem.spread.max(0.1), problem.width.max(0.3));
        let problem = Problem { spread, width, ..problem };
        let samples = samples(&problem);
        let start = network(&problem, &samples);
        let dims = problem.dims;
        let reversed = |values: &[f32]| -> Vec<f32> {
            values.chunks(dims).flat_map(|row| row.iter().rev().copied()).collect()
        };
        let mirror = ScaledSamples { x: reversed(&samples.x), ..samples.clone() };
        let mirrored = Network { a: reversed(&start.a), c: reversed(&start.c), ..start.clone() };
        let (order, cpu) = (order(problem.rows, 1), Cpu::with_threads(1).unwrap());
        let learned = |samples: &ScaledSamples, start: Network| {
            let mut learner = CpuLearner::new(samples, &[start], &cpu);
            learner.learn(&[TrainingRun { order: &order, settings: step_settings(), replay: None }]).unwrap();
            (learner.network(0).unwrap(), learner.outputs(0, &order).unwrap())
        };
        let ((first, y), (second, y_mirrored)) = (learned(&samples, start), learned(&mirror, mirrored));
        let bound = 1e-2; // the steps do not amplify the difference
        prop_assert!(y.iter().zip(&y_mirrored).all(|(a, b)| (a - b).abs() < bound), "{y:?} {y_mirrored:?}");
        let same = first.w.iter().zip(&second.w).all(|(a, b)| (a - b).abs() < bound);
        prop_assert!(same);
    }

    #[test]
    fn samples_without_an_error_change_nothing(problem in problems()) {
        // A single rule has φ = 1 and y = w: without an error the gradient is 0.
        let mut samples = samples(&problem);
        let start = network(&Problem { rules: 1, ..problem }, &samples);
        for targets in samples.t.chunks_mut(problem.outputs) {
            targets.copy_from_slice(&start.w);
        }
        let (order, cpu) = (order(problem.rows, 1), Cpu::with_threads(1).unwrap());
        let mut learner = CpuLearner::new(&samples, std::slice::from_ref(&start), &cpu);
        let stats = learner.learn(&[TrainingRun { order: &order, settings: step_settings(), replay: None }]).unwrap();
        prop_assert_eq!(learner.network(0).unwrap(), start);
        prop_assert_eq!(stats[0].loss, 0.0);
    }
}
