//! What was learned as a system of the `inference` room, in the user's units.

mod formula;
mod names;

use super::antecedents::Antecedents;
use super::form::{Form, Parameters};
use super::network::Network;
use super::scale::Scale;
use crate::error::Result;
use crate::inference::{
    Antecedent, Conclusion, Conjunction, Defuzzifier, Output, Rule, RuleBlock, System, Variable, Weighted,
};
use crate::sets::{Set, TNorm};

/// What a system's outputs are called, and what they mean.
#[derive(Clone, Copy, Debug)]
pub(super) enum Outputs<'a> {
    /// The targets, in ranges around their offsets.
    Numbers(&'a [String]),
    /// Classes, each from 0 to 1.
    Classes(&'a [String]),
}

impl<'a> Outputs<'a> {
    /// The classes, where there are any.
    pub(super) fn of(targets: &'a [String], classes: &'a [String]) -> Self {
        if classes.is_empty() { Outputs::Numbers(targets) } else { Outputs::Classes(classes) }
    }
}

/// The system that a network is: memberships joined by their product, consequents averaged by firing strength.
///
/// Its outputs are those of the network wherever the strength of some rule is a number: an engine multiplies memberships
/// as they are, and far from all rules, about 38 widths away, nothing is left of the product.
///
/// A consequent of order 0 is a Constant, of order 1 a Linear, of a higher order a Function, in whose formula inputs must
/// have names that formulas can hold: others are changed there.
///
/// # Errors
/// Those of [`Set`], where a number was learned that no file holds, and [`Error::Expression`](crate::Error::Expression) for
/// a polynomial of thousands of terms.
pub(super) fn system(
    network: &Network,
    scale: &Scale,
    inputs: &[String],
    outputs: Outputs<'_>,
) -> Result<System> {
    let outputs_are_classes = matches!(outputs, Outputs::Classes(_));
    let (Outputs::Numbers(outputs) | Outputs::Classes(outputs)) = outputs;
    let names = if network.basis.order < 2 { inputs.to_vec() } else { names::in_formulas(inputs, outputs) };
    let variables = variables(&network.antecedents, scale, &names)?;
    let rules = network.antecedents.rules();
    let mut system = System::new("tuned");
    for (name, column) in variables.inputs.iter().zip(inputs) {
        system = system.input(name.clone().described_by_column(column));
    }
    let word = if network.basis.order == 0 { "value" } else { "formula" };
    for (o, name) in outputs.iter().enumerate() {
        let (offset, span) = (scale.target_offset[o], scale.target_span[o]);
        let (below, above) = if outputs_are_classes { (0.0, span) } else { (0.5 * span, 0.5 * span) };
        let mut output = Output::new(name, offset - below, offset + above);
        for rule in 0..rules {
            output = output.set(format!("{word}_{}", rule + 1), consequent(network, scale, &names, o, rule)?);
        }
        output.defuzzifier = Defuzzifier::WeightedAverage { kind: Weighted::TakagiSugeno };
        system = system.output(output);
    }
    let product = TNorm::AlgebraicProduct;
    let mut block = RuleBlock::new("").conjunction(Conjunction::Norm(product)).implication(product);
    for rule in 0..rules {
        let concluded = |output| Conclusion { output, hedges: Vec::new(), set: rule };
        let consequent = (0..outputs.len()).map(concluded).collect();
        block.rules.push(Rule { antecedent: antecedent(&variables, rule), consequent, weight: 1.0 });
    }
    Ok(system.block(block))
}

/// Inputs with their sets, and which of them each rule uses.
pub(super) struct Variables {
    pub(super) inputs: Vec<Variable>,
    /// The set of rule k for input j by its number in the variable, at k·inputs + j.
    uses: Vec<Option<usize>>,
}

/// The inputs and their sets, from left to right; sets that no rule uses are left out.
pub(super) fn variables(antecedents: &Antecedents, scale: &Scale, inputs: &[String]) -> Result<Variables> {
    let mut variables = Variables { inputs: Vec::new(), uses: vec![None; antecedents.uses.len()] };
    for (j, name) in inputs.iter().enumerate() {
        let (low, span) = (scale.low[j], scale.span[j]);
        let middle = |set: &u32| antecedents.form.frame(&antecedents.sets[*set as usize].parameters).0;
        let of_rules = || antecedents.uses.iter().skip(j).step_by(inputs.len());
        let mut used: Vec<u32> =
            of_rules().copied().filter(|set| (*set as usize) < antecedents.sets.len()).collect();
        used.sort_by(|a, b| middle(a).total_cmp(&middle(b)).then(a.cmp(b)));
        used.dedup();
        let rules_of = |set: &u32| -> Vec<usize> {
            of_rules().enumerate().filter(|(_, used)| *used == set).map(|(rule, _)| rule).collect()
        };
        let users: Vec<Vec<usize>> = used.iter().map(rules_of).collect();
        let mut variable = Variable::new(name, low, low + span);
        for ((set, word), users) in used.iter().zip(names::of_sets(name, &users)).zip(&users) {
            for rule in users {
                variables.uses[rule * inputs.len() + j] = Some(variable.sets.len());
            }
            let parameters = &antecedents.sets[*set as usize].parameters;
            variable = variable.set(word, in_units(antecedents.form, parameters, low, span)?);
        }
        variables.inputs.push(variable);
    }
    Ok(variables)
}

/// A set in the user's units.
fn in_units(form: Form, p: &Parameters, low: f64, span: f64) -> Result<Set> {
    let place = |x: f64| low + span * x;
    match form {
        Form::Gaussian => Set::gaussian(place(p[0]), span * p[1]),
        Form::TwoSided => Set::gaussian_product(place(p[0]), span * p[1], place(p[2]), span * p[3]),
        Form::Bell => Set::bell(place(p[0]), span * p[1], p[2]),
        Form::Triangle => match (p[0] == p[1], p[1] == p[2]) {
            (false, false) => Set::triangle(place(p[0]), place(p[1]), place(p[2])),
            // A side without a width is a shoulder.
            (true, false) => Set::ramp(place(p[2]), place(p[1])),
            (false, true) => Set::ramp(place(p[0]), place(p[1])),
            (true, true) => Set::trapezoid(f64::NEG_INFINITY, place(p[1]), place(p[1]), f64::INFINITY),
        },
    }
}

fn antecedent(variables: &Variables, rule: usize) -> Antecedent {
    let inputs = variables.inputs.len();
    let of_rule = variables.uses[rule * inputs..(rule + 1) * inputs].iter().enumerate();
    Antecedent::all_of(of_rule.filter_map(|(input, set)| set.map(|set| (input, set))))
}

/// What `rule` concludes about an output.
fn consequent(network: &Network, scale: &Scale, names: &[String], output: usize, rule: usize) -> Result<Set> {
    let (terms, inputs) = (network.basis.len(), names.len());
    let first = (output * network.antecedents.rules() + rule) * terms;
    let (offset, span) = (scale.target_offset[output], scale.target_span[output]);
    let mut theta: Vec<f64> = network.theta[first..first + terms].iter().map(|theta| span * theta).collect();
    theta[0] += offset; // all φ together are 1
    // u = (x − center)/width in the user's units.
    let frame = |j: usize| {
        let at = rule * inputs + j;
        let center = scale.low[j] + scale.span[j] * network.frames.centers[at];
        (center, scale.span[j] / network.frames.inverses[at])
    };
    match network.basis.order {
        0 => Set::constant(theta[0]),
        1 => {
            let slopes: Vec<f64> = (0..inputs).map(|j| theta[1 + j] / frame(j).1).collect();
            let constant = (0..inputs).fold(theta[0], |sum, j| sum - slopes[j] * frame(j).0);
            Set::linear(&slopes, constant)
        }
        _ => {
            let frames: Vec<(f64, f64)> = (0..inputs).map(frame).collect();
            let text = formula::text(&theta, &network.basis.terms, &frames, names);
            Set::function(&text)
        }
    }
}
