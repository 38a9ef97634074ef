//! FCL: equivalence to other formats, all keywords, and error messages.

use crate::inference::tests::mutation::{assert_problems, mutated};
use crate::inference::tests::tipper;
use crate::inference::{
    Defuzzifier, Dialect, InferenceError, LoadedSystem, System, SystemFormat, WeightedKind,
};
use crate::sets::{SNorm, Set, Shape, TNorm};
use proptest::prelude::*;

const TIPPER: &str = "\
FUNCTION_BLOCK tipper (* the example of the MATLAB documentation *)
VAR_INPUT
  service : REAL;
  food : REAL; // 0 to 10
END_VAR
VAR_OUTPUT
  tip : REAL;
END_VAR

FUZZIFY service
  RANGE := (0 .. 10);
  TERM poor := gauss 0 1.5;
  TERM good := gauss 5 1.5;
  TERM excellent := Gaussian 10 1.5;
END_FUZZIFY
fuzzify food
  range := (0..10);
  term rancid := trape -2 0 1 3;
  term delicious := (7, 0) (9, 1) (10, 1) (12, 0);
end_fuzzify
DEFUZZIFY tip
  RANGE := (0 .. 30);
  TERM cheap := trian 0 5 10;
  TERM average := Triangle 10.0 15.0 20.0;
  TERM generous := (20, 0) (25, 1) (30, 0);
  METHOD : COG;
  DEFAULT := NC;
END_DEFUZZIFY
RULEBLOCK No1
  AND : MIN;
  ACT : MIN;
  ACCU : MAX;
  /* three rules,
     one over two lines */
  RULE 1 : IF service IS poor OR food IS rancid
           THEN tip IS cheap;
  RULE 2 : if Service is GOOD then tip is average
  RULE 3 : IF service IS excellent OR food IS delicious THEN tip IS generous WITH 1.0;
END_RULEBLOCK
END_FUNCTION_BLOCK
";

#[test]
fn the_tipper_file_gives_the_outputs_of_the_tipper() {
    let system = System::from_fcl(TIPPER).unwrap();
    assert!(system.outputs[0].lock_previous);
    for dialect in Dialect::ALL {
        for (service, food) in [(2.0, 1.0), (4.0, 5.0), (7.0, 8.0), (0.0, 10.0), (9.75, 0.5)] {
            let got = system.infer_row(&[service, food], dialect).unwrap().outputs[0];
            let want = tipper().infer_row(&[service, food], dialect).unwrap().outputs[0];
            // Discrete and Trapezoid interpolate differently: a few rounding errors.
            assert!((got - want).abs() < 1e-12, "{dialect:?} at {service}, {food}: {got} {want}");
        }
    }
}

/// Parses the tipper file with one replacement.
fn changed(from: &str, to: &str) -> Result<System, InferenceError> {
    assert!(TIPPER.contains(from), "{from}");
    System::from_fcl(&TIPPER.replacen(from, to, 1))
}

#[test]
fn shapes_have_the_documented_parameter_order() {
    for (text, set) in [
        ("trian 1 2 4", Set::triangle(1.0, 2.0, 4.0)),
        ("TRAPE 1 2 4 8", Set::trapezoid(1.0, 2.0, 4.0, 8.0)),
        ("gauss 5 2", Set::gaussian(5.0, 2.0)),
        ("gauss2 3 1 4 2", Set::gaussian_product(3.0, 1.0, 4.0, 2.0)),
        ("gbell 2 4 6", Set::bell(6.0, 2.0, 4.0)),
        ("sigm -2 4", Set::sigmoid(4.0, -2.0)),
        ("dsigm 5 2 6 7", Set::sigmoid_difference(2.0, 5.0, 6.0, 7.0)),
        ("sigm_difference 5 2 6 7", Set::sigmoid_difference(2.0, 5.0, 6.0, 7.0)),
        ("cosine 3 5", Set::cosine(5.0, 6.0)),
        ("Cosine 3 5", Set::cosine(3.0, 5.0)),
        ("Bell 6 2 4", Set::bell(6.0, 2.0, 4.0)),
        (
            "Trapezoid -inf -inf 1e0 +2.5 0.5",
            Set::trapezoid(f64::NEG_INFINITY, f64::NEG_INFINITY, 1.0, 2.5).and_then(|s| s.with_height(0.5)),
        ),
        ("(1, 0.25) (2, 1)\n(4, 0)", Set::discrete(&[(1.0, 0.25), (2.0, 1.0), (4.0, 0.0)])),
        ("5", Set::rectangle(5.0, 5.0)),
        ("(5, 0.5)", Set::rectangle(5.0, 5.0).and_then(|s| s.with_height(0.5))),
        ("singletons (5, 1)", Set::rectangle(5.0, 5.0)),
        ("function food * 2 + x", Set::function("food * 2 + x")),
    ] {
        let system = changed("gauss 0 1.5", text).unwrap();
        assert_eq!(system.inputs[0].sets[0].set, set.unwrap(), "{text}");
    }
}

