//! Fits of distributed rows.

use super::{centers_of, clouds, cpu, difference};
use crate::clustering::{
    ClusteringError, ClusteringState, ClusteringStatistics, Criterion, DistributedFit, FuzzyCMeans,
    InitialCenters, Metric, MissingValues, Partition, Variant,
};
use crate::data::{Precision, Samples, Table};

const CENTERS: [[f64; 2]; 3] = [[0.0, 0.0], [4.0, 1.0], [1.0, 5.0]];

fn new_fit(settings: &FuzzyCMeans) -> DistributedFit {
    DistributedFit::new(settings.clone(), vec!["a".into(), "b".into()], Precision::F64, &cpu()).unwrap()
}

/// Fits chunks of different sizes, one of them empty; states and statistics are sent as bytes.
fn fit_chunks(settings: &FuzzyCMeans, values: &[f64], weights: &[f64]) -> Partition {
    let rows = weights.len();
    let bounds = [0, 1, rows / 5, rows / 5, rows / 2, rows];
    let mut fit = new_fit(settings);
    while let Some(state) = fit.state() {
        let state = ClusteringState::from_bytes(&state.to_bytes()).unwrap();
        let mut merged: Option<ClusteringStatistics> = None;
        for (number, bound) in bounds.windows(2).enumerate() {
            let samples = Samples::new(2, &values[2 * bound[0]..2 * bound[1]]).unwrap();
            let samples = samples.with_weights(&weights[bound[0]..bound[1]]).unwrap();
            let statistics = state.partial_statistics(samples, number as u64, &cpu()).unwrap();
            let statistics = ClusteringStatistics::from_bytes(&statistics.to_bytes()).unwrap();
            match &mut merged {
                Some(merged) => merged.merge(&statistics).unwrap(),
                None => merged = Some(statistics),
            }
        }
        fit.update(merged.unwrap()).unwrap();
    }
    fit.finish().unwrap()
}

#[test]
fn a_distributed_fit_is_the_fit_of_all_rows() {
    let mut values = clouds(&CENTERS, 400, 3);
    let weights: Vec<f64> = (0..1200).map(|i| f64::from(i % 4)).collect();
    let base = FuzzyCMeans::new(3).seed(5);
    let gustafson_kessel = Metric::GustafsonKessel { volumes: None, regularize: 0.1 };
    let centers = Table::unnamed(2, vec![0.5, 0.0, 3.0, 1.0, 1.0, 4.0]).unwrap();
    let settings = [
        base.clone(),
        base.clone().n_init(3).initial_centers(InitialCenters::Random),
        base.clone().initial_centers(InitialCenters::Sample),
        base.clone().initial_centers(InitialCenters::Centers(centers)).plain(true),
        base.clone().criterion(Criterion::Memberships),
        base.clone().criterion(Criterion::Objective).fuzzifier(1.7),
        base.clone().metric(Metric::Diagonal { variances: None }),
        base.clone().metric(Metric::Mahalanobis { covariance: None }),
        base.clone().metric(gustafson_kessel),
        base.clone().metric(Metric::GathGeva),
        base.clone().variant(Variant::Noise { distance: None }),
        base.clone().variant(Variant::Possibilistic),
        base.clone().missing(MissingValues::Partial),
    ];
    for settings in settings {
        if settings.missing == MissingValues::Partial {
            (0..values.len()).step_by(7).for_each(|i| values[i] = f64::NAN);
        }
        let samples = Samples::new(2, &values).unwrap().with_weights(&weights).unwrap();
        let expected = settings.fit(&samples, &cpu()).unwrap();
        let partition = fit_chunks(&settings, &values, &weights);
        assert!(difference(&centers_of(&partition), &centers_of(&expected)) < 1e-10, "{settings:?}");
        assert!(difference(&partition.weights, &expected.weights) < 1e-7, "{settings:?}");
        let (report, expected_report) = (&partition.report, &expected.report);
        assert_eq!((report.iterations, report.stop), (expected_report.iterations, expected_report.stop));
        assert!((report.objective / expected_report.objective - 1.0).abs() < 1e-10);
        let xie_beni = |report: &crate::clustering::ClusteringReport| report.indices.xie_beni.unwrap();
        assert!((xie_beni(report) / xie_beni(expected_report) - 1.0).abs() < 1e-9);
        if let (Some(a), Some(b)) = (&partition.covariances, &expected.covariances) {
            assert!(difference(&a.concat(), &b.concat()) < 1e-10);
        }
    }
}

