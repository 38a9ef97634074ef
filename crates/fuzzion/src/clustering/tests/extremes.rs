//! Extreme scales, offsets and degenerate data.

use super::*;

const THREE: [[f64; 2]; 3] = [[0.0, 0.0], [6.0, 1.0], [2.0, 7.0]];
const START: [f64; 6] = [0.5, 0.5, 5.0, 1.5, 2.5, 6.0];

fn variants() -> [Variant; 5] {
    [
        Variant::Fuzzy,
        Variant::Hard,
        Variant::Noise { distance: None },
        Variant::Possibilistic,
        Variant::PossibilisticFuzzy { membership: 1.0, typicality: 2.0, typicality_fuzzifier: 1.8 },
    ]
}

fn single(columns: usize, values: &[f64]) -> Table {
    Table::unnamed(columns, values.iter().map(|x| *x as f32).collect::<Vec<f32>>()).unwrap()
}

fn settings(variant: Variant, start: &[f64]) -> FuzzyCMeans {
    FuzzyCMeans::new(3)
        .variant(variant)
        .initial_centers(InitialCenters::Centers(table(2, start)))
        .max_iterations(100)
}

#[test]
fn centers_scale_with_the_data_over_the_range_of_double_precision() {
    let values = clouds(&THREE, 40, 1);
    let metrics = [
        Metric::Euclidean,
        Metric::Diagonal { variances: None },
        Metric::Mahalanobis { covariance: None },
        Metric::GustafsonKessel { volumes: None, regularize: 0.0 },
        Metric::GathGeva,
    ];
    let kinds = variants().map(|variant| (variant, Metric::Euclidean)).into_iter();
    for (variant, metric) in kinds.chain(metrics.map(|metric| (Variant::Fuzzy, metric))) {
        let fit = |scale: f64| {
            let scaled = |x: &[f64]| x.iter().map(|x| x * scale).collect::<Vec<f64>>();
            let settings = settings(variant, &scaled(&START)).metric(metric.clone());
            settings.fit(&table(2, &scaled(&values)), &cpu()).unwrap()
        };
        let one = fit(1.0);
        // Scaling by a power of two is exact, so only the scale may differ.
        for power in [-900, -500, 500, 900] {
            let scale = 2f64.powi(power);
            let scaled = fit(scale);
            let grown: Vec<f64> = centers_of(&scaled).iter().map(|x| x / scale).collect();
            assert!(difference(&grown, &centers_of(&one)) < 1e-12, "{variant:?} {metric:?} 2^{power}");
            let saved =
                scaled.to_json().unwrap_or_else(|e| panic!("{variant:?} {metric:?} 2^{power}: {e:?}"));
            assert_eq!(Partition::from_json(&saved).unwrap(), scaled);
        }
        for scale in [1e-150, 1e150] {
            let grown = fit(scale);
            let centers: Vec<f64> = centers_of(&grown).iter().map(|x| x / scale).collect();
            // The data are rounded differently, and the fit stops at 1e-5 of the spread.
            assert!(difference(&centers, &centers_of(&one)) < 1e-4, "{variant:?} {metric:?} {scale}");
            assert!(grown.report.objective > 0.0 && grown.report.objective.is_finite());
            assert_eq!(Partition::from_json(&grown.to_json().unwrap()).unwrap(), grown);
        }
    }
}

#[test]
fn a_noise_distance_scales_with_the_data_over_the_range_of_double_precision() {
    let values = clouds(&THREE, 40, 1);
    let sizes = |power: i32| {
        let scale = 2f64.powi(power);
        let scaled = |x: &[f64]| x.iter().map(|x| x * scale).collect::<Vec<f64>>();
        let settings = settings(Variant::Noise { distance: Some(0.5 * scale) }, &scaled(&START));
        settings.fit(&table(2, &scaled(&values)), &cpu()).unwrap().weights
    };
    let one = sizes(0);
    assert!(one.iter().sum::<f64>() < 115.0, "{one:?}"); // some of the 120 rows are noise
    for power in [-900, -600, 600, 900] {
        assert!(difference(&sizes(power), &one) < 1e-9, "2^{power}: {:?}", sizes(power));
    }
}

