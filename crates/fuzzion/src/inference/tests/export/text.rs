//! Contents of exported files and export errors.

use super::super::tipper;
use crate::data::Precision;
use crate::inference::{Dialect, Language, Output, System, Variable};
use crate::sets::Set;

fn exported(system: &System, language: Language) -> String {
    system.export(language, Dialect::Matlab, Precision::F64).unwrap()
}

#[test]
fn the_exported_tipper_contains_its_rules_as_comments() {
    let text = exported(&tipper(), Language::C);
    let parts = [
        "// Fuzzy system tipper, exported by fuzzion ",
        "// Dialect matlab, precision f64.",
        "// inputs[0]   service, from 0 to 10",
        "// outputs[0]  tip, from 0 to 30; the middle of the range if no rule fires",
        "const double service_poor = gaussian(service, 0.0, 1.5);",
        "// Rule 1: if service is poor or food is rancid then tip is cheap\n    const double rule1 = maximum(service_poor, \
         food_rancid);",
        "// Rule 2, service_good: if service is good then tip is average\n",
        "const double tip = tip_centroid(tip_strengths);",
    ];
    let mut from = 0;
    for part in parts {
        let at =
            text[from..].find(part).unwrap_or_else(|| panic!("{part} is missing or out of order in\n{text}"));
        from += at;
    }
    // Unneeded helpers are left out.
    for unneeded in ["sqrt_of", "triangle(", "minimum(", "pow_of", "#include <math.h>"] {
        assert!(!text.contains(unneeded), "{unneeded}");
    }
}

#[test]
fn names_become_unique_identifiers() {
    let input = |name: &str| Variable::new(name, 0.0, 1.0).set("int", Set::ramp(0.0, 1.0).unwrap());
    let names = ["double", "Double", "größe", "1st", "*/ evil \\", "maximum", "inputs", "rule1"];
    let system = names.iter().fold(System::new("my system!"), |system, name| system.input(input(name)));
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
fn names_contain_no_trigraphs() {
    let mut system = tipper();
    system.name = "what???/".into();
    system.description = "why??/ ???? ←→??/".into();
    system.inputs[0].name = "service ???/".into();
    let text = exported(&system, Language::C);
    assert!(!text.contains("??"), "{text}");
    assert!(text.contains("// Fuzzy system what? ? ?/, exported"), "{text}");
}

#[test]
fn single_precision_is_only_supported_in_cuda_and_must_represent_the_sets() {
    for language in [Language::C, Language::Rust] {
        let error = tipper().export(language, Dialect::Matlab, Precision::F32).unwrap_err().to_string();
        let name = language.name();
        assert_eq!(
            error,
            format!(
                "the system cannot be exported to `{name}`: only double precision is supported; use f64, or export to `cuda`"
            )
        );
    }
    let far = Variable::new("a", 0.0, 1.0).set("far", Set::ramp(0.0, 1e200).unwrap());
    let system = System::new("far").input(far);
    let system = system.output(Output::new("y", 0.0, 1.0).set("one", Set::constant(1.0).unwrap()));
    let system = system.rule("if a is far then y is one").unwrap();
    let error = system.export(Language::Cuda, Dialect::Matlab, Precision::F32).unwrap_err().to_string();
    assert!(
        error.contains("set `far` of `a` has parameters outside the range of single precision"),
        "{error}"
    );
    assert!(exported(&system, Language::Cuda).contains("1e200"));
}

#[test]
fn a_system_without_inputs_is_rejected() {
    let error =
        System::new("none").export(Language::C, Dialect::Matlab, Precision::F64).unwrap_err().to_string();
    assert_eq!(error, "the system has no inputs; add at least one");
}
