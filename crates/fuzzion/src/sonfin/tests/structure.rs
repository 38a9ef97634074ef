//! Rules that are there before anything is learned.

use super::generated::spiral;
use crate::device::Simd;
use crate::progress::Progress;
use crate::random::Random;
use crate::sonfin::learner::{Course, Learner, Lesson, Loss, WidthRule};
use crate::sonfin::network::Network;
use crate::sonfin::samples::Samples;
use crate::sonfin::structure::{Widths, gamma_for, grown, typical_distance};
use crate::sonfin::textbook::Textbook;
use crate::sonfin::{Classify, Growth, Sonfin};
use proptest::prelude::*;

fn cloud(rows: usize, dims: usize, seed: u64, missing: bool) -> Samples {
    let mut random = Random::new(seed);
    let x = (0..rows * dims).map(|i| if missing && i % 11 == 3 { f32::NAN } else { random.unit() as f32 });
    Samples { dims, outputs: 1, x: x.collect(), t: vec![1.0; rows] }
}

const WIDTHS: Widths = Widths { beta: 0.5, first: 0.5, least: 1e-4 };

/// The rules that the textbook adds where nothing moves.
fn textbook_grown(samples: &Samples, gamma: f32) -> Network {
    let course = Course {
        ln_threshold: -(gamma / WIDTHS.beta).powi(2),
        most_rules: usize::MAX,
        width_rule: WidthRule::Distance,
        beta: WIDTHS.beta,
        first_width: WIDTHS.first,
        least_width: WIDTHS.least,
        rate_w: 0.0,
        rate_m: 0.0,
        rate_s: 0.0,
        plain: false,
        loss: Loss::Squares,
    };
    let mut textbook = Textbook::new(samples, &[Network::empty(samples.dims, samples.outputs)]);
    let order: Vec<u32> = (0..samples.rows() as u32).collect();
    textbook.learn(&[Lesson { order: &order, course, replay: None }]).unwrap();
    textbook.network(0).unwrap()
}

#[test]
fn a_pass_that_only_adds_rules_is_learning_at_rates_of_zero() {
    for (dims, missing) in [(1, false), (2, false), (17, false), (40, false), (5, true)] {
        let samples = cloud(150, dims, dims as u64, missing);
        let order: Vec<u32> = (0..150).collect();
        for gamma in [0.4, 0.6, 0.9] {
            let ours =
                grown(&samples, &order, gamma, usize::MAX, WIDTHS, Simd::detect(), Progress::none()).unwrap();
            let theirs = textbook_grown(&samples, gamma);
            assert_eq!(ours.rules(), theirs.rules(), "{dims} {gamma}");
            let pairs = ours.a.iter().chain(&ours.c).zip(theirs.a.iter().chain(&theirs.c));
            // Widths are roots of sums of up to 40 squares in single precision.
            assert!(
                pairs.into_iter().all(|(a, b)| (a - b).abs() <= 1e-5 * b.abs().max(1.0)),
                "{dims} {gamma}"
            );
        }
    }
}

proptest! {
    #[test]
    fn a_budget_is_never_passed_and_its_gamma_is_the_least(budget in 1usize..40, seed in 0u64..50) {
        let samples = cloud(200, 2, seed, false);
        let order: Vec<u32> = (0..200).collect();
        let rules = |gamma: f32| {
            grown(&samples, &order, gamma, 1000, WIDTHS, Simd::detect(), Progress::none()).unwrap().rules()
        };
        let gamma = gamma_for(&samples, &order, budget, WIDTHS, Simd::detect(), Progress::none()).unwrap();
        prop_assert!(rules(gamma) <= budget || gamma == 1.2);
        // One part of 2,048 of the range less is too many.
        prop_assert!(rules(gamma - 1.18 / 2048.0) > budget);
    }
}

#[test]
fn the_typical_distance_is_that_of_uniform_numbers() {
    let samples = cloud(400, 1, 9, false);
    let order: Vec<u32> = (0..400).collect();
    // Two uniform numbers are 1 − 1/√2 apart in the median; 1,001 pairs know it to about 0.02.
    let distance = typical_distance(&samples, &order, Simd::detect());
    assert!((distance - (1.0 - 0.5f32.sqrt())).abs() < 0.05, "{distance}");
}

#[test]
fn equal_rows_and_a_single_row_have_a_typical_distance() {
    let samples = Samples { dims: 2, outputs: 1, x: vec![0.5; 8], t: vec![1.0; 4] };
    assert_eq!(typical_distance(&samples, &[0, 1, 2, 3], Simd::detect()), 1.0);
    assert_eq!(typical_distance(&samples, &[2], Simd::detect()), 1.0);
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