#[test]
fn centers_scale_with_the_data_over_the_range_of_single_precision() {
    let values = clouds(&THREE, 40, 1);
    for variant in variants() {
        let fit = |scale: f64| {
            let scaled = |x: &[f64]| x.iter().map(|x| x * scale).collect::<Vec<f64>>();
            settings(variant, &scaled(&START)).fit(&single(2, &scaled(&values)), &cpu()).unwrap()
        };
        let one = fit(1.0);
        for power in [-110, -100, 100, 120] {
            let scale = 2f64.powi(power);
            let grown: Vec<f64> = centers_of(&fit(scale)).iter().map(|x| x / scale).collect();
            assert!(difference(&grown, &centers_of(&one)) < 1e-6, "{variant:?} 2^{power}");
        }
        for scale in [1e-30, 1e30] {
            let grown: Vec<f64> = centers_of(&fit(scale)).iter().map(|x| x / scale).collect();
            assert!(difference(&grown, &centers_of(&one)) < 1e-4, "{variant:?} {scale}");
        }
    }
}

#[test]
fn a_large_offset_does_not_change_the_partition() {
    let values: Vec<f64> = clouds(&THREE, 40, 2).iter().map(|x| (x * 1024.0).round() / 1024.0).collect();
    let one = settings(Variant::Fuzzy, &START).tolerance(1e-9).fit(&table(2, &values), &cpu()).unwrap();
    // 1e9 plus these values is exact in double precision.
    let offset = |x: &[f64]| x.iter().map(|x| x + 1e9).collect::<Vec<f64>>();
    let far = settings(Variant::Fuzzy, &offset(&START)).tolerance(1e-9);
    let far = far.fit(&table(2, &offset(&values)), &cpu()).unwrap();
    let back: Vec<f64> = centers_of(&far).iter().map(|x| x - 1e9).collect();
    assert!(difference(&back, &centers_of(&one)) < 1e-6); // centers near 1e9 are rounded at 1e-7
    assert!((far.report.objective / one.report.objective - 1.0).abs() < 1e-9);
    // In single precision, the values at 2¹⁶ are multiples of 2⁻⁷.
    let coarse: Vec<f64> = values.iter().map(|x| (x * 128.0).round() / 128.0).collect();
    let offset = |x: &[f64]| x.iter().map(|x| x + 65536.0).collect::<Vec<f64>>();
    let near = settings(Variant::Fuzzy, &START).fit(&single(2, &coarse), &cpu()).unwrap();
    let far = settings(Variant::Fuzzy, &offset(&START)).fit(&single(2, &offset(&coarse)), &cpu()).unwrap();
    let back: Vec<f64> = centers_of(&far).iter().map(|x| x - 65536.0).collect();
    assert!(difference(&back, &centers_of(&near)) < 1e-5);
}

#[test]
fn rows_of_weight_zero_have_no_effect() {
    let values = clouds(&THREE, 30, 3);
    let mut more = vec![1e15, -1e15, 3.0, 4.0];
    more.extend(&values);
    let mut weights = vec![0.0; 2];
    weights.resize(2 + 90, 1.0);
    for variant in variants() {
        let settings = settings(variant, &START);
        let without = settings.fit(&table(2, &values), &cpu()).unwrap();
        let with = settings.fit(table(2, &more).samples().with_weights(&weights).unwrap(), &cpu()).unwrap();
        assert!(difference(&centers_of(&with), &centers_of(&without)) < 1e-10, "{variant:?}");
        assert_eq!(with.report.sizes, without.report.sizes);
    }
}

