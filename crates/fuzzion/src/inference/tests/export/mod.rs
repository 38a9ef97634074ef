//! Exported source code, compiled and run, against the reference implementation.

mod compiled;
mod cuda;
mod math;
mod text;

use super::super::{
    Activation, Comparison, Conjunction, Defuzzifier, Dialect, Output, Plan, RuleBlock, System, Variable,
    WeightedKind,
};
use super::plan::grid;
use super::tipper;
use crate::data::Precision;
use crate::sets::{SNorm, Set, TNorm};

/// Systems of eight rules that cover norms, activations and defuzzifiers.
fn grids() -> Vec<(System, Dialect)> {
    let few = Some(41);
    let y = || Output::new("y", 0.0, 1.0).defuzzifier(Defuzzifier::Centroid { samples: few });
    let mut systems = Vec::new();
    for (i, disjunction) in SNorm::ALL.into_iter().enumerate() {
        let norm = TNorm::ALL[i % TNorm::ALL.len()];
        let block = RuleBlock::new("").implication(norm).conjunction(Conjunction::Norm(norm));
        let block = block.disjunction(disjunction);
        systems.push((grid(block, y().aggregation(Some(disjunction))), Dialect::Fuzzylite8));
        // Centroid tables require minimum and maximum.
        systems.push((grid(RuleBlock::new("").implication(norm), y()), Dialect::Iec));
    }
    let threshold = |comparison| Activation::Threshold { comparison, threshold: 0.25 };
    let activations = [
        Activation::First { rules: 2, threshold: 0.125 },
        Activation::Last { rules: 2, threshold: 0.25 },
        Activation::Highest { rules: 3 },
        Activation::Lowest { rules: 2 },
        Activation::Proportional,
    ];
    for activation in activations.into_iter().chain(Comparison::ALL.map(threshold)) {
        systems.push((grid(RuleBlock::new("").activation(activation), y()), Dialect::Fuzzylite6));
        let average = Defuzzifier::WeightedAverage { kind: WeightedKind::Automatic };
        let output = Output::new("y", 0.0, 1.0).defuzzifier(average);
        systems.push((grid(RuleBlock::new("").activation(activation), output), Dialect::Fuzzylite8));
    }
    for defuzzifier in Defuzzifier::ALL {
        for dialect in [Dialect::Fuzzylite8, Dialect::Matlab] {
            let block = RuleBlock::new("").conjunction(Conjunction::Mean);
            systems.push((grid(block, y().defuzzifier(defuzzifier.with_samples(few))), dialect));
        }
    }
    let one = y().defuzzifier(Defuzzifier::Bisector { samples: Some(1) });
    systems.push((grid(RuleBlock::new(""), one.clone()), Dialect::Matlab));
    systems.push((grid(RuleBlock::new(""), one), Dialect::Fuzzylite8));
    systems
}

/// Constants, linear functions, formulas and inverses as consequents.
fn consequents() -> Vec<(System, Dialect)> {
    let input = |name: &str| {
        Variable::new(name, -1.0, 1.0)
            .set("n", Set::gaussian(-1.0, 0.5).unwrap())
            .set("p", Set::bell(1.0, 0.5, 2.5).unwrap())
            .lock_range(true)
    };
    let rules = [
        "if a is n then y is number and y is very plane",
        "if b is p then y is plane",
        "if a is p and b is n then y is formula",
        "if a is not n then y is sigmoid with 0.5",
        "if b is n then y is concave and y is s with 0.75",
        "if a is p or b is p then y is z",
        "if a is n and b is n then y is arc and y is number",
        "else y is plane",
    ];
    let mut systems = Vec::new();
    for (i, defuzzifier) in [
        Defuzzifier::WeightedAverage { kind: WeightedKind::Automatic },
        Defuzzifier::WeightedAverage { kind: WeightedKind::TakagiSugeno },
        Defuzzifier::WeightedSum { kind: WeightedKind::Automatic },
        Defuzzifier::Centroid { samples: Some(50) },
        Defuzzifier::MeanOfMaximum { samples: Some(50) },
    ]
    .into_iter()
    .enumerate()
    {
        let output = Output::new("y", 0.0, 4.0)
            .set("number", Set::constant(0.5).unwrap())
            .set("plane", Set::linear(&[0.25, -0.5], 0.75).unwrap())
            .set("formula", Set::function("0.25 * log(a + 1.5) ^ 2 + 0.125 * x").unwrap())
            .set("sigmoid", Set::sigmoid(1.0, 2.0).unwrap())
            .set("concave", Set::concave(1.0, 2.0).unwrap())
            .set("s", Set::s_shape(0.0, 3.0).unwrap().with_height(0.75).unwrap())
            .set("z", Set::z_shape(1.0, 4.0).unwrap())
            .set("arc", Set::arc(0.0, 4.0).unwrap())
            .defuzzifier(defuzzifier)
            .aggregation(Some(SNorm::AlgebraicSum))
            .default(0.125);
        let system = System::new("mixed").input(input("a")).input(input("b")).output(output);
        let system = rules.iter().fold(system, |system, rule| system.rule(rule).unwrap());
        systems.push((system, Dialect::ALL[i % 4]));
    }
    systems
}

