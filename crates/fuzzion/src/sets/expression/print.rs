//! Conversion of a program to text with the minimum number of parentheses.

use super::Expression;
use super::functions::{BINARY, Form, UNARY};
use super::step::Step;
use std::fmt;

/// Precedence of an operand that never needs parentheses.
const ATOM: u8 = u8::MAX;

const OPERANDS: &str = "invariant: the parser pushes the operands of every step";

fn parenthesized(text: String, parentheses: bool) -> String {
    if parentheses { format!("({text})") } else { text }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Each entry is a string and its precedence.
        let mut stack: Vec<(String, u8)> = Vec::new();
        let pop = |stack: &mut Vec<(String, u8)>| stack.pop().expect(OPERANDS);
        for step in &self.program {
            let entry = match *step {
                Step::Number(value) => (number(value), ATOM),
                Step::Variable(index) => (self.variables[index].clone(), ATOM),
                Step::Unary(index) => unary(index, pop(&mut stack)),
                Step::Binary(index) => {
                    let right = pop(&mut stack);
                    binary(index, pop(&mut stack), right)
                }
            };
            stack.push(entry);
        }
        f.write_str(&pop(&mut stack).0)
    }
}

fn unary(index: usize, (text, precedence): (String, u8)) -> (String, u8) {
    let function = &UNARY[index];
    match function.form {
        Form::Prefix(own) => (format!("{}{}", function.name, parenthesized(text, precedence < own)), own),
        _ => (format!("{}({text})", function.name), ATOM),
    }
}

fn binary(index: usize, (mut left, left_precedence): (String, u8), right: (String, u8)) -> (String, u8) {
    let function = &BINARY[index];
    let (precedence, left_min, right_min) = match function.form {
        Form::Left(precedence) => (precedence, precedence, precedence + 1),
        // The prefix minus has the precedence of the power, which would otherwise become its operand.
        Form::Right(precedence) => (precedence, precedence + 1, precedence),
        Form::Prefix(_) | Form::Call => return (format!("{}({left}, {})", function.name, right.0), ATOM),
    };
    left = parenthesized(left, left_precedence < left_min);
    left.push(' ');
    left.push_str(function.name);
    left.push(' ');
    left.push_str(&parenthesized(right.0, right.1 < right_min));
    (left, precedence)
}

fn number(value: f64) -> String {
    if value.is_nan() {
        "nan".into()
    } else if value.is_infinite() {
        "inf".into()
    } else if value != 0.0 && !(1e-5..1e16).contains(&value) {
        format!("{value:e}")
    } else {
        format!("{value}")
    }
}
