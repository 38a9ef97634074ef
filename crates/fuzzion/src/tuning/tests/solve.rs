//! Least squares from normal equations, compared with the QR decomposition of all rows.

use crate::random::Random;
use crate::tuning::solver::normal_equations::NormalEquations;
use crate::tuning::solver::solve::solve;

/// A matrix as columns.
type Columns = Vec<Vec<f64>>;

/// Φ with entries in (−1, 1); 20 rows per column keep the condition number of ΦᵀΦ below 100.
fn phi(rows: usize, columns: usize, seed: u64) -> Columns {
    let mut random = Random::new(seed);
    (0..columns).map(|_| (0..rows).map(|_| random.between(-1.0, 1.0)).collect()).collect()
}

fn targets(rows: usize, outputs: usize, seed: u64) -> Columns {
    phi(rows, outputs, seed ^ 0xabcd)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn sums(phi: &Columns, y: &Columns) -> NormalEquations {
    let mut sums = NormalEquations::zero(phi.len(), y.len());
    sums.gram = (0..phi.len()).flat_map(|a| (0..=a).map(move |b| dot(&phi[a], &phi[b]))).collect();
    sums.cross = y.iter().flat_map(|y| phi.iter().map(move |column| dot(column, y))).collect();
    sums.squares = y.iter().map(|y| dot(y, y)).collect();
    (sums.weight, sums.rows) = (y[0].len() as f64, y[0].len() as u64);
    sums
}

/// Textbook least squares: Φ = QR by Householder reflections, R·θ = Qᵀy.
fn least_squares(phi: &Columns, y: &[f64]) -> Vec<f64> {
    let (mut r, mut y, n) = (phi.clone(), y.to_vec(), phi.len());
    for k in 0..n {
        let norm = dot(&r[k][k..], &r[k][k..]).sqrt();
        let mut v = r[k][k..].to_vec();
        v[0] += norm.copysign(v[0]);
        let scale = 2.0 / dot(&v, &v);
        for column in r[k..].iter_mut().chain([&mut y]) {
            let along = scale * dot(&v, &column[k..]);
            column[k..].iter_mut().zip(&v).for_each(|(x, v)| *x -= along * v);
        }
    }
    let mut theta = vec![0.0; n];
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| r[j][k] * theta[j]).sum();
        theta[k] = (y[k] - known) / r[k][k];
    }
    theta
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn solutions_of_normal_equations_match_qr() {
    for (columns, outputs) in [(1, 1), (5, 2), (40, 3), (150, 1)] {
        let (phi, y) = (phi(20 * columns, columns, 3), targets(20 * columns, outputs, 4));
        let solution = solve(&sums(&phi, &y), 0.0);
        let expected: Vec<f64> = y.iter().flat_map(|y| least_squares(&phi, y)).collect();
        // A condition number below 100 times a few hundred roundings of 1e-16 each, for θ ≤ 1.
        assert!(largest_difference(&solution.theta, &expected) < 1e-12, "{columns}");
        assert!(!solution.ill_conditioned);
    }
}

#[test]
fn columns_of_very_different_norms_are_solved_equally_accurately() {
    let (mut phi, y) = (phi(200, 6, 5), targets(200, 1, 6));
    for (column, scale) in phi.iter_mut().zip([1.0, 1e-3, 1e5, 1e-8, 1e2, 1e-6]) {
        column.iter_mut().for_each(|x| *x *= scale);
    }
    let solution = solve(&sums(&phi, &y), 0.0);
    let expected = least_squares(&phi, &y[0]);
    assert!(!solution.ill_conditioned);
    for m in 0..6 {
        // As above, relative to the size of each θ, which is about 1 divided by the norm of its column.
        let largest = phi[m].iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let size = expected[m].abs().max(0.01 / largest);
        assert!((solution.theta[m] - expected[m]).abs() < 1e-11 * size, "{m}");
    }
}

#[test]
fn a_column_of_zeros_has_a_consequent_of_zero() {
    let (mut phi, y) = (phi(100, 4, 7), targets(100, 2, 8));
    phi[2].fill(0.0);
    let solution = solve(&sums(&phi, &y), 0.0);
    phi.remove(2);
    for (o, y) in y.iter().enumerate() {
        let expected = least_squares(&phi, y);
        assert_eq!(solution.theta[o * 4 + 2], 0.0);
        for (m, column) in [0, 1, 3].into_iter().enumerate() {
            assert!((solution.theta[o * 4 + column] - expected[m]).abs() < 1e-13);
        }
    }
    assert!(!solution.ill_conditioned);
}

#[test]
fn identical_rules_share_their_consequent_and_are_reported_as_ill_conditioned() {
    let (single, y) = (phi(100, 3, 9), targets(100, 1, 10));
    let twice = [single.clone(), single.clone()].concat();
    let solution = solve(&sums(&twice, &y), 0.0);
    let expected = least_squares(&single, &y[0]);
    assert!(solution.ill_conditioned);
    for m in 0..6 {
        // The minimum-norm solution halves the consequent of one column; eigenvectors are accurate to 1e-15, and the
        // condition number is about 10.
        assert!((solution.theta[m] - 0.5 * expected[m % 3]).abs() < 1e-13, "{m}");
    }
}

#[test]
fn a_ridge_is_added_in_units_of_each_column() {
    let (mut phi, mut y) = (phi(60, 5, 11), targets(60, 1, 12));
    let ridge = 0.3;
    let solution = solve(&sums(&phi, &y), ridge);
    // Equivalent to additional rows with √(ρ·ΦᵀΦ) on the diagonal and targets 0.
    for (m, column) in phi.iter_mut().enumerate() {
        let norm = (ridge * dot(column, column)).sqrt();
        column.extend((0..5).map(|row| if row == m { norm } else { 0.0 }));
    }
    y[0].extend([0.0; 5]);
    assert!(largest_difference(&solution.theta, &least_squares(&phi, &y[0])) < 1e-13);
}

#[test]
fn a_ridge_makes_identical_rules_solvable_by_cholesky() {
    let (single, y) = (phi(100, 3, 13), targets(100, 1, 14));
    let twice = [single.clone(), single].concat();
    assert!(!solve(&sums(&twice, &y), 1e-9).ill_conditioned);
}

#[test]
fn non_finite_sums_are_ill_conditioned_and_do_not_panic() {
    let mut sums = sums(&phi(20, 3, 15), &targets(20, 1, 16));
    sums.gram[1] = f64::NAN;
    let solution = solve(&sums, 0.0);
    assert!(solution.ill_conditioned && solution.theta == [0.0; 3]);
    assert_eq!(solve(&NormalEquations::zero(4, 2), 1e-9).theta, [0.0; 8]);
}
