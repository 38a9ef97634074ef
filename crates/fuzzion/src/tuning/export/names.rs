//! Names of sets, and input names that are valid in formulas.

use crate::sets::Hedge;
use crate::sets::expression::Expression;

/// Names for 1 to 7 sets, from left to right.
const SET_NAMES: [&[&str]; 7] = [
    &["middle"],
    &["low", "high"],
    &["low", "medium", "high"],
    &["lowest", "low", "high", "highest"],
    &["lowest", "low", "medium", "high", "highest"],
    &["lowest", "lower", "low", "high", "higher", "highest"],
    &["lowest", "lower", "low", "medium", "high", "higher", "highest"],
];

/// Names of the sets of `input`, from left to right, given the rules that use each set: words for up to seven sets;
/// otherwise the rule number if each set belongs to one rule, or else a running number.
pub(in crate::tuning) fn of_sets(input: &str, rules_of_sets: &[Vec<usize>]) -> Vec<String> {
    if let Some(names) = rules_of_sets.len().checked_sub(1).and_then(|last| SET_NAMES.get(last)) {
        return names.iter().map(|name| (*name).to_owned()).collect();
    }
    let one_rule_each = rules_of_sets.iter().all(|rules| rules.len() == 1);
    let name = |(i, rules): (usize, &Vec<usize>)| match rules[..] {
        [rule] if one_rule_each => format!("rule_{}", rule + 1),
        _ => format!("{input}_{}", i + 1),
    };
    rules_of_sets.iter().enumerate().map(name).collect()
}

/// Input names that are valid in formulas and rules, distinct from each other and from the outputs.
pub(in crate::tuning) fn in_formulas(inputs: &[String], outputs: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for input in inputs {
        let mut name = input.clone();
        if !is_usable(&name) {
            name = name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
            if name.starts_with(char::is_numeric) {
                name.insert(0, '_');
            }
        }
        let taken = |name: &String| {
            let elsewhere = inputs.iter().filter(|other| *other != input).chain(outputs);
            names.contains(name) || elsewhere.into_iter().any(|other| other == name)
        };
        while !is_usable(&name) || taken(&name) {
            name.push('_');
        }
        names.push(name);
    }
    names
}

/// Whether formulas and rules parse `name` as a variable.
fn is_usable(name: &str) -> bool {
    let is_variable = Expression::new(name).is_ok_and(|formula| formula.variables() == [name]);
    // Formulas reserve `x` for their own argument.
    is_variable
        && !["x", "if", "is", "then", "with", "else"].contains(&name)
        && name.parse::<Hedge>().is_err()
}
