//! CUDA source of sets, norms and hedges: device functions with the parameters as literals.
#![allow(dead_code)] // launched by the CUDA back end and embedded by other modules

use crate::data::Precision;
use crate::device::program::Program;
use crate::sets::{Hedge, SNorm, Set, Shape, TNorm};
use std::fmt::Write as _;

/// CUDA counterparts of the formulas, norms and hedges, in the namespace `sets`.
pub(crate) const FUNCTIONS: &str = include_str!("cuda/functions.cuh");
const KERNELS: &str = include_str!("cuda/kernels.cu");
/// Name of the set's function in the kernel `memberships`.
const SET: &str = "set_of_x";

impl Precision {
    /// Name of the type in CUDA C++.
    pub(crate) fn real(self) -> &'static str {
        match self {
            Precision::F32 => "float",
            Precision::F64 => "double",
        }
    }

    /// Suffix of the names of math functions.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Precision::F32 => "f",
            Precision::F64 => "",
        }
    }

    /// The nearest number of this precision as a C++ expression that evaluates to exactly that number.
    pub(crate) fn literal(self, value: f64) -> String {
        let value = if self == Precision::F32 { f64::from(value as f32) } else { value };
        let infinity = format!("sets::infinity<{}>()", self.real());
        if value.is_nan() {
            return format!("({infinity} - {infinity})");
        }
        if value.is_infinite() {
            return if value > 0.0 { infinity } else { format!("(-{infinity})") };
        }
        let digits = match self {
            Precision::F32 => format!("{:?}f", value as f32),
            Precision::F64 => format!("{value:?}"),
        };
        if value.is_sign_negative() { format!("({digits})") } else { digits }
    }
}

/// All programs of this module in typical specializations.
#[cfg(test)]
pub(crate) fn programs() -> Vec<Program> {
    let both = [Precision::F32, Precision::F64];
    let sets = crate::sets::samples::sample_sets().expect("invariant: the sample sets are valid");
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
pub fn tnorms(norm: TNorm, precision: Precision) -> Program {
    program("sets_norms", precision).constant("NORM", tnorm_function(norm))
}

/// The kernel `norms` of one s-norm.
pub fn snorms(norm: SNorm, precision: Precision) -> Program {
    program("sets_norms", precision).constant("NORM", snorm_function(norm))
}

/// The kernel `hedges` of one hedge.
pub fn hedges(hedge: Hedge, precision: Precision) -> Program {
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

/// The definition of `real function(real x)`, the membership of `set`; it requires [`FUNCTIONS`].
///
/// A set outside the range of single precision becomes a `double` function and a `float` function that calls it.
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
    let literals =
        |values: &[f64]| values.iter().map(|v| precision.literal(*v)).collect::<Vec<_>>().join(", ");
    let mut text = String::new();
    let body = match set.shape() {
        Shape::Discrete { points } => {
            let all = literals(&set.shape().parameters());
            let _ = writeln!(text, "static __device__ const {real} {function}_points[] = {{{all}}};");
            times_height(set, &format!("sets::discrete(x, {function}_points, {})", points.len()), precision)
        }
        Shape::Constant { value } => format!("    return {};\n", precision.literal(*value)),
        Shape::Linear { coefficients, constant } => match coefficients.as_slice() {
            [] => format!("    return {};\n", precision.literal(*constant)),
            [slope] => {
                format!("    return {} * x + {};\n", precision.literal(*slope), precision.literal(*constant))
            }
            _ => format!("    return {};\n", precision.literal(f64::NAN)), // the other inputs are missing
        },
        Shape::Function { expression } => {
            let variable = |i: usize| match expression.variables()[i].as_str() {
                "x" => "x".into(),
                _ => precision.literal(f64::NAN),
            };
            expression.cuda_body(precision, variable)
        }
        shape => {
            let call = format!("sets::{}(x, {})", snake_case(shape.name()), literals(&shape.parameters()));
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
/// `columns[i]` is the index of the input for variable i of a Function; a Linear takes the inputs in order.
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
            // With `double` literals, the sum is computed in double precision and then rounded.
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

/// The name of a shape or norm as a device function, for example `semi_ellipse` for `SemiEllipse`.
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
