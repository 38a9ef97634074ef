//! The grammar of a line: where a field ends, where a record ends.

use super::dialect::Separator;
use memchr::{memchr, memchr2};
use std::borrow::Cow;

/// A field of a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field<'a> {
    /// What it says, without blanks around it and without quotes.
    pub(crate) text: Cow<'a, [u8]>,
    /// Where what follows begins: the next field, or the next line.
    pub(crate) next: usize,
    /// Whether it is the last one of its line.
    pub(crate) last: bool,
    /// Whether it begins with a quote that is never closed.
    pub(crate) open: bool,
    /// Whether it stands in quotes.
    pub(crate) quoted: bool,
}

/// The field of `text` that begins at `at`.
pub(crate) fn field(text: &[u8], at: usize, separator: Separator) -> Field<'_> {
    let start =
        if separator == Separator::Whitespace { skip_blanks(text, at) } else { skip_spaces(text, at) };
    if text.get(start) == Some(&b'"') {
        match closing_quote(text, start) {
            None => {
                let (text, next) = (text[start..].into(), text.len());
                return Field { text, next, last: true, open: true, quoted: true };
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
    let (next, last) = after(text, end, separator);
    Field { text: text[start..end].trim_ascii().into(), next, last, open: false, quoted: false }
}

/// The field between the quotes at `start` and `close`; `None` where more text follows it, as in `"a"b`.
fn quoted(text: &[u8], start: usize, close: usize, separator: Separator) -> Option<Field<'_>> {
    let end = if separator == Separator::Whitespace { close + 1 } else { skip_spaces(text, close + 1) };
    let ended = match text.get(end) {
        None | Some(b'\n') => true,
        Some(b'\r') => text.get(end + 1).is_none_or(|b| *b == b'\n'),
        Some(b) => separator.is(*b),
    };
    let inner = &text[start + 1..close];
    let inner = if memchr(b'"', inner).is_some() { undoubled(inner).into() } else { Cow::Borrowed(inner) };
    let (next, last) = after(text, end, separator);
    ended.then_some(Field { text: inner, next, last, open: false, quoted: true })
}

/// The place of the quote that closes the one at `start`.
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

fn undoubled(text: &[u8]) -> Vec<u8> {
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

/// What follows a field that ends at `end`, and whether that is the next line.
#[inline(always)]
pub(crate) fn after(text: &[u8], end: usize, separator: Separator) -> (usize, bool) {
    let end = if separator == Separator::Whitespace { skip_blanks(text, end) } else { end };
    match text.get(end) {
        None => (end, true),
        Some(b'\n') => (end + 1, true),
        Some(b'\r') if text.get(end + 1) == Some(&b'\n') => (end + 2, true),
        Some(b'\r') if end + 1 == text.len() => (end + 1, true),
        // Where blanks separate, `end` is already the beginning of the next field.
        Some(_) => (end + usize::from(separator != Separator::Whitespace), false),
    }
}

/// The beginning of the first record at or after `at` that is not blank; `text.len()` where there is none.
pub(crate) fn skip_blank_lines(text: &[u8], mut at: usize, separator: Separator) -> usize {
    loop {
        let end = match separator {
            Separator::Whitespace => skip_blanks(text, at),
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

/// The end of the record that holds `at`, given that a record begins at `start` ≤ `at`: the place after its
/// newline; `None` where the text ends first.
pub(crate) fn record_end(text: &[u8], start: usize, at: usize, separator: Separator) -> Option<usize> {
    let mut from = start;
    loop {
        let place = from + memchr2(b'\n', b'"', text.get(from..)?)?;
        if text[place] == b'\n' {
            if place >= at {
                return Some(place + 1);
            }
            from = place + 1;
        } else if opens(text, place, separator) {
            from = closing_quote(text, place)? + 1;
        } else {
            from = place + 1;
        }
    }
}

/// Whether the quote at `place` opens a field, rather than standing inside one as in `5" pipe`.
fn opens(text: &[u8], place: usize, separator: Separator) -> bool {
    let before = text[..place].iter().rev().find(|b| **b != b' ' || separator.is(b' '));
    before.is_none_or(|b| *b == b'\n' || separator.is(*b))
}

#[inline(always)]
pub(crate) fn skip_blanks(text: &[u8], at: usize) -> usize {
    text.get(at..).map_or(at, |t| at + t.iter().take_while(|b| **b == b' ' || **b == b'\t').count())
}

#[inline(always)]
pub(crate) fn skip_spaces(text: &[u8], at: usize) -> usize {
    text.get(at..).map_or(at, |t| at + t.iter().take_while(|b| **b == b' ').count())
}