/// Inverse memberships as consequents, with various heights and directions.
fn inverses() -> System {
    let output = Output::new("y", 0.0, 4.0)
        .set("sigmoid", Set::sigmoid(1.0, 2.0).unwrap())
        .set("concave", Set::concave(2.0, 1.0).unwrap())
        .set("s", Set::s_shape(0.0, 3.0).unwrap().with_height(0.75).unwrap())
        .set("z", Set::z_shape(1.0, 4.0).unwrap())
        .set("arc", Set::arc(4.0, 0.0).unwrap())
        .set("ramp", Set::ramp(3.0, 0.0).unwrap())
        .defuzzifier(Defuzzifier::WeightedAverage { kind: WeightedKind::Tsukamoto });
    let input = Variable::new("a", 0.0, 1.0).set("on", Set::ramp(0.0, 1.0).unwrap());
    let rules = [
        "if a is on then y is sigmoid and y is s with 0.75",
        "if a is not on then y is concave and y is ramp with 0.5",
        "if a is very on then y is z and y is arc",
    ];
    let system = System::new("inverses").input(input).output(output);
    rules.iter().fold(system, |system, rule| system.rule(rule).unwrap())
}

/// Outputs that keep their previous value, and formulas that read it.
fn with_state() -> Vec<(System, Dialect)> {
    let input = Variable::new("a", 0.0, 1.0).set("on", Set::triangle(0.5, 0.75, 1.0).unwrap());
    let mut systems = Vec::new();
    for lock_range in [false, true] {
        let locked = Output::new("y", 0.0, 1.0)
            .set("high", Set::ramp(0.0, 2.0).unwrap())
            .lock_previous(true)
            .lock_range(lock_range)
            .default(3.0);
        let system = System::new("locked").input(input.clone()).output(locked);
        systems.push((system.clone().rule("if a is on then y is high").unwrap(), Dialect::Fuzzylite8));
        let sum = Output::new("sum", 0.0, 9.0)
            .set("grown", Set::function("y + 0.5 * sum + a").unwrap())
            .default(0.25)
            .lock_previous(true);
        let chained = system.output(sum).rule("if a is on then y is high and sum is grown").unwrap();
        systems.push((chained, Dialect::Fuzzylite6));
    }
    systems
}

/// Every shape, with an output that equals its membership.
fn shapes() -> System {
    let sets = crate::sets::samples::sample_sets().unwrap();
    let is_membership = |set: &&Set| !matches!(set.shape().name(), "Constant" | "Linear" | "Function");
    let mut system = System::new("shapes");
    let mut input = Variable::new("a", -4.0, 4.0);
    let sets: Vec<&Set> = sets.iter().filter(is_membership).collect();
    for (i, set) in sets.iter().enumerate() {
        input = input.set(format!("s{i}"), (*set).clone());
        let sum = Defuzzifier::WeightedSum { kind: WeightedKind::TakagiSugeno };
        let output = Output::new(format!("y{i}"), 0.0, 1.0).set("one", Set::constant(1.0).unwrap());
        system = system.output(output.defuzzifier(sum));
    }
    let hedges = ["", "not ", "very ", "somewhat ", "extremely ", "seldom "];
    let system = system.input(input);
    (0..sets.len()).fold(system, |system, i| {
        let hedge = hedges[i % hedges.len()];
        system
            .rule(&format!("if a is s{i} then y{i} is one"))
            .unwrap()
            .rule(&format!("if a is {hedge}s{i} then y{i} is one with 0.25"))
            .unwrap()
    })
}

/// Every operator and function of formulas, each in a separate output.
fn formulas(low: f64, high: f64) -> System {
    const UNARY: &str = "acos asin atan ceil cos cosh exp abs floor log log10 round sin sinh sqrt tan tanh log1p acosh asinh \
        atanh";
    const BINARY: &str = "gt ge eq neq le lt min max pow atan2 fmod";
    let mut texts: Vec<String> = UNARY.split_whitespace().map(|f| format!("{f}(a)")).collect();
    texts.extend(UNARY.split_whitespace().map(|f| format!("{f}(a / 3 + b)")));
    texts.extend(BINARY.split_whitespace().map(|f| format!("{f}(a, b)")));
    texts.extend(
        ["-a + +b", "!(a - a)", "~a * b / 3", "a % b", "a ^ 2 ^ b", "a and b or !a"].map(String::from),
    );
    texts.push(
        "1 + 2 * (3 - a / (1 + b * b)) - ge(a * b + a * a, b * a + b * b + 0.5 * a * a * a * b * b)".into(),
    );
    let input = |name: &str| Variable::new(name, low, high).set("within", Set::rectangle(low, high).unwrap());
    let mut system = System::new("formulas").input(input("a")).input(input("b"));
    for (i, text) in texts.iter().enumerate() {
        system =
            system.output(Output::new(format!("y{i}"), -1.0, 1.0).set("f", Set::function(text).unwrap()));
    }
    (0..texts.len()).fold(system, |system, i| system.rule(&format!("if a is any then y{i} is f")).unwrap())
}

/// Plans that together cover all features.
fn plans() -> Vec<Plan> {
    let mut systems: Vec<(System, Dialect)> = Dialect::ALL.map(|dialect| (tipper(), dialect)).into();
    systems.extend(grids());
    systems.extend(consequents());
    systems.extend(with_state());
    systems.push((inverses(), Dialect::Fuzzylite8));
    let mut trigraphs = tipper();
    trigraphs.inputs[1].name = "food ???/".into(); // would continue a comment
    systems.push((trigraphs, Dialect::Fuzzylite8));
    systems.push((shapes(), Dialect::Fuzzylite8));
    systems.push((formulas(-3.0, 3.0), Dialect::Fuzzylite8));
    systems.push((formulas(-1e5, 1e5), Dialect::Fuzzylite8));
    let compile = |(system, dialect): &(System, Dialect)| system.compile(*dialect, Precision::F64).unwrap();
    let mut plans: Vec<Plan> = systems.iter().map(compile).collect();
    let grid = grid(RuleBlock::new(""), Output::new("y", 0.0, 1.0));
    plans.push(tipper().compile_exact(Dialect::Matlab, Precision::F64).unwrap());
    plans.push(grid.compile_exact(Dialect::Fuzzylite8, Precision::F64).unwrap());
    plans
}
