//! Merging and serialization of normal equations.

use crate::tuning::solver::normal_equations::NormalEquations;

fn normal_equations(first: f64) -> NormalEquations {
    NormalEquations {
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
fn merging_adds_all_values() {
    let mut equations = normal_equations(1.0);
    equations.merge(&normal_equations(10.0)).unwrap();
    let expected = NormalEquations {
        unknowns: 2,
        outputs: 1,
        gram: vec![11.0, 4.0, 6.0],
        cross: vec![8.0, 10.0],
        squares: vec![12.0],
        weight: 14.0,
        rows: 16,
    };
    assert_eq!(equations, expected);
}

#[test]
fn normal_equations_round_trip_through_json_exactly() {
    let equations = normal_equations(0.1 + 0.2);
    let text = serde_json::to_string(&equations).unwrap();
    assert_eq!(serde_json::from_str::<NormalEquations>(&text).unwrap(), equations);
}

#[test]
fn merging_different_shapes_is_rejected_and_changes_nothing() {
    let mut equations = normal_equations(1.0);
    let error = equations.merge(&NormalEquations::zero(3, 2)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot add normal equations of 3 unknowns and 2 outputs to those of 2 unknowns and 1 output; compute both with the \
         same rules, order and targets"
    );
    assert_eq!(equations, normal_equations(1.0));
}

#[test]
fn normal_equations_with_wrong_lengths_are_rejected() {
    let mut equations = normal_equations(1.0);
    let incomplete = NormalEquations { gram: vec![1.0], ..normal_equations(1.0) };
    assert_eq!(
        equations.merge(&incomplete).unwrap_err().to_string(),
        "normal equations of 2 unknowns and 1 output cannot have 1 value in `gram`; compute them again from the data"
    );
    let overflowing = NormalEquations { unknowns: usize::MAX, ..normal_equations(1.0) };
    assert!(equations.merge(&overflowing).is_err());
    assert_eq!(equations, normal_equations(1.0));
}