#[test]
fn singletons_use_the_weighted_average_for_cog_and_by_default() {
    let singletons = |method: &str| {
        let text = TIPPER.replace("trian 0 5 10", "6").replace("Triangle 10.0 15.0 20.0", "-1.5e1");
        let text = text.replace("(20, 0) (25, 1) (30, 0)", "(21, 1)").replace("  METHOD : COG;\n", method);
        System::from_fcl(&text)
    };
    for method in ["METHOD : COGS;", "METHOD : cog;", "METHOD : NONE;", ""] {
        let system = singletons(method).unwrap();
        assert_eq!(
            system.outputs[0].defuzzifier,
            Defuzzifier::WeightedAverage { kind: WeightedKind::Automatic }
        );
        let row = system.infer_row(&[5.0, 8.0], Dialect::Iec).unwrap();
        let [poor, good, excellent] = [0.0, 5.0, 10.0].map(|c: f64| (-0.5 * ((5.0 - c) / 1.5).powi(2)).exp());
        let w = [poor, good, excellent.max(0.5)]; // membership of delicious at 8: ½
        let want = (w[0] * 6.0 - w[1] * 15.0 + w[2] * 21.0) / w.iter().sum::<f64>();
        assert!((row.outputs[0] - want).abs() < 1e-12, "{} {want}", row.outputs[0]);
    }
    let problem = singletons("METHOD : LM;").unwrap_err().to_string();
    assert!(
        problem.contains("`cheap` of `tip` is a singleton, which has no area; use `METHOD : COGS`"),
        "{problem}"
    );
}

#[test]
fn terms_of_singletons_are_accumulated_before_the_average() {
    let text = TIPPER.replace("METHOD : COG;", "METHOD : COGS;");
    let text = text.replace("trian 0 5 10", "0").replace("Triangle 10.0 15.0 20.0", "10");
    let text = text.replace("(20, 0) (25, 1) (30, 0)", "20").replace("gauss 5 1.5", "trian 0 5 10");
    let text =
        text.replace("tip IS generous", "tip IS average").replace("food IS delicious", "food IS rancid");
    let row = [5.0, 2.0]; // rancid ½: cheap ½, and average by two rules with 1 and ½
    let value =
        |text: &str| System::from_fcl(text).unwrap().infer_row(&row, Dialect::Iec).unwrap().outputs[0];
    let poor = (-0.5f64 * (5.0f64 / 1.5).powi(2)).exp();
    assert!(poor < 0.5);
    assert_eq!(value(&text), 10.0 / 1.5); // (½·0 + 1·10) / (½ + 1)
    assert_eq!(value(&text.replace("ACCU : MAX", "ACCU : SUM")), 15.0 / 2.0); // (½·0 + 1½·10) / 2
}

#[test]
fn one_of_several_function_blocks_is_selected_by_its_name() {
    let second =
        TIPPER.replace("FUNCTION_BLOCK tipper", "FUNCTION_BLOCK Second").replace("gauss 0 1.5", "gauss 0 2");
    let both = format!("{TIPPER}{second}");
    assert_eq!(System::fcl_blocks(&both).unwrap(), ["tipper", "Second"]);
    let loaded = LoadedSystem::parse_block(&both, SystemFormat::Fcl, "second").unwrap();
    assert_eq!((loaded.system, loaded.dialect), (System::from_fcl(&second).unwrap(), Dialect::Iec));
    assert_eq!(System::from_fcl_block(&both, "TIPPER").unwrap(), System::from_fcl(TIPPER).unwrap());
    assert_eq!(System::from_fcl_block(&both, "second").unwrap(), System::from_fcl(&second).unwrap());
    assert_eq!(System::from_fcl_block(TIPPER, "tipper").unwrap(), System::from_fcl(TIPPER).unwrap());
    assert_eq!(
        System::from_fcl_block(&both, "third").unwrap_err().to_string(),
        "FCL contains no function block `third`; available function blocks: `tipper`, `Second`"
    );
}

