//! The room as CUDA text: sets, norms and hedges become device functions, their numbers become constants.
#![allow(dead_code)] // launched by the CUDA back end and embedded by the rooms above

use super::{Hedge, SNorm, Set, Shape, TNorm};
use crate::data::Precision;
use crate::device::cuda::program::Program;
use std::fmt::Write as _;

/// The twins of the formulas, norms and hedges, in the namespace `sets`.
pub(crate) const FUNCTIONS: &str = include_str!("functions.cuh");
const KERNELS: &str = include_str!("kernels.cu");
/// What the kernel `memberships` calls its set.
const SET: &str = "set_of_x";

impl Precision {
    /// The type in CUDA C++.
    pub(crate) fn real(self) -> &'static str {
        match self {
            Precision::F32 => "float",
            Precision::F64 => "double",
        }
    }

    /// What follows the names of library functions.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Precision::F32 => "f",
            Precision::F64 => "",
        }
    }

    /// The nearest number of this precision as a C++ expression that reads back to the bit.
    pub(crate) fn literal(self, value: f64) -> String {
        let value = if self == Precision::F32 { f64::from(value as f32) } else { value };
        let infinite = format!("sets::infinite<{}>()", self.real());
        if value.is_nan() {
            return format!("({infinite} - {infinite})");
        }
        if value.is_infinite() {
            return if value > 0.0 { infinite } else { format!("(-{infinite})") };
        }
        let digits = match self {
            Precision::F32 => format!("{:?}f", value as f32),
            Precision::F64 => format!("{value:?}"),
        };
        if value.is_sign_negative() { format!("({digits})") } else { digits }
    }
}

/// Every program of the room in its typical specialisations.
#[cfg(test)]
pub(crate) fn programs() -> Vec<Program> {
    let both = [Precision::F32, Precision::F64];
    let sets = super::samples::sample_sets().unwrap_or_default();
    let memberships = sets.iter().flat_map(|set| both.map(|precision| memberships(set, precision)));
    let tnorms = TNorm::ALL.into_iter().flat_map(|norm| both.map(|precision| tnorms(norm, precision)));
    let snorms = SNorm::ALL.into_iter().flat_map(|norm| both.map(|precision| snorms(norm, precision)));
    let hedges = Hedge::ALL.into_iter().flat_map(|hedge| both.map(|precision| hedges(hedge, precision)));
    memberships.chain(tnorms).chain(snorms).chain(hedges).collect()
}

/// The kernel `memberships` of one set.
pub(crate) fn memberships(set: &Set, precision: Precision) -> Program {
    program("sets_memberships", precision).constant("SET", SET).with(declare(set, SET, precision))
}

/// The kernel `norms` of one t-norm.
pub(crate) fn tnorms(norm: TNorm, precision: Precision) -> Program {
    program("sets_norms", precision).constant("NORM", tnorm_function(norm))
}

/// The kernel `norms` of one s-norm.
pub(crate) fn snorms(norm: SNorm, precision: Precision) -> Program {
    program("sets_norms", precision).constant("NORM", snorm_function(norm))
}

/// The kernel `hedges` of one hedge.
pub(crate) fn hedges(hedge: Hedge, precision: Precision) -> Program {
    program("sets_hedges", precision).constant("HEDGE", hedge_function(hedge))
}

fn program(name: &'static str, precision: Precision) -> Program {
    Program::new(name, KERNELS).constant("REAL", precision.real()).with(FUNCTIONS)
}

/// The device function of a t-norm: `real f(real a, real b)`.
pub(crate) fn tnorm_function(norm: TNorm) -> String {
    format!("sets::{}", snake_case(norm.name()))
}

/// The device function of an s-norm: `real f(real a, real b)`.
pub(crate) fn snorm_function(norm: SNorm) -> String {
    format!("sets::{}", snake_case(norm.name()))
}

/// The device function of a hedge: `real f(real membership)`.
pub(crate) fn hedge_function(hedge: Hedge) -> String {
    format!("sets::hedge_{}", hedge.name())
}

