//! Translation of a program to CUDA C++.

use super::Expression;
use super::functions::{BINARY, UNARY};
use super::step::Step;
use crate::data::Precision;
use std::fmt::Write as _;

impl Expression {
    /// The body of a device function: one statement per step and a `return`.
    ///
    /// `variable(i)` returns the C++ expression of variable i. The text requires the type `real` and `functions.cuh`.
    pub(crate) fn cuda_body(&self, precision: Precision, variable: impl Fn(usize) -> String) -> String {
        let mut text = String::new();
        let mut stack: Vec<usize> = Vec::new();
        for (i, step) in self.program.iter().enumerate() {
            let operand = |stack: &mut Vec<usize>| {
                format!("t{}", stack.pop().expect("invariant: the parser pushes the operands of every step"))
            };
            let value = match *step {
                Step::Number(value) => precision.literal(value),
                Step::Variable(index) => variable(index),
                Step::Unary(index) => expand(UNARY[index].cuda, precision, &operand(&mut stack), ""),
                Step::Binary(index) => {
                    let b = operand(&mut stack);
                    expand(BINARY[index].cuda, precision, &operand(&mut stack), &b)
                }
            };
            let _ = writeln!(text, "    const real t{i} = {value};");
            stack.push(i);
        }
        let _ = writeln!(text, "    return t{};", self.program.len() - 1); // programs are never empty
        text
    }
}

fn expand(pattern: &str, precision: Precision, a: &str, b: &str) -> String {
    pattern.replace('@', precision.suffix()).replace("$a", a).replace("$b", b)
}
