//! Sums that add up, and those that cannot.

use super::super::statistics::Statistics;

fn statistics(first: f64) -> Statistics {
    Statistics {
        unknowns: 2,
        outputs: 1,
        gram: vec![first, 2.0, 3.0],
        cross: vec![4.0, 5.0],
        squares: vec![6.0],
        weight: 7.0,
        rows: 8,
    }
}

#[test]
fn merging_adds_every_number() {
    let mut sums = statistics(1.0);
    sums.merge(&statistics(10.0)).unwrap();
    let expected = Statistics {
        unknowns: 2,
        outputs: 1,
        gram: vec![11.0, 4.0, 6.0],
        cross: vec![8.0, 10.0],
        squares: vec![12.0],
        weight: 14.0,
        rows: 16,
    };
    assert_eq!(sums, expected);
}

#[test]
fn statistics_come_back_from_json_to_the_bit() {
    let sums = statistics(0.1 + 0.2);
    let text = serde_json::to_string(&sums).unwrap();
    assert_eq!(serde_json::from_str::<Statistics>(&text).unwrap(), sums);
}

#[test]
fn statistics_of_other_systems_are_refused_and_nothing_is_added() {
    let mut sums = statistics(1.0);
    let error = sums.merge(&Statistics::zero(3, 2)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "statistics of 3 unknowns and 2 outputs cannot be added to those of 2 and 1; \
         take both with the same rules, order and targets"
    );
    assert_eq!(sums, statistics(1.0));
}

#[test]
fn statistics_that_lack_numbers_are_refused() {
    let mut sums = statistics(1.0);
    let lacking = Statistics { gram: vec![1.0], ..statistics(1.0) };
    assert_eq!(
        sums.merge(&lacking).unwrap_err().to_string(),
        "statistics of 2 unknowns and 1 outputs cannot have 1 numbers in `gram`; take them of the rows again"
    );
    let endless = Statistics { unknowns: usize::MAX, ..statistics(1.0) };
    assert!(sums.merge(&endless).is_err());
    assert_eq!(sums, statistics(1.0));
}
