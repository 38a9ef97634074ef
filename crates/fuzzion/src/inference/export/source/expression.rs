//! Source code of formulas.

use super::identifiers::Identifiers;
use super::syntax::{SourceExpr, Syntax};
use crate::sets::expression::{Expression, Operation};

/// Maximum length of an inline expression; longer ones are assigned to a variable.
const MAX_INLINE_LENGTH: usize = 60;

/// Source code of a formula with the variables `arguments`. `name` assigns expressions that are long or used twice to a
/// variable.
pub(in crate::inference::export) fn formula(
    syntax: Syntax,
    expression: &Expression,
    arguments: &[SourceExpr],
    mut name: impl FnMut(&SourceExpr) -> SourceExpr,
) -> SourceExpr {
    let folded = expression.fold(|operation| {
        let expr = match operation {
            Operation::Number(value) => syntax.number(value),
            Operation::Variable(index) => arguments[index].clone(),
            Operation::Unary(function, a) => unary(function, &a),
            Operation::Binary(function, a, b) => {
                let twice = matches!(function, "ge" | "le");
                let (a, b) = if twice { (name(&a), name(&b)) } else { (a, b) };
                binary(function, &a, &b)
            }
        };
        if expr.text.len() > MAX_INLINE_LENGTH { name(&expr) } else { expr }
    });
    folded.expect("invariant: a formula has at least one operation")
}

fn unary(function: &str, a: &SourceExpr) -> SourceExpr {
    match function {
        "-" | "~" => SourceExpr::open(format!("-{}", a.operand())),
        "+" => a.clone(),
        "!" => SourceExpr::atom(format!("indicator({} == 0.0)", a.operand())),
        "abs" => SourceExpr::atom(format!("absolute({})", a.text)),
        name => SourceExpr::atom(format!("{name}_of({})", a.text)),
    }
}

fn binary(function: &str, a: &SourceExpr, b: &SourceExpr) -> SourceExpr {
    let (x, y) = (a.operand(), b.operand());
    let call = |name: &str| SourceExpr::atom(format!("{name}({}, {})", a.text, b.text));
    let indicator = |condition: String| SourceExpr::atom(format!("indicator({condition})"));
    match function {
        "+" | "-" | "*" | "/" => SourceExpr::open(format!("{x} {function} {y}")),
        "%" => call("modulo"),
        "^" => call("pow_of"),
        "and" => indicator(format!("{x} != 0.0 && {y} != 0.0")),
        "or" => indicator(format!("{x} != 0.0 || {y} != 0.0")),
        "gt" => indicator(format!("{x} > {y}")),
        "lt" => indicator(format!("{x} < {y}")),
        "ge" => indicator(format!("{x} >= {y} || equal_or_both_nan({x}, {y})")),
        "le" => indicator(format!("{x} <= {y} || equal_or_both_nan({x}, {y})")),
        "eq" => indicator(format!("equal_or_both_nan({}, {})", a.text, b.text)),
        "neq" => indicator(format!("!equal_or_both_nan({}, {})", a.text, b.text)),
        name => call(&format!("{name}_of")),
    }
}

/// Assigns a part of a formula to a new variable, unless it is already a name or number.
pub(in crate::inference::export) fn named(
    syntax: Syntax,
    names: &mut Identifiers,
    lines: &mut Vec<String>,
    part: &SourceExpr,
) -> SourceExpr {
    if part.text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.') {
        return part.clone();
    }
    let name = names.unique("t");
    lines.push(syntax.constant(&name, &part.text));
    SourceExpr::atom(name)
}
