//! Error messages for invalid input.

use super::*;

fn message(settings: FuzzyCMeans, columns: usize, values: &[f64]) -> String {
    settings.fit(&table(columns, values), &cpu()).unwrap_err().to_string()
}

#[test]
fn invalid_settings_are_rejected() {
    let rows = [1.0, 2.0, 3.0];
    assert_eq!(
        message(FuzzyCMeans::new(4), 1, &rows),
        "cannot form 4 clusters from 3 rows; use at most as many clusters as rows"
    );
    assert_eq!(
        message(FuzzyCMeans::new(0), 1, &rows),
        "clustering: `clusters` is 0, but it must be at least 1"
    );
    for m in [1.0, 0.5, 100.5, f64::NAN, f64::INFINITY] {
        let found = message(FuzzyCMeans::new(2).fuzzifier(m), 1, &rows);
        let expected = format!("clustering: `fuzzifier` is {m}, but it must be above 1 and at most 100");
        assert_eq!(found, expected);
    }
    assert_eq!(
        message(FuzzyCMeans::new(2).n_init(0), 1, &rows),
        "clustering: `n_init` is 0, but it must be from 1 to 1000"
    );
    assert_eq!(
        message(FuzzyCMeans::new(1), 1, &[]),
        "cannot form 1 cluster from 0 rows; use at most as many clusters as rows"
    );
}

#[test]
fn values_that_are_not_finite_are_reported_with_their_position() {
    let found = message(FuzzyCMeans::new(2), 2, &[1.0, 2.0, 3.0, f64::NAN, 5.0, 6.0]);
    assert!(
        found.starts_with("row 2, column `c2` is missing (NaN), but every value must be finite"),
        "{found}"
    );
    let partial = FuzzyCMeans::new(2).missing(MissingValues::Partial);
    let found = message(partial, 1, &[1.0, f64::INFINITY, 2.0]);
    assert!(found.starts_with("row 2, column `c1` is inf"), "{found}");
}

#[test]
fn initial_centers_and_memberships_of_the_wrong_shape_are_rejected() {
    let start = InitialCenters::Centers(table(3, &[1.0; 6]));
    assert_eq!(
        message(FuzzyCMeans::new(2).initial_centers(start), 2, &[0.0, 1.0, 2.0, 3.0]),
        "the initial centers are 2 × 3 (rows × columns), but they must be 2 × 2"
    );
    let start = InitialCenters::Memberships(table(2, &[0.5; 6]));
    assert_eq!(
        message(FuzzyCMeans::new(2).initial_centers(start), 2, &[0.0, 1.0, 2.0, 3.0]),
        "the initial memberships are 3 × 2 (rows × columns), but they must be 2 × 2"
    );
}

#[test]
fn invalid_initial_centers_and_memberships_are_rejected() {
    let rows = [0.0, 1.0, 2.0, 3.0];
    let start = InitialCenters::Centers(table(2, &[1.0, 2.0, 3.0, f64::NAN]));
    assert_eq!(
        message(FuzzyCMeans::new(2).initial_centers(start), 2, &rows),
        "the initial centers contain NaN in row 2, column 2; all values must be finite"
    );
    let start = InitialCenters::Memberships(table(2, &[0.5, 0.5, f64::INFINITY, 0.0]));
    assert_eq!(
        message(FuzzyCMeans::new(2).initial_centers(start), 2, &rows),
        "the initial memberships contain inf in row 2, column 1; all values must be finite"
    );
    let start = InitialCenters::Memberships(table(2, &[0.5, 0.5, -0.5, 1.5]));
    assert_eq!(
        message(FuzzyCMeans::new(2).initial_centers(start), 2, &rows),
        "clustering: `initial memberships` is -0.5, but it must be at least 0"
    );
}

#[test]
fn invalid_parameters_of_variants_and_metrics_are_rejected() {
    let rows = [0.0, 1.0, 2.0, 3.0, 5.0, 1.0];
    let rejected = |settings: FuzzyCMeans| message(settings, 2, &rows);
    for distance in [0.0, -1.0, f64::NAN] {
        assert_eq!(
            rejected(FuzzyCMeans::new(2).variant(Variant::Noise { distance: Some(distance) })),
            format!("clustering: `distance` is {distance}, but it must be positive and finite")
        );
    }
    let both = |membership, typicality, typicality_fuzzifier| {
        FuzzyCMeans::new(2).variant(Variant::PossibilisticFuzzy {
            membership,
            typicality,
            typicality_fuzzifier,
        })
    };
    for (settings, name, must) in [
        (both(0.0, 1.0, 2.0), "membership", "positive and finite"),
        (both(1.0, 0.0, 2.0), "typicality", "positive and finite"),
        (both(1.0, 1.0, 0.0), "typicality_fuzzifier", "above 1 and at most 100"),
    ] {
        assert_eq!(rejected(settings), format!("clustering: `{name}` is 0, but it must be {must}"));
    }
    let metric = |metric| rejected(FuzzyCMeans::new(2).metric(metric));
    assert_eq!(
        metric(Metric::Diagonal { variances: Some(vec![1.0, 0.0]) }),
        "clustering: `variances` is 0, but it must be positive and finite"
    );
    assert_eq!(
        metric(Metric::Diagonal { variances: Some(vec![1.0]) }),
        "`variances` has 1 value, but it must have 2"
    );
    let singular = "is singular, so it defines no distance; drop linearly dependent columns";
    assert_eq!(
        metric(Metric::Mahalanobis { covariance: Some(vec![1.0, 1.0, 1.0, 1.0]) }),
        format!("the covariance matrix of the metric {singular}")
    );
    let dependent = [0.1, 0.3, 0.7, 2.1, 0.9, 2.7, 0.2, 0.6];
    for own in [Metric::Mahalanobis { covariance: None }, Metric::GathGeva] {
        assert_eq!(
            message(FuzzyCMeans::new(2).metric(own), 2, &dependent),
            format!("the covariance matrix of the data {singular}")
        );
    }
    assert_eq!(
        metric(Metric::GustafsonKessel { volumes: Some(vec![1.0; 3]), regularize: 0.0 }),
        "`volumes` has 3 values, but it must have 2"
    );
    assert_eq!(
        metric(Metric::GustafsonKessel { volumes: None, regularize: 1.5 }),
        "clustering: `regularize` is 1.5, but it must be from 0 to 1"
    );
    assert_eq!(
        rejected(FuzzyCMeans::new(2).metric(Metric::GathGeva).variant(Variant::Hard)),
        "the Gustafson-Kessel or Gath-Geva metric cannot be combined with a variant other than fuzzy c-means; leave out one of \
         them"
    );
}

