//! Properties of all partitions.

use super::*;
use crate::device::Cpu;
use proptest::prelude::*;

const THREE: [[f64; 2]; 3] = [[0.0, 0.0], [6.0, 1.0], [2.0, 7.0]];

fn initial_centers() -> InitialCenters {
    InitialCenters::Centers(table(2, &[0.5, 0.5, 5.0, 1.5, 2.5, 6.0]))
}

/// The rows in single or double precision, and the machine epsilon.
fn rows(single: bool, values: &[f64]) -> (Table, f64) {
    if single {
        let values = values.iter().map(|x| *x as f32).collect::<Vec<f32>>();
        (Table::unnamed(2, values).unwrap(), f64::from(f32::EPSILON))
    } else {
        (table(2, values), f64::EPSILON)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn memberships_of_a_row_sum_to_one(
        m in 1.05f64..6.0, clusters in 1usize..7, seed in 0u64..1000, single: bool,
    ) {
        let (samples, rounding) = rows(single, &clouds(&THREE, 20, seed));
        let partition = FuzzyCMeans::new(clusters).fuzzifier(m).seed(seed).fit(&samples, &cpu()).unwrap();
        let u = partition.memberships(&samples, &cpu()).unwrap();
        for row in u.to_f64().chunks(clusters) {
            // One division each and a sum of up to six terms.
            prop_assert!((row.iter().sum::<f64>() - 1.0).abs() < 8.0 * rounding);
            prop_assert!(row.iter().all(|u| (0.0..=1.0).contains(u)));
        }
    }

    #[test]
    fn the_objective_never_increases(m in 1.05f64..6.0, seed in 0u64..1000, plain: bool, single: bool) {
        let (samples, rounding) = rows(single, &clouds(&THREE, 30, seed));
        let fit = FuzzyCMeans::new(4).fuzzifier(m).seed(seed).plain(plain).fit(&samples, &cpu()).unwrap();
        let history = &fit.report.history;
        // A power up to 20 of ratios, and a sum of 90 terms whose rounding errors mostly cancel.
        let slack = 1.0 + 50.0 * rounding;
        prop_assert!(history.windows(2).all(|j| j[1] <= j[0] * slack), "{:?}", history);
        prop_assert!(fit.report.objective <= history[history.len() - 1] * slack);
    }

    #[test]
    fn a_partition_is_shift_and_scale_equivariant(
        m in 1.2f64..3.0, power in prop::sample::select(vec![-6, -3, 0, 3, 6]), shift in -100.0f64..100.0,
        seed in 0u64..100, single: bool,
    ) {
        let scale = 10f64.powi(power);
        let values = clouds(&THREE, 15, seed);
        let moved: Vec<f64> = values.iter().map(|x| (x + shift) * scale).collect();
        let start = [0.5, 0.5, 5.0, 1.5, 2.5, 6.0];
        let moved_start: Vec<f64> = start.iter().map(|x| (x + shift) * scale).collect();
        let fit = |values: &[f64], start: &[f64]| {
            let tolerance = if single { 1e-5 } else { 1e-11 };
            FuzzyCMeans::new(3).fuzzifier(m).tolerance(tolerance).max_iterations(2000)
                .initial_centers(InitialCenters::Centers(table(2, start))).fit(&rows(single, values).0, &cpu()).unwrap()
        };
        // Data near 100 are rounded at 1e-14 or 8e-6; the remaining error is a few times the tolerance, relative to
        // the spread.
        let near = if single { 1e-3 } else { 1e-7 };
        let (one, other) = (fit(&values, &start), fit(&moved, &moved_start));
        let expected: Vec<f64> = centers_of(&one).iter().map(|x| (x + shift) * scale).collect();
        prop_assert!(difference(&centers_of(&other), &expected) < near * scale);
        let ratio = other.report.objective / (one.report.objective * scale * scale);
        prop_assert!((ratio - 1.0).abs() < near, "{ratio}");
    }

    #[test]
    fn an_integer_weight_equals_repeated_rows(seed in 0u64..1000, m in 1.1f64..3.0, single: bool) {
        let values = clouds(&THREE, 10, seed);
        let weights: Vec<f64> = (0..30).map(|i| f64::from((i * 5) % 4)).collect();
        let pairs = values.chunks(2).zip(&weights);
        let copied: Vec<f64> =
            pairs.flat_map(|(row, w)| std::iter::repeat_n(row, *w as usize)).flatten().copied().collect();
        // The remaining error is a few times the tolerance, relative to the spread.
        let (tolerance, near) = if single { (1e-6, 1e-4) } else { (1e-11, 1e-7) };
        let settings =
            FuzzyCMeans::new(3).fuzzifier(m).initial_centers(initial_centers()).tolerance(tolerance)
                .max_iterations(2000);
        let weighted = settings.fit(rows(single, &values).0.samples().with_weights(&weights).unwrap(), &cpu()).unwrap();
        let repeated = settings.fit(&rows(single, &copied).0, &cpu()).unwrap();
        prop_assert!(difference(&centers_of(&weighted), &centers_of(&repeated)) < near);
        prop_assert!((weighted.report.objective / repeated.report.objective - 1.0).abs() < near);
        prop_assert_eq!(&weighted.report.sizes, &repeated.report.sizes);
    }

    #[test]
    fn the_order_of_rows_does_not_matter(seed in 0u64..1000, single: bool) {
        let values = clouds(&THREE, 20, seed);
        let mut mixed: Vec<&[f64]> = values.chunks(2).collect();
        mixed.reverse();
        mixed.rotate_left(seed as usize % 60);
        let (tolerance, near) = if single { (1e-6, 1e-4) } else { (1e-11, 1e-8) };
        let settings = FuzzyCMeans::new(3).initial_centers(initial_centers()).tolerance(tolerance).max_iterations(2000);
        let one = settings.fit(&rows(single, &values).0, &cpu()).unwrap();
        let other = settings.fit(&rows(single, &mixed.concat()).0, &cpu()).unwrap();
        prop_assert!(difference(&centers_of(&one), &centers_of(&other)) < near);
    }
}

#[test]
fn a_row_on_s_centers_has_membership_one_over_s_in_each() {
    for m in [1.2, 1.25, 1.5, 2.0, 3.0, 4.5] {
        let samples = table(1, &[1.0, 5.0, 7.0, 9.0]);
        let start = InitialCenters::Centers(table(1, &[1.0, 1.0, 7.0]));
        let settings = FuzzyCMeans::new(3).fuzzifier(m).max_iterations(0).initial_centers(start);
        let u = settings.fit(&samples, &cpu()).unwrap().memberships(&samples, &cpu()).unwrap();
        assert_eq!(u.to_f64()[..3], [0.5, 0.5, 0.0], "{m}");
        assert_eq!(u.to_f64()[6..9], [0.0, 0.0, 1.0], "{m}");
    }
}

#[test]
fn a_row_on_a_center_has_membership_one_in_single_precision_at_any_scale() {
    for scale in [1e-12f32, 1e-6, 1.0, 1e6, 1e12] {
        let values = [1.1f32, 5.3, 7.7, 9.9].map(|x| x * scale);
        let samples = Table::unnamed(1, values.to_vec()).unwrap();
        let start = InitialCenters::Centers(table(1, &[f64::from(values[0]), f64::from(values[2])]));
        let settings = FuzzyCMeans::new(2).max_iterations(0).initial_centers(start);
        let u = settings.fit(&samples, &cpu()).unwrap().memberships(&samples, &cpu()).unwrap();
        assert_eq!([u.to_f32()[0], u.to_f32()[5]], [1.0, 1.0], "{scale}");
    }
}

#[test]
fn a_fit_is_bit_identical_for_any_number_of_threads() {
    let values = clouds(&THREE, 3000, 5);
    let single: Vec<f32> = values.iter().map(|x| *x as f32).collect();
    for samples in [table(2, &values), Table::unnamed(2, single).unwrap()] {
        let fit = |threads| {
            let device = Device::from(Cpu::with_threads(threads).unwrap());
            FuzzyCMeans::new(5).fuzzifier(1.7).seed(3).fit(&samples, &device).unwrap()
        };
        let one = fit(1);
        assert!((2..5).all(|threads| fit(threads) == one));
    }
}

#[test]
fn acceleration_takes_fewer_sweeps_to_the_same_objective() {
    let iris = super::golden::iris();
    let settings = FuzzyCMeans::new(6).seed(2).tolerance(1e-8).max_iterations(3000);
    let plain = settings.clone().plain(true).fit(&iris, &cpu()).unwrap();
    let fast = settings.fit(&iris, &cpu()).unwrap();
    assert!(fast.report.objective <= plain.report.objective * (1.0 + 1e-9));
    assert!(
        fast.report.iterations * 2 < plain.report.iterations,
        "{} {}",
        fast.report.iterations,
        plain.report.iterations
    );
}