#[test]
fn one_cluster_is_the_mean_and_its_objective_the_sum_of_squared_deviations() {
    let samples = table(1, &[1.0, 2.0, 6.0]);
    let weights = [1.0, 2.0, 1.0];
    for m in [1.3, 2.0] {
        let fit = FuzzyCMeans::new(1)
            .fuzzifier(m)
            .fit(samples.samples().with_weights(&weights).unwrap(), &cpu())
            .unwrap();
        assert!((centers_of(&fit)[0] - 2.75).abs() < 1e-15);
        let objective = 1.75f64.powi(2) + 2.0 * 0.75f64.powi(2) + 3.25f64.powi(2);
        assert!((fit.report.objective - objective).abs() < 1e-13);
        let indices = fit.report.indices;
        assert_eq!((indices.partition_coefficient, indices.partition_entropy), (1.0, 0.0));
        assert_eq!((indices.modified_partition_coefficient, indices.xie_beni), (None, None));
        assert_eq!(fit.report.sizes, [4.0]);
        assert!(fit.report.warnings.is_empty());
    }
}

#[test]
fn equal_rows_and_more_clusters_than_distinct_rows_can_be_clustered() {
    for values in [vec![7.5; 12], vec![-3.0, 2.0, 8.0, 1.0, -3.0, 2.0, 8.0, 1.0, 8.0, 1.0]] {
        let samples = [table(2, &values), single(2, &values)];
        for (samples, variant) in samples.iter().flat_map(|t| variants().map(|v| (t, v))) {
            for start in [InitialCenters::KMeansPlusPlus, InitialCenters::Random, InitialCenters::Sample] {
                let settings = FuzzyCMeans::new(4).variant(variant).initial_centers(start).n_init(2);
                let fit = settings.fit(samples, &cpu()).unwrap();
                let inside = |x: &f64| (-3.0..=8.0).contains(x);
                assert!(centers_of(&fit).iter().all(inside), "{variant:?} {:?}", fit.centers);
                assert!(
                    matches!(fit.report.warnings[..], [ClusteringWarning::CoincidentCenters { .. }]),
                    "{variant:?}"
                );
                let sizes: f64 = fit.report.sizes.iter().sum();
                assert_eq!(sizes, samples.rows() as f64);
                let u = fit.memberships(samples, &cpu()).unwrap();
                assert!(u.to_f64().iter().all(|u| (0.0..=1.0).contains(u)), "{variant:?} {u:?}");
            }
        }
    }
}

#[test]
fn typicalities_match_equations_nine_and_ten() {
    let samples = table(1, &[0.0, 1.0, 2.0, 10.0, 11.0, 12.0, 30.0]);
    let (a, b, eta) = (1.0, 3.0, 1.6);
    let variant = Variant::PossibilisticFuzzy { membership: a, typicality: b, typicality_fuzzifier: eta };
    let fit = FuzzyCMeans::new(2).variant(variant).fit(&samples, &cpu()).unwrap();
    let t = fit.typicalities(&samples, &cpu()).unwrap();
    let unit = fit.prototypes.space.unit;
    let crate::clustering::prototypes::MembershipRule::Mixed { widths, .. } = &fit.prototypes.rule else {
        panic!()
    };
    for (row, x) in samples.to_f64().iter().enumerate() {
        for (k, width) in widths.iter().enumerate() {
            let d = (x - centers_of(&fit)[k]).powi(2);
            let expected = 1.0 / (1.0 + (b * d / (width * unit)).powf(1.0 / (eta - 1.0)));
            let found = t.get(row, k).unwrap();
            // The power 1/(η − 1) multiplies the rounding errors of a distance.
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }
    let u = fit.memberships(&samples, &cpu()).unwrap();
    assert!(u.to_f64().chunks(2).all(|u| (u[0] + u[1] - 1.0).abs() < 1e-15));
    let possibilistic = FuzzyCMeans::new(2).variant(Variant::Possibilistic).fit(&samples, &cpu()).unwrap();
    assert_eq!(
        possibilistic.typicalities(&samples, &cpu()).unwrap(),
        possibilistic.memberships(&samples, &cpu()).unwrap()
    );
    let fuzzy = FuzzyCMeans::new(2).fit(&samples, &cpu()).unwrap();
    assert_eq!(
        fuzzy.typicalities(&samples, &cpu()).unwrap_err().to_string(),
        "only possibilistic and possibilistic-fuzzy partitions have typicalities; use memberships instead"
    );
}
