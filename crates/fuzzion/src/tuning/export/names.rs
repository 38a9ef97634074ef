//! Names of sets, and input names that are valid in formulas.

use crate::base::{count, count_were};
use crate::inference::explain::format_short;
use crate::inference::{InferenceError, NamedSet, System, Variable};
use crate::sets::expression::Expression;
use crate::sets::{Hedge, Set, Shape};
use crate::tuning::error::Result;

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

/// Names of the sets of an indicator.
const INDICATOR_NAMES: [&str; 2] = ["no", "yes"];
/// Maximum similarity of two sets that have words as names.
const MAX_SIMILARITY: f64 = 0.5;
/// Number of points at which two sets are compared.
const POINTS: usize = 201;
/// Numbers in names are multiples of a power of 10 of at most this fraction of the input's range.
const RESOLUTION: f64 = 0.01;
/// Maximum number of digits by which names are made different.
const MAX_MORE_DIGITS: i32 = 5;

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
/// otherwise.
pub(super) fn of_sets(input: &str, sets: &[UsedSet], range: (f64, f64)) -> Vec<String> {
    // The indicator of a value of a text column is 0 or 1.
    if input.contains('=')
        && range == (0.0, 1.0)
        && matches!(sets, [a, b] if a.center < 0.5 && b.center > 0.5)
    {
        return INDICATOR_NAMES.map(str::to_owned).to_vec();
    }
    let mut pairs = sets.iter().enumerate().flat_map(|(i, a)| sets[..i].iter().map(move |b| (a, b)));
    let distinguishable = pairs.all(|(a, b)| is_distinguishable(a, b, range));
    let contains_all = |set: &Set| set.membership(range.0) == 1.0 && set.membership(range.1) == 1.0;
    match sets.len().checked_sub(1).and_then(|last| SET_NAMES.get(last)) {
        _ if sets.len() == 1 && contains_all(&sets[0].set) => vec!["any".into()],
        Some(names) if distinguishable => names.iter().map(|name| (*name).to_owned()).collect(),
        _ => with_numbers(sets, range),
    }
}

/// Whether two sets of an input differ enough for two words: they are not similar, and neither contains the center of
/// the other one.
fn is_distinguishable(a: &UsedSet, b: &UsedSet, range: (f64, f64)) -> bool {
    let contains = |set: &UsedSet, x: f64| set.set.membership(x.clamp(range.0, range.1)) > MAX_SIMILARITY;
    similarity(&a.set, &b.set, range) <= MAX_SIMILARITY && !contains(a, b.center) && !contains(b, a.center)
}

/// Names with the positions of the sets, with as many digits as make them different.
fn with_numbers(sets: &[UsedSet], range: (f64, f64)) -> Vec<String> {
    let names = |digits: i32| -> Vec<String> {
        sets.iter().map(|used| with_number(&used.set, used.center, range, digits)).collect()
    };
    let is_repeated = |names: &[String]| names.iter().enumerate().any(|(i, name)| names[..i].contains(name));
    let more_digits = (0..MAX_MORE_DIGITS).map(names);
    let found = more_digits.into_iter().find(|names| !is_repeated(names));
    let number = |(i, name): (usize, String)| format!("{name}_set_{}", i + 1);
    found.unwrap_or_else(|| names(0).into_iter().enumerate().map(number).collect())
}

/// Name of a set with its position, as an identifier: `below_5_2` (below 5.2), `above_5_2`, `between_2_and_5` or
/// `about_minus_3_5` (about −3.5).
fn with_number(set: &Set, center: f64, (low, high): (f64, f64), more_digits: i32) -> String {
    let range = high - low; // 0 if the rounding error of the bounds exceeds it
    let exponent = if range > 0.0 { (RESOLUTION * range).log10().floor() as i32 } else { 0 } - more_digits;
    let (decimals, unit) = (-exponent.min(0), 10f64.powi(exponent.max(0)));
    let number = |x: f64| {
        let x = if exponent > 0 { (x / unit).round() * unit } else { x };
        let text = format!("{:.*}", decimals as usize, x);
        let text = if decimals > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
        if text == "-0" { "0".to_owned() } else { text.replace('-', "minus_").replace('.', "_") }
    };
    match *set.shape() {
        Shape::Ramp { start, end } => {
            let side = if start < end { "above" } else { "below" };
            format!("{side}_{}", number(0.5 * (start + end)))
        }
        Shape::Trapezoid { bottom_left, top_left, top_right, bottom_right } if bottom_left.is_finite() => {
            let (from, to) = (0.5 * (bottom_left + top_left), 0.5 * (top_right + bottom_right));
            format!("between_{}_and_{}", number(from), number(to))
        }
        _ => format!("about_{}", number(center)),
    }
}

