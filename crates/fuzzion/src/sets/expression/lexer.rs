//! Text to words; the expressions of `arithmetic` read the same ones.

use super::error_at;
use crate::error::Result;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Word<'a> {
    /// A number and how it is written.
    Number {
        value: f64,
        text: &'a str,
    },
    /// A variable, a function, a constant, `and` or `or`.
    Name(&'a str),
    Operator(&'a str),
    Open,
    Close,
    OpenBracket,
    CloseBracket,
    Comma,
    End,
}

/// A word and the byte where it starts.
pub(crate) type Token<'a> = (Word<'a>, usize);

/// Reads one word after another.
pub(crate) struct Lexer<'a> {
    pub(crate) text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Lexer { text, at: 0 }
    }

    /// The next word; `End` again and again at the end.
    pub(crate) fn next(&mut self) -> Result<Token<'a>> {
        let rest = self.text[self.at..].trim_start();
        let start = self.text.len() - rest.len();
        let mut chars = rest.chars();
        let (first, second) = (chars.next(), chars.next());
        let operator = |length: usize| (Word::Operator(&rest[..length]), length);
        let (word, length) = match first {
            None => (Word::End, 0),
            Some('(') => (Word::Open, 1),
            Some(')') => (Word::Close, 1),
            Some('[') => (Word::OpenBracket, 1),
            Some(']') => (Word::CloseBracket, 1),
            Some(',') => (Word::Comma, 1),
            Some('*') if second == Some('*') => operator(2),
            Some('.') if matches!(second, Some('-' | '+')) => operator(2),
            Some('+' | '-' | '*' | '/' | '%' | '^' | '~' | '!') => operator(1),
            Some(c) if c.is_ascii_digit() || c == '.' => {
                let length = number_length(rest);
                match rest[..length].parse() {
                    Ok(value) => (Word::Number { value, text: &rest[..length] }, length),
                    Err(_) => {
                        return Err(error_at(
                            self.text,
                            start,
                            "a `.` is part of a number, of `.-` or of `.+`",
                        ));
                    }
                }
            }
            Some(c) if c.is_alphabetic() || c == '_' => {
                let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
                (Word::Name(&rest[..length]), length)
            }
            Some(c) => {
                let problem = format!("`{}` is no part of an expression", c.escape_debug());
                return Err(error_at(self.text, start, problem));
            }
        };
        self.at = start + length;
        Ok((word, start))
    }
}

/// Digits, at most one point, and an exponent if one follows.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let byte = |at: usize| text.as_bytes().get(at).copied();
    let mut length = digits(0);
    if byte(length) == Some(b'.') && !matches!(byte(length + 1), Some(b'-' | b'+')) {
        length += 1;
        length += digits(length);
    }
    if matches!(byte(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(byte(length + 1), Some(b'-' | b'+')));
        let exponent = text.get(length + 1 + sign..).map_or(0, |_| digits(length + 1 + sign));
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    length
}
