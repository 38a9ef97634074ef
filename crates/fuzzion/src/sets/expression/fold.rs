//! Bottom-up fold over the operations of a program.

use super::Expression;
use super::functions::{BINARY, UNARY};
use super::step::Step;

/// An operation with the results of its operands; functions are identified by name.
pub(crate) enum Operation<T> {
    Number(f64),
    /// Index of a variable.
    Variable(usize),
    Unary(&'static str, T),
    Binary(&'static str, T, T),
}

impl Expression {
    /// Applies `combine` to every operation and returns the result of the last one; never `None`, because programs are
    /// not empty.
    pub(crate) fn fold<T>(&self, mut combine: impl FnMut(Operation<T>) -> T) -> Option<T> {
        let mut stack: Vec<T> = Vec::new();
        for step in &self.program {
            let operation = match *step {
                Step::Number(value) => Operation::Number(value),
                Step::Variable(index) => Operation::Variable(index),
                Step::Unary(index) => Operation::Unary(UNARY[index].name, stack.pop()?),
                Step::Binary(index) => {
                    let right = stack.pop()?;
                    Operation::Binary(BINARY[index].name, stack.pop()?, right)
                }
            };
            stack.push(combine(operation));
        }
        stack.pop()
    }
}
