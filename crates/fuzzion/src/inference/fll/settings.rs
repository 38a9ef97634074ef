//! Settings that are more than one word.

use super::read::Value;
use crate::error::Result;
use crate::inference::text::listed;
use crate::inference::{Activation, Comparison, Conjunction, Defuzzifier, Weighted};
use crate::sets::TNorm;

/// The two ends of a range.
pub(super) fn range(value: Value<'_>) -> Result<(f64, f64)> {
    let words = value.words();
    let end = |index: usize| match (value.number(words.get(index))?, words.get(index)) {
        (end, Some((word, at))) if end.is_nan() => {
            value.refuse(word, *at, "an end of the range, which must be a number")
        }
        (end, _) => Ok(end),
    };
    let ends = (end(0)?, end(1)?);
    value.nothing_after(&words, 2)?;
    if ends.0 > ends.1 {
        let problem = "the range ends before it starts; write the smaller end first";
        return Err(value.line.error(value.at, problem));
    }
    Ok(ends)
}

/// What joins by `and`: a t-norm or, where that is allowed, the mean.
pub(super) fn conjunction(value: Value<'_>, extended: bool) -> Result<Option<Conjunction>> {
    let norms = TNorm::ALL.map(Conjunction::Norm);
    let all: Vec<Conjunction> = norms.into_iter().chain(extended.then_some(Conjunction::Mean)).collect();
    let name = |one| match one {
        Conjunction::Norm(norm) => TNorm::name(norm),
        Conjunction::Mean => "Mean",
    };
    value.choice(&all, name, if extended { "a t-norm or the mean" } else { "a t-norm" })
}

/// A defuzzifier's name and its parameter.
pub(in crate::inference) fn defuzzifier(value: Value<'_>) -> Result<Defuzzifier> {
    let words = value.words();
    let (name, at) = words.first().copied().unwrap_or(("", value.end()));
    let Some(defuzzifier) = Defuzzifier::from_name(name) else {
        let known = listed(Defuzzifier::ALL.map(Defuzzifier::name));
        return value.refuse(name, at, &format!("a defuzzifier: {known}"));
    };
    value.nothing_after(&words, 2)?;
    let Some((word, at)) = words.get(1).copied() else { return Ok(defuzzifier) };
    match defuzzifier {
        Defuzzifier::WeightedAverage { .. } | Defuzzifier::WeightedSum { .. } => {
            let Some(kind) = Weighted::from_name(word) else {
                return value.refuse(word, at, "`Automatic`, `TakagiSugeno` or `Tsukamoto`");
            };
            let average = matches!(defuzzifier, Defuzzifier::WeightedAverage { .. });
            Ok(if average {
                Defuzzifier::WeightedAverage { kind }
            } else {
                Defuzzifier::WeightedSum { kind }
            })
        }
        sampled => match word.parse::<usize>() {
            Ok(0) => Ok(sampled), // fuzzylite's own way to say: as usual
            Ok(samples) => Ok(sampled.with_samples(Some(samples))),
            Err(_) => value.refuse(word, at, "a number of samples"),
        },
    }
}

/// An activation's name and its parameters.
pub(in crate::inference) fn activation(value: Value<'_>) -> Result<Activation> {
    let words = value.words();
    let (name, at) = words.first().copied().unwrap_or(("none", value.at));
    let count = |index: usize| match words.get(index) {
        None => Ok(1),
        Some((word, at)) => match word.parse() {
            Ok(rules) => Ok(rules),
            Err(_) => value.refuse(word, *at, "a number of rules"),
        },
    };
    let threshold = || words.get(2).map_or(Ok(0.0), |word| value.number(Some(word)));
    let (activation, most) = match name {
        "none" | "General" => (Activation::General, 1),
        "First" => (Activation::First { rules: count(1)?, threshold: threshold()? }, 3),
        "Last" => (Activation::Last { rules: count(1)?, threshold: threshold()? }, 3),
        "Highest" => (Activation::Highest { rules: count(1)? }, 2),
        "Lowest" => (Activation::Lowest { rules: count(1)? }, 2),
        "Proportional" => (Activation::Proportional, 1),
        "Threshold" => {
            let (sign, at) = words.get(1).copied().unwrap_or((">", value.end()));
            let Some(comparison) = Comparison::from_sign(sign) else {
                return value.refuse(sign, at, "`<`, `<=`, `==`, `!=`, `>=` or `>`");
            };
            (Activation::Threshold { comparison, threshold: threshold()? }, 3)
        }
        _ => {
            let known = "`General`, `First`, `Last`, `Highest`, `Lowest`, `Proportional` or `Threshold`";
            return value.refuse(name, at, known);
        }
    };
    value.nothing_after(&words, most)?;
    Ok(activation)
}
