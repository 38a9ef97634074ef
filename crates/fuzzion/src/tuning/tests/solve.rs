//! Least squares from sums, against the QR decomposition of all rows.

use super::super::solve::solve;
use super::super::statistics::Statistics;
use crate::random::Random;
use faer::Mat;
use faer::linalg::solvers::SolveLstsq;

/// Φ with entries in (−1, 1), so well conditioned that 20 rows per column keep the condition of ΦᵀΦ under 100.
fn phi(rows: usize, columns: usize, seed: u64) -> Mat<f64> {
    let mut random = Random::new(seed);
    Mat::from_fn(rows, columns, |_, _| random.between(-1.0, 1.0))
}

fn targets(rows: usize, outputs: usize, seed: u64) -> Mat<f64> {
    phi(rows, outputs, seed ^ 0xabcd)
}

fn sums(phi: &Mat<f64>, y: &Mat<f64>) -> Statistics {
    let mut sums = Statistics::zero(phi.ncols(), y.ncols());
    let (gram, cross) = (phi.transpose() * phi, phi.transpose() * y);
    sums.gram = (0..phi.ncols()).flat_map(|a| (0..=a).map(move |b| (a, b))).map(|at| gram[at]).collect();
    sums.cross =
        (0..y.ncols()).flat_map(|o| (0..phi.ncols()).map(move |m| (m, o))).map(|at| cross[at]).collect();
    sums.squares = (0..y.ncols()).map(|o| y.col(o).squared_norm_l2()).collect();
    (sums.weight, sums.rows) = (phi.nrows() as f64, phi.nrows() as u64);
    sums
}

fn theta(solution: &[f64], outputs: usize) -> Mat<f64> {
    let unknowns = solution.len() / outputs;
    Mat::from_fn(unknowns, outputs, |m, o| solution[o * unknowns + m])
}

#[test]
fn least_squares_from_sums_is_that_of_qr() {
    for (columns, outputs) in [(1, 1), (5, 2), (40, 3), (150, 1)] {
        let (phi, y) = (phi(20 * columns, columns, 3), targets(20 * columns, outputs, 4));
        let solution = solve(&sums(&phi, &y), 0.0);
        let expected = phi.qr().solve_lstsq(&y);
        // Condition under 100 times a few hundred roundings of 1e-16 each, of θ ≤ 1.
        assert!((theta(&solution.theta, outputs) - expected).norm_max() < 1e-12, "{columns}");
        assert!(!solution.ill_conditioned);
    }
}

#[test]
fn columns_of_very_different_lengths_are_solved_for_alike() {
    let (mut phi, y) = (phi(200, 6, 5), targets(200, 1, 6));
    for (m, scale) in [1.0, 1e-3, 1e5, 1e-8, 1e2, 1e-6].into_iter().enumerate() {
        phi.col_mut(m).iter_mut().for_each(|x| *x *= scale);
    }
    let solution = solve(&sums(&phi, &y), 0.0);
    let expected = phi.qr().solve_lstsq(&y);
    assert!(!solution.ill_conditioned);
    for m in 0..6 {
        // As above, relative to each θ's own size: that of order 1 divided by the length of its column.
        let size = expected[(m, 0)].abs().max(0.01 / phi.col(m).norm_max());
        assert!((solution.theta[m] - expected[(m, 0)]).abs() < 1e-11 * size, "{m}");
    }
}

#[test]
fn a_column_that_no_row_fills_has_no_consequent() {
    let (mut phi, y) = (phi(100, 4, 7), targets(100, 2, 8));
    phi.col_mut(2).fill(0.0);
    let solution = solve(&sums(&phi, &y), 0.0);
    let others = Mat::from_fn(100, 3, |i, m| phi[(i, [0, 1, 3][m])]);
    let expected = others.qr().solve_lstsq(&y);
    for o in 0..2 {
        assert_eq!(solution.theta[o * 4 + 2], 0.0);
        for (m, column) in [0, 1, 3].into_iter().enumerate() {
            assert!((solution.theta[o * 4 + column] - expected[(m, o)]).abs() < 1e-13);
        }
    }
    assert!(!solution.ill_conditioned);
}

#[test]
fn rules_that_are_the_same_share_their_consequent_and_it_is_said() {
    let (single, y) = (phi(100, 3, 9), targets(100, 1, 10));
    let twice = Mat::from_fn(100, 6, |i, m| single[(i, m % 3)]);
    let solution = solve(&sums(&twice, &y), 0.0);
    let expected = single.qr().solve_lstsq(&y);
    assert!(solution.ill_conditioned);
    for m in 0..6 {
        // The shortest solution halves what one column alone would have; eigenvectors to 1e-15, condition about 10.
        assert!((solution.theta[m] - 0.5 * expected[(m % 3, 0)]).abs() < 1e-13, "{m}");
    }
}

#[test]
fn a_ridge_is_added_in_units_of_each_column() {
    let (phi, y) = (phi(60, 5, 11), targets(60, 1, 12));
    let ridge = 0.3;
    // The same as further rows √(ρ·ΦᵀΦ) on the diagonal with targets 0.
    let further = Mat::from_fn(65, 5, |i, m| {
        if i < 60 {
            phi[(i, m)]
        } else if i - 60 == m {
            (ridge * phi.col(m).squared_norm_l2()).sqrt()
        } else {
            0.0
        }
    });
    let targets = Mat::from_fn(65, 1, |i, _| if i < 60 { y[(i, 0)] } else { 0.0 });
    let expected = further.qr().solve_lstsq(&targets);
    let solution = solve(&sums(&phi, &y), ridge);
    assert!((theta(&solution.theta, 1) - expected).norm_max() < 1e-13);
}

#[test]
fn a_ridge_makes_equal_rules_solvable_by_cholesky() {
    let (single, y) = (phi(100, 3, 13), targets(100, 1, 14));
    let twice = Mat::from_fn(100, 6, |i, m| single[(i, m % 3)]);
    assert!(!solve(&sums(&twice, &y), 1e-9).ill_conditioned);
}

#[test]
fn sums_that_are_not_finite_are_ill_conditioned_and_no_panic() {
    let mut sums = sums(&phi(20, 3, 15), &targets(20, 1, 16));
    sums.gram[1] = f64::NAN;
    let solution = solve(&sums, 0.0);
    assert!(solution.ill_conditioned && solution.theta == [0.0; 3]);
    assert_eq!(solve(&Statistics::zero(4, 2), 1e-9).theta, [0.0; 8]);
}
