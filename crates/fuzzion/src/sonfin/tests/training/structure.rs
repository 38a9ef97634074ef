//! Initial structure.

use crate::device::{Cpu, Simd};
use crate::progress::Progress;
use crate::random::Random;
use crate::sonfin::learner::{Learner, StepSettings, TrainingRun};
use crate::sonfin::reference::textbook::Textbook;
use crate::sonfin::tests::data::spiral;
use crate::sonfin::training::structure::{WidthSettings, gamma_for_budget, grow_rules, median_distance};
use crate::sonfin::types::network::Network;
use crate::sonfin::types::options::{Loss, WidthRule};
use crate::sonfin::types::scaled_samples::ScaledSamples;
use crate::sonfin::{Classify, Growth, Sonfin};
use proptest::prelude::*;

fn random_samples(rows: usize, dims: usize, seed: u64, missing: bool) -> ScaledSamples {
    let mut random = Random::new(seed);
    let x = (0..rows * dims).map(|i| if missing && i % 11 == 3 { f32::NAN } else { random.unit() as f32 });
    ScaledSamples { dims, outputs: 1, x: x.collect(), t: vec![1.0; rows] }
}

const WIDTHS: WidthSettings = WidthSettings { beta: 0.5, first: 0.5, min: 1e-4 };

/// Rules added by the textbook implementation with learning rates of 0.
fn textbook_grown(samples: &ScaledSamples, gamma: f32) -> Network {
    let settings = StepSettings {
        ln_threshold: -(gamma / WIDTHS.beta).powi(2),
        max_rules: usize::MAX,
        width_rule: WidthRule::Distance,
        beta: WIDTHS.beta,
        first_width: WIDTHS.first,
        min_width: WIDTHS.min,
        rate_w: 0.0,
        rate_m: 0.0,
        rate_s: 0.0,
        plain_gradient: false,
        loss: Loss::SquaredError,
    };
    let mut textbook = Textbook::new(samples, &[Network::empty(samples.dims, samples.outputs)]);
    let order: Vec<u32> = (0..samples.rows() as u32).collect();
    textbook.learn(&[TrainingRun { order: &order, settings, replay: None }]).unwrap();
    textbook.network(0).unwrap()
}

#[test]
fn the_initial_structure_equals_training_with_zero_learning_rates() {
    for (dims, missing) in [(1, false), (2, false), (17, false), (40, false), (5, true)] {
        let samples = random_samples(150, dims, dims as u64, missing);
        let order: Vec<u32> = (0..150).collect();
        for gamma in [0.4, 0.6, 0.9] {
            let found =
                grow_rules(&samples, &order, gamma, usize::MAX, WIDTHS, Simd::detect(), &Progress::none())
                    .unwrap();
            let expected = textbook_grown(&samples, gamma);
            assert_eq!(found.rules(), expected.rules(), "{dims} {gamma}");
            let pairs = found.a.iter().chain(&found.c).zip(expected.a.iter().chain(&expected.c));
            // Widths are square roots of sums of up to 40 squares in single precision.
            assert!(
                pairs.into_iter().all(|(a, b)| (a - b).abs() <= 1e-5 * b.abs().max(1.0)),
                "{dims} {gamma}"
            );
        }
    }
}

proptest! {
    #[test]
    fn a_budget_is_never_exceeded_and_its_gamma_is_minimal(budget in 1usize..40, seed in 0u64..50) {
        let samples = random_samples(200, 2, seed, false);
        let order: Vec<u32> = (0..200).collect();
        let rules = |gamma: f32| {
            grow_rules(&samples, &order, gamma, 1000, WIDTHS, Simd::detect(), &Progress::none()).unwrap().rules()
        };
        let gamma = |threads: usize| {
            let cpu = Cpu::with_threads(threads).unwrap();
            gamma_for_budget(&samples, &order, budget, WIDTHS, &cpu, &Progress::none()).unwrap()
        };
        prop_assert!(gamma(1) == gamma(3) && gamma(1) == gamma(7)); // 1, 2 and 3 bisections at once
        let gamma = gamma(1);
        prop_assert!(rules(gamma) <= budget || gamma == 1.2);
        // A γ smaller by 1/2048 of the range gives too many rules.
        prop_assert!(rules(gamma - 1.18 / 2048.0) > budget);
    }
}

#[test]
fn the_median_distance_of_uniform_values_is_correct() {
    let samples = random_samples(400, 1, 9, false);
    let order: Vec<u32> = (0..400).collect();
    // The median distance of two uniform values is 1 − 1/√2; 1,001 pairs estimate it to about 0.02.
    let distance = median_distance(&samples, &order, Simd::detect());
    assert!((distance - (1.0 - 0.5f32.sqrt())).abs() < 0.05, "{distance}");
}

#[test]
fn the_median_distance_of_equal_rows_or_one_row_is_one() {
    let samples = ScaledSamples { dims: 2, outputs: 1, x: vec![0.5; 8], t: vec![1.0; 4] };
    assert_eq!(median_distance(&samples, &[0, 1, 2, 3], Simd::detect()), 1.0);
    assert_eq!(median_distance(&samples, &[2], Simd::detect()), 1.0);
}

#[test]
fn a_smaller_gamma_and_a_higher_threshold_give_more_rules() {
    let table = spiral(200);
    let device = crate::Device::cpu().unwrap();
    let rules = |growth: Growth| {
        let sonfin = Sonfin::new().classify(Classify::OneHot).growth(growth).epochs(2);
        sonfin.fit(&table, &["kind"], &device).unwrap().report.rules
    };
    let by_gamma = [0.5, 0.7, 0.9].map(|gamma| rules(Growth::Gamma(gamma)));
    assert!(by_gamma.is_sorted_by(|a, b| a > b), "{by_gamma:?}");
    let by_threshold = [0.3, 0.1, 0.03].map(|threshold| rules(Growth::Threshold { threshold, decay: 0.9 }));
    assert!(by_threshold.is_sorted_by(|a, b| a > b), "{by_threshold:?}");
}
