//! Parser for the rules of `.fis` files.

use super::token::fail_expecting;
use crate::inference::error::Result;
use crate::inference::syntax::{Line, parse_number, tokenize};
use crate::inference::{Antecedent, Conclusion, Proposition, Rule, System, VariableIndex};
use crate::sets::Hedge;

/// Parses a rule given by set indices.
pub(super) fn parse_rule(system: &System, line: &Line<'_>) -> Result<Rule> {
    let expected = "a rule, such as `1 2, 1 (1) : 1`";
    let parts = line.text.split_once(',').and_then(|(antecedent, rest)| {
        let (consequent, rest) = rest.split_once('(')?;
        let (weight, rest) = rest.split_once(')')?;
        Some((antecedent, consequent, weight.trim(), rest.split_once(':')?.1.trim()))
    });
    let Some((antecedent, consequent, weight, operator)) = parts else {
        return fail_expecting(line, line.text.trim(), expected);
    };
    let mut propositions = Vec::new();
    for (i, code, token) in parse_indices(line, antecedent, system.inputs.len(), "input")? {
        let Some((hedges, set)) = decode_index(code) else {
            return fail_expecting(line, token, "a set index, optionally with a hedge code");
        };
        let proposition = Proposition { variable: VariableIndex::Input(i), hedges, set };
        if proposition.set.is_some_and(|set| set >= system.inputs[i].sets.len()) {
            return fail_expecting(line, token, &format!("an index up to {}", system.inputs[i].sets.len()));
        }
        propositions.push(Antecedent::Is(proposition));
    }
    let mut conclusions = Vec::new();
    for (output, code, token) in parse_indices(line, consequent, system.outputs.len(), "output")? {
        let sets = system.outputs[output].variable.sets.len();
        match decode_index(code) {
            Some((hedges, Some(set))) if set < sets => conclusions.push(Conclusion { output, hedges, set }),
            _ => return fail_expecting(line, token, &format!("an index up to {sets}")),
        }
    }
    let Some(weight) = parse_number(weight).filter(|weight| weight.is_finite()) else {
        return fail_expecting(line, weight, "a weight");
    };
    // A rule with an empty antecedent has firing strength 1.
    if propositions.is_empty() {
        let always = Proposition { variable: VariableIndex::Input(0), hedges: vec![Hedge::Any], set: None };
        propositions.push(Antecedent::Is(always));
    }
    let antecedent = match (operator, propositions.len()) {
        ("1" | "2", 1) => propositions.remove(0),
        ("1", _) => Antecedent::And(propositions),
        ("2", _) => Antecedent::Or(propositions),
        _ => return fail_expecting(line, operator, "1 (and) or 2 (or)"),
    };
    Ok(Rule { antecedent, consequent: conclusions, weight })
}

/// Nonzero index codes with their variable indices and tokens.
fn parse_indices<'a>(
    line: &Line<'a>,
    text: &'a str,
    count: usize,
    what: &str,
) -> Result<Vec<(usize, f64, &'a str)>> {
    let tokens = tokenize(text, 0);
    if tokens.len() != count {
        return fail_expecting(line, text.trim(), &format!("{count} numbers, one per {what}"));
    }
    let mut codes = Vec::new();
    for (i, (token, _)) in tokens.into_iter().enumerate() {
        match parse_number(token).filter(|code| code.is_finite()) {
            Some(0.0) => {}
            Some(code) => codes.push((i, code, token)),
            None => return fail_expecting(line, token, "a number"),
        }
    }
    Ok(codes)
}

/// Hedges and set index of a code such as −1.2; no set for `any`.
fn decode_index(code: f64) -> Option<(Vec<Hedge>, Option<usize>)> {
    let magnitude = code.abs();
    // Codes have two decimals.
    let hundredths = ((magnitude - magnitude.floor()) * 100.0).round() as u32;
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
    let set = (magnitude.floor() as usize).checked_sub(1)?;
    Some((hedges, Some(set)))
}
