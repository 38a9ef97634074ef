//! Tables and errors of the comparison of the learners.

use fuzzion_bench::learners::{friedman, relative_error};

#[test]
fn predicting_the_mean_has_an_error_of_one_standard_deviation() {
    let target = [1.0, 2.0, 6.0];
    assert!((relative_error(&[3.0; 3], &target) - 1.0).abs() < 1e-15);
    assert_eq!(relative_error(&target, &target), 0.0);
}

#[test]
fn friedmans_function_has_its_known_mean() {
    // ∫∫ 10 sin(π xy) is 5.2466, and the rest 20/12 + 5 + 2.5.
    let y = friedman(7, 3).unwrap().column("y").unwrap();
    let mean = y.iter().sum::<f64>() / y.len() as f64;
    assert!((mean - 14.4133).abs() < 0.32, "{mean}"); // four standard errors of the mean
}