#[test]
fn statistics_of_another_step_and_lost_or_repeated_chunks_are_rejected() {
    let (chunk, other) = (clouds(&CENTERS, 10, 1), clouds(&CENTERS, 10, 2));
    fn samples(values: &[f64]) -> Samples<'_> {
        Samples::new(2, values).unwrap()
    }
    let settings = FuzzyCMeans::new(3);
    let mut fit = new_fit(&settings);
    let first = fit.state().unwrap().clone();
    let of = |state: &ClusteringState, values: &[f64], number| {
        state.partial_statistics(samples(values), number, &cpu()).unwrap()
    };
    let message = |result: Result<(), ClusteringError>| result.unwrap_err().to_string();

    let mut twice = of(&first, &chunk, 0);
    twice.merge(&of(&first, &chunk, 0)).unwrap();
    assert!(message(fit.update(twice)).contains("two chunks have the number 0"));

    let mut both = of(&first, &chunk, 0);
    both.merge(&of(&first, &other, 1)).unwrap();
    assert_eq!(both.rows(), 60);
    fit.update(both.clone()).unwrap();
    assert_eq!(fit.state().unwrap().step(), 1);
    assert!(message(fit.update(both.clone())).contains("belong to step 0"));

    let second = fit.state().unwrap().clone();
    assert!(message(fit.update(of(&second, &chunk, 0))).contains("30 rows, but the chunks have 60 rows"));
    assert!(message(both.merge(&of(&second, &chunk, 0))).contains("the steps 0 and 1"));
    let unknown = second.partial_statistics(samples(&other), 7, &cpu()).unwrap_err().to_string();
    assert!(unknown.contains("chunk 7 is new"), "{unknown}");
    let changed = second.partial_statistics(samples(&other[..10]), 1, &cpu()).unwrap_err().to_string();
    assert!(changed.contains("chunk 1 has 5 rows, but it had 30"), "{changed}");
    let single = [0.0f32; 4];
    let single = second.partial_statistics(Samples::new(2, &single).unwrap(), 1, &cpu()).unwrap_err();
    assert!(single.to_string().contains("another precision"));

    // The fit can be continued after all of these.
    while let Some(state) = fit.state() {
        let mut statistics = of(state, &chunk, 0);
        statistics.merge(&of(state, &other, 1)).unwrap();
        fit.update(statistics).unwrap();
    }
    assert!(message(fit.update(both)).contains("it is finished"));
    let expected = settings.fit(samples(&[chunk, other].concat()), &cpu()).unwrap();
    assert!(difference(&centers_of(&fit.finish().unwrap()), &centers_of(&expected)) < 1e-10);
}

#[test]
fn errors_of_the_data_and_of_settings_end_a_distributed_fit() {
    let fit = |settings: FuzzyCMeans| DistributedFit::new(settings, vec!["x".into()], Precision::F64, &cpu());
    assert!(matches!(fit(FuzzyCMeans::new(0)), Err(ClusteringError::Setting(_))));
    let memberships = InitialCenters::Memberships(Table::unnamed(1, vec![1.0]).unwrap());
    assert!(fit(FuzzyCMeans::new(1).initial_centers(memberships)).is_err());
    assert!(ClusteringState::from_bytes(b"fuzzion 0.0.0\n").unwrap_err().to_string().contains("malformed"));

    let mut too_few = fit(FuzzyCMeans::new(3)).unwrap();
    assert!(too_few.state().is_some());
    let samples = Samples::new(1, &[1.0, 2.0]).unwrap();
    let statistics = too_few.state().unwrap().partial_statistics(samples, 0, &cpu()).unwrap();
    assert!(matches!(too_few.update(statistics), Err(ClusteringError::TooFewRows { clusters: 3, rows: 2 })));
    assert!(too_few.finish().is_err());

    let weightless = Samples::new(1, &[1.0, 2.0]).unwrap().with_weights(&[0.0, 0.0]).unwrap();
    let mut fit = fit(FuzzyCMeans::new(1)).unwrap();
    let statistics = fit.state().unwrap().partial_statistics(weightless, 0, &cpu()).unwrap();
    assert!(fit.update(statistics).is_err());
}
