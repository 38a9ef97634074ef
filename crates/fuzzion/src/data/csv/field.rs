//! Parsing of fields and records.

use super::separator::Separator;
use memchr::{memchr, memchr2};
use std::borrow::Cow;

/// A field of a record.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field<'a> {
    /// Content without surrounding spaces and quotes.
    pub(crate) text: Cow<'a, [u8]>,
    /// Offset of the next field or record.
    pub(crate) next: usize,
    /// Whether this is the last field of its record.
    pub(crate) last: bool,
    /// Whether it has an opening quote without a closing quote.
    pub(crate) unclosed: bool,
    /// Whether it is quoted.
    pub(crate) quoted: bool,
}

/// The field of `text` that starts at `at`.
pub(crate) fn field(text: &[u8], at: usize, separator: Separator) -> Field<'_> {
    let start = if separator == Separator::Whitespace {
        skip_spaces_and_tabs(text, at)
    } else {
        skip_spaces(text, at)
    };
    if text.get(start) == Some(&b'"') {
        match closing_quote(text, start) {
            None => {
                let (text, next) = (text[start..].into(), text.len());
                return Field { text, next, last: true, unclosed: true, quoted: true };
            }
            Some(close) => {
                if let Some(field) = quoted(text, start, close, separator) {
                    return field;
                }
            }
        }
    }
    let end = text[start..].iter().position(|b| *b == b'\n' || separator.is(*b));
    let end = end.map_or(text.len(), |n| start + n);
    let (next, last) = next_offset(text, end, separator);
    Field { text: text[start..end].trim_ascii().into(), next, last, unclosed: false, quoted: false }
}

/// The field between the quotes at `start` and `close`; `None` if other text follows, as in `"a"b`.
fn quoted(text: &[u8], start: usize, close: usize, separator: Separator) -> Option<Field<'_>> {
    let end = if separator == Separator::Whitespace { close + 1 } else { skip_spaces(text, close + 1) };
    let ended = match text.get(end) {
        None | Some(b'\n') => true,
        Some(b'\r') => text.get(end + 1).is_none_or(|b| *b == b'\n'),
        Some(b) => separator.is(*b),
    };
    let inner = &text[start + 1..close];
    let inner =
        if memchr(b'"', inner).is_some() { unescape_quotes(inner).into() } else { Cow::Borrowed(inner) };
    let (next, last) = next_offset(text, end, separator);
    ended.then_some(Field { text: inner, next, last, unclosed: false, quoted: true })
}

/// Offset of the quote that closes the quote at `start`.
fn closing_quote(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        let quote = at + memchr(b'"', text.get(at..)?)?;
        if text.get(quote + 1) != Some(&b'"') {
            return Some(quote);
        }
        at = quote + 2;
    }
}

fn unescape_quotes(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.iter();
    while let Some(byte) = bytes.next() {
        out.push(*byte);
        if *byte == b'"' {
            bytes.next();
        }
    }
    out
}

/// Offset after a field that ends at `end`, and whether the field is the last of its record.
#[inline(always)]
pub(crate) fn next_offset(text: &[u8], end: usize, separator: Separator) -> (usize, bool) {
    let end = if separator == Separator::Whitespace { skip_spaces_and_tabs(text, end) } else { end };
    match text.get(end) {
        None => (end, true),
        Some(b'\n') => (end + 1, true),
        Some(b'\r') if text.get(end + 1) == Some(&b'\n') => (end + 2, true),
        Some(b'\r') if end + 1 == text.len() => (end + 1, true),
        // With whitespace as the separator, `end` is already the start of the next field.
        Some(_) => (end + usize::from(separator != Separator::Whitespace), false),
    }
}

/// Offset of the first record at or after `at` that is not blank; `text.len()` if there is none.
pub(crate) fn skip_blank_lines(text: &[u8], mut at: usize, separator: Separator) -> usize {
    loop {
        let end = match separator {
            Separator::Whitespace => skip_spaces_and_tabs(text, at),
            _ => skip_spaces(text, at),
        };
        at = match text.get(end) {
            None => return text.len(),
            Some(b'\n') => end + 1,
            Some(b'\r') if text.get(end + 1).is_none_or(|b| *b == b'\n') => (end + 2).min(text.len()),
            Some(_) => return at,
        };
    }
}

/// Offset after the newline of the record that contains `at`, if a record starts at `start` ≤ `at`; `None` if the text
/// ends before.
pub(crate) fn record_end(text: &[u8], start: usize, at: usize, separator: Separator) -> Option<usize> {
    let mut from = start;
    loop {
        let position = from + memchr2(b'\n', b'"', text.get(from..)?)?;
        if text[position] == b'\n' {
            if position >= at {
                return Some(position + 1);
            }
            from = position + 1;
        } else if opens_field(text, position, separator) {
            from = closing_quote(text, position)? + 1;
        } else {
            from = position + 1;
        }
    }
}

/// Whether the quote at `at` opens a field; a quote inside a field does not, as in `5" pipe`.
fn opens_field(text: &[u8], at: usize, separator: Separator) -> bool {
    let before = text[..at].iter().rev().find(|b| **b != b' ' || separator.is(b' '));
    before.is_none_or(|b| *b == b'\n' || separator.is(*b))
}

#[inline(always)]
pub(crate) fn skip_spaces_and_tabs(text: &[u8], at: usize) -> usize {
    text.get(at..).map_or(at, |t| at + t.iter().take_while(|b| **b == b' ' || **b == b'\t').count())
}

#[inline(always)]
pub(crate) fn skip_spaces(text: &[u8], at: usize) -> usize {
    text.get(at..).map_or(at, |t| at + t.iter().take_while(|b| **b == b' ').count())
}
