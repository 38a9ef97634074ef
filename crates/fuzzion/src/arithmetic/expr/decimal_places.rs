//! Formulas whose exact results are decimal numbers.

use super::formula::Expr;
use super::postfix::{Binary, PostfixOp, Unary};
use crate::arithmetic::text::parse_literal;

impl Expr {
    /// Number of decimal places of the exact bounds of cut `cut` of `cuts`, if all operations are exact in decimal: sums,
    /// differences, products, integer powers, minimum and maximum of decimal numbers. `values` are the texts of the variables.
    ///
    /// Bounds computed with [`Evaluation::Direct`](super::Evaluation::Direct) enclose the exact ones, so that they can be rounded
    /// inward to this number of places.
    ///
    /// ```
    /// use fuzzion::arithmetic::{AlphaCut, Expr};
    /// let places = Expr::new("2.6 * x")?.decimal_places(&[("x", "tri(124, 125, 127)")], 1, 3);
    /// assert_eq!(places, Some(2)); // the second of three cuts of x is [124.5, 126]
    /// let computed = AlphaCut { lower: 323.69999999999993, upper: 327.60000000000008 };
    /// assert_eq!(computed.format_inward(2), ["323.70", "327.60"]);
    /// assert_eq!(Expr::new("x / 3")?.decimal_places(&[("x", "1")], 0, 1), None);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn decimal_places(&self, values: &[(&str, &str)], cut: usize, cuts: usize) -> Option<usize> {
        let mut stack: Vec<usize> = Vec::new();
        for op in &self.program {
            let places = match op {
                PostfixOp::Literal(i) => self.literals[*i].decimal_places(cut, cuts)?,
                PostfixOp::Variable(i) => {
                    let (_, text) = values.iter().find(|(name, _)| *name == self.variables[*i])?;
                    parse_literal(text).ok()?.decimal_places(cut, cuts)?
                }
                PostfixOp::Unary(op) => {
                    let x = stack.pop()?;
                    match op {
                        Unary::Neg | Unary::Abs => x,
                        Unary::Sqr => x.checked_mul(2)?,
                        Unary::Powi(n) => x.checked_mul(usize::try_from(*n).ok()?)?,
                        Unary::Recip | Unary::Sqrt | Unary::Exp | Unary::Log => return None,
                    }
                }
                PostfixOp::Binary(op) => {
                    let (y, x) = (stack.pop()?, stack.pop()?);
                    match op {
                        Binary::Add | Binary::Sub | Binary::Min | Binary::Max => x.max(y),
                        Binary::Mul => x.checked_add(y)?,
                        Binary::Div => return None,
                    }
                }
                PostfixOp::MulAdd => {
                    let (z, y, x) = (stack.pop()?, stack.pop()?, stack.pop()?);
                    x.checked_add(y)?.max(z)
                }
            };
            stack.push(places);
        }
        stack.pop()
    }
}
