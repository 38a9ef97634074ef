//! Expressions of named variables, with the syntax of fuzzylite's Function.
//!
//! | precedence | operators | |
//! |---|---|---|
//! | highest | `!a` `~a` | logical not, negation |
//! | | `a ^ b` (or `**`), `-a` `.-a` `+a` `.+a` | power, right-associative; −2 ^ 2 is −4 |
//! | | `a * b` `a / b` `a % b` | `%` has the sign of b |
//! | | `a + b` `a - b` | |
//! | | `a and b` | 1 if both are nonzero, otherwise 0 |
//! | lowest | `a or b` | 1 if either is nonzero, otherwise 0 |
//!
//! Functions of one number: acos asin atan ceil cos cosh exp abs fabs floor log log10 round (halves to even) sin sinh
//! sqrt tan tanh log1p acosh asinh atanh; of two: gt ge eq neq le lt (1 or 0), min max pow atan2 fmod. Constants: pi
//! nan inf. All other names are variables.
//!
//! Extensions of fuzzylite's syntax: `-a` and `+a` without a dot, and exponents such as `1.5e-3`. Difference: `min` and
//! `max` are NaN if either argument is NaN. As in fuzzylite, NaN counts as nonzero, and `eq`, `le` and `ge` of two NaNs
//! are 1.
//!
//! An expression is compiled to a postfix program of at most [`MAX_LENGTH`] steps with at most [`MAX_STACK`]
//! intermediate values, so that no input can overflow the stack.

mod cuda;
mod evaluate;
mod fold;
mod functions;
mod lexer;
mod parser;
mod position;
mod precedence;
mod print;
mod step;
mod tokens;

pub(crate) use fold::Operation;
pub(crate) use lexer::Token;
pub(crate) use position::error_at;
pub(crate) use precedence::{DECIMAL_POINT, Grammar, Infix, parse};
pub use step::{MAX_LENGTH, MAX_STACK};
pub(crate) use tokens::TokenStream;

use super::error::{Result, SetError};
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use step::Step;

/// A compiled expression of named variables; its `Display` output parses to an equal expression, and is its serialized
/// form.
///
/// ```
/// use fuzzion::sets::expression::Expression;
/// let f = Expression::new("2*x - y^2 / (1 + x)")?;
/// assert_eq!(f.variables(), ["x", "y"]);
/// assert_eq!(f.evaluate(&[3.0, 4.0]), 2.0); // 6 − 16/4
/// assert_eq!(f.to_string(), "2 * x - y ^ 2 / (1 + x)");
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Expression {
    variables: Vec<String>,
    program: Vec<Step>,
}

impl Expression {
    /// Parses an expression.
    ///
    /// # Errors
    /// [`SetError::Syntax`] with the position of the syntax error.
    pub fn new(text: &str) -> Result<Self> {
        let parsed = parse(text, parser::ExpressionGrammar)?;
        Ok(Expression { variables: parsed.variables, program: parsed.program })
    }

    /// Variables in the order of their first appearance.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }
}

impl TryFrom<String> for Expression {
    type Error = SetError;

    fn try_from(text: String) -> Result<Self> {
        Expression::new(&text)
    }
}

impl From<Expression> for String {
    fn from(expression: Expression) -> Self {
        expression.to_string()
    }
}

impl FromStr for Expression {
    type Err = SetError;

    fn from_str(text: &str) -> Result<Self> {
        Expression::new(text)
    }
}

#[cfg(test)]
mod tests;
