use super::{CHUNK, CpuRows};
use crate::clustering::prototypes::space::Space;
use crate::clustering::prototypes::{MembershipRule, Prototypes};
use crate::clustering::reference::textbook;
use crate::clustering::rows::backend::RowBackend;
use crate::clustering::rows::sums::{RequestedSums, Sums};
use crate::data::{Precision, Table};
use crate::device::{Cpu, Simd};
use crate::random::Random;

/// Rows around `clusters` locations (one location if `separation` is 0) and initial centers, all exactly
/// representable in single precision.
fn samples(clusters: usize, rows: usize, columns: usize, separation: f64) -> (Vec<f64>, Prototypes) {
    let mut random = Random::new(7);
    let to_f32 = |x: f64| f64::from(x as f32);
    let locations: Vec<f64> = (0..clusters * columns).map(|_| to_f32(separation * random.unit())).collect();
    let mut x = Vec::with_capacity(rows * columns);
    for row in 0..rows {
        let location = &locations[row % clusters * columns..][..columns];
        x.extend(location.iter().map(|location| to_f32(location + random.unit() - 0.5)));
    }
    let mean = vec![to_f32(separation / 2.0); columns];
    let space = Space::euclidean(&mean, separation + 0.5, Precision::F32);
    let centers = (0..clusters).flat_map(|k| space.to_internal(&x[k * columns..][..columns])).collect();
    (x, Prototypes::new(space, centers, MembershipRule::Fuzzy { fuzzifier: 2.0 }))
}

fn sweep(x: &[f64], prototypes: &Prototypes, cpu: &Cpu) -> Sums {
    sweep_weighted(x, None, prototypes, cpu)
}

fn sweep_weighted(x: &[f64], weights: Option<&[f64]>, prototypes: &Prototypes, cpu: &Cpu) -> Sums {
    let single: Vec<f32> = x.iter().map(|x| *x as f32).collect();
    let table = Table::unnamed(prototypes.columns(), single).unwrap();
    let samples = match weights {
        Some(weights) => table.samples().with_weights(weights).unwrap(),
        None => table.samples(),
    };
    CpuRows::new(&samples, cpu).sweep(&[prototypes], RequestedSums::default()).unwrap().remove(0)
}

#[test]
fn one_iteration_in_single_precision_is_accurate_to_5e_6_of_the_spread() {
    for (clusters, rows, columns) in [(64, 3000, 4), (20, 3000, 33), (64, 2500, 32), (7, 5000, 16)] {
        for separation in [0.0, 1.0, 30.0] {
            let (x, mut prototypes) = samples(clusters, rows, columns, separation);
            // Move the centers off the rows, so that rows belong to many clusters.
            prototypes.centers.iter_mut().enumerate().for_each(|(i, v)| *v += 0.01 * (i % 5) as f64);
            let spread = (separation + 0.5) * prototypes.space.scale[0];
            let exact =
                textbook::sums(&prototypes, &x, None, RequestedSums::default()).centers(&prototypes.centers);
            for simd in Simd::all() {
                let cpu = Cpu::with_threads(2).unwrap().with_simd(simd);
                let found = sweep(&x, &prototypes, &cpu).centers(&prototypes.centers);
                let error = found.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(error <= 5e-6 * spread, "{clusters} {rows} {columns} {separation} {simd:?}: {error}");
            }
        }
    }
}

#[test]
fn rows_on_centers_have_membership_one_in_a_sweep() {
    // Every row is on a center: the objective is 0, and the mass of a cluster is its number of rows.
    let (clusters, columns) = (6, 17);
    let (x, prototypes) = samples(clusters, clusters, columns, 4.0);
    let rows: Vec<f64> = x.iter().copied().cycle().take(50 * clusters * columns).collect();
    for simd in Simd::all() {
        let cpu = Cpu::with_threads(1).unwrap().with_simd(simd);
        let sums = sweep(&rows, &prototypes, &cpu);
        assert_eq!(sums.objective, 0.0);
        assert_eq!(sums.masses, [50.0; 6]);
        let centers = sums.centers(&prototypes.centers);
        // Sum of 50 equal values in single precision.
        assert!(centers.iter().zip(&prototypes.centers).all(|(a, b)| (a - b).abs() <= 1e-6));
    }
}

#[test]
fn a_sweep_handles_inverse_distances_whose_squares_overflow() {
    // Distances of 1e-24, 1 and 1e24: the squares of their inverses overflow or underflow single precision.
    let space = Space::euclidean(&[0.0], 1.0, Precision::F32);
    let prototypes = Prototypes::new(space, vec![0.0, 1.0, 1e12], MembershipRule::Fuzzy { fuzzifier: 2.0 });
    let x = [1e-12, 0.5, 2.0, 1e12 + 1e6, -1e12];
    let x = x.map(|x: f64| f64::from(x as f32));
    let exact = textbook::sums(&prototypes, &x, None, RequestedSums::default());
    for simd in Simd::all() {
        let sums = sweep(&x, &prototypes, &Cpu::with_threads(1).unwrap().with_simd(simd));
        for (found, exact) in sums.masses.iter().zip(&exact.masses) {
            // A few rounding errors of single precision.
            assert!((found - exact).abs() <= 1e-6 * exact, "{simd:?}: {found} {exact}");
        }
        assert!((sums.objective / exact.objective - 1.0).abs() < 1e-6);
    }
}

#[test]
fn a_sweep_handles_weights_of_any_magnitude() {
    let (x, mut prototypes) = samples(3, 300, 5, 1.0);
    // The centers are so close to the first three rows that weight/Z² underflows for the smallest weights.
    prototypes.centers.iter_mut().for_each(|v| *v += 1e-4);
    for unit in [1e-30, 1e-6, 1.0, 1e30] {
        let weights: Vec<f64> = (0..300).map(|i| unit * f64::from(i % 3)).collect();
        let exact = textbook::sums(&prototypes, &x, Some(&weights), RequestedSums::default());
        for simd in Simd::all() {
            let cpu = Cpu::with_threads(1).unwrap().with_simd(simd);
            let sums = sweep_weighted(&x, Some(&weights), &prototypes, &cpu);
            for (found, exact) in sums.masses.iter().zip(&exact.masses) {
                // Sums of 300 values in single precision.
                assert!((found - exact).abs() <= 1e-5 * exact, "{unit} {simd:?}: {found} {exact}");
            }
        }
    }
}

#[test]
fn a_sweep_is_bit_identical_for_any_number_of_threads() {
    let (x, prototypes) = samples(9, 3 * CHUNK + 17, 21, 1.0);
    let sums = |threads| sweep(&x, &prototypes, &Cpu::with_threads(threads).unwrap());
    let one = sums(1);
    assert!((2..5).all(|threads| sums(threads) == one));
}