#[test]
fn a_column_without_values_is_rejected_even_if_values_may_be_missing() {
    let rows = [1.0, f64::NAN, 2.0, f64::NAN, f64::NAN, f64::NAN];
    let found = message(FuzzyCMeans::new(2).missing(MissingValues::Partial), 2, &rows);
    assert_eq!(found, "the column `c2` has no values; fill it in, or use other columns");
}

#[test]
fn a_table_without_numeric_columns_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("labels.csv");
    std::fs::write(&path, "a\nx\ny\n").unwrap();
    let labels = crate::data::ReadTable::new().keep_text(true).read(&path).unwrap();
    let error = FuzzyCMeans::new(1).fit(&labels, &cpu()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no numeric column to cluster; select at least one besides labels and weights"
    );
}

#[test]
fn a_constant_column_is_rejected_only_by_metrics_that_divide_by_its_spread() {
    let rows = [0.0, 5.0, 1.0, 5.0, 2.0, 5.0, 9.0, 5.0];
    let expected = "column 2 (`c2`) is constant up to rounding, so the metric cannot divide by its spread; drop the column or use the \
                    Euclidean metric";
    for metric in [
        Metric::Diagonal { variances: None },
        Metric::Mahalanobis { covariance: None },
        Metric::GustafsonKessel { volumes: None, regularize: 0.0 },
        Metric::GathGeva,
    ] {
        assert_eq!(message(FuzzyCMeans::new(2).metric(metric), 2, &rows), expected);
    }
    assert!(FuzzyCMeans::new(2).fit(&table(2, &rows), &cpu()).is_ok());
}

#[test]
fn invalid_weights_are_rejected() {
    let samples = table(1, &[1.0, 2.0, 3.0]);
    for (weights, row) in
        [(&[1.0, 1.0][..], 3), (&[1.0, -1.0, 1.0], 2), (&[0.0; 3], 1), (&[1.0, 1.0, f64::NAN], 3)]
    {
        let error = match samples.samples().with_weights(weights) {
            Ok(samples) => FuzzyCMeans::new(1).fit(samples, &cpu()).unwrap_err().to_string(),
            Err(error) => error.to_string(),
        };
        assert!(error.starts_with(&format!("the sample weight of row {row} is ")), "{error}");
    }
}

#[test]
fn one_row_and_equal_rows_can_be_clustered() {
    let one = FuzzyCMeans::new(1).fit(&table(2, &[3.0, 4.0]), &cpu()).unwrap();
    assert_eq!(centers_of(&one), [3.0, 4.0]);
    assert_eq!(one.report.objective, 0.0);
    let equal = FuzzyCMeans::new(2).fit(&table(1, &[7.0; 5]), &cpu()).unwrap();
    assert_eq!(centers_of(&equal), [7.0, 7.0]);
}

#[test]
fn data_beyond_the_range_of_the_numbers_are_rejected() {
    let standardized = FuzzyCMeans::new(2).metric(Metric::Diagonal { variances: None });
    let beside_others =
        message(standardized.clone(), 2, &[1e-310, 1.0, 2e-310, 2.0, 3e-310, 3.0, 4e-310, 9.0]);
    assert!(beside_others.starts_with("column 1 (`c1`) is constant up to rounding, "), "{beside_others}");
    let found = message(standardized, 1, &[1e-310, 2e-310, 3e-310, 4e-310]);
    assert!(found.starts_with("column 1 (`c1`) has a standard deviation of only 1.118"), "{found}");
    let samples = table(1, &[1.0, 2.0, 3.0, 9.0]);
    let fit = |weights: &[f64]| {
        let samples = samples.samples().with_weights(weights).unwrap();
        FuzzyCMeans::new(2).fit(samples, &cpu()).unwrap_err().to_string()
    };
    assert!(
        fit(&[1e308; 4]).starts_with("the sample weights add up to more than 1.8e308, which is too large; ")
    );
    assert!(fit(&[1e301, 1.0, 1.0, 1.0]).starts_with("the sample weights add up to 1e301, "));
    let small = "the sample weights add up to 2e-323, which is too small; multiply them by a constant, which does not change the clusters";
    assert_eq!(fit(&[5e-324; 4]), small);
    let centers = |weight: f64| {
        let weights = [weight; 4];
        let samples = samples.samples().with_weights(&weights).unwrap();
        centers_of(&FuzzyCMeans::new(2).fit(samples, &cpu()).unwrap())
    };
    // 2⁻⁹⁶⁰ ≈ 1e-289; both fits stop at the default tolerance.
    assert!(difference(&centers(2f64.powi(-960)), &centers(1.0)) < 1e-6);
}
