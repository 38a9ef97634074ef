//! What all readers and writers of text share: places, words, numbers, names.

use crate::error::{Error, Result};
use crate::sets::Hedge;

/// The most bytes of a system's text that are read; rule bases are a thousandth of it.
pub const MOST_BYTES: usize = 16 << 20;
/// The deepest nesting of parentheses.
pub(super) const MAX_NESTING: usize = 64;
/// How much of a line an error shows before the place, and how much after it.
const SHOWN: usize = 60;

/// One line of a text, or several, and where they stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// What the text is: `FLL`, `rule`, …
    pub(super) format: &'static str,
    /// Of the first line, from 1.
    pub(super) number: usize,
    pub(super) text: &'a str,
}

impl Line<'_> {
    /// An error at the byte `at`; control characters are shown as spaces so that the caret stays right.
    pub(super) fn error(&self, at: usize, problem: impl Into<String>) -> Error {
        let at = self.text.floor_char_boundary(at);
        let first = self.text[..at].rfind('\n').map_or(0, |i| i + 1);
        let line = self.text[first..].split('\n').next().unwrap_or_default();
        let before = self.text[first..at].chars().count();
        let start = before.saturating_sub(SHOWN);
        let show = |c: char| if c.is_control() { ' ' } else { c };
        Error::Syntax {
            place: self.format.to_owned(),
            line: self.number + self.text[..first].matches('\n').count(),
            column: before + 1,
            problem: problem.into(),
            text: line.chars().skip(start).take(2 * SHOWN).map(show).collect(),
            caret: before - start + 1,
        }
    }

    /// What a set or an expression has to say about the text that starts at the byte `at`.
    pub(super) fn because(&self, at: usize, cause: Error) -> Error {
        match cause {
            // Short expressions are shown whole, so that the column counts from their start.
            Error::Expression { problem, column, .. } => {
                let text = self.text.get(at..).unwrap_or_default();
                let text = text.split('\n').next().unwrap_or_default();
                let byte = text.char_indices().nth(column - 1).map_or(text.len(), |(i, _)| i);
                let exact = text.chars().count() <= SHOWN;
                self.error(at + if exact { byte } else { 0 }, problem)
            }
            other => self.error(at, other.to_string()),
        }
    }
}

/// Refuses a text of unreasonable length.
pub(super) fn check_length(format: &'static str, text: &str) -> Result<()> {
    if text.len() <= MOST_BYTES {
        return Ok(());
    }
    let line = Line { format, number: 1, text: "" };
    Err(line.error(0, format!("the text has {} bytes, but at most {MOST_BYTES} are read", text.len())))
}

/// A word as messages show it.
pub(super) fn shown(word: &str) -> String {
    if word.is_empty() {
        return "the end of the line".into();
    }
    // A word must not write to the terminal anything but itself.
    let plain = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    let short: String = word.chars().take(40).map(plain).collect();
    if word.chars().nth(40).is_some() { format!("`{short}…`") } else { format!("`{short}`") }
}

/// Some of the names there are, for messages.
pub(super) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const MOST: usize = 12;
    let mut names = names.into_iter();
    let mut text = names.by_ref().take(MOST).map(shown).collect::<Vec<_>>().join(", ");
    match names.count() {
        0 if text.is_empty() => text.push_str("none"),
        0 => {}
        rest => text.push_str(&format!(" and {rest} more")),
    }
    text
}

/// The words of `text` and the bytes where they start, counted from `from`; parentheses and commas stand alone.
pub(super) fn words(text: &str, from: usize) -> Vec<(&str, usize)> {
    let mut words = Vec::new();
    let mut start = None;
    for (i, c) in text.char_indices() {
        let alone = matches!(c, '(' | ')' | ',');
        if alone || c.is_whitespace() {
            if let Some(start) = start.take() {
                words.push((&text[start..i], from + start));
            }
            if alone {
                words.push((&text[i..=i], from + i));
            }
        } else {
            start = start.or(Some(i));
        }
    }
    if let Some(start) = start {
        words.push((&text[start..], from + start));
    }
    words
}

/// A number as files write it, with `inf`, `-inf` and `nan`.
pub(super) fn number(word: &str) -> Option<f64> {
    word.parse().ok()
}

/// The shortest text that reads back as the same number.
pub(super) fn number_text(value: f64) -> String {
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

/// `name` as fuzzylite reads it: letters, digits and `_`, not beginning with a digit.
pub(super) fn identifier(name: &str) -> String {
    let mut id: String = name.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect();
    if id.chars().next().is_none_or(char::is_numeric) {
        id.insert(0, '_');
    }
    id
}

/// Words that mean something in a rule.
pub(super) const KEYWORDS: [&str; 7] = ["if", "is", "then", "and", "or", "with", "else"];

/// Whether a name can stand in a rule as it is.
pub(super) fn is_plain(name: &str) -> bool {
    name == identifier(name) && !KEYWORDS.contains(&name) && Hedge::from_name(name).is_none()
}

/// `names` as identifiers that are no keywords and all different, the first of equals unchanged.
pub(super) fn unique_identifiers<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut taken = std::collections::HashSet::new();
    let mut next_number = std::collections::HashMap::new();
    let unique = |name: &str| {
        let mut id = identifier(name);
        if !is_plain(&id) {
            id.push('_');
        }
        if taken.insert(id.clone()) {
            return id;
        }
        let number = next_number.entry(id.clone()).or_insert(2usize);
        loop {
            let numbered = format!("{id}_{number}");
            *number += 1;
            if taken.insert(numbered.clone()) {
                return numbered;
            }
        }
    };
    names.into_iter().map(unique).collect()
}
