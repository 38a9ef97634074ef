//! Example systems for benchmarks, self-tests and kernel tests.

use super::{Activation, Conjunction, Defuzzifier, Output, RuleBlock, System, Variable, WeightedKind};
use crate::inference::error::Result;
use crate::sets::{SNorm, Set, TNorm};

/// Mamdani system: two inputs with three triangles each, nine rules, centroid with the given number of samples.
pub fn mamdani(samples: usize) -> Result<System> {
    let names = ["low", "middle", "high"];
    let triangles = |mut variable: Variable| -> Result<Variable> {
        for (i, name) in names.iter().enumerate() {
            let top = 0.5 * i as f64;
            variable = variable.set(*name, Set::triangle(top - 0.5, top, top + 0.5)?);
        }
        Ok(variable)
    };
    let mut output = Output::new("y", 0.0, 1.0).defuzzifier(Defuzzifier::Centroid { samples: Some(samples) });
    output.variable = triangles(output.variable)?;
    let mut system = System::new("mamdani")
        .input(triangles(Variable::new("a", 0.0, 1.0))?)
        .input(triangles(Variable::new("b", 0.0, 1.0))?)
        .output(output);
    for (i, a) in names.iter().enumerate() {
        for (j, b) in names.iter().enumerate() {
            let y = names[(i + j) / 2];
            system = system.rule(&format!("if a is {a} and b is {b} then y is {y}"))?;
        }
    }
    Ok(system)
}

/// Takagi-Sugeno system: two inputs with seven and five Gaussians, 35 rules, constant or linear consequents.
pub fn takagi_sugeno(linear: bool) -> Result<System> {
    let gaussians = |name: &str, count: usize| -> Result<Variable> {
        let step = 1.0 / (count - 1) as f64;
        (0..count).try_fold(Variable::new(name, 0.0, 1.0), |variable, i| {
            Ok(variable.set(format!("{name}{i}"), Set::gaussian(i as f64 * step, 0.45 * step)?))
        })
    };
    let mut output = Output::new("y", 0.0, 1.0);
    for rule in 0..35 {
        let z = f64::from(rule * 11 % 35) / 35.0;
        let set = if linear { Set::linear(&[z, 1.0 - z], z - 0.5)? } else { Set::constant(z)? };
        output = output.set(format!("y{rule}"), set);
    }
    let block = RuleBlock::new("").conjunction(Conjunction::Norm(TNorm::AlgebraicProduct));
    let mut system = System::new("takagi-sugeno")
        .input(gaussians("a", 7)?)
        .input(gaussians("b", 5)?)
        .output(output)
        .block(block);
    for i in 0..7 {
        for j in 0..5 {
            system = system.rule(&format!("if a is a{i} and b is b{j} then y is y{}", 5 * i + j))?;
        }
    }
    Ok(system)
}

/// Systems that together cover every kind of plan step: norms, hedges, activations, consequents and defuzzifiers.
pub fn assorted() -> Result<Vec<(&'static str, System)>> {
    let product = || RuleBlock::new("").implication(TNorm::AlgebraicProduct);
    let samples = Some(60);
    let centroid = Defuzzifier::Centroid { samples };
    let automatic = Defuzzifier::WeightedAverage { kind: WeightedKind::Automatic };
    let y = |defuzzifier: Defuzzifier| Output::new("y", 0.0, 1.0).defuzzifier(defuzzifier);
    let algebraic_sum = || y(centroid).aggregation(Some(SNorm::AlgebraicSum));
    let highest = Activation::Highest { rules: 3 };
    let first = Activation::First { rules: 2, threshold: 0.125 };
    Ok(vec![
        ("mamdani", mamdani(100)?),
        ("takagi-sugeno", takagi_sugeno(true)?),
        ("clipped", mixed(RuleBlock::new(""), y(centroid))?),
        ("scaled", mixed(product().activation(highest), y(centroid))?),
        ("summed", mixed(product().activation(Activation::Proportional), algebraic_sum())?),
        ("bisector", mixed(RuleBlock::new(""), y(Defuzzifier::Bisector { samples }))?),
        ("mean", mixed(RuleBlock::new("").activation(first), y(Defuzzifier::MeanOfMaximum { samples }))?),
        ("weighted", mixed(RuleBlock::new("").conjunction(Conjunction::Mean), y(automatic))?),
    ])
}

/// System with two inputs, various set shapes and various rule forms.
fn mixed(block: RuleBlock, output: Output) -> Result<System> {
    let a = Variable::new("a", 0.0, 1.0)
        .set("low", Set::gaussian(0.0, 0.25)?)
        .set("middle", Set::bell(0.5, 0.25, 2.5)?)
        .set("high", Set::sigmoid(0.75, 12.0)?);
    let b = Variable::new("b", 0.0, 1.0)
        .set("low", Set::z_shape(0.0, 0.75)?)
        .set("middle", Set::cosine(0.5, 0.875)?)
        .set("high", Set::trapezoid(0.25, 0.75, 1.0, 1.25)?);
    let output = output
        .set("few", Set::triangle(-0.5, 0.0, 0.5)?)
        .set("some", Set::pi_shape(0.125, 0.375, 0.625, 0.875)?)
        .set("many", Set::ramp(0.5, 1.0)?);
    let system = System::new("mixed").input(a).input(b).output(output).block(block);
    [
        "if a is low and b is low then y is few",
        "if a is low and b is not middle then y is some with 0.5",
        "if a is very middle or b is somewhat low then y is few",
        "if a is middle and (b is high or a is seldom low) then y is many with 0.75",
        "if a is high and b is extremely low then y is not some",
        "if not (a is any and b is high) then y is many with 0.125",
        "if y is many and a is low then y is few with 0.25",
        "else y is some",
    ]
    .iter()
    .try_fold(system, |system, rule| system.rule(rule))
}
