//! A program back to text, with the parentheses it needs and no others.

use super::functions::{BINARY, Form, UNARY};
use super::{Expression, Step};
use std::fmt;

/// What never needs parentheses.
const ATOM: u8 = u8::MAX;

fn wrapped(text: String, wrap: bool) -> String {
    if wrap { format!("({text})") } else { text }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Each entry is a text and how strongly it binds.
        let mut stack: Vec<(String, u8)> = Vec::new();
        for step in &self.program {
            let entry = match *step {
                Step::Number(value) => (number(value), ATOM),
                Step::Variable(index) => (self.variables[index].clone(), ATOM),
                Step::Unary(index) => unary(index, stack.pop().unwrap_or_default()),
                Step::Binary(index) => {
                    let right = stack.pop().unwrap_or_default();
                    binary(index, stack.pop().unwrap_or_default(), right)
                }
            };
            stack.push(entry);
        }
        f.write_str(&stack.pop().unwrap_or_default().0)
    }
}

fn unary(index: usize, (text, binds): (String, u8)) -> (String, u8) {
    let function = &UNARY[index];
    match function.form {
        Form::Prefix(strength) => (format!("{}{}", function.name, wrapped(text, binds < strength)), strength),
        _ => (format!("{}({text})", function.name), ATOM),
    }
}

fn binary(index: usize, (mut left, left_binds): (String, u8), right: (String, u8)) -> (String, u8) {
    let function = &BINARY[index];
    let (strength, left_least, right_least) = match function.form {
        Form::Left(strength) => (strength, strength, strength + 1),
        // A prefix minus binds as strongly as the power to its right, and would swallow it.
        Form::Right(strength) => (strength, strength + 1, strength),
        Form::Prefix(_) | Form::Call => return (format!("{}({left}, {})", function.name, right.0), ATOM),
    };
    left = wrapped(left, left_binds < left_least);
    left.push(' ');
    left.push_str(function.name);
    left.push(' ');
    left.push_str(&wrapped(right.0, right.1 < right_least));
    (left, strength)
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
