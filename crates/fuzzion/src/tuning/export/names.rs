//! Names: of sets by their places, of inputs as formulas can hold them.

use crate::sets::Hedge;
use crate::sets::expression::Expression;

/// Words for 1 to 7 sets from left to right.
const WORDS: [&[&str]; 7] = [
    &["middle"],
    &["low", "high"],
    &["low", "medium", "high"],
    &["lowest", "low", "high", "highest"],
    &["lowest", "low", "medium", "high", "highest"],
    &["lowest", "lower", "low", "high", "higher", "highest"],
    &["lowest", "lower", "low", "medium", "high", "higher", "highest"],
];

/// Names for the sets of `input` from left to right, of which `users` says the rules that use each: words for few, for many
/// the rule where each has one of its own, else numbers.
pub(super) fn of_sets(input: &str, users: &[Vec<usize>]) -> Vec<String> {
    if let Some(words) = users.len().checked_sub(1).and_then(|last| WORDS.get(last)) {
        return words.iter().map(|word| (*word).to_owned()).collect();
    }
    let own = users.iter().all(|rules| rules.len() == 1);
    let name = |(i, rules): (usize, &Vec<usize>)| match rules[..] {
        [rule] if own => format!("rule_{}", rule + 1),
        _ => format!("{input}_{}", i + 1),
    };
    users.iter().enumerate().map(name).collect()
}

/// The inputs as formulas and rules can name them, all different from each other and from the outputs.
pub(super) fn in_formulas(inputs: &[String], outputs: &[String]) -> Vec<String> {
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

/// Whether a formula and a rule read `name` as the variable it is.
fn is_usable(name: &str) -> bool {
    let alone = Expression::new(name).is_ok_and(|formula| formula.variables() == [name]);
    // A formula calls its own argument `x`.
    alone && !["x", "if", "is", "then", "with", "else"].contains(&name) && Hedge::from_name(name).is_none()
}
