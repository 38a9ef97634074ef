//! Parsers for fields with several tokens.

use super::field_value::FieldValue;
use crate::inference::error::{InferenceError, Result};
use crate::inference::syntax::quoted_list;
use crate::inference::{Activation, Conjunction, Defuzzifier};
use std::str::FromStr;

/// Parses the bounds of a range.
pub(super) fn range(value: FieldValue<'_>) -> Result<(f64, f64)> {
    let tokens = value.tokens();
    let bound = |index: usize| match (value.number(tokens.get(index))?, tokens.get(index)) {
        (bound, Some((token, at))) if bound.is_nan() => {
            value.fail_expecting(token, *at, "a range bound other than NaN")
        }
        (bound, _) => Ok(bound),
    };
    let bounds = (bound(0)?, bound(1)?);
    value.expect_end(&tokens, 2)?;
    if bounds.0 > bounds.1 {
        let problem = "the minimum of the range exceeds its maximum; swap the bounds";
        return Err(value.line.error(value.at, problem));
    }
    Ok(bounds)
}

/// Parses a conjunction: a t-norm or, if `extended`, the mean.
pub(super) fn conjunction(value: FieldValue<'_>, extended: bool) -> Result<Option<Conjunction>> {
    let all: Vec<Conjunction> =
        Conjunction::all().filter(|conjunction| extended || *conjunction != Conjunction::Mean).collect();
    value.choice(&all, Conjunction::name, if extended { "a t-norm or the mean" } else { "a t-norm" })
}

/// Parses a defuzzifier and its parameter.
pub(in crate::inference) fn defuzzifier(value: FieldValue<'_>) -> Result<Defuzzifier> {
    let tokens = value.tokens();
    let (name, at) = tokens.first().copied().unwrap_or(("", value.end()));
    let Some(defuzzifier) = Defuzzifier::ALL.into_iter().find(|defuzzifier| defuzzifier.name() == name)
    else {
        let known = quoted_list(Defuzzifier::ALL.map(Defuzzifier::name));
        return value.fail_expecting(name, at, &format!("a defuzzifier: {known}"));
    };
    value.expect_end(&tokens, 2)?;
    let Some((token, at)) = tokens.get(1).copied() else { return Ok(defuzzifier) };
    match defuzzifier {
        Defuzzifier::WeightedAverage { .. } | Defuzzifier::WeightedSum { .. } => {
            let Ok(kind) = token.parse() else {
                return value.fail_expecting(token, at, "`Automatic`, `TakagiSugeno` or `Tsukamoto`");
            };
            let average = matches!(defuzzifier, Defuzzifier::WeightedAverage { .. });
            Ok(if average {
                Defuzzifier::WeightedAverage { kind }
            } else {
                Defuzzifier::WeightedSum { kind }
            })
        }
        sampled => match token.parse::<usize>() {
            Ok(0) => Ok(sampled), // default number of samples, as in fuzzylite
            Ok(samples) => Ok(sampled.with_samples(Some(samples))),
            Err(_) => value.fail_expecting(token, at, "a number of samples"),
        },
    }
}

/// Parses an activation method and its parameters.
pub(in crate::inference) fn activation(value: FieldValue<'_>) -> Result<Activation> {
    let tokens = value.tokens();
    let (name, at) = tokens.first().copied().unwrap_or(("none", value.at));
    let count = |index: usize| match tokens.get(index) {
        None => Ok(1),
        Some((token, at)) => match token.parse() {
            Ok(rules) => Ok(rules),
            Err(_) => value.fail_expecting(token, *at, "a number of rules"),
        },
    };
    let threshold = || tokens.get(2).map_or(Ok(0.0), |token| value.number(Some(token)));
    let (activation, max_tokens) = match name {
        "none" | "General" => (Activation::General, 1),
        "First" => (Activation::First { rules: count(1)?, threshold: threshold()? }, 3),
        "Last" => (Activation::Last { rules: count(1)?, threshold: threshold()? }, 3),
        "Highest" => (Activation::Highest { rules: count(1)? }, 2),
        "Lowest" => (Activation::Lowest { rules: count(1)? }, 2),
        "Proportional" => (Activation::Proportional, 1),
        "Threshold" => {
            let (symbol, at) = tokens.get(1).copied().unwrap_or((">", value.end()));
            let Ok(comparison) = symbol.parse() else {
                return value.fail_expecting(symbol, at, "`<`, `<=`, `==`, `!=`, `>=` or `>`");
            };
            (Activation::Threshold { comparison, threshold: threshold()? }, 3)
        }
        _ => {
            let known = "`General`, `First`, `Last`, `Highest`, `Lowest`, `Proportional` or `Threshold`";
            return value.fail_expecting(name, at, known);
        }
    };
    value.expect_end(&tokens, max_tokens)?;
    Ok(activation)
}

impl FromStr for Activation {
    type Err = InferenceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        activation(FieldValue::alone("activation", text))
    }
}

impl FromStr for Defuzzifier {
    type Err = InferenceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        defuzzifier(FieldValue::alone("defuzzifier", text))
    }
}
