//! One set of every shape, for selftest, benchmarks and the tests of kernels.

use super::Set;
use crate::error::Result;

/// Every shape once, with numbers that single precision holds exactly, so that both precisions see the same edges.
pub(crate) fn sample_sets() -> Result<Vec<Set>> {
    Ok(vec![
        Set::triangle(-1.0, 0.5, 2.0)?,
        Set::trapezoid(f64::NEG_INFINITY, -1.0, 0.25, 2.0)?.with_height(0.5)?,
        Set::rectangle(-1.0, 1.5)?,
        Set::discrete(&[(-2.0, 0.125), (-1.0, 1.0), (0.5, 0.25), (3.0, 0.75)])?,
        Set::semi_ellipse(-1.5, 2.0)?,
        Set::bell(0.5, 1.25, 2.5)?, // a whole power, 5
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
