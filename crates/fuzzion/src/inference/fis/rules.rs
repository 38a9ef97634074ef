//! Rules by index.

use super::read::refuse;
use crate::error::Result;
use crate::inference::text::{Line, number, words};
use crate::inference::{Antecedent, Conclusion, Place, Proposition, Rule, System};
use crate::sets::Hedge;

/// A row of numbers to a rule.
pub(super) fn rule(system: &System, line: &Line<'_>) -> Result<Rule> {
    let expected = "a rule, such as `1 2, 1 (1) : 1`";
    let parts = line.text.split_once(',').and_then(|(antecedent, rest)| {
        let (consequent, rest) = rest.split_once('(')?;
        let (weight, rest) = rest.split_once(')')?;
        Some((antecedent, consequent, weight.trim(), rest.split_once(':')?.1.trim()))
    });
    let Some((antecedent, consequent, weight, join)) = parts else {
        return refuse(line, line.text.trim(), expected);
    };
    let mut propositions = Vec::new();
    for (i, code, word) in codes(line, antecedent, system.inputs.len(), "input")? {
        let Some((hedges, set)) = hedged(code) else {
            return refuse(line, word, "an index with a hedge or none");
        };
        let proposition = Proposition { variable: Place::Input(i), hedges, set };
        if proposition.set.is_some_and(|set| set >= system.inputs[i].sets.len()) {
            return refuse(line, word, &format!("an index up to {}", system.inputs[i].sets.len()));
        }
        propositions.push(Antecedent::Is(proposition));
    }
    let mut conclusions = Vec::new();
    for (output, code, word) in codes(line, consequent, system.outputs.len(), "output")? {
        let sets = system.outputs[output].variable.sets.len();
        match hedged(code) {
            Some((hedges, Some(set))) if set < sets => conclusions.push(Conclusion { output, hedges, set }),
            _ => return refuse(line, word, &format!("an index up to {sets}")),
        }
    }
    let Some(weight) = number(weight).filter(|weight| weight.is_finite()) else {
        return refuse(line, weight, "a weight");
    };
    // No proposition at all holds always.
    if propositions.is_empty() {
        let always = Proposition { variable: Place::Input(0), hedges: vec![Hedge::Any], set: None };
        propositions.push(Antecedent::Is(always));
    }
    let antecedent = match (join, propositions.len()) {
        ("1" | "2", 1) => propositions.remove(0),
        ("1", _) => Antecedent::And(propositions),
        ("2", _) => Antecedent::Or(propositions),
        _ => return refuse(line, join, "1 for and, 2 for or"),
    };
    Ok(Rule { antecedent, consequent: conclusions, weight })
}

/// The numbers that are not 0, with the variables they stand for.
fn codes<'a>(line: &Line<'a>, text: &'a str, count: usize, what: &str) -> Result<Vec<(usize, f64, &'a str)>> {
    let words = words(text, 0);
    if words.len() != count {
        return refuse(line, text.trim(), &format!("{count} numbers, one for each {what}"));
    }
    let mut codes = Vec::new();
    for (i, (word, _)) in words.into_iter().enumerate() {
        match number(word).filter(|code| code.is_finite()) {
            Some(0.0) => {}
            Some(code) => codes.push((i, code, word)),
            None => return refuse(line, word, "a number"),
        }
    }
    Ok(codes)
}

/// Hedges and set of a code such as −1.2; no set for `any`.
fn hedged(code: f64) -> Option<(Vec<Hedge>, Option<usize>)> {
    let size = code.abs();
    // Codes have two places; what is nearer is meant.
    let hundredths = ((size - size.floor()) * 100.0).round() as u32;
    let mut hedges = if code < 0.0 { vec![Hedge::Not] } else { vec![] };
    match hundredths {
        0 => {}
        1 => hedges.push(Hedge::Seldom),
        5 => hedges.push(Hedge::Somewhat),
        20 => hedges.push(Hedge::Very),
        30 => hedges.push(Hedge::Extremely),
        40 => hedges.extend([Hedge::Very, Hedge::Very]),
        99 => {
            hedges.push(Hedge::Any);
            return Some((hedges, None));
        }
        _ => return None,
    }
    let index = size.floor() as usize;
    (index > 0).then_some((hedges, Some(index.wrapping_sub(1))))
}
