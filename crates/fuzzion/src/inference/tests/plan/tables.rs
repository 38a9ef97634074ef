//! Inference over tables.

use super::super::tipper;
use super::{near, rows, table};
use crate::data::{Labels, Precision, Samples, Table};
use crate::device::Device;
use crate::inference::{Dialect, InferOptions, Output, Plan, System, Variable};
use crate::sets::Set;
use proptest::prelude::*;

#[test]
fn a_table_in_pieces_has_the_same_results_as_the_whole_table() {
    let input = Variable::new("a", 0.0, 1.0).set("on", Set::triangle(0.5, 0.75, 1.0).unwrap());
    let output = Output::new("y", 0.0, 2.0).set("high", Set::ramp(0.0, 2.0).unwrap()).lock_previous(true);
    let system = System::new("kept").input(input).output(output).rule("if a is on then y is high").unwrap();
    let plan = system.compile(Dialect::Fuzzylite8, Precision::F64).unwrap();
    let (rows, cpu) = (rows(&system), Device::cpu().unwrap());
    let whole = plan.infer(&table(&rows), &cpu).unwrap();
    let mut previous = [f64::NAN];
    let mut pieces = Vec::new();
    for piece in rows.chunks(7) {
        let found = plan.infer_after(&table(piece), InferOptions::default(), &cpu, &mut previous).unwrap();
        pieces.extend(found.outputs.to_f64().iter().copied());
    }
    assert!(whole.to_f64().iter().zip(&pieces).all(|(a, b)| near(*a, *b, 0.0)));
    assert!(whole.to_f64().windows(2).any(|pair| pair[0] == pair[1]), "some row keeps the previous value");
}

#[test]
fn reused_results_are_those_of_new_ones() {
    let (mut lock, cpu) = (tipper(), Device::cpu().unwrap());
    lock.outputs[0].lock_previous = true;
    for system in [tipper(), lock] {
        let rows = rows(&system);
        for precision in [Precision::F32, Precision::F64] {
            let plan = system.compile(Dialect::Fuzzylite8, precision).unwrap();
            let mut results = None;
            // Pieces of different lengths, and options that need more or fewer tables.
            for (i, count) in [40, 100, 7, rows.len(), 1].into_iter().enumerate() {
                let piece = table(&rows[rows.len() - count..]);
                let options =
                    InferOptions::default().fired(i % 2 == 0).firing_strengths(i > 1).set_activations(i > 2);
                let mut previous = [1.5];
                plan.infer_after_into(&piece, options, &cpu, &mut previous, &mut results).unwrap();
                let mut expected_previous = [1.5];
                let expected = plan.infer_after(&piece, options, &cpu, &mut expected_previous).unwrap();
                assert_eq!(format!("{:?}", results.as_ref().unwrap()), format!("{expected:?}")); // NaN equals NaN
                assert_eq!(format!("{previous:?}"), format!("{expected_previous:?}"));
            }
        }
    }
}

#[test]
fn each_kind_of_result_has_the_values_of_separate_runs() {
    let (system, cpu) = (tipper(), Device::cpu().unwrap());
    let rows = table(&rows(&system));
    let plan = system.compile(Dialect::Fuzzylite8, Precision::F64).unwrap();
    let none = InferOptions::default();
    let all =
        plan.infer_with(&rows, none.fired(true).firing_strengths(true).set_activations(true), &cpu).unwrap();
    let text = |table: Option<Table>| format!("{:?}", table.unwrap());
    assert_eq!(text(Some(all.outputs)), text(Some(plan.infer(&rows, &cpu).unwrap())));
    let separate = |options| plan.infer_with(&rows, options, &cpu).unwrap();
    assert_eq!(text(all.fired), text(separate(none.fired(true)).fired));
    assert_eq!(text(all.firing_strengths), text(separate(none.firing_strengths(true)).firing_strengths));
    assert_eq!(text(all.set_activations), text(separate(none.set_activations(true)).set_activations));
}

#[test]
fn sample_weights_have_no_effect() {
    let plan = tipper().compile(Dialect::Matlab, Precision::F64).unwrap();
    let (values, cpu) = ([3.0, 7.5, 9.0, 1.0], Device::cpu().unwrap());
    let samples = Samples::new(2, &values).unwrap();
    let weighted = samples.clone().with_weights(&[0.0, 5.0]).unwrap();
    assert_eq!(plan.infer(weighted, &cpu).unwrap(), plan.infer(samples, &cpu).unwrap());
}

/// The documented results of MATLAB's tipper.
#[test]
fn the_tipper_has_matlabs_documented_results() {
    let plan: Plan = tipper().compile(Dialect::Matlab, Precision::F64).unwrap();
    let mut state = plan.state();
    for (inputs, want) in [([2.0, 1.0], 7.0169), ([4.0, 5.0], 14.4585), ([7.0, 8.0], 20.3414)] {
        let got = plan.infer_row(&inputs, &mut state).unwrap()[0];
        assert!((got - want).abs() < 5e-5, "{inputs:?}: {got}");
    }
}

#[test]
fn a_missing_column_is_reported_and_other_columns_are_ignored() {
    let plan = tipper().compile(Dialect::Matlab, Precision::F64).unwrap();
    let cpu = Device::cpu().unwrap();
    let wide = Table::new(["night", "food", "service"], vec![1.0, 1.0, 2.0]).unwrap();
    assert!((plan.infer(&wide, &cpu).unwrap().get(0, 0).unwrap() - 7.0169).abs() < 5e-5);
    let short = Table::new(["service", "mood"], vec![1.0, 1.0]).unwrap();
    let error = plan.infer(&short, &cpu).unwrap_err().to_string();
    assert!(error.contains("`food`"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn results_do_not_depend_on_blocks_or_other_rows(first in 0usize..150, count in 1usize..150) {
        let system = tipper();
        let rows = rows(&system);
        let rows = &rows[first..(first + count).min(rows.len())];
        let plan = system.compile(Dialect::Fuzzylite8, Precision::F64).unwrap();
        let all = plan.infer(&table(rows), &Device::cpu().unwrap()).unwrap();
        for (i, row) in rows.iter().enumerate() {
            let alone = plan.infer(&table(std::slice::from_ref(row)), &Device::cpu().unwrap()).unwrap();
            prop_assert!(near(alone.get(0, 0).unwrap(), all.get(i, 0).unwrap(), 1e-12));
        }
    }
}

#[test]
fn rows_without_names_have_one_column_per_input() {
    let (plan, cpu) =
        (tipper().compile(Dialect::Fuzzylite8, Precision::F64).unwrap(), Device::cpu().unwrap());
    let problem = |table: &Table| plan.infer(table, &cpu).unwrap_err().to_string();
    let message =
        |found: &str| format!("the system has 2 inputs, but {found} given; give one value per input");
    assert_eq!(problem(&Table::unnamed(3, vec![1.0, 3.0, 7.5]).unwrap()), message("3 values were"));
    assert_eq!(problem(&Table::unnamed(1, vec![1.0]).unwrap()), message("1 value was"));
    let named = Table::new(["id", "food", "service"], vec![1.0, 3.0, 7.5]).unwrap();
    assert!(plan.infer(&named, &cpu).is_ok());
    let texts = Table::unnamed(1, vec![1.0]).unwrap();
    let texts =
        ["service", "food"].iter().fold(texts, |t, name| t.with_labels(Labels::new(*name, ["30%"])).unwrap());
    assert_eq!(
        problem(&texts),
        "column `service` contains text such as `30%`, but the input of that name needs numbers; fix the column, and leave \
         missing values empty"
    );
}
