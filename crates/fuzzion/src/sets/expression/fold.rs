//! A program as whatever a caller makes of its steps.

use super::functions::{BINARY, UNARY};
use super::{Expression, Step};

/// A step of a program and what was made of its operands; functions go by their names.
pub(crate) enum Operation<T> {
    Number(f64),
    /// An index into the variables.
    Variable(usize),
    Unary(&'static str, T),
    Binary(&'static str, T, T),
}

impl Expression {
    /// What `make` makes of the last step; a program is never empty.
    pub(crate) fn fold<T>(&self, mut make: impl FnMut(Operation<T>) -> T) -> Option<T> {
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
            stack.push(make(operation));
        }
        stack.pop()
    }
}
