//! The current sample, padded, with a mask of missing inputs.

use super::rule_blocks::UNROLL;

/// One row of inputs.
#[derive(Default)]
pub(super) struct Sample {
    /// Inputs, 0 if missing.
    pub(super) x: Vec<f32>,
    /// 1, or 0 if missing.
    pub(super) present: Vec<f32>,
    /// Whether any input is missing.
    pub(super) missing: bool,
}

impl Sample {
    pub(super) fn new(dims: usize) -> Self {
        let dims = dims.next_multiple_of(UNROLL);
        Sample { x: vec![0.0; dims], present: vec![1.0; dims], missing: false }
    }

    pub(super) fn load(&mut self, x: &[f32]) {
        self.x[..x.len()].copy_from_slice(x);
        let before = self.missing;
        self.missing = x.iter().fold(false, |missing, x| missing | x.is_nan());
        if self.missing || before {
            for (x, present) in self.x.iter_mut().zip(&mut self.present) {
                *present = if x.is_nan() { 0.0 } else { 1.0 };
                *x = if x.is_nan() { 0.0 } else { *x };
            }
        }
    }
}
