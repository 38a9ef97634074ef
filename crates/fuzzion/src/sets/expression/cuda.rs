//! A program as CUDA C++.

use super::functions::{BINARY, UNARY};
use super::{Expression, Step};
use crate::data::Precision;
use std::fmt::Write as _;

impl Expression {
    /// The body of a device function: one statement per step, and a `return`.
    ///
    /// `variable(i)` is the text for variable i. The text uses the type `real` and, of `functions.cuh`,
    /// `sets::modulo` and `sets::same`.
    pub(crate) fn cuda_body(&self, precision: Precision, variable: impl Fn(usize) -> String) -> String {
        let mut text = String::new();
        let mut stack: Vec<usize> = Vec::new();
        for (i, step) in self.program.iter().enumerate() {
            let operand = |stack: &mut Vec<usize>| format!("t{}", stack.pop().unwrap_or_default());
            let value = match *step {
                Step::Number(value) => precision.literal(value),
                Step::Variable(index) => variable(index),
                Step::Unary(index) => fill_in(UNARY[index].cuda, precision, &operand(&mut stack), ""),
                Step::Binary(index) => {
                    let b = operand(&mut stack);
                    fill_in(BINARY[index].cuda, precision, &operand(&mut stack), &b)
                }
            };
            let _ = writeln!(text, "    const real t{i} = {value};");
            stack.push(i);
        }
        let _ = writeln!(text, "    return t{};", self.program.len() - 1); // a program is never empty
        text
    }
}

fn fill_in(pattern: &str, precision: Precision, a: &str, b: &str) -> String {
    pattern.replace('@', precision.suffix()).replace("$a", a).replace("$b", b)
}