/// Parameters of functions that are inputs, as in the examples of jFuzzyLogic.
#[test]
fn positions_of_terms_can_be_inputs() {
    let system = |term: &str, tip: &str| {
        let text = TIPPER.replace("food : REAL;", "food : REAL; Low : REAL; high : REAL;");
        let text = text
            .replace("gauss 0 1.5", term)
            .replace("trian 0 5 10", tip)
            .replace("gauss 5 1.5", "gauss 5 0.1");
        System::from_fcl(&text.replace("service IS poor OR food IS rancid", "service IS poor")).unwrap()
    };
    let strength = |system: &System, service: f64, low: f64, high: f64| {
        system.infer_row(&[service, 5.0, low, high], Dialect::Iec).unwrap().rules[0].strength
    };
    for term in ["trian low high 8", "(LOW, 0) (high, 1) (8, 0)"] {
        let system = system(term, "trian 0 5 10");
        let values = [2.0, 2.5, 3.0, 4.0, 5.5, 8.0, 9.0].map(|x| strength(&system, x, 2.0, 3.0));
        assert_eq!(values, [0.0, 0.5, 1.0, 0.8, 0.5, 0.0, 0.0], "{term}");
        // A vertical edge.
        assert_eq!([2.9, 3.0, 8.0].map(|x| strength(&system, x, 3.0, 3.0)), [0.0, 0.0, 0.0], "{term}");
        assert!((strength(&system, 3.1, 3.0, 3.0) - 0.98).abs() < 1e-12, "{term}");
    }
    let shoulder = system("trape low high 8 8", "trian 0 5 10");
    assert_eq!([2.0, 2.5, 4.0, 8.0].map(|x| strength(&shoulder, x, 2.0, 3.0)), [0.0, 0.5, 1.0, 1.0]);
    let single = system("low", "trian 0 5 10");
    assert_eq!([2.0, 2.5].map(|x| strength(&single, x, 2.0, 3.0)), [1.0, 0.0]);
    // Terms of outputs follow the inputs, too: a triangle around `high`, and a singleton at `high`.
    let moved = system("trape 0 0 10 10", "trian low high 8");
    let tip = |low: f64, high: f64| moved.infer_row(&[0.0, 5.0, low, high], Dialect::Iec).unwrap().outputs[0];
    assert!((tip(2.0, 5.0) - 5.0).abs() < 0.01 && (tip(6.0, 7.0) - 7.0).abs() < 0.01);
    let text = TIPPER.replace("METHOD : COG;", "METHOD : COGS;").replace("trian 0 5 10", "food");
    let text = text.replace("Triangle 10.0 15.0 20.0", "15").replace("(20, 0) (25, 1) (30, 0)", "25");
    let set = System::from_fcl(&text).unwrap().outputs[0].variable.sets[0].set.clone();
    assert_eq!(set, Set::linear(&[0.0, 1.0], 0.0).unwrap());
}

#[test]
fn keywords_select_norms_methods_and_fallback_values() {
    let block = |from: &str, to: &str| changed(from, to).unwrap().blocks.remove(0);
    assert_eq!(block("AND : MIN;", "AND : PROD;").disjunction, Some(SNorm::AlgebraicSum));
    assert_eq!(
        block("AND : MIN;", "OR : BSUM;").conjunction.map(|c| format!("{c:?}")),
        Some("Norm(BoundedDifference)".into())
    );
    assert_eq!(block("AND : MIN;", "AND : PROD; OR : MAX;").disjunction, Some(SNorm::Maximum));
    assert_eq!(block("ACT : MIN;", "act : prod;").implication, Some(TNorm::AlgebraicProduct));
    assert!(!block("ACT : MIN;", "ENABLED : FALSE;").enabled);
    let output = |from: &str, to: &str| changed(from, to).unwrap().outputs.remove(0);
    assert_eq!(output("ACCU : MAX;", "ACCU : BSUM;").aggregation, Some(SNorm::BoundedSum));
    assert_eq!(output("METHOD : COG;", "METHOD : COG; ACCU : NSUM;").aggregation, Some(SNorm::NormalizedSum));
    for (keyword, name) in [
        ("COA", "Bisector"),
        ("LM", "SmallestOfMaximum"),
        ("RM", "LargestOfMaximum"),
        ("MM", "MeanOfMaximum"),
        ("COGSS", "WeightedSum"),
    ] {
        assert_eq!(output("METHOD : COG;", &format!("METHOD : {keyword};")).defuzzifier.name(), name);
    }
    let five = output("DEFAULT := NC;", "DEFAULT := 5 | NC; LOCK : RANGE;");
    assert_eq!((five.default, five.lock_previous, five.variable.lock_range), (Some(5.0), true, true));
    assert!(!output("DEFAULT := NC;", "ENABLED : FALSE; DEFAULT := 1;").variable.enabled);
    let skipped = "VAR a : INT; END_VAR OPTION anything ( ; END_OPTION\nFUZZIFY service";
    assert_eq!(changed("FUZZIFY service", skipped).unwrap(), System::from_fcl(TIPPER).unwrap());
}

