//! Lexer for FCL.

use super::FORMAT;
use crate::inference::error::{InferenceError, Result};
use crate::inference::syntax::{Line, parse_number, quoted, quoted_list};

/// Replaces comments by spaces, so that byte positions do not change.
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
                    None => return Err(line.error(at, format!("this comment is not closed; add `{close}`"))),
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
    Ok(String::from_utf8(plain).expect("invariant: only whole comments are replaced, by ASCII spaces"))
}

/// A token and its byte position; the empty token is the end of the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl Token<'_> {
    pub(super) fn is(&self, keyword: &str) -> bool {
        self.text.eq_ignore_ascii_case(keyword)
    }
}

#[derive(Clone, Copy)]
pub(super) struct Lexer<'a> {
    /// Original text, for messages.
    pub(super) original: &'a str,
    /// Text without comments.
    pub(super) plain: &'a str,
    pub(super) at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn peek(&self) -> Token<'a> {
        let rest = self.plain[self.at..].trim_start();
        let at = self.plain.len() - rest.len();
        Token { text: &rest[..token_length(rest)], at }
    }

    pub(super) fn next(&mut self) -> Token<'a> {
        let token = self.peek();
        self.at = token.at + token.text.len();
        token
    }

    /// Consumes the next token if it is `keyword`.
    pub(super) fn take(&mut self, keyword: &str) -> bool {
        let token = self.peek();
        let found = token.is(keyword);
        if found {
            self.at = token.at + token.text.len();
        }
        found
    }

    pub(super) fn line(&self) -> Line<'a> {
        Line { format: FORMAT, number: 1, text: self.original }
    }

    pub(super) fn fail_expecting<T>(&self, token: Token<'_>, expected: &str) -> Result<T> {
        let found = if token.text.is_empty() { "the end of the text".to_owned() } else { quoted(token.text) };
        Err(self.line().error(token.at, format!("found {found}, expected {expected}")))
    }

    pub(super) fn expect(&mut self, keyword: &str) -> Result<()> {
        if self.take(keyword) { Ok(()) } else { self.fail_expecting(self.peek(), &format!("`{keyword}`")) }
    }

    /// Names and positions of the function blocks.
    pub(super) fn function_blocks(mut self) -> Vec<(&'a str, usize)> {
        let mut blocks = Vec::new();
        loop {
            let token = self.next();
            if token.text.is_empty() {
                return blocks;
            }
            if token.is("FUNCTION_BLOCK") {
                blocks.push((self.peek().text, token.at));
            }
        }
    }

    /// Position of the function block with the given name, or of the only one.
    pub(super) fn function_block(self, name: Option<&str>) -> Result<usize> {
        let blocks = self.function_blocks();
        let found =
            blocks.iter().find(|(block, _)| name.is_some_and(|name| block.eq_ignore_ascii_case(name)));
        match (found, name, &blocks[..]) {
            (Some((_, at)), ..) => Ok(*at),
            (None, None, [] | [_]) => Ok(0),
            _ => Err(InferenceError::FunctionBlock {
                location: FORMAT.to_owned(),
                block: name.map(str::to_owned),
                available: quoted_list(blocks.iter().map(|(block, _)| *block)),
            }),
        }
    }

    /// A name consisting of letters, digits and `_`.
    pub(super) fn name(&mut self, expected: &str) -> Result<&'a str> {
        let token = self.peek();
        if !token.text.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return self.fail_expecting(token, expected);
        }
        Ok(self.next().text)
    }

    pub(super) fn number(&mut self) -> Result<f64> {
        let token = self.peek();
        match parse_number(token.text) {
            Some(value) => {
                self.next();
                Ok(value)
            }
            None => self.fail_expecting(token, "a number"),
        }
    }
}

/// Length of the first token of `rest` in bytes.
fn token_length(rest: &str) -> usize {
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

/// Length of a name or number; `..` ends a number.
fn word_length(rest: &str, sign: usize) -> usize {
    let numeric = rest[sign..].starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let mut previous = ' ';
    for (i, c) in rest.char_indices().skip(sign) {
        let is_part = match c {
            '.' => numeric && !rest[i..].starts_with(".."),
            '-' | '+' => numeric && matches!(previous, 'e' | 'E'),
            _ => c.is_alphanumeric() || c == '_',
        };
        if !is_part {
            return i;
        }
        previous = c;
    }
    rest.len()
}
