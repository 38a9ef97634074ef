//! Sample sets of every shape for the self-test, the benchmarks and the tests.

use super::Set;
use crate::sets::error::Result;

/// Names and values of units that are exact in single precision but whose products overflow or underflow.
pub const EXTREMES: [(&str, f64); 2] =
    [("huge", (1u128 << 117) as f64), ("tiny", 1.0 / (1u128 << 117) as f64)];

/// Sets whose widths and positions are about `unit`, of shapes that divide by a width.
pub fn extreme_sets(unit: f64) -> Result<Vec<Set>> {
    Ok(vec![
        Set::triangle(-unit, 0.5 * unit, 2.0 * unit)?,
        Set::semi_ellipse(-1.5 * unit, 2.0 * unit)?,
        Set::discrete(&[(-unit, 0.25), (0.5 * unit, 1.0), (2.0 * unit, 0.5)])?,
        Set::bell(0.5 * unit, 1.25 * unit, 2.5)?,
        Set::gaussian(0.5 * unit, 1.25 * unit)?,
        Set::ramp(2.0 * unit, -unit)?,
    ])
}

/// At least one set per shape, with parameters that are exact in single precision, so that the edges are the same in
/// both precisions.
pub fn sample_sets() -> Result<Vec<Set>> {
    Ok(vec![
        Set::triangle(-1.0, 0.5, 2.0)?,
        Set::trapezoid(f64::NEG_INFINITY, -1.0, 0.25, 2.0)?.with_height(0.5)?,
        Set::rectangle(-1.0, 1.5)?,
        Set::discrete(&[(-2.0, 0.125), (-1.0, 1.0), (0.5, 0.25), (3.0, 0.75)])?,
        Set::semi_ellipse(-1.5, 2.0)?,
        Set::bell(0.5, 1.25, 2.5)?, // the exponent is an integer, 5
        Set::bell(0.5, 1.25, 0.875)?,
        Set::cosine(0.25, 4.0)?,
        Set::gaussian(0.5, 1.25)?,
        Set::gaussian_product(-1.0, 0.5, 1.0, 0.75)?,
        Set::pi_shape(-2.0, -0.5, 0.5, 2.5)?,
        Set::sigmoid_difference(-1.0, 4.0, 3.0, 1.5)?,
        Set::sigmoid_product(-1.0, 4.0, -3.0, 1.5)?,
        Set::spike(0.5, 3.0)?,
        Set::arc(-1.0, 1.5)?,
        Set::binary(0.25, f64::INFINITY)?,
        Set::concave(-0.5, 1.5)?,
        Set::ramp(2.0, -1.0)?,
        Set::sigmoid(0.25, -2.5)?,
        Set::s_shape(-1.5, 2.0)?,
        Set::z_shape(-1.5, 2.0)?,
        Set::constant(1.5)?,
        Set::linear(&[0.5], -0.25)?,
        Set::function("0.5 * sin(x) + max(x, 0.25) ^ 2")?,
    ])
}
