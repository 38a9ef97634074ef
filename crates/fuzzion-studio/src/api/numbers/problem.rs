//! Problems of formulas and values, with their positions.

use fuzzion::arithmetic::{ArithmeticError, Expr};
use serde::Serialize;

/// A problem in a text.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Problem {
    /// Position in characters, from 1.
    pub(super) column: usize,
    pub(super) problem: String,
}

impl Problem {
    pub(super) fn at(column: usize, problem: impl Into<String>) -> Self {
        Problem { column, problem: problem.into() }
    }

    /// The problem of `text` that an error describes.
    pub(super) fn in_text(text: &str, error: ArithmeticError) -> Self {
        match error {
            ArithmeticError::Syntax(error) => {
                Problem { column: column(text, &error.text, error.column), problem: error.problem }
            }
            ArithmeticError::InvalidNumber { problem, text: part, column: at, .. } => {
                Problem { column: column(text, &part, at), problem }
            }
            other => Problem::at(1, other.to_string()),
        }
    }
}

/// The column in `text` of a column in the part of it that an error contains: the part is the whole text, its end, or somewhere
/// in a long text.
fn column(text: &str, part: &str, at: usize) -> usize {
    let visible: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let start = match visible.strip_suffix(part) {
        Some(before) => before.chars().count(),
        None => visible.find(part).map_or(0, |byte| visible[..byte].chars().count()),
    };
    start + at
}

/// Whether `name` can be a variable of a formula.
pub(super) fn is_name(name: &str) -> bool {
    Expr::new(name).is_ok_and(|expr| expr.variables() == [name])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_those_in_the_whole_text() {
        for text in [
            "1 + * 2".to_owned(),
            format!("{}* 2", "1 + ".repeat(50)),
            format!("{}* 2{}", "1 + ".repeat(50), " + x".repeat(90)),
        ] {
            let problem = Problem::in_text(&text, Expr::new(&text).unwrap_err());
            assert_eq!(problem.column, text.find('*').unwrap() + 1, "{text}");
        }
    }

    #[test]
    fn names_are_words_that_are_not_functions() {
        for (name, valid) in [
            ("a", true),
            ("größe_2", true),
            ("2x", false),
            ("sqrt", false),
            ("tri", false),
            ("a b", false),
            ("", false),
            ("-a", false),
        ] {
            assert_eq!(is_name(name), valid, "{name}");
        }
    }
}
