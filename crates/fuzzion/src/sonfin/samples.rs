//! What it learns from, scaled.

/// Samples row by row.
#[derive(Clone, Debug)]
pub(super) struct Samples {
    pub(super) dims: usize,
    pub(super) outputs: usize,
    /// Inputs in [0, 1], row by row; NaN where missing.
    pub(super) x: Vec<f32>,
    /// Targets row by row: a 1 among zeros where they are classes.
    pub(super) t: Vec<f32>,
}

impl Samples {
    pub(super) fn rows(&self) -> usize {
        self.x.len() / self.dims
    }

    pub(super) fn inputs_of(&self, row: usize) -> &[f32] {
        &self.x[row * self.dims..][..self.dims]
    }

    pub(super) fn targets_of(&self, row: usize) -> &[f32] {
        &self.t[row * self.outputs..][..self.outputs]
    }

    /// A number by which these rows are known again (FNV-1a over the bits).
    pub(super) fn checksum(&self) -> u64 {
        let start = 0xcbf2_9ce4_8422_2325 ^ self.dims as u64;
        let numbers = self.x.iter().chain(&self.t);
        numbers.fold(start, |sum, x| (sum ^ u64::from(x.to_bits())).wrapping_mul(0x100_0000_01b3))
    }
}
