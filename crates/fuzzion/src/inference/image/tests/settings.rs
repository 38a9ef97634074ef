//! Settings of operators and their errors.

use super::super::{BUILT_IN, DEFAULT_SPREAD, DEFAULT_THRESHOLD};
use super::*;
use crate::inference::{Dialect, Output, System, Variable};
use crate::sets::Set;

/// A system whose output is the value of the given input.
fn reading(name: &str) -> System {
    let output = Output::new("pixel", 0.0, 255.0).set("it", Set::function(name).unwrap());
    let system = System::new("").input(Variable::new(name, 0.0, 255.0)).output(output);
    system.rule(&format!("if {name} is any then pixel is it")).unwrap()
}

fn error_of(system: &System) -> String {
    Operator::new(system, Dialect::Fuzzylite8).unwrap_err().to_string()
}

#[test]
fn the_built_in_edge_detector_has_the_default_parameters() {
    let built = Operator::edges(DEFAULT_THRESHOLD, DEFAULT_SPREAD).unwrap();
    assert_eq!(built.system(), Operator::named("fire-edges").unwrap().system());
    assert_eq!((DEFAULT_THRESHOLD, DEFAULT_SPREAD), (64.0, 16.0));
}

#[test]
fn built_in_systems_have_a_description_and_round_trip_through_a_file() {
    for (name, text) in BUILT_IN {
        let system = Operator::named(name).unwrap().system().clone();
        assert_eq!(system.name, name);
        assert!(!system.description.is_empty());
        assert_eq!(System::from_fll(&system.to_fll().unwrap()).unwrap(), System::from_fll(text).unwrap());
    }
    assert_eq!(
        Operator::named("sharpen").unwrap_err().to_string(),
        "unknown system `sharpen`; expected a built-in system (`fire-edges`, `fire-denoise`, `contrast`, `smooth`) or the \
         path of a `.fll`, `.fis`, `.fcl` or `.json` file"
    );
}

#[test]
fn a_border_is_replicated_reflected_or_constant() {
    let row = Images::new(4, 1, 1, Pixels::U8(vec![10, 20, 30, 40])).unwrap();
    let read = |name: &str, border: Border| {
        let operator = Operator::new(&reading(name), Dialect::Fuzzylite8).unwrap().border(border);
        bytes(&run_everywhere(&operator, &row)).to_vec()
    };
    assert_eq!(read("p_e", Border::Replicate), [20, 30, 40, 40]);
    assert_eq!(read("p_e", Border::Reflect), [20, 30, 40, 30]);
    assert_eq!(read("p_e", Border::Constant(99.5)), [20, 30, 40, 100]);
    assert_eq!(read("p_20", Border::Replicate), [10, 10, 10, 20]);
    assert_eq!(read("p_20", Border::Reflect), [30, 20, 10, 20]);
    assert_eq!(read("p_20", Border::Constant(0.0)), [0, 0, 10, 20]);
    assert_eq!(read("p_n", Border::Reflect), [10, 20, 30, 40]); // one row is its own reflection
    assert_eq!(read("p_n", Border::Constant(7.0)), [7; 4]);
    let two = Images::new(1, 2, 1, Pixels::U8(vec![10, 20])).unwrap();
    let operator = Operator::new(&reading("p_02"), Dialect::Fuzzylite8).unwrap().border(Border::Reflect);
    assert_eq!(bytes(&run(&operator, &two)), [10, 20]); // two rows above: reflected twice
}

#[test]
fn window_pixels_are_addressed_by_row_and_column() {
    let image = Images::new(5, 5, 1, Pixels::U8((0..25).collect())).unwrap();
    for row in 0..5 {
        for column in 0..5 {
            let operator = Operator::new(&reading(&format!("p_{row}{column}")), Dialect::Fuzzylite8).unwrap();
            assert_eq!(bytes(&run(&operator, &image))[12], 5 * row + column);
        }
    }
    let by_direction =
        [("nw", 6), ("n", 7), ("ne", 8), ("e", 13), ("se", 18), ("s", 17), ("sw", 16), ("w", 11)];
    for (name, pixel) in by_direction {
        let operator = Operator::new(&reading(&format!("p_{name}")), Dialect::Fuzzylite8).unwrap();
        assert_eq!(bytes(&run(&operator, &image))[12], pixel);
    }
}

