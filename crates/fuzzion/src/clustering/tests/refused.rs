//! What cannot be clustered is refused with one sentence.

use super::*;

fn sentence(settings: FuzzyCMeans<'_>, columns: usize, values: &[f64]) -> String {
    settings.fit(&table(columns, values), &cpu()).unwrap_err().to_string()
}

#[test]
fn settings_that_mean_nothing_are_refused() {
    let rows = [1.0, 2.0, 3.0];
    assert_eq!(
        sentence(FuzzyCMeans::new(4), 1, &rows),
        "4 clusters need at least 4 rows, but there are 3; ask for fewer clusters"
    );
    assert_eq!(
        sentence(FuzzyCMeans::new(0), 1, &rows),
        "clustering: `clusters` is 0, but it must be at least 1"
    );
    for (m, must) in [
        (1.0, "greater than 1"),
        (0.5, "greater than 1"),
        (f64::NAN, "greater than 1"),
        (f64::INFINITY, "finite"),
    ] {
        let found = sentence(FuzzyCMeans::new(2).fuzzifier(m), 1, &rows);
        assert_eq!(found, format!("clustering: `fuzzifier` is {m}, but it must be {must}"));
    }
    assert_eq!(
        sentence(FuzzyCMeans::new(2).n_init(0), 1, &rows),
        "clustering: `n_init` is 0, but it must be at least 1"
    );
    assert_eq!(
        sentence(FuzzyCMeans::new(1), 1, &[]),
        "1 clusters need at least 1 rows, but there are 0; ask for fewer clusters"
    );
}

#[test]
fn values_that_are_not_finite_are_named_by_their_place() {
    let found = sentence(FuzzyCMeans::new(2), 2, &[1.0, 2.0, 3.0, f64::NAN, 5.0, 6.0]);
    assert!(found.starts_with("row 2, column 2 (`c2`) is NaN, but every value must be finite"), "{found}");
    let partial = FuzzyCMeans::new(2).missing(Missing::Partial);
    let found = sentence(partial, 1, &[1.0, f64::INFINITY, 2.0]);
    assert!(found.starts_with("row 2, column 1 (`c1`) is inf"), "{found}");
}

#[test]
fn starts_of_another_shape_are_refused() {
    let start = Start::Centers(table(3, &[1.0; 6]));
    assert_eq!(
        sentence(FuzzyCMeans::new(2).start(start), 2, &[0.0, 1.0, 2.0, 3.0]),
        "the starting centers are 2 × 3 (rows × columns), but they must be 2 × 2"
    );
    let start = Start::Memberships(table(2, &[0.5; 6]));
    assert_eq!(
        sentence(FuzzyCMeans::new(2).start(start), 2, &[0.0, 1.0, 2.0, 3.0]),
        "the starting memberships are 3 × 2 (rows × columns), but they must be 2 × 2"
    );
}

#[test]
fn starts_that_mean_nothing_are_refused() {
    let rows = [0.0, 1.0, 2.0, 3.0];
    let start = Start::Centers(table(2, &[1.0, 2.0, 3.0, f64::NAN]));
    assert_eq!(
        sentence(FuzzyCMeans::new(2).start(start), 2, &rows),
        "the starting centers hold NaN in row 2, column 2; give finite numbers"
    );
    let start = Start::Memberships(table(2, &[0.5, 0.5, f64::INFINITY, 0.0]));
    assert_eq!(
        sentence(FuzzyCMeans::new(2).start(start), 2, &rows),
        "the starting memberships hold inf in row 2, column 1; give finite numbers"
    );
    let start = Start::Memberships(table(2, &[0.5, 0.5, -0.5, 1.5]));
    assert_eq!(
        sentence(FuzzyCMeans::new(2).start(start), 2, &rows),
        "clustering: `starting memberships` is -0.5, but it must be at least 0"
    );
}