/// A name with numbers as text: `below 5.2` for `below_5_2`. `None` for other names.
pub(in crate::tuning) fn as_text(name: &str) -> Option<String> {
    let mut parts = name.split('_');
    let mut text =
        parts.next().filter(|first| ["about", "above", "below", "between"].contains(first))?.to_owned();
    let is_digit = |c: char| c.is_ascii_digit();
    for part in parts {
        let is_number = !part.is_empty() && part.chars().all(is_digit);
        text.push_str(match (is_number, text.ends_with(is_digit), text.ends_with('-')) {
            (true, true, _) => ".",
            (_, _, true) => "",
            _ => " ",
        });
        text.push_str(if part == "minus" { "-" } else { part });
    }
    Some(text)
}

/// Center and spread of a bell-shaped or triangular set: its standard deviation, or half of its width at membership ½.
fn center_and_spread(set: &Set) -> Option<(f64, f64)> {
    match *set.shape() {
        Shape::Gaussian { mean, standard_deviation } => Some((mean, standard_deviation)),
        Shape::GaussianProduct { mean_a, standard_deviation_a, mean_b, standard_deviation_b } => {
            let spread = 0.5 * (standard_deviation_a + standard_deviation_b + (mean_b - mean_a));
            Some((0.5 * (mean_a + mean_b), spread))
        }
        Shape::Bell { center, width, .. } => Some((center, width)),
        Shape::Triangle { left, top, right } => Some((top, 0.25 * (right - left))),
        _ => None,
    }
}

/// Text of a set whose name has numbers: `below 5.2`, `about 3.5 ± 2.6`. `None` for other names.
pub(in crate::tuning) fn text_of(named: &NamedSet) -> Option<String> {
    let text = as_text(&named.name)?;
    Some(match center_and_spread(&named.set) {
        Some((_, spread)) => format!("{text} ± {}", with_two_digits(spread)),
        None => text,
    })
}

/// Position of a set, as for names with numbers: `below 5.2`, `about 3.5 ± 2.6`.
pub(in crate::tuning) fn position(set: &Set, range: (f64, f64)) -> Option<String> {
    let center = match (center_and_spread(set), set.shape()) {
        (Some((center, _)), _) => center,
        (None, Shape::Ramp { .. }) => f64::NAN, // its position is not its center
        (None, Shape::Trapezoid { bottom_left, .. }) if bottom_left.is_finite() => f64::NAN,
        _ => return None,
    };
    text_of(&NamedSet { name: with_number(set, center, range, 0), set: set.clone() })
}

fn with_two_digits(x: f64) -> String {
    format_short(format!("{x:.1e}").parse().expect("invariant: a formatted number parses"))
}

/// Names of the sets of every input.
pub(in crate::tuning) fn set_names(system: &System) -> Vec<Vec<String>> {
    let names = |variable: &Variable| variable.sets.iter().map(|set| set.name.clone()).collect();
    system.inputs.iter().map(names).collect()
}

/// Gives the sets of every input these names, where their number is right.
pub(in crate::tuning) fn apply_set_names(system: &mut System, names: &[Vec<String>]) {
    for (variable, names) in system.inputs.iter_mut().zip(names) {
        if variable.sets.len() == names.len() {
            variable.sets.iter_mut().zip(names).for_each(|(set, name)| set.name.clone_from(name));
        }
    }
}

/// Gives the sets of the input `column`, from left to right, these names.
pub(in crate::tuning) fn rename_sets(variable: &mut Variable, column: &str, words: &[String]) -> Result<()> {
    let is_repeated = |(i, word): (usize, &String)| words[..i].contains(word);
    let problem = if variable.sets.is_empty() {
        "has no sets, because no rule uses it; name the sets of other inputs".to_owned()
    } else if words.len() != variable.sets.len() {
        let (sets, words) = (count(&variable.sets.len(), "sets"), count_were(&words.len(), "words"));
        let name = |set: &NamedSet| format!("`{}`", as_text(&set.name).unwrap_or_else(|| set.name.clone()));
        let names = variable.sets.iter().map(name).collect::<Vec<_>>().join(", ");
        format!("has {sets} ({names}), but {words} given; give one word for each set, in ascending order")
    } else if let Some(word) = words.iter().find(|word| !is_word(word)) {
        format!(
            "cannot have a set named `{word}`; use letters, digits and `_`, and no words of the rule syntax"
        )
    } else if let Some((_, word)) = words.iter().enumerate().find(|entry| is_repeated(*entry)) {
        format!("has two sets named `{word}`; use different words")
    } else {
        variable.sets.iter_mut().zip(words).for_each(|(set, word)| set.name.clone_from(word));
        return Ok(());
    };
    Err(InferenceError::InvalidSystem { location: format!("the input `{column}`"), problem }.into())
}

/// Whether rules parse `word` as the name of a set.
fn is_word(word: &str) -> bool {
    let keywords = ["if", "is", "and", "or", "not", "then", "with", "else"];
    word.chars().all(|c| c.is_alphanumeric() || c == '_')
        && word.starts_with(char::is_alphabetic)
        && !keywords.contains(&word)
        && word.parse::<Hedge>().is_err()
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
