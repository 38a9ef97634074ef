//! Enclosure of the exact result by every operation.

use super::oracle::{FuzzyNumber, OPERATIONS, Random, check_once};
use crate::arithmetic::{FuzzyLu, FuzzyMr};
use proptest::prelude::*;

/// Checks every operation once on random numbers of one type.
fn check_all<F: FuzzyNumber>(seed: u64) -> Result<(), TestCaseError> {
    let mut random = Random(seed);
    for operation in OPERATIONS {
        check_once::<F>(operation, &mut random).map_err(TestCaseError::fail)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn lower_upper_results_in_double_precision_enclose_the_exact_ones(seed in any::<u64>()) {
        check_all::<FuzzyLu<f64, 2>>(seed)?;
    }

    #[test]
    fn lower_upper_results_in_single_precision_enclose_the_exact_ones(seed in any::<u64>()) {
        check_all::<FuzzyLu<f32, 2>>(seed)?;
    }

    #[test]
    fn midpoint_radius_results_in_double_precision_enclose_the_exact_ones(seed in any::<u64>()) {
        check_all::<FuzzyMr<f64, 2>>(seed)?;
    }

    #[test]
    fn midpoint_radius_results_in_single_precision_enclose_the_exact_ones(seed in any::<u64>()) {
        check_all::<FuzzyMr<f32, 2>>(seed)?;
    }

    #[test]
    fn results_with_double_midpoint_and_single_radii_enclose_the_exact_ones(seed in any::<u64>()) {
        check_all::<FuzzyMr<f64, 2, f32>>(seed)?;
    }
}
