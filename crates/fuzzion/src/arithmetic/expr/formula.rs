//! Parsed formulas.

use super::postfix::PostfixOp;
use crate::arithmetic::text::literal::Literal;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Formula over named fuzzy numbers; its `Display` and its serialized form are the original text.
///
/// ```
/// use fuzzion::arithmetic::{Evaluation, Expr, FuzzyLu};
/// let f = Expr::new("x * (1 - x)")?;
/// let x: FuzzyLu<f64, 2> = "tri(0, 0.25, 0.5)".parse()?;
/// let direct = f.evaluate(&[("x", x)], Evaluation::Direct)?; // treats the two x as independent
/// let vertex = f.evaluate(&[("x", x)], Evaluation::Vertex)?; // exact
/// assert_eq!((direct.support().lower, direct.support().upper), (0.0, 0.5));
/// assert_eq!((vertex.support().lower, vertex.support().upper), (0.0, 0.25));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Expr {
    pub(super) text: String,
    pub(super) variables: Vec<String>,
    /// Byte offset of the first occurrence of each variable.
    pub(super) offsets: Vec<usize>,
    pub(super) literals: Vec<Literal>,
    pub(super) program: Vec<PostfixOp>,
}

impl Expr {
    /// Postfix program of the formula.
    #[doc(hidden)]
    pub fn program(&self) -> &[PostfixOp] {
        &self.program
    }

    /// Variables in the order of their first occurrence.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    /// Source texts of the fuzzy literals; crisp numbers are not included.
    ///
    /// ```
    /// let f = fuzzion::arithmetic::Expr::new("2 * tri(1, 2,3) + [0, 1] * x")?;
    /// assert_eq!(f.literals(), ["tri(1, 2,3)", "[0, 1]"]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn literals(&self) -> Vec<&str> {
        self.literals.iter().filter_map(|literal| literal.source(&self.text)).collect()
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
