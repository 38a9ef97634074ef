//! The multiply-add chain, and the result of a measurement.

use super::super::Ceilings;

/// Amounts of work and their times.
pub(crate) struct Timed {
    /// (bytes, seconds)
    pub(crate) copy: (f64, f64),
    /// (operations, seconds)
    pub(crate) multiply_add_f32: (f64, f64),
    pub(crate) multiply_add_f64: (f64, f64),
}

impl Timed {
    pub(crate) fn ceilings(&self) -> Ceilings {
        let rate = |(amount, seconds): (f64, f64)| amount / seconds;
        Ceilings {
            copy: rate(self.copy),
            multiply_add_f32: rate(self.multiply_add_f32),
            multiply_add_f64: rate(self.multiply_add_f64),
        }
    }
}

/// Oracle of the multiply-add chain of both back ends: x ← x·scale + shift, `steps` times.
pub(crate) fn chain(start: f64, steps: usize) -> f64 {
    (0..steps).fold(start, |x, _| x.mul_add(SCALE, SHIFT))
}

/// The chain converges to 2 from any start, so that it stays finite and far from denormal numbers.
pub(crate) const SCALE: f64 = 0.5;
pub(crate) const SHIFT: f64 = 1.0;
