//! Errors of single rules, and words that can continue a rule.

use super::variables::ParsedVariable;
use super::{ApiError, ApiResult, Context, body};
use crate::http::{Request, Response};
use fuzzion::inference::{InferenceError, Output, System};
use fuzzion::sets::Hedge;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Maximum number of rule errors that are reported.
const MAX_ERRORS: usize = 100;

/// The error of a rule.
#[derive(Debug, Serialize)]
pub(super) struct RuleError {
    pub(super) block: usize,
    /// Index in its block.
    pub(super) rule: usize,
    /// Column in characters, from 1.
    pub(super) column: usize,
    pub(super) problem: String,
}

/// The variables of a document, to parse its rules one by one.
pub(super) struct RuleChecker {
    /// A system without rules whose names are those of the rules.
    skeleton: System,
}

impl RuleChecker {
    pub(super) fn new(system: &Value) -> Self {
        let variables = |kind: &str| {
            let items = system[kind].as_array().map(Vec::as_slice).unwrap_or_default();
            items.iter().map(|item| ParsedVariable::new(item).variable).collect::<Vec<_>>()
        };
        let mut skeleton = System::new("");
        skeleton.inputs = variables("inputs");
        let output = |variable| Output { variable, ..Output::new("", 0.0, 1.0) };
        skeleton.outputs = variables("outputs").into_iter().map(output).collect();
        RuleChecker { skeleton }
    }

    /// The column and the problem, if the rule is invalid.
    fn error(&self, text: &str) -> Option<(usize, String)> {
        match self.skeleton.clone().rule(text) {
            Ok(_) => None,
            Err(error) => match error {
                InferenceError::Syntax { column, problem, .. } => Some((column, problem)),
                other => Some((1, other.to_string())),
            },
        }
    }

    /// Removes the invalid rules of the JSON of a system. Returns which rules were valid, and the first errors.
    pub(super) fn remove_invalid(&self, system: &mut Value) -> (Vec<bool>, Vec<RuleError>) {
        let (mut valid, mut errors) = (Vec::new(), Vec::new());
        let blocks = system.get_mut("blocks").and_then(Value::as_array_mut);
        for (block, value) in blocks.into_iter().flatten().enumerate() {
            let Some(rules) = value.get_mut("rules").and_then(Value::as_array_mut) else { continue };
            let mut rule = 0;
            rules.retain(|text| {
                let error = match text.as_str() {
                    Some(text) => self.error(text),
                    None => Some((1, "the rule is not a text".to_owned())),
                };
                valid.push(error.is_none());
                rule += 1;
                match error {
                    Some((column, problem)) if errors.len() < MAX_ERRORS => {
                        errors.push(RuleError { block, rule: rule - 1, column, problem });
                        false
                    }
                    other => other.is_none(),
                }
            });
        }
        (valid, errors)
    }

    /// Words that can follow the words of `before`, in the order of their usefulness.
    fn next_words(&self, before: &str) -> Vec<String> {
        let spaced = before.replace(['(', ')'], " ").replace(',', " and ");
        let words: Vec<&str> = spaced.split_whitespace().collect();
        let fixed = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let in_consequent = words.contains(&"then") || words.first() == Some(&"else");
        let hedges = || Hedge::ALL.iter().map(|hedge| hedge.name());
        let is_hedge = |word: &str| hedges().any(|hedge| hedge == word);
        let inputs = || self.skeleton.inputs.iter();
        let outputs = || self.skeleton.outputs.iter().map(|output| &output.variable);
        match words.as_slice() {
            [] => fixed(&["if", "else"]),
            [.., "if" | "and" | "or" | "not"] | [.., "then" | "else"]
                if words.iter().rposition(|word| *word == "is").is_none_or(|is| {
                    !words[is + 1..].iter().all(|word| is_hedge(word)) || is + 1 == words.len()
                }) =>
            {
                let names = |name: &fuzzion::inference::Variable| name.name.clone();
                match in_consequent {
                    true => outputs().map(names).collect(),
                    false => inputs().map(names).chain(["not".to_owned()]).collect(),
                }
            }
            [.., "with"] => fixed(&["1.0", "0.5"]),
            words => match words.iter().rposition(|word| *word == "is") {
                Some(is) if is > 0 && words[is + 1..].iter().all(|word| is_hedge(word) && *word != "any") => {
                    let mut all = inputs().chain(outputs());
                    let variable = all.rfind(|variable| variable.name == words[is - 1]);
                    let sets = variable.into_iter().flat_map(|v| &v.sets).map(|set| set.name.clone());
                    sets.chain(hedges().map(str::to_owned)).collect()
                }
                // After a set: `is` was the word before it or before its hedges.
                Some(is)
                    if words[is + 1..].iter().filter(|word| !is_hedge(word) || **word == "any").count()
                        == 1 =>
                {
                    match in_consequent {
                        true => fixed(&["and", "with"]),
                        false => fixed(&["and", "or", "then"]),
                    }
                }
                _ => fixed(&["is"]),
            },
        }
    }
}

#[derive(Deserialize)]
struct RuleRequest {
    system: Value,
    text: String,
    /// Position of the cursor in characters; the end by default.
    #[serde(default)]
    cursor: Option<usize>,
}

/// The error of a rule, and completions of the word before the cursor.
pub(super) fn rule(_: &Context, request: &Request) -> ApiResult {
    let request: RuleRequest = body(request)?;
    if request.text.len() > 100_000 {
        return Err(ApiError::new("the rule has more than 100000 characters; split it"));
    }
    let checker = RuleChecker::new(&request.system);
    let error =
        checker.error(&request.text).map(|(column, problem)| json!({ "column": column, "problem": problem }));
    let before: String = request.text.chars().take(request.cursor.unwrap_or(usize::MAX)).collect();
    let start = before.rfind(|c: char| c.is_whitespace() || c == '(').map_or(0, |at| at + 1);
    let start = before.ceil_char_boundary(start);
    let prefix = before[start..].to_lowercase();
    let mut words = checker.next_words(&before[..start]);
    words.retain(|word| word.to_lowercase().starts_with(&prefix) && word.to_lowercase() != prefix);
    words.truncate(50);
    Ok(Response::json(&json!({
        "error": error,
        "completions": words,
        // Where a completion replaces the text, in characters.
        "from": before[..start].chars().count(),
    })))
}
