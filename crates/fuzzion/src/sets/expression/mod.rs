//! Formulas over named variables, as fuzzylite's Function writes them.
//!
//! | binds | operators | |
//! |---|---|---|
//! | strongest | `!a` `~a` | not, minus |
//! | | `a ^ b` (or `**`), `-a` `.-a` `+a` `.+a` | power, from the right; minus, so that −2 ^ 2 is −4 |
//! | | `a * b` `a / b` `a % b` | `%` has the sign of b |
//! | | `a + b` `a - b` | |
//! | | `a and b` | 1 where both are not 0 |
//! | weakest | `a or b` | 1 where either is not 0 |
//!
//! Functions of one number: acos asin atan ceil cos cosh exp abs fabs floor log log10 round (halves to even) sin sinh
//! sqrt tan tanh log1p acosh asinh atanh; of two: gt ge eq neq le lt (1 or 0), min max pow atan2 fmod. Constants: pi
//! nan inf. Every other name is a variable.
//!
//! Wider than fuzzylite: `-a` and `+a` without a dot, and exponents such as `1.5e-3`. Different: min and max of NaN
//! are NaN on both sides. As there: NaN counts as not 0, and `eq`, `le`, `ge` hold between two NaNs.
//!
//! An expression is a flat postfix program of at most [`MAX_LENGTH`] steps that needs at most [`MAX_STACK`] numbers at
//! once, so that no text can exhaust the stack.

mod cuda;
mod evaluate;
mod fold;
mod functions;
pub(crate) mod lexer;
mod parser;
mod print;

pub(crate) use fold::Operation;

use crate::error::{Error, Result};

/// The most steps of a program.
pub const MAX_LENGTH: usize = 10_000;
/// The most numbers a program holds at once; nesting deeper is refused.
pub const MAX_STACK: usize = 64;

/// One step of a program: push a number, or replace the topmost ones by a result.
#[derive(Clone, Copy, Debug)]
enum Step {
    Number(f64),
    /// An index into the variables.
    Variable(usize),
    /// An index into [`functions::UNARY`].
    Unary(usize),
    /// An index into [`functions::BINARY`].
    Binary(usize),
}

impl PartialEq for Step {
    /// Numbers are equal when their bits are, so that a program with NaN equals itself.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Step::Number(a), Step::Number(b)) => a.to_bits() == b.to_bits(),
            (Step::Variable(a), Step::Variable(b))
            | (Step::Unary(a), Step::Unary(b))
            | (Step::Binary(a), Step::Binary(b)) => a == b,
            _ => false,
        }
    }
}

/// A formula over named variables, ready to be evaluated; it displays as text that reads back as itself.
///
/// ```
/// use fuzzion::sets::expression::Expression;
/// let f = Expression::new("2*x - y^2 / (1 + x)")?;
/// assert_eq!(f.variables(), ["x", "y"]);
/// assert_eq!(f.evaluate(&[3.0, 4.0]), 2.0); // 6 − 16/4
/// assert_eq!(f.to_string(), "2 * x - y ^ 2 / (1 + x)");
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    variables: Vec<String>,
    program: Vec<Step>,
}

impl Expression {
    /// Reads a formula.
    ///
    /// # Errors
    /// [`Error::Expression`] with a caret under the place that could not be read.
    pub fn new(text: &str) -> Result<Self> {
        let (variables, program) = parser::parse(text)?;
        Ok(Expression { variables, program })
    }

    /// The variables in the order of their first appearance.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }
}

/// How much of a long text an error shows around the place.
const SHOWN: usize = 60;

/// An error at the byte `at` of `text`; control characters are shown as spaces so that the caret stays right.
pub(crate) fn error_at(text: &str, at: usize, problem: impl Into<String>) -> Error {
    let before: Vec<char> = text.char_indices().take_while(|(i, _)| *i < at).map(|(_, c)| c).collect();
    let start = before.len().saturating_sub(SHOWN);
    let show = |c: char| if c.is_control() { ' ' } else { c };
    let shown = text.chars().skip(start).take(2 * SHOWN).map(show).collect();
    Error::Expression { problem: problem.into(), text: shown, column: before.len() - start + 1 }
}

#[cfg(test)]
mod tests;
