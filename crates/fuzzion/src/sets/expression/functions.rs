//! Operators and functions: names, values and CUDA counterparts.

use std::f64::consts;

/// Syntax of an operator or a function; the number is the precedence.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Form {
    /// Prefix operator.
    Prefix(u8),
    /// Left-associative infix operator.
    Left(u8),
    /// Right-associative infix operator.
    Right(u8),
    /// Function call `name(a)` or `name(a, b)`.
    Call,
}

/// An operator or a function with the Rust type `F`.
pub(super) struct Function<F: 'static> {
    pub(super) name: &'static str,
    pub(super) form: Form,
    pub(super) apply: F,
    /// CUDA C++ with `$a` and `$b` for the operands and `@` after the names of math functions for the suffix `f` of
    /// single precision.
    pub(super) cuda: &'static str,
}

const fn call<F>(name: &'static str, apply: F, cuda: &'static str) -> Function<F> {
    Function { name, form: Form::Call, apply, cuda }
}

const fn operator<F>(name: &'static str, form: Form, apply: F, cuda: &'static str) -> Function<F> {
    Function { name, form, apply, cuda }
}

type Unary = Function<fn(f64) -> f64>;
type Binary = Function<fn(f64, f64) -> f64>;

const HIGHEST_PRECEDENCE: u8 = 100;
const POWER_PRECEDENCE: u8 = 90;

pub(super) const CONSTANTS: [(&str, f64); 3] =
    [("pi", consts::PI), ("nan", f64::NAN), ("inf", f64::INFINITY)];

pub(super) static UNARY: [Unary; 25] = [
    operator("-", Form::Prefix(POWER_PRECEDENCE), |a| -a, "-$a"),
    operator("~", Form::Prefix(HIGHEST_PRECEDENCE), |a| -a, "-$a"),
    operator("!", Form::Prefix(HIGHEST_PRECEDENCE), |a| truth(a == 0.0), "(real)($a == 0)"),
    call("acos", f64::acos, "acos@($a)"),
    call("asin", f64::asin, "asin@($a)"),
    call("atan", f64::atan, "atan@($a)"),
    call("ceil", f64::ceil, "ceil@($a)"),
    call("cos", f64::cos, "cos@($a)"),
    call("cosh", f64::cosh, "cosh@($a)"),
    call("exp", f64::exp, "exp@($a)"),
    call("abs", f64::abs, "fabs@($a)"),
    call("floor", f64::floor, "floor@($a)"),
    call("log", f64::ln, "log@($a)"),
    call("log10", f64::log10, "log10@($a)"),
    call("round", f64::round_ties_even, "rint@($a)"),
    call("sin", f64::sin, "sin@($a)"),
    call("sinh", f64::sinh, "sinh@($a)"),
    call("sqrt", f64::sqrt, "sqrt@($a)"),
    call("tan", f64::tan, "tan@($a)"),
    call("tanh", f64::tanh, "tanh@($a)"),
    call("log1p", f64::ln_1p, "log1p@($a)"),
    call("acosh", f64::acosh, "acosh@($a)"),
    call("asinh", f64::asinh, "asinh@($a)"),
    call("atanh", f64::atanh, "atanh@($a)"),
    operator("+", Form::Prefix(POWER_PRECEDENCE), |a| a, "$a"),
];

pub(super) static BINARY: [Binary; 19] = [
    operator("+", Form::Left(70), |a, b| a + b, "$a + $b"),
    operator("-", Form::Left(70), |a, b| a - b, "$a - $b"),
    operator("*", Form::Left(80), |a, b| a * b, "$a * $b"),
    operator("/", Form::Left(80), |a, b| a / b, "$a / $b"),
    operator("%", Form::Left(80), modulo, "sets::modulo($a, $b)"),
    operator("^", Form::Right(POWER_PRECEDENCE), f64::powf, "pow@($a, $b)"),
    operator("and", Form::Left(60), |a, b| truth(a != 0.0 && b != 0.0), "(real)($a != 0 && $b != 0)"),
    operator("or", Form::Left(50), |a, b| truth(a != 0.0 || b != 0.0), "(real)($a != 0 || $b != 0)"),
    call("gt", |a, b| truth(a > b), "(real)($a > $b)"),
    call(
        "ge",
        |a, b| truth(a >= b || equal_or_both_nan(a, b)),
        "(real)($a >= $b || sets::equal_or_both_nan($a, $b))",
    ),
    call("eq", |a, b| truth(equal_or_both_nan(a, b)), "(real)sets::equal_or_both_nan($a, $b)"),
    call("neq", |a, b| truth(!equal_or_both_nan(a, b)), "(real)!sets::equal_or_both_nan($a, $b)"),
    call(
        "le",
        |a, b| truth(a <= b || equal_or_both_nan(a, b)),
        "(real)($a <= $b || sets::equal_or_both_nan($a, $b))",
    ),
    call("lt", |a, b| truth(a < b), "(real)($a < $b)"),
    call("min", |a, b| if a.is_nan() || a < b { a } else { b }, "($a != $a || $a < $b ? $a : $b)"),
    call("max", |a, b| if a.is_nan() || a > b { a } else { b }, "($a != $a || $a > $b ? $a : $b)"),
    call("pow", f64::powf, "pow@($a, $b)"),
    call("atan2", f64::atan2, "atan2@($a, $b)"),
    call("fmod", |a, b| a % b, "fmod@($a, $b)"),
];

fn truth(condition: bool) -> f64 {
    if condition { 1.0 } else { 0.0 }
}

fn equal_or_both_nan(a: f64, b: f64) -> bool {
    a == b || a.is_nan() && b.is_nan()
}

/// Remainder with the sign of the divisor.
fn modulo(a: f64, b: f64) -> f64 {
    let r = a % b;
    if r != 0.0 && (r < 0.0) != (b < 0.0) { r + b } else { r }
}

/// The names of all functions.
pub(super) fn function_names() -> impl Iterator<Item = &'static str> {
    let unary = UNARY.iter().filter(|f| f.form == Form::Call).map(|f| f.name);
    let binary = BINARY.iter().filter(|f| f.form == Form::Call).map(|f| f.name);
    unary.chain(binary)
}