/// The definition of `real function(real x)`, the membership of `set`; [`FUNCTIONS`] must stand before it.
///
/// A set that single precision cannot hold becomes a function of `double` and a `float` one that calls it.
pub(crate) fn declare(set: &Set, function: &str, precision: Precision) -> String {
    let real = precision.real();
    if precision == Precision::F32 && !set.fits_f32() {
        let wide = format!("{function}_wide");
        let text = declare(set, &wide, Precision::F64);
        return text
            + &format!(
                "static __device__ inline float {function}(const float x) {{ return (float){wide}((double)x); }}\n"
            );
    }
    let numbers =
        |values: &[f64]| values.iter().map(|v| precision.literal(*v)).collect::<Vec<_>>().join(", ");
    let mut text = String::new();
    let body = match set.shape() {
        Shape::Discrete { points } => {
            let all = numbers(&set.shape().parameters());
            let _ = writeln!(text, "static __device__ const {real} {function}_points[] = {{{all}}};");
            times_height(set, &format!("sets::discrete(x, {function}_points, {})", points.len()), precision)
        }
        Shape::Constant { value } => format!("    return {};\n", precision.literal(*value)),
        Shape::Linear { coefficients, constant } => match coefficients.as_slice() {
            [] => format!("    return {};\n", precision.literal(*constant)),
            [slope] => {
                format!("    return {} * x + {};\n", precision.literal(*slope), precision.literal(*constant))
            }
            _ => format!("    return {};\n", precision.literal(f64::NAN)), // the other inputs are not known
        },
        Shape::Function { expression } => {
            let variable = |i: usize| match expression.variables()[i].as_str() {
                "x" => "x".into(),
                _ => precision.literal(f64::NAN),
            };
            expression.cuda_body(precision, variable)
        }
        shape => {
            let call = format!("sets::{}(x, {})", snake_case(shape.name()), numbers(&shape.parameters()));
            times_height(set, &call, precision)
        }
    };
    let _ = write!(
        text,
        "static __device__ inline {real} {function}(const {real} x) {{\n    typedef {real} real;\n"
    );
    let _ = writeln!(text, "{body}}}");
    text
}

/// The definition of `real function(const real* inputs)` for a Takagi-Sugeno consequent; `None` for other shapes.
///
/// `columns[i]` is the input that a Function's variable i stands for; a Linear takes the inputs in order.
pub(crate) fn declare_output(
    set: &Set,
    function: &str,
    precision: Precision,
    columns: &[usize],
) -> Option<String> {
    let real = precision.real();
    let body = match set.shape() {
        Shape::Constant { value } => format!("    return {};\n", precision.literal(*value)),
        Shape::Linear { coefficients, constant } => {
            // Literals of double make the sum one of double, which `return` rounds.
            let precision = if set.fits_f32() { precision } else { Precision::F64 };
            let terms = coefficients.iter().enumerate();
            let terms = terms.map(|(i, c)| format!("{} * inputs[{i}] + ", precision.literal(*c)));
            format!("    return ({real})({}{});\n", terms.collect::<String>(), precision.literal(*constant))
        }
        Shape::Function { expression } => expression.cuda_body(precision, |i| match columns.get(i) {
            Some(column) => format!("inputs[{column}]"),
            None => precision.literal(f64::NAN),
        }),
        _ => return None,
    };
    Some(format!(
        "static __device__ inline {real} {function}(const {real}* inputs) {{\n    typedef {real} real;\n{body}}}\n"
    ))
}

fn times_height(set: &Set, call: &str, precision: Precision) -> String {
    match set.height() {
        1.0 => format!("    return {call};\n"),
        height => format!("    return {} * {call};\n", precision.literal(height)),
    }
}

/// `SemiEllipse` is called `semi_ellipse` in the device functions, and so on.
pub(crate) fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for (i, c) in name.char_indices() {
        if c.is_ascii_uppercase() && i > 0 {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}
