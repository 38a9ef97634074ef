//! Rules as text with rounded numbers.

use crate::inference::explain::format_short;
use crate::inference::{Antecedent, Proposition, Rule, System, Variable, VariableIndex};
use crate::sets::{Set, Shape};
use crate::tuning::error::Result;
use crate::tuning::export::names::{as_text, position, text_of};

/// Fraction of an output's range below which the terms of its formulas are not printed.
const NEGLIGIBLE: f64 = 1e-6;

/// Rules of a Takagi-Sugeno system as text, with their formulas: numbers are rounded to four digits, and terms without
/// influence are omitted. [`TunedSystem::rule_reports`](crate::tuning::TunedSystem::rule_reports) describes the
/// conclusions in words.
///
/// ```
/// use fuzzion::{Device, Table, tuning::{Tuner, inspect}};
/// let rows: Vec<f64> = (0..=20).flat_map(|i| [f64::from(i), f64::from(3 * i)]).collect();
/// let tuned = Tuner::grid(&[2]).iterations(0).fit(&Table::new(["a", "y"], rows)?, &["y"], &Device::cpu()?)?;
/// assert_eq!(inspect::rules(&tuned.system)?[0], "if a is low then y = 3 a");
/// # Ok::<(), fuzzion::Error>(())
/// ```
///
/// # Errors
/// [`InferenceError::InvalidSystem`](crate::inference::InferenceError::InvalidSystem) if a rule refers to an unknown variable or set.
pub fn rules(system: &System) -> Result<Vec<String>> {
    let rules = system.blocks.iter().flat_map(|block| &block.rules);
    rules
        .map(|rule| {
            let start = antecedent_text(system, rule)?;
            let consequents = rule.consequent.iter().map(|conclusion| {
                let output = &system.outputs[conclusion.output].variable;
                format!("{} = {}", output.name, formula(system, output, &output.sets[conclusion.set].set))
            });
            Ok(format!("{start} {}", consequents.collect::<Vec<_>>().join(" and ")))
        })
        .collect()
}

/// Positions of the sets that have words as names, one text for each input that has some.
///
/// ```
/// use fuzzion::{Device, Table, tuning::{Tuner, inspect}};
/// let rows: Vec<f64> = (0..=20).flat_map(|i| [f64::from(i), f64::from(3 * i)]).collect();
/// let tuned = Tuner::grid(&[2]).iterations(0).fit(&Table::new(["a", "y"], rows)?, &["y"], &Device::cpu()?)?;
/// assert_eq!(inspect::sets(&tuned.system), ["a: low is about 0 ± 8.5, high is about 20 ± 8.5"]);
/// # Ok::<(), fuzzion::Error>(())
/// ```
pub fn sets(system: &System) -> Vec<String> {
    let of_input = |input: &Variable| {
        let range = (input.minimum, input.maximum);
        let words = input.sets.iter().filter(|named| as_text(&named.name).is_none());
        let texts: Vec<String> = words
            .filter_map(|named| Some(format!("{} is {}", named.name, position(&named.set, range)?)))
            .collect();
        let is_indicator = input.sets.iter().any(|named| named.name == "yes");
        (!texts.is_empty() && !is_indicator).then(|| format!("{}: {}", input.name, texts.join(", ")))
    };
    system.inputs.iter().filter_map(of_input).collect()
}

/// Text of a rule up to its consequent: `if a is low then`, or `always`.
pub(super) fn antecedent_text(system: &System, rule: &Rule) -> Result<String> {
    let text = system.rule_text(rule)?;
    if is_any(system, &rule.antecedent) {
        return Ok("always".to_owned());
    }
    // Names may contain ` then `, so the text is not split there. As an ELSE rule, it is `else` and the consequent.
    let else_text = system.rule_text(&Rule { antecedent: Antecedent::Else, ..rule.clone() })?;
    let consequent = else_text.strip_prefix("else").expect("invariant: ELSE rules start with `else`");
    let start = text.strip_suffix(consequent).expect("invariant: a rule ends with its consequent");
    Ok(with_values(system, &with_numbers(system, start)))
}

