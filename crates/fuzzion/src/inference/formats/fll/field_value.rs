//! Value of an FLL field.

use crate::inference::error::Result;
use crate::inference::syntax::{Line, expected_number, parse_number, quoted_list, quoted_or_end, tokenize};

/// Value of a field with its location.
#[derive(Clone, Copy)]
pub(in crate::inference) struct FieldValue<'a> {
    pub(in crate::inference) line: Line<'a>,
    pub(in crate::inference) text: &'a str,
    pub(in crate::inference) at: usize,
}

impl<'a> FieldValue<'a> {
    /// The value of a field outside a file; `format` names it in messages.
    pub(in crate::inference) fn alone(format: &'static str, text: &'a str) -> Self {
        FieldValue { line: Line { format, number: 1, text }, text, at: 0 }
    }

    pub(super) fn fail_expecting<T>(&self, token: &str, at: usize, expected: &str) -> Result<T> {
        Err(self.line.error(at, format!("found {}, expected {expected}", quoted_or_end(token))))
    }

    pub(super) fn tokens(&self) -> Vec<(&'a str, usize)> {
        tokenize(self.text, self.at)
    }

    pub(super) fn end(&self) -> usize {
        self.at + self.text.len()
    }

    pub(super) fn boolean(&self) -> Result<bool> {
        match self.text {
            "true" => Ok(true),
            "false" => Ok(false),
            other => self.fail_expecting(other, self.at, "`true` or `false`"),
        }
    }

    pub(super) fn number(&self, token: Option<&(&str, usize)>) -> Result<f64> {
        let (token, at) = token.copied().unwrap_or(("", self.end()));
        match parse_number(token) {
            Some(value) => Ok(value),
            None => self.fail_expecting(token, at, expected_number(token)),
        }
    }

    pub(super) fn expect_end(&self, tokens: &[(&str, usize)], count: usize) -> Result<()> {
        match tokens.get(count) {
            Some((token, at)) => self.fail_expecting(token, *at, "the end of the line"),
            None => Ok(()),
        }
    }

    /// Finds an option by name; `None` for `none` or an empty value.
    pub(super) fn choice<T: Copy>(
        &self,
        all: &[T],
        name: fn(T) -> &'static str,
        what: &str,
    ) -> Result<Option<T>> {
        if matches!(self.text, "" | "none") {
            return Ok(None);
        }
        match all.iter().find(|option| name(**option) == self.text) {
            Some(found) => Ok(Some(*found)),
            None => {
                let known = quoted_list(all.iter().map(|option| name(*option)));
                self.fail_expecting(self.text, self.at, &format!("{what}: `none`, {known}"))
            }
        }
    }
}
