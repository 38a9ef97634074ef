//! Factorizations against their definitions and against solutions known in advance.

use super::{Cholesky, SymmetricEigen};
use crate::random::Random;

/// ΦᵀΦ of a random Φ with `rank` rows, row by row.
fn gram(n: usize, rank: usize, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed);
    let phi: Vec<f64> = (0..rank * n).map(|_| random.between(-1.0, 1.0)).collect();
    let entry = |i: usize, j: usize| (0..rank).map(|r| phi[r * n + i] * phi[r * n + j]).sum();
    (0..n * n).map(|at| entry(at / n, at % n)).collect()
}

fn times(a: &[f64], x: &[f64]) -> Vec<f64> {
    a.chunks_exact(x.len()).map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect()
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Orders around every block boundary: vectors, groups, strips, and the blocks of 96 and 192 columns.
const ORDERS: [usize; 16] = [1, 2, 3, 7, 8, 9, 23, 24, 25, 63, 95, 96, 97, 193, 200, 301];

#[test]
fn cholesky_solves_systems_of_every_order() {
    for n in ORDERS {
        let a = gram(n, 4 * n + 8, n as u64);
        let expected: Vec<f64> = (0..n).map(|i| (i as f64 * 0.7).sin()).collect();
        let mut x = times(&a, &expected);
        let factor = Cholesky::new(n, |i, j| a[i * n + j]).expect("positive definite");
        factor.solve(&mut x);
        // The condition is below 20; a few hundred roundings of 1e-16.
        assert!(largest_difference(&x, &expected) < 1e-12, "{n}");
    }
}

#[test]
fn cholesky_by_hand() {
    // [4 2; 2 10] = L·Lᵀ with L = [2 0; 1 3].
    let a = [[4.0, 2.0], [2.0, 10.0]];
    let factor = Cholesky::new(2, |i, j| a[i][j]).unwrap();
    assert_eq!(factor.min_diagonal(), 2.0);
    let mut x = [8.0, 22.0];
    factor.solve(&mut x);
    assert_eq!(x, [1.0, 2.0]);
}

#[test]
fn a_matrix_that_is_not_positive_definite_has_no_factor() {
    for n in ORDERS {
        let last = |value: f64| {
            move |i: usize, j: usize| match (i == j, i + 1 == n) {
                (true, true) => value,
                (true, false) => 1.0,
                _ => 0.0,
            }
        };
        assert!(Cholesky::new(n, last(1.0)).is_some(), "{n}");
        for value in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Cholesky::new(n, last(value)).is_none(), "{n} {value}");
        }
    }
    assert_eq!(Cholesky::new(0, |_, _| f64::NAN).unwrap().min_diagonal(), f64::INFINITY);
}

#[test]
fn eigenvectors_are_orthonormal_and_compose_the_matrix() {
    for n in ORDERS {
        let a = gram(n, n.div_ceil(2), 7 + n as u64);
        let eigen = SymmetricEigen::new(n, |i, j| a[i * n + j]).expect("finite");
        let scale = eigen.values.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        for i in 0..n {
            for j in 0..=i {
                let (vi, vj) = (&eigen.vectors[i * n..][..n], &eigen.vectors[j * n..][..n]);
                let product: f64 = vi.iter().zip(vj).map(|(a, b)| a * b).sum();
                assert!((product - f64::from(u8::from(i == j))).abs() < 1e-12, "{n} {i} {j}");
                let entry: f64 = (0..n)
                    .map(|k| eigen.values[k] * eigen.vectors[k * n + i] * eigen.vectors[k * n + j])
                    .sum();
                assert!((entry - a[i * n + j]).abs() < 1e-12 * scale, "{n} {i} {j}");
            }
        }
    }
}

#[test]
fn eigenvalues_of_the_second_difference_agree_with_the_textbook() {
    // 2 on the diagonal, −1 beside it: λₖ = 2 − 2·cos(kπ/(n + 1)).
    for n in [1, 2, 5, 40] {
        let entry = |i: usize, j: usize| match i - j {
            0 => 2.0,
            1 => -1.0,
            _ => 0.0,
        };
        let mut values = SymmetricEigen::new(n, entry).unwrap().values;
        values.sort_by(f64::total_cmp);
        let expected: Vec<f64> =
            (1..=n).map(|k| 2.0 - 2.0 * (k as f64 * std::f64::consts::PI / (n as f64 + 1.0)).cos()).collect();
        assert!(largest_difference(&values, &expected) < 1e-14 * 4.0, "{n}: {values:?}");
    }
}

#[test]
fn matrices_that_split_and_zero_matrices_are_decomposed() {
    let blocks = |i: usize, j: usize| if i / 2 == j / 2 { [3.0, 1.0][i - j] } else { 0.0 };
    let mut values = SymmetricEigen::new(6, blocks).unwrap().values;
    values.sort_by(f64::total_cmp);
    assert!(largest_difference(&values, &[2.0, 2.0, 2.0, 4.0, 4.0, 4.0]) < 1e-14);
    assert_eq!(SymmetricEigen::new(5, |_, _| 0.0).unwrap().values, [0.0; 5]);
    assert!(SymmetricEigen::new(3, |_, _| f64::NAN).is_none());
    assert!(SymmetricEigen::new(0, |_, _| 1.0).unwrap().values.is_empty());
    // Entries near both ends of the exponent range.
    for scale in [1e-150, 1e150] {
        let a = gram(9, 20, 3);
        let eigen = SymmetricEigen::new(9, |i, j| a[i * 9 + j] * scale).unwrap();
        let trace: f64 = (0..9).map(|i| a[i * 9 + i]).sum();
        assert!((eigen.values.iter().sum::<f64>() / scale - trace).abs() < 1e-13 * trace);
    }
}

#[test]
fn the_minimum_norm_solution_has_no_component_in_singular_directions() {
    // A = [1 1; 1 1]: of all x with x₁ + x₂ = 2 the shortest is (1, 1).
    let x = SymmetricEigen::new(2, |_, _| 1.0).unwrap().solve(&[2.0, 2.0], 1e-12);
    assert!(largest_difference(&x, &[1.0, 1.0]) < 1e-15, "{x:?}");
}

#[test]
fn the_diagonal_of_the_inverse_matches_solutions_for_unit_vectors() {
    for n in ORDERS {
        let a = gram(n, 4 * n + 8, n as u64);
        let factor = Cholesky::new(n, |i, j| a[i * n + j]).expect("positive definite");
        let expected = (0..n).map(|k| {
            let mut unit = vec![0.0; n];
            unit[k] = 1.0;
            factor.solve(&mut unit);
            unit[k]
        });
        assert!(largest_difference(&factor.inverse_diagonal(), &expected.collect::<Vec<_>>()) < 1e-14, "{n}");
    }
}
