//! Adam: gradient compared with central differences of the loss of the textbook implementation, thread counts, ignored
//! inputs.

use crate::device::{Cpu, Device};
use crate::random::Random;
use crate::sonfin::learner::BatchRun;
use crate::sonfin::reference::textbook::{self, Rule, rules_in_f64};
use crate::sonfin::tests::data::spiral;
use crate::sonfin::types::adam::{Adam, AdamSettings};
use crate::sonfin::types::network::Network;
use crate::sonfin::types::options::Loss;
use crate::sonfin::types::scaled_samples::ScaledSamples;
use crate::sonfin::{Classify, Growth, Optimizer, Sonfin};

const D: usize = 3;
const L: usize = 2;
const RULES: usize = 5;

/// A few rules, one of which ignores an input, and a few samples, one of which has a missing input.
fn problem(seed: u64) -> (Network, ScaledSamples) {
    let mut random = Random::new(seed);
    let mut draw = |n: usize| -> Vec<f32> { (0..n).map(|_| random.unit() as f32).collect() };
    let mut network = Network::empty(D, L);
    for _ in 0..RULES {
        let (x, w) = (draw(D), draw(L));
        network.add(&x, &w, 0.4);
    }
    (network.a[4], network.c[4]) = (0.0, 0.0);
    let mut samples = ScaledSamples { dims: D, outputs: L, x: draw(6 * D), t: Vec::new() };
    samples.x[7] = f32::NAN;
    samples.t = (0..6).flat_map(|row| if row % 2 == 0 { [1.0, 0.0] } else { [0.0, 1.0] }).collect();
    (network, samples)
}

/// Mean loss over all samples according to the equations; gates divide the widths.
fn mean_loss(rules: &[Rule], gates: &[f64], samples: &ScaledSamples, loss: Loss) -> f64 {
    let to_f64 = |values: &[f32]| values.iter().map(|x| f64::from(*x)).collect::<Vec<f64>>();
    let gated = |rule: &Rule| Rule {
        m: rule.m.clone(),
        s: rule.s.iter().zip(gates).map(|(s, g)| s / g).collect(),
        w: rule.w.clone(),
    };
    let rules: Vec<Rule> = rules.iter().map(gated).collect();
    let of = |row: usize| {
        let x = to_f64(samples.inputs_of(row));
        let phi = textbook::firing(&rules.iter().map(|rule| textbook::ln_mu(rule, &x)).collect::<Vec<_>>());
        textbook::loss(&textbook::outputs(&rules, &phi, L), &to_f64(samples.targets_of(row)), loss).0
    };
    (0..samples.rows()).map(of).sum::<f64>() / samples.rows() as f64
}

fn adam_settings(loss: Loss) -> AdamSettings {
    AdamSettings { batch: 6, rate: 0.01, steps: 1000, min_width: 1e-4, loss }
}

#[test]
fn gradients_equal_central_differences_of_the_mean_loss() {
    for (loss, gates) in
        [(Loss::SquaredError, false), (Loss::CrossEntropy, false), (Loss::CrossEntropy, true)]
    {
        let (mut network, samples) = problem(1);
        let mut adam = Adam::new(&mut network, gates, loss);
        let rules = rules_in_f64(&network);
        let order: Vec<u32> = (0..6).collect();
        let run = BatchRun { order: &order, settings: adam_settings(loss) };
        let sum = adam.learn(&mut network, &samples, &run, &Cpu::new().unwrap()).loss;
        let open_gates = [1.0; D];
        // About twenty single-precision operations on losses near 1.
        assert!((sum / 6.0 - mean_loss(&rules, &open_gates, &samples, loss)).abs() < 1e-5);
        let assert_derivative = |found: f32, factor: f64, difference: &dyn Fn(f64) -> f64| {
            let step = 1e-5;
            let derivative = factor * (difference(step) - difference(-step)) / (2.0 * step);
            // After one step the moving average is a tenth of the gradient.
            assert!((10.0 * f64::from(found) - derivative).abs() < 2e-5, "{} {derivative}", 10.0 * found);
        };
        let stride = 2 * D + L;
        for (k, j) in (0..RULES).flat_map(|k| (0..D).map(move |j| (k, j))) {
            let perturbed = |change: &dyn Fn(&mut Rule)| {
                let mut rules = rules.clone();
                change(&mut rules[k]);
                mean_loss(&rules, &open_gates, &samples, loss)
            };
            assert_derivative(adam.first[k * stride + j], f64::from(adam.unit), &|delta| {
                perturbed(&|rule| rule.m[j] += delta)
            });
            assert_derivative(adam.first[k * stride + D + j], 1.0, &|delta| {
                perturbed(&|rule| rule.s[j] *= (-delta).exp())
            });
            if j < L {
                assert_derivative(adam.first[k * stride + 2 * D + j], 1.0, &|delta| {
                    perturbed(&|rule| rule.w[j] += delta)
                });
            }
        }
        for j in 0..adam.gates.len() {
            let perturbed = |delta: f64| {
                let gates: Vec<f64> = (0..D).map(|i| if i == j { 1.0 + delta } else { 1.0 }).collect();
                mean_loss(&rules, &gates, &samples, loss) + 3e-4 * delta // plus the L1 penalty
            };
            assert_derivative(adam.first[RULES * stride + j], 1.0, &perturbed);
        }
    }
}

#[test]
fn ignored_inputs_remain_ignored() {
    let (mut network, samples) = problem(2);
    let mut adam = Adam::new(&mut network, true, Loss::SquaredError);
    let order: Vec<u32> = (0..6).collect();
    for _ in 0..20 {
        let run = BatchRun { order: &order, settings: adam_settings(Loss::SquaredError) };
        adam.learn(&mut network, &samples, &run, &Cpu::new().unwrap());
    }
    assert_eq!((network.a[4], network.c[4]), (0.0, 0.0));
    assert!(network.a.iter().chain(&network.c).chain(&network.w).all(|x| x.is_finite()));
}

#[test]
fn batch_training_is_bit_identical_for_any_number_of_threads() {
    let table = spiral(120);
    let learned = |threads: usize| {
        let device = Device::from(Cpu::with_threads(threads).unwrap());
        let sonfin = Sonfin::new().classify(Classify::CrossEntropy).growth(Growth::Budget(40)).epochs(3);
        let sonfin = sonfin.optimizer(Optimizer::Adam { batch: 7, rate: 0.01 }).gates(true);
        sonfin.fit(&table, &["kind"], &device).unwrap().state.network
    };
    let one = learned(1);
    assert!(one.rules() > 16, "several groups of rules");
    assert!([2, 3, 5].into_iter().all(|threads| learned(threads) == one));
}

#[test]
fn widths_never_fall_below_the_minimum() {
    let (mut network, samples) = problem(3);
    let mut adam = Adam::new(&mut network, false, Loss::SquaredError);
    let adam_settings = AdamSettings { rate: 0.5, min_width: 0.3, ..adam_settings(Loss::SquaredError) };
    let order: Vec<u32> = (0..6).collect();
    for _ in 0..50 {
        let run = BatchRun { order: &order, settings: adam_settings };
        adam.learn(&mut network, &samples, &run, &Cpu::new().unwrap());
    }
    assert!(network.a.iter().all(|a| *a <= 1.0 / 0.3));
}
