//! Initial rules from an existing Takagi-Sugeno system.

use crate::inference::InferenceError;
use crate::inference::{
    Activation, Antecedent, Conjunction, Proposition, Rule, System, Variable, VariableIndex,
};
use crate::sets::{Set, Shape, TNorm};
use crate::tuning::error::{Result, TuningError};
use crate::tuning::network::antecedents::{Antecedents, NO_SET, ScaledSet};
use crate::tuning::network::form::{Form, Parameters};
use crate::tuning::training::prepare::PreparedData;
use crate::tuning::training::scaling::Scaling;

/// Antecedents of the system, with the same sharing of sets; the consequents are not used.
pub(super) fn antecedents(system: &System, prepared: &PreparedData) -> Result<Antecedents> {
    // The description contains the column name if the file format cannot represent it.
    let same = |(input, column): (&Variable, &String)| input.name == *column || input.description == *column;
    if system.inputs.len() != prepared.inputs.len() || !system.inputs.iter().zip(&prepared.inputs).all(same) {
        return Err(unsupported(
            system,
            "has other inputs than the training columns; select the columns of its inputs, in the same order",
        ));
    }
    let rules: Vec<&Rule> =
        system.blocks.iter().filter(|block| block.enabled).flat_map(|block| &block.rules).collect();
    if rules.is_empty() {
        return Err(unsupported(system, "has no rules; add rules, or start from a grid"));
    }
    for block in system.blocks.iter().filter(|block| block.enabled) {
        let product = block.conjunction == Some(Conjunction::Norm(TNorm::AlgebraicProduct));
        let joins = block.rules.iter().any(|rule| rule.antecedent.propositions().len() > 1);
        if joins && !product {
            return Err(unsupported(
                system,
                "does not use the algebraic product for `and`; change its conjunction to the product",
            ));
        }
        if block.activation != Activation::General || block.rules.iter().any(|rule| rule.weight != 1.0) {
            return Err(unsupported(
                system,
                "has rule weights other than 1 or an activation other than General; remove them",
            ));
        }
    }
    let inputs = system.inputs.len();
    let mut antecedents =
        Antecedents { form: Form::Gaussian, inputs, sets: Vec::new(), set_indices: Vec::new() };
    let mut known_sets: Vec<(usize, usize)> = Vec::new();
    for rule in rules {
        let mut set_indices = vec![NO_SET; inputs];
        for (input, set) in propositions(system, rule)? {
            if set_indices[input] != NO_SET {
                return Err(unsupported(
                    system,
                    "has a rule that uses an input twice; use each input at most once per rule",
                ));
            }
            let known = known_sets.iter().position(|known| *known == (input, set));
            set_indices[input] = known.unwrap_or(known_sets.len()) as u32;
            if known.is_none() {
                let (form, parameters) = parameters(system, &system.inputs[input].sets[set].set)?;
                if antecedents.sets.is_empty() {
                    antecedents.form = form;
                }
                let (form, parameters) = match (antecedents.form, form) {
                    (Form::Trapezoid, Form::Triangle) => (Form::Trapezoid, as_trapezoid(&parameters)),
                    (Form::Triangle, Form::Trapezoid) => {
                        let scaled = &mut antecedents.sets;
                        scaled.iter_mut().for_each(|set| set.parameters = as_trapezoid(&set.parameters));
                        antecedents.form = form;
                        (form, parameters)
                    }
                    _ => (form, parameters),
                };
                if antecedents.form != form {
                    return Err(unsupported(
                        system,
                        "has input sets of several shapes; use one shape for all of them",
                    ));
                }
                let parameters = scaled(form, &parameters, input, &prepared.scale);
                known_sets.push((input, set));
                antecedents.sets.push(ScaledSet { input, parameters });
            }
        }
        antecedents.set_indices.extend(set_indices);
    }
    Ok(antecedents)
}

fn unsupported(system: &System, problem: &str) -> TuningError {
    InferenceError::InvalidSystem {
        location: format!("the system `{}`", system.name),
        problem: problem.to_owned(),
    }
    .into()
}

