//! How operators are set up, and what is refused.

use super::super::{DEFAULT_SPREAD, DEFAULT_THRESHOLD, READY};
use super::*;
use crate::inference::{Dialect, Output, System, Variable};
use crate::sets::Set;

/// The output is the value of the input of that name.
fn reading(name: &str) -> System {
    let output = Output::new("pixel", 0.0, 255.0).set("it", Set::function(name).unwrap());
    let system = System::new("").input(Variable::new(name, 0.0, 255.0)).output(output);
    system.rule(&format!("if {name} is any then pixel is it")).unwrap()
}

fn refused(system: &System) -> String {
    Operator::new(system, Dialect::Fuzzylite8).unwrap_err().to_string()
}

#[test]
fn the_shipped_edges_are_those_of_the_default_parameters() {
    let built = Operator::edges(DEFAULT_THRESHOLD, DEFAULT_SPREAD).unwrap();
    assert_eq!(built.system(), Operator::named("fire-edges").unwrap().system());
    assert_eq!((DEFAULT_THRESHOLD, DEFAULT_SPREAD), (64.0, 16.0));
}

#[test]
fn ready_systems_have_a_description_and_come_back_from_a_file() {
    for (name, text) in READY {
        let system = Operator::named(name).unwrap().system().clone();
        assert_eq!(system.name, name);
        assert!(!system.description.is_empty());
        assert_eq!(System::from_fll(&system.to_fll().unwrap()).unwrap(), System::from_fll(text).unwrap());
    }
    assert_eq!(
        Operator::named("sharpen").unwrap_err().to_string(),
        "no window operator is called `sharpen`; there is `fire-edges`, `fire-denoise`, `contrast`, `smooth`, and any \
         system in a file"
    );
}

#[test]
fn a_border_is_repeated_mirrored_or_constant() {
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
    assert_eq!(read("p_n", Border::Reflect), [10, 20, 30, 40]); // one row is its own mirror image
    assert_eq!(read("p_n", Border::Constant(7.0)), [7; 4]);
    let two = Images::new(1, 2, 1, Pixels::U8(vec![10, 20])).unwrap();
    let operator = Operator::new(&reading("p_02"), Dialect::Fuzzylite8).unwrap().border(Border::Reflect);
    assert_eq!(bytes(&run(&operator, &two)), [10, 20]); // two above: mirrored twice
}

#[test]
fn the_window_is_read_by_row_and_column() {
    let picture = Images::new(5, 5, 1, Pixels::U8((0..25).collect())).unwrap();
    for row in 0..5 {
        for column in 0..5 {
            let operator = Operator::new(&reading(&format!("p_{row}{column}")), Dialect::Fuzzylite8).unwrap();
            assert_eq!(bytes(&run(&operator, &picture))[12], 5 * row + column);
        }
    }
    let by_direction =
        [("nw", 6), ("n", 7), ("ne", 8), ("e", 13), ("se", 18), ("s", 17), ("sw", 16), ("w", 11)];
    for (name, pixel) in by_direction {
        let operator = Operator::new(&reading(&format!("p_{name}")), Dialect::Fuzzylite8).unwrap();
        assert_eq!(bytes(&run(&operator, &picture))[12], pixel);
    }
}

#[test]
fn the_last_output_is_the_pixel_and_the_others_lead_to_it() {
    let half = Output::new("half", 0.0, 255.0).set("it", Set::function("c / 2").unwrap());
    let pixel = Output::new("pixel", 0.0, 255.0).set("it", Set::function("half + 100").unwrap());
    let system = System::new("").input(Variable::new("c", 0.0, 255.0)).output(half).output(pixel);
    let system = system.rule("if c is any then half is it and pixel is it").unwrap();
    let images = Images::new(3, 1, 1, Pixels::U8(vec![0, 101, 255])).unwrap();
    // 150.5 is rounded up, 227.5 too.
    assert_eq!(
        bytes(&run_everywhere(&Operator::new(&system, Dialect::Fuzzylite8).unwrap(), &images)),
        [100, 151, 228]
    );
}

#[test]
fn numbers_of_16_bits_keep_their_depth() {
    let deep = Images::new(4, 1, 1, Pixels::U16(vec![0, 1, 40_000, 65_535])).unwrap();
    assert_eq!(run_everywhere(&Operator::new(&reading("c"), Dialect::Fuzzylite8).unwrap(), &deep), deep);
}

#[test]
fn what_is_no_window_is_refused_by_name() {
    assert_eq!(
        refused(&reading("d_north")),
        "input `d_north` is no part of a window; use `c`, `d_` or `p_` with nw, n, ne, e, se, s, sw or w for a window of \
         3 × 3, or with 00 to 44 (row and column) for one of 5 × 5"
    );
    for name in ["p_", "p_5", "p_05", "p_123", "x_n", "C", "d_N"] {
        assert!(
            refused(&reading(name)).starts_with(&format!("input `{name}` is no part of a window; use `c`"))
        );
    }
    let mixed = reading("p_n").input(Variable::new("c", 0.0, 1.0)).input(Variable::new("d_22", 0.0, 1.0));
    assert_eq!(
        refused(&mixed),
        "input `d_22` is of another window than `p_n`; name all of one of 3 × 3 or all of one of 5 × 5"
    );
}

#[test]
fn what_looks_back_at_a_pixel_before_is_refused() {
    let mut system = reading("c");
    system.outputs[0].lock_previous = true;
    assert_eq!(
        refused(&system),
        "output `pixel` keeps its previous value, and a pixel has none before it; leave out the lock"
    );
    let system = reading("c").output(Output::new("later", 0.0, 1.0).set("it", Set::constant(1.0).unwrap()));
    let mut system = system.rule("if c is any then later is it").unwrap();
    system.outputs[0].variable.sets[0].set = Set::function("c + later").unwrap();
    assert_eq!(
        refused(&system),
        "the system reads an output before it is concluded, and a pixel has none before it; order the outputs"
    );
}

#[test]
fn parameters_that_cannot_be_are_refused() {
    for value in [0.0, -3.0, 256.0, f64::NAN] {
        assert_eq!(
            Operator::edges(value, 16.0).unwrap_err().to_string(),
            format!("FIRE edges: `threshold` is {value}, but it must be above 0 and at most 255")
        );
        assert!(Operator::edges(64.0, value).unwrap_err().to_string().contains("`spread`"));
    }
    let operator = Operator::named("smooth").unwrap().border(Border::Constant(-1.0));
    let problem = operator.apply(&noise(2, 2, 1, 1), &Device::cpu().unwrap(), Progress::none()).unwrap_err();
    assert_eq!(
        problem.to_string(),
        "a window operator: `border` is -1, but it must be a brightness from 0 to 255"
    );
}

#[test]
fn paths_have_their_words() {
    assert_eq!([Path::Fast, Path::General].map(|path| path.to_string()), ["fast", "general"]);
}
