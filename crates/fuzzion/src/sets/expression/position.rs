//! Errors with a position in a string.

use crate::base::SyntaxError;

/// Maximum number of characters shown before the error, and half of the maximum number shown in total.
const CONTEXT: usize = 60;

/// An error at byte `at` of `text`; control characters are shown as spaces to keep the caret aligned.
pub(crate) fn error_at(text: &str, at: usize, problem: impl Into<String>) -> SyntaxError {
    let before: Vec<char> = text.char_indices().take_while(|(i, _)| *i < at).map(|(_, c)| c).collect();
    let start = before.len().saturating_sub(CONTEXT);
    let visible = |c: char| if c.is_control() { ' ' } else { c };
    let shown = text.chars().skip(start).take(2 * CONTEXT).map(visible).collect();
    SyntaxError { problem: problem.into(), text: shown, column: before.len() - start + 1 }
}