#[test]
fn the_last_output_is_the_pixel_and_the_others_are_intermediate() {
    let half = Output::new("half", 0.0, 255.0).set("it", Set::function("c / 2").unwrap());
    let pixel = Output::new("pixel", 0.0, 255.0).set("it", Set::function("half + 100").unwrap());
    let system = System::new("").input(Variable::new("c", 0.0, 255.0)).output(half).output(pixel);
    let system = system.rule("if c is any then half is it and pixel is it").unwrap();
    let images = Images::new(3, 1, 1, Pixels::U8(vec![0, 101, 255])).unwrap();
    // 150.5 and 227.5 are rounded up.
    assert_eq!(
        bytes(&run_everywhere(&Operator::new(&system, Dialect::Fuzzylite8).unwrap(), &images)),
        [100, 151, 228]
    );
}

#[test]
fn sixteen_bit_pixels_keep_their_precision() {
    let deep = Images::new(4, 1, 1, Pixels::U16(vec![0, 1, 40_000, 65_535])).unwrap();
    assert_eq!(run_everywhere(&Operator::new(&reading("c"), Dialect::Fuzzylite8).unwrap(), &deep), deep);
}

#[test]
fn inputs_that_are_not_window_pixels_are_rejected() {
    assert_eq!(
        error_of(&reading("d_north")),
        "input `d_north` is not a window pixel; use `c`, or `d_` or `p_` followed by nw, n, ne, e, se, s, sw or w (3 × 3 \
         window) or by 00 to 44 (row and column in a 5 × 5 window)"
    );
    for name in ["p_", "p_5", "p_05", "p_123", "x_n", "C", "d_N"] {
        assert!(
            error_of(&reading(name)).starts_with(&format!("input `{name}` is not a window pixel; use `c`"))
        );
    }
    let mixed = reading("p_n").input(Variable::new("c", 0.0, 1.0)).input(Variable::new("d_22", 0.0, 1.0));
    assert_eq!(
        error_of(&mixed),
        "input `d_22` belongs to a different window than `p_n`; use names of only one window, 3 × 3 or 5 × 5"
    );
}

#[test]
fn outputs_that_depend_on_previous_rows_are_rejected() {
    let mut system = reading("c");
    system.outputs[0].lock_previous = true;
    assert_eq!(
        error_of(&system),
        "output `pixel` keeps its previous value, but a pixel has no previous value; remove `lock-previous`"
    );
    let system = reading("c").output(Output::new("later", 0.0, 1.0).set("it", Set::constant(1.0).unwrap()));
    let mut system = system.rule("if c is any then later is it").unwrap();
    system.outputs[0].variable.sets[0].set = Set::function("c + later").unwrap();
    assert_eq!(
        error_of(&system),
        "the system reads an output before it is computed, but a pixel has no previous value; reorder the outputs"
    );
}

#[test]
fn invalid_parameters_are_rejected() {
    for value in [0.0, -3.0, 256.0, f64::NAN] {
        assert_eq!(
            Operator::edges(value, 16.0).unwrap_err().to_string(),
            format!("FIRE edges: `threshold` is {value}, but it must be above 0 and at most 255")
        );
        assert!(Operator::edges(64.0, value).unwrap_err().to_string().contains("`spread`"));
    }
    let operator = Operator::named("smooth").unwrap().border(Border::Constant(-1.0));
    let error = operator.apply(&noise(2, 2, 1, 1), &Device::cpu().unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "window operator: `border` is -1, but it must be a brightness from 0 to 255"
    );
}

#[test]
fn execution_modes_have_names() {
    assert_eq!(
        [Execution::Fast, Execution::General].map(|execution| execution.to_string()),
        ["fast", "general"]
    );
}