/// Input and set index of each proposition of a rule.
fn propositions(system: &System, rule: &Rule) -> Result<Vec<(usize, usize)>> {
    let plain = |part: &Antecedent| match part {
        Antecedent::Is(Proposition { variable: VariableIndex::Input(input), hedges, set: Some(set) })
            if hedges.is_empty()
                && *input < system.inputs.len()
                && *set < system.inputs[*input].sets.len() =>
        {
            Some((*input, *set))
        }
        _ => None,
    };
    let parts = match &rule.antecedent {
        Antecedent::And(parts) => parts.iter().map(plain).collect::<Option<Vec<_>>>(),
        one => plain(one).map(|proposition| vec![proposition]),
    };
    parts.ok_or_else(|| {
        unsupported(
            system,
            "has rules that are not of the form `input is set and …`; remove hedges, `or`, `not` and outputs from antecedents",
        )
    })
}

/// Parameters of a triangle as those of a trapezoid with a core of width 0.
fn as_trapezoid(p: &Parameters) -> Parameters {
    [p[0], p[1], p[1], p[2]]
}

fn parameters(system: &System, set: &Set) -> Result<(Form, Parameters)> {
    let converted = match *set.shape() {
        Shape::Gaussian { mean, standard_deviation } => {
            (Form::Gaussian, [mean, standard_deviation, 0.0, 0.0])
        }
        Shape::GaussianProduct { mean_a, standard_deviation_a, mean_b, standard_deviation_b }
            if mean_a <= mean_b =>
        {
            (Form::TwoSided, [mean_a, standard_deviation_a, mean_b, standard_deviation_b])
        }
        Shape::Bell { center, width, slope } => (Form::Bell, [center, width, slope, 0.0]),
        Shape::Triangle { left, top, right } => (Form::Triangle, [left, top, right, 0.0]),
        // A triangle with a shoulder is exported as a ramp.
        Shape::Ramp { start, end } if start < end => (Form::Triangle, [start, end, end, 0.0]),
        Shape::Ramp { start, end } => (Form::Triangle, [end, end, start, 0.0]),
        // An infinite foot makes a shoulder, which is stored as a side of width 0.
        Shape::Trapezoid { bottom_left, top_left, top_right, bottom_right } => {
            let left = if bottom_left == f64::NEG_INFINITY { top_left } else { bottom_left };
            let right = if bottom_right == f64::INFINITY { top_right } else { bottom_right };
            (Form::Trapezoid, [left, top_left, top_right, right])
        }
        _ => {
            let problem = "has input sets of an unsupported shape; use Gaussian, GaussianProduct, Bell, Triangle or Trapezoid";
            return Err(unsupported(system, problem));
        }
    };
    let is_valid = set.height() == 1.0 && converted.1.iter().all(|p| p.is_finite());
    let has_width = match converted {
        (Form::Gaussian | Form::Bell, p) => p[1] > 0.0,
        (Form::TwoSided, p) => p[1] > 0.0 && p[3] > 0.0,
        (Form::Triangle, p) => p[0] < p[2],
        (Form::Trapezoid, p) => p[0] < p[3],
    };
    if is_valid && has_width {
        Ok(converted)
    } else {
        Err(unsupported(system, "has an input set with zero width or a height other than 1; correct the set"))
    }
}

/// Parameters in scaled coordinates: positions are shifted and scaled, widths are scaled, exponents are unchanged.
fn scaled(form: Form, p: &Parameters, input: usize, scale: &Scaling) -> Parameters {
    let position = |x: f64| (x - scale.low[input]) / scale.span[input];
    let width = |w: f64| w / scale.span[input];
    match form {
        Form::Gaussian => [position(p[0]), width(p[1]), 0.0, 0.0],
        Form::TwoSided => [position(p[0]), width(p[1]), position(p[2]), width(p[3])],
        Form::Bell => [position(p[0]), width(p[1]), p[2], 0.0],
        Form::Triangle => [position(p[0]), position(p[1]), position(p[2]), 0.0],
        Form::Trapezoid => p.map(position),
    }
}
