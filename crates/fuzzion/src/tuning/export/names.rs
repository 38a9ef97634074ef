//! Names of sets, and input names that are valid in formulas.

use crate::sets::expression::Expression;
use crate::sets::{Hedge, Set, Shape};

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

/// Maximum similarity of two sets that have words as names.
const MAX_SIMILARITY: f64 = 0.5;
/// Number of points at which two sets are compared.
const POINTS: usize = 201;
/// Numbers in names are multiples of a power of 10 of at most this fraction of the input's range.
const RESOLUTION: f64 = 0.01;

/// A set of an input, in the units of the data, and the rules that use it.
pub(super) struct UsedSet {
    pub(super) set: Set,
    pub(super) center: f64,
    pub(super) rules: Vec<usize>,
}

/// Jaccard similarity of two sets over a range: ∫ min(μ_a, μ_b) / ∫ max(μ_a, μ_b).
pub(in crate::tuning) fn similarity(a: &Set, b: &Set, (low, high): (f64, f64)) -> f64 {
    let step = (high - low) / (POINTS - 1) as f64;
    let pairs = (0..POINTS).map(|i| low + step * i as f64).map(|x| (a.membership(x), b.membership(x)));
    let sums = pairs.fold((0.0, 0.0), |(min, max), (a, b): (f64, f64)| (min + a.min(b), max + a.max(b)));
    if sums.1 > 0.0 { sums.0 / sums.1 } else { 0.0 }
}

/// Names of the sets of `input`, from left to right: words for up to seven sets that are distinguishable, numbers
/// otherwise. More than seven sets are numbered: with the rule number if each set belongs to one rule.
pub(super) fn of_sets(input: &str, sets: &[UsedSet], range: (f64, f64)) -> Vec<String> {
    if sets.len() > SET_NAMES.len()
        && !matches!(sets[0].set.shape(), Shape::Ramp { .. } | Shape::Trapezoid { .. })
    {
        let one_rule_each = sets.iter().all(|set| set.rules.len() == 1);
        let name = |(i, set): (usize, &UsedSet)| match set.rules[..] {
            [rule] if one_rule_each => format!("rule_{}", rule + 1),
            _ => format!("{input}_{}", i + 1),
        };
        return sets.iter().enumerate().map(name).collect();
    }
    let pairs = || sets.iter().enumerate().flat_map(|(i, a)| sets[..i].iter().map(move |b| (a, b)));
    let distinguishable = pairs().all(|(a, b)| similarity(&a.set, &b.set, range) <= MAX_SIMILARITY);
    let contains_all = |set: &Set| set.membership(range.0) == 1.0 && set.membership(range.1) == 1.0;
    match sets.len().checked_sub(1).and_then(|last| SET_NAMES.get(last)) {
        _ if sets.len() == 1 && contains_all(&sets[0].set) => vec!["any".into()],
        Some(names) if distinguishable => names.iter().map(|name| (*name).to_owned()).collect(),
        _ => unique(sets.iter().map(|set| with_numbers(set, range)).collect()),
    }
}

/// Name of a set with its position: `below_5.2`, `above_5.2`, `between_2_and_5` or `about_3.5`.
fn with_numbers(used: &UsedSet, (low, high): (f64, f64)) -> String {
    let exponent = (RESOLUTION * (high - low)).log10().floor();
    let (decimals, unit) = ((-exponent).max(0.0) as usize, 10f64.powf(exponent.max(0.0)));
    let number = |x: f64| {
        // The sum turns −0 into 0.
        let text = format!("{:.decimals$}", (x / unit).round() * unit + 0.0);
        if decimals > 0 { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    };
    match *used.set.shape() {
        Shape::Ramp { start, end } => {
            let side = if start < end { "above" } else { "below" };
            format!("{side}_{}", number(0.5 * (start + end)))
        }
        Shape::Trapezoid { bottom_left, top_left, top_right, bottom_right } if bottom_left.is_finite() => {
            let (from, to) = (0.5 * (bottom_left + top_left), 0.5 * (top_right + bottom_right));
            format!("between_{}_and_{}", number(from), number(to))
        }
        _ => format!("about_{}", number(used.center)),
    }
}

/// The same names, with a number appended to repeated ones.
fn unique(names: Vec<String>) -> Vec<String> {
    let name = |(i, name): (usize, &String)| match names[..i].iter().filter(|other| *other == name).count() {
        0 => name.clone(),
        repeated => format!("{name}_{}", repeated + 1),
    };
    names.iter().enumerate().map(name).collect()
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
