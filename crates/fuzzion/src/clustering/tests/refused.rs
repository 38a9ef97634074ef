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
    for m in [1.0, 0.5, f64::NAN, f64::INFINITY] {
        let found = sentence(FuzzyCMeans::new(2).fuzzifier(m), 1, &rows);
        assert_eq!(found, format!("clustering: `fuzzifier` is {m}, but it must be greater than 1"));
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
