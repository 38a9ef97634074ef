//! Conversion of a network to an `inference` system, in the units of the data.

mod formula;
pub(super) mod names;

use crate::inference::{
    Antecedent, Conclusion, Conjunction, Defuzzifier, Output, Rule, RuleBlock, System, Variable, WeightedKind,
};
use crate::sets::{Set, TNorm};
use crate::tuning::error::Result;
use crate::tuning::network::Network;
use crate::tuning::network::antecedents::Antecedents;
use crate::tuning::network::form::{Form, Parameters};
use crate::tuning::training::scaling::Scaling;

/// Names of the outputs.
#[derive(Clone, Copy, Debug)]
pub(in crate::tuning) enum OutputNames<'a> {
    /// Regression targets, with a range around their offset.
    Targets(&'a [String]),
    /// Classes, with the range [0, 1].
    Classes(&'a [String]),
}

impl<'a> OutputNames<'a> {
    /// The class names if there are any, otherwise the targets.
    pub(in crate::tuning) fn of(targets: &'a [String], classes: &'a [String]) -> Self {
        if classes.is_empty() { OutputNames::Targets(targets) } else { OutputNames::Classes(classes) }
    }
}

/// Converts a network to a system: product conjunction, weighted average of the consequents.
///
/// The outputs equal those of the network unless all firing strengths underflow: inference engines multiply memberships
/// directly, and about 38 widths away from all rules the product is 0.
///
/// A consequent of order 0 becomes a Constant, of order 1 a Linear, of a higher order a Function. Input names that are
/// invalid in formulas are replaced in that case.
///
/// # Errors
/// Those of [`Set`], if a learned parameter is not valid for a set, and [`SyntaxError`](crate::base::SyntaxError)
/// for a polynomial with thousands of terms.
pub(in crate::tuning) fn system(
    network: &Network,
    scale: &Scaling,
    inputs: &[String],
    outputs: OutputNames<'_>,
) -> Result<System> {
    let is_classifier = matches!(outputs, OutputNames::Classes(_));
    let (OutputNames::Targets(outputs) | OutputNames::Classes(outputs)) = outputs;
    let names = if network.basis.order < 2 { inputs.to_vec() } else { names::in_formulas(inputs, outputs) };
    let variables = variables(&network.antecedents, scale, &names)?;
    let rules = network.antecedents.rules();
    let mut system = System::new("tuned");
    for (name, column) in variables.inputs.iter().zip(inputs) {
        system = system.input(name.clone().described_by_column(column));
    }
    let prefix = if network.basis.order == 0 { "value" } else { "formula" };
    for (o, name) in outputs.iter().enumerate() {
        let (low, high) = scale.range(o, is_classifier);
        let mut output = Output::new(name, low, high);
        for rule in 0..rules {
            output =
                output.set(format!("{prefix}_{}", rule + 1), consequent(network, scale, &names, o, rule)?);
        }
        output.defuzzifier = Defuzzifier::WeightedAverage { kind: WeightedKind::TakagiSugeno };
        system = system.output(output);
    }
    let product = TNorm::AlgebraicProduct;
    let mut block = RuleBlock::new("").conjunction(Conjunction::Norm(product)).implication(product);
    for rule in 0..rules {
        let conclusion = |output| Conclusion { output, hedges: Vec::new(), set: rule };
        let consequent = (0..outputs.len()).map(conclusion).collect();
        block.rules.push(Rule { antecedent: antecedent(&variables, rule), consequent, weight: 1.0 });
    }
    Ok(system.block(block))
}

/// Like [`system`]; if `bounded`, with outputs that are clamped to their range.
pub(in crate::tuning) fn bounded_system(
    network: &Network,
    scale: &Scaling,
    inputs: &[String],
    outputs: OutputNames<'_>,
    bounded: bool,
) -> Result<System> {
    let mut system = system(network, scale, inputs, outputs)?;
    system.outputs.iter_mut().for_each(|output| output.variable.lock_range = bounded);
    Ok(system)
}

/// Input variables with their sets, and the set each rule uses.
pub(in crate::tuning) struct ExportedInputs {
    pub(in crate::tuning) inputs: Vec<Variable>,
    /// Index of the set that rule k uses for input j, within the variable, at k·inputs + j.
    set_indices: Vec<Option<usize>>,
}

/// Input variables with their sets ordered by center; unused sets are dropped.
pub(in crate::tuning) fn variables(
    antecedents: &Antecedents,
    scale: &Scaling,
    inputs: &[String],
) -> Result<ExportedInputs> {
    let mut variables =
        ExportedInputs { inputs: Vec::new(), set_indices: vec![None; antecedents.set_indices.len()] };
    for (j, name) in inputs.iter().enumerate() {
        let (low, span) = (scale.low[j], scale.span[j]);
        let middle = |set: &u32| antecedents.form.frame(&antecedents.sets[*set as usize].parameters).0;
        let of_rules = || antecedents.set_indices.iter().skip(j).step_by(inputs.len());
        let mut used: Vec<u32> =
            of_rules().copied().filter(|set| (*set as usize) < antecedents.sets.len()).collect();
        used.sort_by(|a, b| middle(a).total_cmp(&middle(b)).then(a.cmp(b)));
        used.dedup();
        let rules_of = |set: &u32| -> Vec<usize> {
            of_rules().enumerate().filter(|(_, used)| *used == set).map(|(rule, _)| rule).collect()
        };
        let used_set = |index: &u32| {
            let parameters = &antecedents.sets[*index as usize].parameters;
            let set = unscaled_set(antecedents.form, parameters, low, span)?;
            Ok(names::UsedSet { set, center: low + span * middle(index), rules: rules_of(index) })
        };
        let used = used.iter().map(used_set).collect::<Result<Vec<names::UsedSet>>>()?;
        let mut variable = Variable::new(name, low, low + span);
        for (used, name) in used.iter().zip(names::of_sets(name, &used, (low, low + span))) {
            for rule in &used.rules {
                variables.set_indices[rule * inputs.len() + j] = Some(variable.sets.len());
            }
            variable = variable.set(name, used.set.clone());
        }
        variables.inputs.push(variable);
    }
    Ok(variables)
}

/// A set in the units of the data.
fn unscaled_set(form: Form, p: &Parameters, low: f64, span: f64) -> Result<Set> {
    let position = |x: f64| low + span * x;
    match form {
        Form::Gaussian => Ok(Set::gaussian(position(p[0]), span * p[1])?),
        Form::TwoSided => {
            Ok(Set::gaussian_product(position(p[0]), span * p[1], position(p[2]), span * p[3])?)
        }
        Form::Bell => Ok(Set::bell(position(p[0]), span * p[1], p[2])?),
        Form::Triangle => match (p[0] == p[1], p[1] == p[2]) {
            (false, false) => Ok(Set::triangle(position(p[0]), position(p[1]), position(p[2]))?),
            // A side of width 0 is a shoulder.
            (true, false) => Ok(Set::ramp(position(p[2]), position(p[1]))?),
            (false, true) => Ok(Set::ramp(position(p[0]), position(p[1]))?),
            (true, true) => {
                Ok(Set::trapezoid(f64::NEG_INFINITY, position(p[1]), position(p[1]), f64::INFINITY)?)
            }
        },
        Form::Trapezoid => match (p[0] == p[1], p[2] == p[3]) {
            (false, false) => {
                Ok(Set::trapezoid(position(p[0]), position(p[1]), position(p[2]), position(p[3]))?)
            }
            (true, false) => Ok(Set::ramp(position(p[3]), position(p[2]))?),
            (false, true) => Ok(Set::ramp(position(p[0]), position(p[1]))?),
            (true, true) => {
                Ok(Set::trapezoid(f64::NEG_INFINITY, position(p[1]), position(p[2]), f64::INFINITY)?)
            }
        },
    }
}

fn antecedent(variables: &ExportedInputs, rule: usize) -> Antecedent {
    let inputs = variables.inputs.len();
    let of_rule = variables.set_indices[rule * inputs..(rule + 1) * inputs].iter().enumerate();
    Antecedent::all_of(of_rule.filter_map(|(input, set)| set.map(|set| (input, set))))
}

/// Consequent of `rule` for `output`.
fn consequent(
    network: &Network,
    scale: &Scaling,
    names: &[String],
    output: usize,
    rule: usize,
) -> Result<Set> {
    let (terms, inputs) = (network.basis.len(), names.len());
    let first = (output * network.antecedents.rules() + rule) * terms;
    let (offset, span) = (scale.target_offset[output], scale.target_span[output]);
    let mut theta: Vec<f64> = network.theta[first..first + terms].iter().map(|theta| span * theta).collect();
    theta[0] += offset; // the φ of all rules sum to 1
    // u = (x − center)/width in the units of the data.
    let frame = |j: usize| {
        let at = rule * inputs + j;
        let center = scale.low[j] + scale.span[j] * network.frames.centers[at];
        (center, scale.span[j] / network.frames.inverse_widths[at])
    };
    match network.basis.order {
        0 => Ok(Set::constant(theta[0])?),
        1 => {
            let coefficients: Vec<f64> = (0..inputs).map(|j| theta[1 + j] / frame(j).1).collect();
            let constant = (0..inputs).fold(theta[0], |sum, j| sum - coefficients[j] * frame(j).0);
            Ok(Set::linear(&coefficients, constant)?)
        }
        _ => {
            let frames: Vec<(f64, f64)> = (0..inputs).map(frame).collect();
            let text = formula::text(&theta, &network.basis.exponents, &frames, names);
            Ok(Set::function(&text)?)
        }
    }
}
