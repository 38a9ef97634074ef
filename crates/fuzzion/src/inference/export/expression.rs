//! A formula as text.

use super::syntax::{Piece, Syntax};
use crate::sets::expression::{Expression, Operation};

/// The longest text that becomes part of another one.
const LONG: usize = 60;

/// The text of a formula whose variables are `arguments`; parts that are long or needed twice are handed to `name`, which
/// gives a name for them.
pub(super) fn formula(
    syntax: Syntax,
    expression: &Expression,
    arguments: &[Piece],
    mut name: impl FnMut(&Piece) -> Piece,
) -> Piece {
    let missing = || syntax.number(f64::NAN);
    let folded = expression.fold(|operation| {
        let piece = match operation {
            Operation::Number(value) => syntax.number(value),
            Operation::Variable(index) => arguments.get(index).cloned().unwrap_or_else(missing),
            Operation::Unary(function, a) => unary(function, &a),
            Operation::Binary(function, a, b) => {
                let twice = matches!(function, "ge" | "le");
                let (a, b) = if twice { (name(&a), name(&b)) } else { (a, b) };
                binary(function, &a, &b)
            }
        };
        if piece.text.len() > LONG { name(&piece) } else { piece }
    });
    folded.unwrap_or_else(missing)
}

fn unary(function: &str, a: &Piece) -> Piece {
    match function {
        "-" | "~" => Piece::open(format!("-{}", a.operand())),
        "+" => a.clone(),
        "!" => Piece::atom(format!("truth({} == 0.0)", a.operand())),
        "abs" => Piece::atom(format!("absolute({})", a.text)),
        name => Piece::atom(format!("{name}_of({})", a.text)),
    }
}

fn binary(function: &str, a: &Piece, b: &Piece) -> Piece {
    let (x, y) = (a.operand(), b.operand());
    let call = |name: &str| Piece::atom(format!("{name}({}, {})", a.text, b.text));
    let truth = |condition: String| Piece::atom(format!("truth({condition})"));
    match function {
        "+" | "-" | "*" | "/" => Piece::open(format!("{x} {function} {y}")),
        "%" => call("modulo"),
        "^" => call("pow_of"),
        "and" => truth(format!("{x} != 0.0 && {y} != 0.0")),
        "or" => truth(format!("{x} != 0.0 || {y} != 0.0")),
        "gt" => truth(format!("{x} > {y}")),
        "lt" => truth(format!("{x} < {y}")),
        "ge" => truth(format!("{x} >= {y} || same({x}, {y})")),
        "le" => truth(format!("{x} <= {y} || same({x}, {y})")),
        "eq" => truth(format!("same({}, {})", a.text, b.text)),
        "neq" => truth(format!("!same({}, {})", a.text, b.text)),
        name => call(&format!("{name}_of")),
    }
}
