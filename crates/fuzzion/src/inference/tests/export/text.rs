//! What exported text looks like, and what cannot be exported.

use super::super::tipper;
use crate::data::Precision;
use crate::inference::{Dialect, Language, Output, System, Variable};
use crate::sets::Set;

fn exported(system: &System, language: Language) -> String {
    system.export(language, Dialect::Matlab, Precision::F64).unwrap()
}

#[test]
fn the_tipper_reads_like_its_rules() {
    let text = exported(&tipper(), Language::C);
    let parts = [
        "// The fuzzy system tipper, as fuzzion ",
        "// Dialect matlab, precision f64.",
        "// inputs[0]   service, from 0 to 10",
        "// outputs[0]  tip, from 0 to 30; the middle where no rule fires",
        "const double service_poor = gaussian(service, 0.0, 1.5);",
        "// Rule 1: if service is poor or food is rancid then tip is cheap\n    const double rule1 = maximum(service_poor, \
         food_rancid);",
        "// Rule 2, service_good: if service is good then tip is average\n",
        "const double tip = tip_centroid(tip_strengths);",
    ];
    let mut from = 0;
    for part in parts {
        let at = text[from..].find(part).unwrap_or_else(|| panic!("{part} is not in its place in\n{text}"));
        from += at;
    }
    // What it does not need is not there.
    for needless in ["sqrt_of", "triangle(", "minimum(", "pow_of", "#include <math.h>"] {
        assert!(!text.contains(needless), "{needless}");
    }
}

#[test]
fn names_become_identifiers_that_nothing_else_has() {
    let input = |name: &str| Variable::new(name, 0.0, 1.0).set("int", Set::ramp(0.0, 1.0).unwrap());
    let rows = ["double", "Double", "größe", "1st", "*/ evil \\", "maximum", "inputs", "rule1"];
    let system = rows.iter().fold(System::new("my system!"), |system, name| system.input(input(name)));
    let system = system.output(Output::new("fn", 0.0, 1.0).set("one", Set::constant(1.0).unwrap()));
    let system = system
        .rule("if double is int or Double is int or größe is int or 1st is int then fn is one")
        .unwrap();
    let text = exported(&system, Language::C);
    for part in [
        "void my_system_infer(",
        "const double double_2 = inputs[0];",
        "const double double_3 = inputs[1];",
        "const double gr_e = inputs[2];",
        "const double n1st = inputs[3];",
        "// inputs[4]   * / evil /, from 0 to 1",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn single_precision_is_cudas_alone_and_must_hold_the_sets() {
    for language in [Language::C, Language::Rust] {
        let error = tipper().export(language, Dialect::Matlab, Precision::F32).unwrap_err().to_string();
        let name = language.name();
        assert_eq!(
            error,
            format!(
                "the system cannot be written as {name}: numbers are of double precision there; ask for f64"
            )
        );
    }
    let far = Variable::new("a", 0.0, 1.0).set("far", Set::ramp(0.0, 1e200).unwrap());
    let system = System::new("far").input(far);
    let system = system.output(Output::new("y", 0.0, 1.0).set("one", Set::constant(1.0).unwrap()));
    let system = system.rule("if a is far then y is one").unwrap();
    let error = system.export(Language::Cuda, Dialect::Matlab, Precision::F32).unwrap_err().to_string();
    assert!(error.contains("set `far` of `a` has numbers that single precision does not hold"), "{error}");
    assert!(exported(&system, Language::Cuda).contains("1e200"));
}

#[test]
fn a_system_without_rules_is_refused_as_everywhere() {
    let error =
        System::new("none").export(Language::C, Dialect::Matlab, Precision::F64).unwrap_err().to_string();
    assert_eq!(error, "the system has no input; give it one");
}
