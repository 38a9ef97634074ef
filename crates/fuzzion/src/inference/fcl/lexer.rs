//! Words of FCL, one after the other.

use super::FORMAT;
use crate::error::Result;
use crate::inference::text::{Line, number, shown};

/// `text` with its comments blanked out, byte for byte, so that places stay the same.
pub(super) fn without_comments(text: &str) -> Result<String> {
    let line = Line { format: FORMAT, number: 1, text };
    let mut plain = text.as_bytes().to_vec();
    let mut at = 0;
    while at + 1 < plain.len() {
        let end = match &plain[at..at + 2] {
            b"//" => text[at..].find('\n').map_or(text.len(), |i| at + i),
            open @ (b"(*" | b"/*") => {
                let close = if open == b"(*" { "*)" } else { "*/" };
                match text[at + 2..].find(close) {
                    Some(i) => at + 2 + i + 2,
                    None => return Err(line.error(at, format!("this comment is never closed by `{close}`"))),
                }
            }
            _ => {
                at += 1;
                continue;
            }
        };
        plain[at..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        at = end;
    }
    // Whole comments were blanked, so that no character is cut; what could not be is shown as it is.
    Ok(String::from_utf8(plain).unwrap_or_else(|_| text.to_owned()))
}

/// A word and the byte where it starts; the empty word is the end of the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl Word<'_> {
    pub(super) fn is(&self, keyword: &str) -> bool {
        self.text.eq_ignore_ascii_case(keyword)
    }
}

/// Where the reading is.
#[derive(Clone, Copy)]
pub(super) struct Lexer<'a> {
    /// The text as it was given, for messages.
    pub(super) original: &'a str,
    /// The same without comments.
    pub(super) plain: &'a str,
    pub(super) at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn peek(&self) -> Word<'a> {
        let rest = self.plain[self.at..].trim_start();
        let at = self.plain.len() - rest.len();
        Word { text: &rest[..length(rest)], at }
    }

    pub(super) fn next(&mut self) -> Word<'a> {
        let word = self.peek();
        self.at = word.at + word.text.len();
        word
    }

    /// Takes the next word if it is this one.
    pub(super) fn take(&mut self, keyword: &str) -> bool {
        let word = self.peek();
        let is = word.is(keyword);
        if is {
            self.at = word.at + word.text.len();
        }
        is
    }

    pub(super) fn line(&self) -> Line<'a> {
        Line { format: FORMAT, number: 1, text: self.original }
    }

    pub(super) fn refuse<T>(&self, word: Word<'_>, expected: &str) -> Result<T> {
        let found = if word.text.is_empty() { "the end of the text".to_owned() } else { shown(word.text) };
        Err(self.line().error(word.at, format!("found {found}, expected {expected}")))
    }

    pub(super) fn expect(&mut self, keyword: &str) -> Result<()> {
        if self.take(keyword) { Ok(()) } else { self.refuse(self.peek(), &format!("`{keyword}`")) }
    }

    /// A name: letters, digits and `_`.
    pub(super) fn name(&mut self, what: &str) -> Result<&'a str> {
        let word = self.peek();
        if !word.text.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return self.refuse(word, what);
        }
        Ok(self.next().text)
    }

    pub(super) fn number(&mut self) -> Result<f64> {
        let word = self.peek();
        match number(word.text) {
            Some(value) => {
                self.next();
                Ok(value)
            }
            None => self.refuse(word, "a number"),
        }
    }
}

/// How long the first word of `rest` is.
fn length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let Some(first) = rest.chars().next() else { return 0 };
    if rest.starts_with(":=") || rest.starts_with("..") {
        return 2;
    }
    let signed =
        matches!(first, '-' | '+') && bytes.get(1).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'.');
    if first.is_alphabetic() || first == '_' || first.is_ascii_digit() || first == '.' || signed {
        return word_length(rest, usize::from(signed));
    }
    first.len_utf8()
}

/// Letters, digits, `_`, and the points and signs of numbers; two points end it.
fn word_length(rest: &str, sign: usize) -> usize {
    let numeric = rest[sign..].starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let mut before = ' ';
    for (i, c) in rest.char_indices().skip(sign) {
        let part = match c {
            '.' => numeric && !rest[i..].starts_with(".."),
            '-' | '+' => numeric && matches!(before, 'e' | 'E'),
            _ => c.is_alphanumeric() || c == '_',
        };
        if !part {
            return i;
        }
        before = c;
    }
    rest.len()
}
