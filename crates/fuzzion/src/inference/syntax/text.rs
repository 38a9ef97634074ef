//! Common parts of the parsers and writers: error locations, tokens, numbers and names.

use crate::base::SyntaxError;
use crate::inference::error::{InferenceError, Result};
use crate::sets::Hedge;
use crate::sets::SetError;

/// Maximum size of the text of a system in bytes; typical rule bases are a thousand times smaller.
pub const MAX_SYSTEM_BYTES: usize = 16 << 20;
/// Maximum nesting depth of parentheses.
pub(in crate::inference) const MAX_NESTING: usize = 64;
/// Number of characters of a line that an error shows on either side of its location.
const CONTEXT: usize = 60;

/// One or more lines of a source text with their location.
#[derive(Clone, Copy, Debug)]
pub(in crate::inference) struct Line<'a> {
    /// Format of the text: `FLL`, `rule`, …
    pub(in crate::inference) format: &'static str,
    /// Number of the first line, starting at 1.
    pub(in crate::inference) number: usize,
    pub(in crate::inference) text: &'a str,
}

impl Line<'_> {
    /// Syntax error at byte `at`; control characters are replaced by spaces to keep the caret aligned.
    pub(in crate::inference) fn error(&self, at: usize, problem: impl Into<String>) -> InferenceError {
        let at = self.text.floor_char_boundary(at);
        let first = self.text[..at].rfind('\n').map_or(0, |i| i + 1);
        let line = first_line(&self.text[first..]);
        let before = self.text[first..at].chars().count();
        let start = before.saturating_sub(CONTEXT);
        let printable = |c: char| if c.is_control() { ' ' } else { c };
        InferenceError::Syntax {
            location: self.format.to_owned(),
            line: self.number + self.text[..first].matches('\n').count(),
            column: before + 1,
            problem: problem.into(),
            text: line.chars().skip(start).take(2 * CONTEXT).map(printable).collect(),
            caret: before - start + 1,
        }
    }

    /// Converts an error of a set or an expression whose text starts at byte `at` to a syntax error.
    pub(in crate::inference) fn locate(&self, at: usize, cause: impl Into<InferenceError>) -> InferenceError {
        match cause.into() {
            // The column is meaningful only for a short expression, which is shown completely.
            InferenceError::Set(SetError::Syntax(SyntaxError { problem, column, .. })) => {
                let text = first_line(&self.text[at..]);
                let byte = text.char_indices().nth(column - 1).map_or(text.len(), |(i, _)| i);
                let is_short = text.chars().count() <= CONTEXT;
                self.error(at + if is_short { byte } else { 0 }, problem)
            }
            other => self.error(at, other.to_string()),
        }
    }
}

fn first_line(text: &str) -> &str {
    text.split_once('\n').map_or(text, |(line, _)| line)
}

/// Fails if the text exceeds [`MAX_SYSTEM_BYTES`].
pub(in crate::inference) fn check_length(format: &'static str, text: &str) -> Result<()> {
    if text.len() <= MAX_SYSTEM_BYTES {
        return Ok(());
    }
    let line = Line { format, number: 1, text: "" };
    Err(line.error(
        0,
        format!("the text has {} bytes, but the limit is {MAX_SYSTEM_BYTES}; split the system", text.len()),
    ))
}

/// Text in backquotes for messages, shortened to 40 characters.
pub(in crate::inference) fn quoted(text: &str) -> String {
    // Control characters could be terminal escape sequences.
    let printable = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    let short: String = text.chars().take(40).map(printable).collect();
    if text.chars().nth(40).is_some() { format!("`{short}…`") } else { format!("`{short}`") }
}

/// [`quoted`] token, or the end of the line for the empty token.
pub(in crate::inference) fn quoted_or_end(token: &str) -> String {
    if token.is_empty() { "the end of the line".into() } else { quoted(token) }
}

/// List of names in backquotes for messages, shortened to 12 names.
pub(in crate::inference) fn quoted_list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const MAX_NAMES: usize = 12;
    let mut names = names.into_iter();
    let mut text = names.by_ref().take(MAX_NAMES).map(quoted).collect::<Vec<_>>().join(", ");
    match names.count() {
        0 if text.is_empty() => text.push_str("none"),
        0 => {}
        rest => text.push_str(&format!(" and {rest} more")),
    }
    text
}

/// Tokens of `text` with their byte positions, offset by `from`. Parentheses and commas are separate tokens.
pub(in crate::inference) fn tokenize(text: &str, from: usize) -> Vec<(&str, usize)> {
    let mut tokens = Vec::new();
    let mut start = None;
    for (i, c) in text.char_indices() {
        let is_separator = matches!(c, '(' | ')' | ',');
        if is_separator || c.is_whitespace() {
            if let Some(start) = start.take() {
                tokens.push((&text[start..i], from + start));
            }
            if is_separator {
                tokens.push((&text[i..=i], from + i));
            }
        } else {
            start = start.or(Some(i));
        }
    }
    if let Some(start) = start {
        tokens.push((&text[start..], from + start));
    }
    tokens
}

/// Parses a number, including `inf`, `-inf` and `nan`.
pub(in crate::inference) fn parse_number(token: &str) -> Option<f64> {
    token.parse().ok()
}

/// What is expected instead of `token`, which is not a number.
pub(in crate::inference) fn expected_number(token: &str) -> &'static str {
    if token.contains(',') { "a number with a decimal point, such as 1.5" } else { "a number" }
}

/// Shortest text that parses to exactly the same number.
pub(in crate::inference) fn format_number(value: f64) -> String {
    if value.is_nan() {
        "nan".into()
    } else if value.is_infinite() {
        if value > 0.0 { "inf".into() } else { "-inf".into() }
    } else if value != 0.0 && !(1e-5..1e16).contains(&value.abs()) {
        format!("{value:e}")
    } else {
        format!("{value}")
    }
}

/// `name` reduced to letters, digits and `_`, not starting with a digit, as in fuzzylite.
pub(in crate::inference) fn to_identifier(name: &str) -> String {
    let mut id: String = name.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect();
    if id.chars().next().is_none_or(char::is_numeric) {
        id.insert(0, '_');
    }
    id
}

/// Reserved words of the rule syntax.
pub(in crate::inference) const KEYWORDS: [&str; 7] = ["if", "is", "then", "and", "or", "with", "else"];

/// Whether a name can be used in a rule unchanged.
pub(in crate::inference) fn is_rule_name(name: &str) -> bool {
    name == to_identifier(name) && !KEYWORDS.contains(&name) && name.parse::<Hedge>().is_err()
}

/// Converts names to unique identifiers that are not reserved words.
pub(in crate::inference) fn unique_identifiers<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut used = std::collections::HashSet::new();
    let mut next_number = std::collections::HashMap::new();
    let unique = |name: &str| {
        let mut id = to_identifier(name);
        if !is_rule_name(&id) {
            id.push('_');
        }
        if used.insert(id.clone()) {
            return id;
        }
        let number = next_number.entry(id.clone()).or_insert(2usize);
        loop {
            let numbered = format!("{id}_{number}");
            *number += 1;
            if used.insert(numbered.clone()) {
                return numbered;
            }
        }
    };
    names.into_iter().map(unique).collect()
}
