//! What holds for every partition.

use super::*;
use crate::device::Cpu;
use proptest::prelude::*;

const THREE: [[f64; 2]; 3] = [[0.0, 0.0], [6.0, 1.0], [2.0, 7.0]];

fn starting() -> Start {
    Start::Centers(table(2, &[0.5, 0.5, 5.0, 1.5, 2.5, 6.0]))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn memberships_of_a_row_sum_to_one(m in 1.05f64..6.0, clusters in 1usize..7, seed in 0u64..1000) {
        let samples = table(2, &clouds(&THREE, 20, seed));
        let partition = FuzzyCMeans::new(clusters).fuzzifier(m).seed(seed).fit(&samples, &cpu()).unwrap();
        let u = partition.memberships(&samples, &cpu()).unwrap();
        for row in u.to_f64().chunks(clusters) {
            // One rounding per cluster.
            prop_assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-14);
            prop_assert!(row.iter().all(|u| (0.0..=1.0).contains(u)));
        }
    }

    #[test]
    fn the_objective_never_increases(m in 1.05f64..6.0, seed in 0u64..1000, plain: bool) {
        let samples = table(2, &clouds(&THREE, 30, seed));
        let fit = FuzzyCMeans::new(4).fuzzifier(m).seed(seed).plain(plain).fit(&samples, &cpu()).unwrap();
        let history = &fit.report.history;
        // A sum of 90 terms carries a few roundings.
        prop_assert!(history.windows(2).all(|j| j[1] <= j[0] * (1.0 + 1e-12)), "{:?}", history);
        prop_assert!(fit.report.objective <= history[history.len() - 1] * (1.0 + 1e-12));
    }

    #[test]
    fn a_partition_moves_and_grows_with_its_data(
        m in 1.2f64..3.0, power in -6i32..=6, shift in -100.0f64..100.0, seed in 0u64..100,
    ) {
        let scale = 10f64.powi(power);
        let values = clouds(&THREE, 15, seed);
        let moved: Vec<f64> = values.iter().map(|x| (x + shift) * scale).collect();
        let start = [0.5, 0.5, 5.0, 1.5, 2.5, 6.0];
        let moved_start: Vec<f64> = start.iter().map(|x| (x + shift) * scale).collect();
        let fit = |values: &[f64], start: &[f64]| {
            FuzzyCMeans::new(3).fuzzifier(m).tolerance(1e-11).max_iterations(2000)
                .start(Start::Centers(table(2, start))).fit(&table(2, values), &cpu()).unwrap()
        };
        let (one, other) = (fit(&values, &start), fit(&moved, &moved_start));
        let expected: Vec<f64> = centers_of(&one).iter().map(|x| (x + shift) * scale).collect();
        // Data near 100 are rounded at 1e-14; the tolerance leaves 1e-9 of the spread.
        prop_assert!(difference(&centers_of(&other), &expected) < 1e-7 * scale);
        let ratio = other.report.objective / (one.report.objective * scale * scale);
        prop_assert!((ratio - 1.0).abs() < 1e-7, "{ratio}");
    }

    #[test]
    fn a_weight_counts_as_so_many_equal_rows(seed in 0u64..1000, m in 1.1f64..3.0) {
        let values = clouds(&THREE, 10, seed);
        let weights: Vec<f64> = (0..30).map(|i| f64::from((i * 5) % 4)).collect();
        let rows = values.chunks(2).zip(&weights);
        let copied: Vec<f64> =
            rows.flat_map(|(row, w)| std::iter::repeat_n(row, *w as usize)).flatten().copied().collect();
        let settings = FuzzyCMeans::new(3).fuzzifier(m).start(starting()).tolerance(1e-11).max_iterations(2000);
        let weighted = settings.fit_weighted(&table(2, &values), &weights, &cpu()).unwrap();
        let repeated = settings.fit(&table(2, &copied), &cpu()).unwrap();
        prop_assert!(difference(&centers_of(&weighted), &centers_of(&repeated)) < 1e-7);
        prop_assert!((weighted.report.objective - repeated.report.objective).abs() < 1e-7);
        prop_assert_eq!(&weighted.report.sizes, &repeated.report.sizes);
    }

    #[test]
    fn the_order_of_rows_does_not_matter(seed in 0u64..1000) {
        let values = clouds(&THREE, 20, seed);
        let mut rows: Vec<&[f64]> = values.chunks(2).collect();
        rows.reverse();
        rows.rotate_left(seed as usize % 60);
        let settings = FuzzyCMeans::new(3).start(starting()).tolerance(1e-11).max_iterations(2000);
        let one = settings.fit(&table(2, &values), &cpu()).unwrap();
        let other = settings.fit(&table(2, &rows.concat()), &cpu()).unwrap();
        prop_assert!(difference(&centers_of(&one), &centers_of(&other)) < 1e-8);
    }
}

#[test]
fn a_row_on_a_center_belongs_to_it_alone_and_on_two_to_each_by_half() {
    for m in [1.2, 1.25, 1.5, 2.0, 3.0, 4.5] {
        let samples = table(1, &[1.0, 5.0, 7.0, 9.0]);
        let start = Start::Centers(table(1, &[1.0, 1.0, 7.0]));
        let settings = FuzzyCMeans::new(3).fuzzifier(m).max_iterations(0).start(start);
        let u = settings.fit(&samples, &cpu()).unwrap().memberships(&samples, &cpu()).unwrap();
        assert_eq!(u.to_f64()[..3], [0.5, 0.5, 0.0], "{m}");
        assert_eq!(u.to_f64()[6..9], [0.0, 0.0, 1.0], "{m}");
    }
}

#[test]
fn a_row_on_a_center_belongs_to_it_alone_in_single_precision_at_any_scale() {
    for scale in [1e-12f32, 1e-6, 1.0, 1e6, 1e12] {
        let values = [1.1f32, 5.3, 7.7, 9.9].map(|x| x * scale);
        let samples = Table::unnamed(1, values.to_vec()).unwrap();
        let start = Start::Centers(table(1, &[f64::from(values[0]), f64::from(values[2])]));
        let settings = FuzzyCMeans::new(2).max_iterations(0).start(start);
        let u = settings.fit(&samples, &cpu()).unwrap().memberships(&samples, &cpu()).unwrap();
        assert_eq!([u.to_f32()[0], u.to_f32()[5]], [1.0, 1.0], "{scale}");
    }
}

#[test]
fn a_fit_is_the_same_to_the_bit_for_any_number_of_threads() {
    let values = clouds(&THREE, 3000, 5);
    let single: Vec<f32> = values.iter().map(|x| *x as f32).collect();
    for samples in [table(2, &values), Table::unnamed(2, single).unwrap()] {
        let fit = |threads| {
            let device = Device::Cpu(Cpu::with_threads(threads).unwrap());
            FuzzyCMeans::new(5).fuzzifier(1.7).seed(3).fit(&samples, &device).unwrap()
        };
        let one = fit(1);
        assert!((2..5).all(|threads| fit(threads) == one));
    }
}

#[test]
fn acceleration_takes_fewer_sweeps_to_the_same_centers() {
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
