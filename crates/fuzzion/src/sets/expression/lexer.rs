//! Lexer; also used by the formulas of `arithmetic`.

use super::position::error_at;
use crate::base::SyntaxError;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Token<'a> {
    /// A number and its text.
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

/// A token and its byte offset.
pub(crate) type PositionedToken<'a> = (Token<'a>, usize);

/// Iterates over the tokens of an expression.
pub(super) struct Lexer<'a> {
    pub(super) text: &'a str,
    position: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Lexer { text, position: 0 }
    }

    /// The next token; always `End` after the last one.
    pub(super) fn next(&mut self) -> Result<PositionedToken<'a>, SyntaxError> {
        let rest = self.text[self.position..].trim_start();
        let start = self.text.len() - rest.len();
        let mut chars = rest.chars();
        let (first, second) = (chars.next(), chars.next());
        let operator = |length: usize| (Token::Operator(&rest[..length]), length);
        let (token, length) = match first {
            None => (Token::End, 0),
            Some('(') => (Token::Open, 1),
            Some(')') => (Token::Close, 1),
            Some('[') => (Token::OpenBracket, 1),
            Some(']') => (Token::CloseBracket, 1),
            Some(',') => (Token::Comma, 1),
            Some('*') if second == Some('*') => operator(2),
            Some('.') if matches!(second, Some('-' | '+')) => operator(2),
            Some('+' | '-' | '*' | '/' | '%' | '^' | '~' | '!') => operator(1),
            Some(c) if c.is_ascii_digit() || c == '.' => {
                let length = number_length(rest);
                match rest[..length].parse() {
                    Ok(value) => (Token::Number { value, text: &rest[..length] }, length),
                    Err(_) => {
                        return Err(error_at(
                            self.text,
                            start,
                            "`.` is only valid in a number, `.-` or `.+`",
                        ));
                    }
                }
            }
            Some(c) if c.is_alphabetic() || c == '_' => {
                let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
                (Token::Name(&rest[..length]), length)
            }
            Some(c) => {
                return Err(error_at(self.text, start, unexpected(c)));
            }
        };
        self.position = start + length;
        Ok((token, start))
    }
}

/// The problem of a character that no token has, with what to write instead of those of copied text.
fn unexpected(character: char) -> String {
    let fix = match character {
        '−' | '–' | '—' => "; use `-`",
        '×' | '·' | '∙' => "; use `*`",
        '÷' => "; use `/`",
        ';' => "; use `,`",
        '\'' | '’' => "; write numbers without separators of thousands",
        '±' => "; write the bounds, such as `[4, 6]` for 5 ± 1",
        _ => "",
    };
    match character.is_control() {
        true => format!("unexpected character `{}`{fix}", character.escape_default()),
        false => format!("unexpected character `{character}`{fix}"),
    }
}

/// Length of the number at the start of `text`: digits, an optional decimal point, and an optional exponent.
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