#[test]
fn numbers_of_variants_and_metrics_that_mean_nothing_are_refused() {
    let rows = [0.0, 1.0, 2.0, 3.0, 5.0, 1.0];
    let refused = |settings: FuzzyCMeans<'_>| sentence(settings, 2, &rows);
    for distance in [0.0, -1.0, f64::NAN] {
        assert_eq!(
            refused(FuzzyCMeans::new(2).variant(Variant::Noise { distance: Some(distance) })),
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
        (both(1.0, 1.0, 0.0), "typicality_fuzzifier", "greater than 1"),
    ] {
        assert_eq!(refused(settings), format!("clustering: `{name}` is 0, but it must be {must}"));
    }
    let metric = |metric| refused(FuzzyCMeans::new(2).metric(metric));
    assert_eq!(
        metric(Metric::Diagonal { variances: Some(vec![1.0, 0.0]) }),
        "clustering: `variances` is 0, but it must be positive and finite"
    );
    assert_eq!(
        metric(Metric::Diagonal { variances: Some(vec![1.0]) }),
        "the variances are 1 × 1 (rows × columns), but they must be 1 × 2"
    );
    let singular = "is singular, so it measures no distances; leave out columns that depend on others";
    assert_eq!(
        metric(Metric::Mahalanobis { covariance: Some(vec![1.0, 1.0, 1.0, 1.0]) }),
        format!("the covariance of the metric {singular}")
    );
    let dependent = [0.1, 0.3, 0.7, 2.1, 0.9, 2.7, 0.2, 0.6];
    for own in [Metric::Mahalanobis { covariance: None }, Metric::GathGeva] {
        assert_eq!(
            sentence(FuzzyCMeans::new(2).metric(own), 2, &dependent),
            format!("the covariance of the data {singular}")
        );
    }
    assert_eq!(
        metric(Metric::GustafsonKessel { volumes: Some(vec![1.0; 3]), regularize: 0.0 }),
        "the volumes are 1 × 3 (rows × columns), but they must be 1 × 2"
    );
    assert_eq!(
        metric(Metric::GustafsonKessel { volumes: None, regularize: 1.5 }),
        "clustering: `regularize` is 1.5, but it must be from 0 to 1"
    );
    assert_eq!(
        refused(FuzzyCMeans::new(2).metric(Metric::GathGeva).variant(Variant::Hard)),
        "a metric of each cluster's own cannot be combined with a variant; leave out one of them"
    );
}

#[test]
fn a_column_without_any_value_is_refused_even_where_values_may_be_missing() {
    let rows = [1.0, f64::NAN, 2.0, f64::NAN, f64::NAN, f64::NAN];
    let found = sentence(FuzzyCMeans::new(2).missing(Missing::Partial), 2, &rows);
    assert!(found.starts_with("row 1, column 2 (`c2`) is NaN"), "{found}");
}

#[test]
fn a_table_of_labels_alone_has_nothing_to_cluster() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("words.csv");
    std::fs::write(&path, "a\nx\ny\n").unwrap();
    let words = crate::data::ReadTable::new().keep_text(true).read(&path).unwrap();
    let error = FuzzyCMeans::new(1).fit(&words, &cpu()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no column of numbers is left to cluster; name at least one beside labels and weights"
    );
}

#[test]
fn a_constant_column_is_refused_where_a_metric_divides_by_it_and_welcome_elsewhere() {
    let rows = [0.0, 5.0, 1.0, 5.0, 2.0, 5.0, 9.0, 5.0];
    let message = "column 2 (`c2`) is constant, so the metric cannot divide by its spread; leave the column out or use the \
                   Euclidean metric";
    for metric in [
        Metric::Diagonal { variances: None },
        Metric::Mahalanobis { covariance: None },
        Metric::GustafsonKessel { volumes: None, regularize: 0.0 },
        Metric::GathGeva,
    ] {
        assert_eq!(sentence(FuzzyCMeans::new(2).metric(metric), 2, &rows), message);
    }
    assert!(FuzzyCMeans::new(2).fit(&table(2, &rows), &cpu()).is_ok());
}

#[test]
fn weights_that_count_nothing_are_refused() {
    let samples = table(1, &[1.0, 2.0, 3.0]);
    for (weights, row) in
        [(&[1.0, 1.0][..], 3), (&[1.0, -1.0, 1.0], 2), (&[0.0; 3], 1), (&[1.0, 1.0, f64::NAN], 3)]
    {
        let error = FuzzyCMeans::new(1).fit_weighted(&samples, weights, &cpu()).unwrap_err().to_string();
        assert!(error.starts_with(&format!("sample weight {row} is ")), "{error}");
    }
}

#[test]
fn one_row_and_equal_rows_have_a_partition() {
    let one = FuzzyCMeans::new(1).fit(&table(2, &[3.0, 4.0]), &cpu()).unwrap();
    assert_eq!(centers_of(&one), [3.0, 4.0]);
    assert_eq!(one.report.objective, 0.0);
    let equal = FuzzyCMeans::new(2).fit(&table(1, &[7.0; 5]), &cpu()).unwrap();
    assert_eq!(centers_of(&equal), [7.0, 7.0]);
}
