//! Rules as text with rounded numbers.

use crate::error::Result;
use crate::inference::System;
use crate::inference::explain::brief;
use crate::sets::{Set, Shape};

/// The rules of a Takagi-Sugeno system, each as a sentence with rounded numbers.
///
/// ```
/// use fuzzion::{Device, Table, tuning::{Tuner, reading}};
/// let rows: Vec<f64> = (0..=20).flat_map(|i| [f64::from(i), f64::from(3 * i)]).collect();
/// let tuned = Tuner::grid(&[2]).iterations(0).fit(&Table::new(["a", "y"], rows)?, &["y"], &Device::cpu()?)?;
/// assert!(reading::rules(&tuned.system)?[0].starts_with("if a is low then y = 3 a"));
/// # Ok::<(), fuzzion::Error>(())
/// ```
///
/// # Errors
/// [`Error::System`](crate::Error::System) where a rule names a variable or a set that there is not.
pub fn rules(system: &System) -> Result<Vec<String>> {
    let rules = system.blocks.iter().flat_map(|block| &block.rules);
    rules
        .map(|rule| {
            let text = system.rule_text(rule)?;
            let antecedent = text.split(" then ").next().unwrap_or_default();
            let concluded = rule.consequent.iter().map(|conclusion| {
                let output = &system.outputs[conclusion.output].variable;
                format!("{} = {}", output.name, formula(system, &output.sets[conclusion.set].set))
            });
            Ok(format!("{antecedent} then {}", concluded.collect::<Vec<_>>().join(" and ")))
        })
        .collect()
}

/// What a consequent is, in rounded numbers.
fn formula(system: &System, set: &Set) -> String {
    match set.shape() {
        Shape::Constant { value } => brief(*value),
        Shape::Function { expression } => rounded(&expression.to_string()),
        _ => system.set_text(set),
    }
}

/// A formula with its numbers rounded; digits in names stay.
fn rounded(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_alphanumeric() || c == '_') {
        let (before, word) = rest.split_at(start);
        out.push_str(before);
        let number = word.starts_with(|c: char| c.is_ascii_digit());
        let inside = |c: char| c.is_alphanumeric() || c == '_' || (number && c == '.');
        let end = word.find(|c: char| !inside(c)).unwrap_or(word.len());
        match word[..end].parse::<f64>() {
            Ok(value) if number => out.push_str(&brief(value)),
            _ => out.push_str(&word[..end]),
        }
        rest = &word[end..];
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