#[test]
fn rules_support_negation_hedges_and_several_conclusions() {
    let text = |rule: &str| {
        let system = changed("if Service is GOOD then tip is average", rule).unwrap();
        system.rule_text(&system.blocks[0].rules[1]).unwrap()
    };
    assert_eq!(
        text(
            "IF NOT (service IS good AND food IS NOT rancid) OR NOT food IS rancid THEN tip IS cheap, tip IS average WITH .5"
        ),
        "if not (service is good and food is not rancid) or not (food is rancid) then tip is cheap and tip is average with 0.5"
    );
    assert_eq!(
        text("IF service IS VERY good THEN tip IS cheap;"),
        "if service is very good then tip is cheap"
    );
}

#[test]
fn the_default_range_is_derived_from_the_sets() {
    let range = |term: &str| {
        let text = TIPPER.replace("  RANGE := (0 .. 10);\n", "").replace("  TERM good := gauss 5 1.5;\n", "");
        let text = text
            .replace("  TERM excellent := Gaussian 10 1.5;\n", "")
            .replace("IF service IS excellent OR", "IF");
        let text = text.replace("Service is GOOD", "service is poor").replacen("gauss 0 1.5", term, 1);
        let system = System::from_fcl(&text).unwrap();
        (system.inputs[0].minimum, system.inputs[0].maximum)
    };
    assert_eq!(range("trian -1 2 5"), (-1.0, 5.0));
    assert_eq!(range("(2, 1) (3, 0); TERM more := 7"), (2.0, 7.0));
    assert_eq!(range("Trapezoid -inf -inf 3 4; TERM up := Ramp 6 9"), (3.0, 9.0));
    let tail = (2.0 * 100f64.ln()).sqrt(); // e^(−z²/2) = 1/100
    let (low, high) = range("gauss 5 2");
    assert!((low - (5.0 - 2.0 * tail)).abs() < 1e-9 && (high - (5.0 + 2.0 * tail)).abs() < 1e-9);
    let core = 99f64.ln(); // 1/(1 + e^−z) = 99/100
    let (low, high) = range("sigm 1 0");
    assert!((low + core).abs() < 1e-9 && (high - core).abs() < 1e-9, "{low} {high}");
}

