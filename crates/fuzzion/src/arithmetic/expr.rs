//! Formulas over fuzzy numbers.
//!
//! | binds | written |
//! |---|---|
//! | strongest | `x ^ n` with a whole number n |
//! | | `-x` `+x`, so that −2 ^ 2 is −4 |
//! | | `x * y` `x / y` |
//! | weakest | `x + y` `x - y` |
//!
//! Functions: `recip` `sqr` `sqrt` `exp` `log` `abs` of one number, `min` and `max` of two, `fma(x, y, z)` for
//! x · y + z rounded once. Fuzzy numbers are written as
//! `tri(1, 2, 3)`, `trap(…)`, `gauss(…)`, `bell(…)`, `[1, 3]`, `cuts(…)` and `mid(…)`; decimal numbers that no machine
//! has are enclosed. Every other name is a variable.

mod affine;
mod columns;
mod evaluate;
mod parser;
mod slope;
mod vertex;

pub(super) use columns::Column;
pub(super) use evaluate::Fuzzy;

use super::literal::Literal;
use crate::error::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// What is done with one number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Unary {
    Neg,
    Recip,
    Sqr,
    Sqrt,
    Exp,
    Log,
    Abs,
    /// A whole power.
    Powi(i32),
}

/// What is done with two numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Min,
    Max,
}

/// One step of a program: push a number, or replace the topmost ones by a result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    /// An index into the literals.
    Literal(usize),
    /// An index into the variables.
    Variable(usize),
    Unary(Unary),
    Binary(Binary),
    /// x · y + z of three numbers, rounded once.
    MulAdd,
}

/// A formula over named fuzzy numbers, ready to be evaluated; it displays as it was written.
///
/// ```
/// use fuzzion::arithmetic::{Expr, FuzzyLu, Method};
/// let f = Expr::new("x * (1 - x)")?;
/// let x: FuzzyLu<f64, 2> = "tri(0, 0.25, 0.5)".parse()?;
/// let direct = f.evaluate(&[("x", x)], Method::Direct)?; // as though the two x were two numbers
/// let vertex = f.evaluate(&[("x", x)], Method::Vertex)?; // exact
/// assert_eq!((direct.support().lower, direct.support().upper), (0.0, 0.5));
/// assert_eq!((vertex.support().lower, vertex.support().upper), (0.0, 0.25));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    text: String,
    variables: Vec<String>,
    /// The byte where each variable first stands.
    places: Vec<usize>,
    literals: Vec<Literal>,
    program: Vec<Step>,
}

impl Expr {
    /// Reads a formula.
    ///
    /// # Errors
    /// [`Error::Expression`] with a caret under the place that could not be read.
    pub fn new(text: &str) -> Result<Self> {
        parser::parse(text)
    }

    /// Its postfix program.
    pub(super) fn steps(&self) -> &[Step] {
        &self.program
    }

    /// The variables in the order of their first appearance.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    /// The fuzzy numbers that are written in it, as they are written; plain numbers are none.
    ///
    /// ```
    /// let f = fuzzion::arithmetic::Expr::new("2 * tri(1, 2,3) + [0, 1] * x")?;
    /// assert_eq!(f.literals(), ["tri(1, 2,3)", "[0, 1]"]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn literals(&self) -> Vec<&str> {
        self.literals.iter().filter_map(|literal| literal.written(&self.text)).collect()
    }
}

impl FromStr for Expr {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        Expr::new(text)
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// How a formula in which a variable appears more than once is evaluated. All enclose the true result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Operator by operator, each appearance of a variable on its own: x − x is as wide as two x. Exact where every
    /// variable appears once.
    #[default]
    Direct,
    /// At the corners of the cuts, exact (up to rounding) where the formula is proven monotone in every variable, by bounds
    /// of its derivative. Where it cannot be, the part of the cut whose bound is outermost is halved, up to 256 times;
    /// parts in which it still cannot be are bounded by how far the derivative lets them differ from their middle.
    Vertex,
    /// With affine forms, which remember to first order how each number depends on the variables. Quicker than vertices
    /// where variables are many, exact where the formula is linear.
    Affine,
}

const METHODS: [(&str, Method); 3] =
    [("direct", Method::Direct), ("vertex", Method::Vertex), ("affine", Method::Affine)];

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = METHODS.iter().find(|(_, method)| method == self);
        f.write_str(name.map_or("", |(name, _)| name))
    }
}

impl FromStr for Method {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let known = METHODS.iter().find(|(name, _)| *name == text);
        known.map(|(_, method)| *method).ok_or_else(|| Error::UnknownWord {
            what: "method",
            word: text.into(),
            known: "direct, vertex, affine",
        })
    }
}