/// Whether an antecedent is true for every row: the rule of a linear model.
fn is_any(system: &System, antecedent: &Antecedent) -> bool {
    let Antecedent::Is(Proposition { variable: VariableIndex::Input(input), set: Some(set), .. }) =
        antecedent
    else {
        return false;
    };
    let infinite = |shape: &Shape| matches!(shape, Shape::Trapezoid { bottom_left, bottom_right, .. } if bottom_left.is_infinite() && bottom_right.is_infinite());
    system.inputs[*input].sets.get(*set).is_some_and(|named| infinite(named.set.shape()))
}

/// An antecedent whose sets have numbers instead of identifiers: `a is below 5.2` instead of `a is below_5_2`.
fn with_numbers(system: &System, text: &str) -> String {
    let sets = system.inputs.iter().flat_map(|input| &input.sets);
    let mut names: Vec<(&str, String)> =
        sets.filter_map(|set| Some((set.name.as_str(), text_of(set)?))).collect();
    names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len())); // a name may be the start of another one
    names.iter().fold(text.to_owned(), |text, (name, number)| {
        text.replace(&format!(" is {name}"), &format!(" is {number}"))
    })
}

/// An antecedent with the values of text columns: `color is red` instead of `color=red is yes`.
fn with_values(system: &System, text: &str) -> String {
    let indicators = system.inputs.iter().filter_map(|input| {
        let (column, value) = input.column().split_once('=')?;
        input.sets.iter().any(|set| set.name == "yes").then_some((&input.name, column, value))
    });
    indicators.fold(text.to_owned(), |text, (name, column, value)| {
        let text = text.replace(&format!("{name} is yes"), &format!("{column} is {value}"));
        text.replace(&format!("{name} is no"), &format!("{column} is not {value}"))
    })
}

/// A consequent with rounded numbers.
fn formula(system: &System, output: &Variable, set: &Set) -> String {
    match set.shape() {
        Shape::Constant { value } => format_short(*value),
        Shape::Function { expression } => rounded(&expression.to_string()),
        Shape::Linear { coefficients, constant } => {
            let range = output.maximum - output.minimum;
            let limit = if range.is_finite() { NEGLIGIBLE * range } else { 0.0 };
            let is_negligible =
                |c: f64, input: &Variable| c.abs() * input.minimum.abs().max(input.maximum.abs()) < limit;
            let simplified = |(c, input): (&f64, &Variable)| match format_short(c.abs()).as_str() {
                _ if is_negligible(*c, input) => 0.0,
                "1" => c.signum(), // printed without the factor
                _ => *c,
            };
            let coefficients: Vec<f64> = coefficients.iter().zip(&system.inputs).map(simplified).collect();
            let constant = if constant.abs() < limit { 0.0 } else { *constant };
            Set::linear(&coefficients, constant)
                .map_or_else(|_| system.set_text(set), |set| system.set_text(&set))
        }
        _ => system.set_text(set),
    }
}

/// A formula with rounded numbers; digits in names are preserved.
fn rounded(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_alphanumeric() || c == '_') {
        let (before, token) = rest.split_at(start);
        out.push_str(before);
        let number = token.starts_with(|c: char| c.is_ascii_digit());
        let inside = |c: char| c.is_alphanumeric() || c == '_' || (number && c == '.');
        let end = token.find(|c: char| !inside(c)).unwrap_or(token.len());
        match token[..end].parse::<f64>() {
            Ok(value) if number => out.push_str(&format_short(value)),
            _ => out.push_str(&token[..end]),
        }
        rest = &token[end..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn numbers_are_rounded_and_names_are_not() {
        let text = "0 - 3.14159265 * ((x_12 + 90.00001234) / 2.5) ^ 2 + (1.5 / 10 ^ 7) * a1";
        assert_eq!(rounded(text), "0 - 3.142 * ((x_12 + 90) / 2.5) ^ 2 + (1.5 / 10 ^ 7) * a1");
    }
}
