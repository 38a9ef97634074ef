//! Parts of lines and errors at their positions.

use crate::inference::error::Result;
use crate::inference::syntax::{Line, quoted_or_end};

/// Part of a line.
#[derive(Clone, Copy)]
pub(super) struct Token<'a> {
    pub(super) line: Line<'a>,
    pub(super) text: &'a str,
}

impl Token<'_> {
    pub(super) fn fail_expecting<T>(&self, expected: &str) -> Result<T> {
        fail_expecting(&self.line, self.text, expected)
    }
}

/// Byte position of the slice `part` in `line`.
pub(super) fn position(line: &Line<'_>, part: &str) -> usize {
    let position = (part.as_ptr() as usize).checked_sub(line.text.as_ptr() as usize);
    let position = position.filter(|position| position + part.len() <= line.text.len());
    position.expect("invariant: the part is a slice of the line")
}

pub(super) fn fail_expecting<T>(line: &Line<'_>, part: &str, expected: &str) -> Result<T> {
    Err(line.error(position(line, part), format!("found {}, expected {expected}", quoted_or_end(part))))
}
