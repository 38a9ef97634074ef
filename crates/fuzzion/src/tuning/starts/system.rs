//! The rules and sets of a Takagi-Sugeno system that is tuned further.

use crate::error::{Error, Result};
use crate::inference::{Activation, Antecedent, Conjunction, Place, Proposition, Rule, System, Variable};
use crate::sets::{Set, Shape, TNorm};
use crate::tuning::antecedents::{ANY, Antecedents, TunedSet};
use crate::tuning::form::{Form, Parameters};
use crate::tuning::prepare::Prepared;
use crate::tuning::scale::Scale;

/// The sets are shared as they are in the system; its consequents are learned anew.
pub(super) fn antecedents(system: &System, prepared: &Prepared) -> Result<Antecedents> {
    // A file that cannot hold a column's name has it as the description.
    let same = |(input, column): (&Variable, &String)| input.name == *column || input.description == *column;
    if system.inputs.len() != prepared.inputs.len() || !system.inputs.iter().zip(&prepared.inputs).all(same) {
        return Err(refused(system, "has other inputs than were named; name its own, in its order, or none"));
    }
    let rules: Vec<&Rule> =
        system.blocks.iter().filter(|block| block.enabled).flat_map(|block| &block.rules).collect();
    if rules.is_empty() {
        return Err(refused(system, "has no rules to tune; give it some, or start from a grid"));
    }
    for block in system.blocks.iter().filter(|block| block.enabled) {
        let product = block.conjunction == Some(Conjunction::Norm(TNorm::AlgebraicProduct));
        let joins = block.rules.iter().any(|rule| rule.antecedent.propositions().len() > 1);
        if joins && !product {
            return Err(refused(
                system,
                "joins `and` by something else than the product, which alone can be tuned",
            ));
        }
        if block.activation != Activation::General || block.rules.iter().any(|rule| rule.weight != 1.0) {
            return Err(refused(
                system,
                "weighs or selects its rules; only rules that all count 1 can be tuned",
            ));
        }
    }
    let inputs = system.inputs.len();
    let mut tuned = Antecedents { form: Form::Gaussian, inputs, sets: Vec::new(), uses: Vec::new() };
    let mut places: Vec<(usize, usize)> = Vec::new();
    for rule in rules {
        let mut uses = vec![ANY; inputs];
        for (input, number) in propositions(system, rule)? {
            if uses[input] != ANY {
                return Err(refused(
                    system,
                    "has a rule that looks at an input twice, which cannot be tuned",
                ));
            }
            let known = places.iter().position(|place| *place == (input, number));
            uses[input] = known.unwrap_or(places.len()) as u32;
            if known.is_none() {
                let (form, parameters) = parameters(system, &system.inputs[input].sets[number].set)?;
                if tuned.sets.is_empty() {
                    tuned.form = form;
                }
                if tuned.form != form {
                    return Err(refused(
                        system,
                        "has sets of several shapes; only sets of one shape can be tuned",
                    ));
                }
                let parameters = scaled(form, &parameters, input, &prepared.scale);
                places.push((input, number));
                tuned.sets.push(TunedSet { input, parameters });
            }
        }
        tuned.uses.extend(uses);
    }
    Ok(tuned)
}

fn refused(system: &System, problem: &str) -> Error {
    Error::System { place: format!("the system `{}`", system.name), problem: problem.to_owned() }
}

/// The inputs and sets that a rule names.
fn propositions(system: &System, rule: &Rule) -> Result<Vec<(usize, usize)>> {
    let plain = |part: &Antecedent| match part {
        Antecedent::Is(Proposition { variable: Place::Input(input), hedges, set: Some(set) })
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
        one => plain(one).map(|place| vec![place]),
    };
    parts.ok_or_else(|| {
        refused(
            system,
            "has rules with more than `input is set and …`; hedges, `or`, `not` and outputs cannot be tuned",
        )
    })
}

fn parameters(system: &System, set: &Set) -> Result<(Form, Parameters)> {
    let found = match *set.shape() {
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
        // A triangle with a shoulder, as it is written.
        Shape::Ramp { start, end } if start < end => (Form::Triangle, [start, end, end, 0.0]),
        Shape::Ramp { start, end } => (Form::Triangle, [end, end, start, 0.0]),
        _ => {
            let problem = "has sets that cannot be tuned; use Gaussian, GaussianProduct, Bell or Triangle";
            return Err(refused(system, problem));
        }
    };
    let fits = set.height() == 1.0 && found.1.iter().all(|p| p.is_finite());
    let wide = match found {
        (Form::Gaussian | Form::Bell, p) => p[1] > 0.0,
        (Form::TwoSided, p) => p[1] > 0.0 && p[3] > 0.0,
        (Form::Triangle, p) => p[0] < p[2],
    };
    if fits && wide {
        Ok(found)
    } else {
        Err(refused(system, "has a set without width, or of a height other than 1"))
    }
}

/// The parameters in scaled coordinates: places move and shrink, widths shrink, exponents stay.
fn scaled(form: Form, p: &Parameters, input: usize, scale: &Scale) -> Parameters {
    let place = |x: f64| (x - scale.low[input]) / scale.span[input];
    let width = |w: f64| w / scale.span[input];
    match form {
        Form::Gaussian => [place(p[0]), width(p[1]), 0.0, 0.0],
        Form::TwoSided => [place(p[0]), width(p[1]), place(p[2]), width(p[3])],
        Form::Bell => [place(p[0]), width(p[1]), p[2], 0.0],
        Form::Triangle => [place(p[0]), place(p[1]), place(p[2]), 0.0],
    }
}
