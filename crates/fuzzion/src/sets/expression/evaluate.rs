//! Evaluation of a program for one row or for columns.

use super::Expression;
use super::functions::{BINARY, UNARY};
use super::step::{MAX_STACK, Step};
use crate::sets::error::{Result, SetError};

/// Number of rows evaluated together: the stack of a block fits into the L1 cache for common depths.
const BLOCK: usize = 64;

impl Expression {
    /// Value of the expression, with `values` in the order of [`Expression::variables`]; missing values are NaN.
    pub fn evaluate(&self, values: &[f64]) -> f64 {
        let mut stack = [0.0; MAX_STACK];
        let mut top = 0;
        for step in &self.program {
            match *step {
                Step::Number(value) => {
                    stack[top] = value;
                    top += 1;
                }
                Step::Variable(index) => {
                    stack[top] = values.get(index).copied().unwrap_or(f64::NAN);
                    top += 1;
                }
                Step::Unary(index) => stack[top - 1] = (UNARY[index].apply)(stack[top - 1]),
                Step::Binary(index) => {
                    top -= 1;
                    stack[top - 1] = (BINARY[index].apply)(stack[top - 1], stack[top]);
                }
            }
        }
        stack[0]
    }

    /// Value of the expression for every row of `columns`, with one column per variable, all as long as `out`.
    ///
    /// ```
    /// use fuzzion::sets::expression::Expression;
    /// let mut out = [0.0; 2];
    /// Expression::new("x - 2 * y")?.evaluate_columns(&[&[5.0, 7.0], &[1.0, 2.0]], &mut out)?;
    /// assert_eq!(out, [3.0, 3.0]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SetError::ExpressionColumns`] if the number of columns or a length does not match.
    pub fn evaluate_columns(&self, columns: &[&[f64]], out: &mut [f64]) -> Result<()> {
        let fits = columns.len() == self.variables.len() && columns.iter().all(|c| c.len() == out.len());
        if !fits {
            return Err(SetError::ExpressionColumns {
                variables: self.variables.len(),
                given: columns.len(),
            });
        }
        self.evaluate_block(columns, out);
        Ok(())
    }

    /// [`Expression::evaluate_columns`] without checks.
    pub(crate) fn evaluate_block(&self, columns: &[&[f64]], out: &mut [f64]) {
        let mut stack = vec![[0.0; BLOCK]; self.depth()];
        let mut first = 0;
        for out in out.chunks_mut(BLOCK) {
            let mut top = 0;
            for step in &self.program {
                match *step {
                    Step::Number(value) => {
                        stack[top] = [value; BLOCK];
                        top += 1;
                    }
                    Step::Variable(index) => {
                        stack[top][..out.len()].copy_from_slice(&columns[index][first..first + out.len()]);
                        top += 1;
                    }
                    Step::Unary(index) => {
                        let apply = UNARY[index].apply;
                        stack[top - 1].iter_mut().for_each(|a| *a = apply(*a));
                    }
                    Step::Binary(index) => {
                        top -= 1;
                        let (below, above) = stack.split_at_mut(top);
                        binary(index, &mut below[top - 1], &above[0]);
                    }
                }
            }
            out.copy_from_slice(&stack[0][..out.len()]);
            first += out.len();
        }
    }

    /// Maximum number of values on the stack.
    fn depth(&self) -> usize {
        let (mut depth, mut max_depth) = (0, 0);
        for step in &self.program {
            depth = depth + 1 - step.operands();
            max_depth = max_depth.max(depth);
        }
        max_depth
    }
}

/// `a ← a ∘ b`; the basic operations have separate loops, which the compiler vectorizes.
fn binary(index: usize, a: &mut [f64; BLOCK], b: &[f64; BLOCK]) {
    let pairs = a.iter_mut().zip(b);
    match BINARY[index].name {
        "+" => pairs.for_each(|(a, b)| *a += b),
        "-" => pairs.for_each(|(a, b)| *a -= b),
        "*" => pairs.for_each(|(a, b)| *a *= b),
        "/" => pairs.for_each(|(a, b)| *a /= b),
        _ => {
            let apply = BINARY[index].apply;
            pairs.for_each(|(a, b)| *a = apply(*a, *b));
        }
    }
}