#[test]
fn syntax_errors_report_the_location_with_a_caret() {
    let problem = |from: &str, to: &str| changed(from, to).unwrap_err().to_string();
    assert_eq!(
        problem("METHOD : COG;", "METHOD : MIDDLE;"),
        "FCL, line 26, column 12: found `MIDDLE`, expected one of `COG`, `COGF`, `COGS`, `COGSS`, `COA`, `LM`, `RM`, `MM`\n    \
         METHOD : MIDDLE;\n             ^"
    );
    assert_problems(
        problem,
        &[
            (
                "if Service is GOOD then tip is average",
                "",
                "line 37, column 11: found the end of the line, expected `if`",
            ),
            (
                "THEN tip IS cheap",
                "THEN tip IS lavish",
                "line 36, column 24: found `lavish`, expected a hedge or a set of `tip` (`cheap`,",
            ),
            (
                "service IS poor",
                "service IS poor food",
                "line 35, column 31: found `food`, expected `and`, `or` or `then`",
            ),
            ("documentation *)", "documentation", "line 1, column 23: this comment is not closed; add `*)`"),
            ("trian 0 5 10", "trian 0 5", "Triangle takes 3 numbers and an optional height"),
            (
                "trian 0 5 10",
                "trian 10 5 0",
                "line 23, column 17: Triangle: `top` is 5, but it must be at least `left`; write the points in ascending order",
            ),
            (
                "trian 0 5 10",
                "(0, 1) (5, 7)",
                "line 23, column 28: found `7`, expected a membership from 0 to 1",
            ),
            ("trian 0 5 10", "function 2 +", "line 23, column 29: expected a number, a name or `(`"),
            ("gauss 5 1.5", "guass 5 1.5", "line 13, column 16: unknown shape `guass`"),
            ("RANGE := (0 .. 10)", "RANGE := (0, 10)", "line 11, column 14: found `,`, expected `..`"),
            ("FUZZIFY service", "FUZZIFY servce", "found `servce`, expected an input (`service`, `food`)"),
            ("food : REAL;", "Service : REAL;", "found `Service`, expected a unique variable name"),
            ("DEFAULT := NC;", "DEFAULT := none;", "found `none`, expected a number or `NC`"),
            (
                "(20, 0) (25, 1) (30, 0)",
                "singletons (20, 1) (25, 1)",
                "expected one singleton; use a separate term",
            ),
            ("RULEBLOCK No1", "RULES No1", "found `RULES`, expected `VAR_INPUT`"),
            (
                "END_FUNCTION_BLOCK",
                "END_FUNCTION_BLOCK\nRULEBLOCK b",
                "found `RULEBLOCK`, expected `FUNCTION_BLOCK` or the end of the text",
            ),
            (
                "END_FUNCTION_BLOCK",
                "END_FUNCTION_BLOCK\nFUNCTION_BLOCK b",
                "FCL contains several function blocks; select one of `tipper`, `b`",
            ),
            ("(7, 0)", "(tip, 0)", "found `tip`, expected a number or an input"),
            (
                "gauss 5 1.5",
                "gauss food 1.5",
                "found `gauss`, expected `trian` with 3, `trape` with 4, or points",
            ),
            ("(9, 1) (10, 1)", "(food, 1) (6, 1)", "must be at least"),
            ("END_FUNCTION_BLOCK", "", "line 41, column 1: found the end of the text, expected `VAR_INPUT`"),
            (
                "RANGE := (0 .. 30)",
                "RANGE := (30 .. 0)",
                "output `tip` has a range whose minimum exceeds its maximum",
            ),
        ],
    );
    assert_eq!(
        System::from_fcl("").unwrap_err().to_string(),
        "FCL, line 1, column 1: found the end of the text, expected `FUNCTION_BLOCK`\n  \n  ^"
    );
}

#[test]
fn a_linear_consequent_of_fuzzylite_is_supported() {
    let text = TIPPER.replace("METHOD : COG;", "METHOD : COGS;").replace("trian 0 5 10", "Linear 1 2 3");
    let shape = System::from_fcl(&text).unwrap().outputs[0].variable.sets[0].set.shape().clone();
    assert_eq!(shape, Shape::Linear { coefficients: vec![1.0, 2.0], constant: 3.0 });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn a_mutated_file_is_rejected_or_gives_a_valid_system(
        edits in prop::collection::vec((0usize..1200, 0usize..12, prop::sample::select(vec![
            "", " ", "\n", "(", ")", ":=", ";", "-", "nan", "inf", "1e999", "0", "NOT ", "(*", "*)", "//", "/*", "é", "\u{0}",
            "..", ".", "singletons ", "function ", "RULE ", "TERM a := ", "9999999999", "|", "END_RULEBLOCK ", ",",
        ])), 1..6),
    ) {
        let text = mutated(TIPPER, edits);
        if let Ok(system) = System::from_fcl(&text) {
            let row = vec![0.5; system.inputs.len()];
            prop_assert_eq!(system.infer_row(&row, Dialect::Iec).unwrap().outputs.len(), system.outputs.len());
            prop_assert_eq!(System::from_json(&system.to_json().unwrap()).unwrap(), system);
        }
    }

    #[test]
    fn random_tokens_do_not_panic(text in "(FUNCTION_BLOCK a )?((VAR_INPUT|END_VAR|RULE|TERM|\\(\\*|\\*\\)|//|[a-z.:=;0-9é(-]{1,6})[ \n]){0,20}") {
        let _ = System::from_fcl(&text);
    }
}

#[test]
fn excessive_nesting_is_rejected() {
    let rule = format!("IF {}service IS poor{} THEN tip IS cheap", "(".repeat(100_000), ")".repeat(100_000));
    let problem = changed("if Service is GOOD then tip is average", &rule).unwrap_err().to_string();
    assert!(problem.contains("at most 64 nested parentheses"), "{problem}");
}
