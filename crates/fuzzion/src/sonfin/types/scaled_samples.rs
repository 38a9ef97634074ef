//! Scaled training samples.

/// Samples in row-major order.
#[derive(Clone, Debug)]
pub struct ScaledSamples {
    pub dims: usize,
    pub outputs: usize,
    /// Inputs in [0, 1], row by row; NaN if missing.
    pub(in crate::sonfin) x: Vec<f32>,
    /// Targets, row by row; one-hot for classes.
    pub(in crate::sonfin) t: Vec<f32>,
}

impl ScaledSamples {
    pub fn rows(&self) -> usize {
        self.x.len() / self.dims
    }

    pub fn inputs_of(&self, row: usize) -> &[f32] {
        &self.x[row * self.dims..][..self.dims]
    }

    pub fn targets_of(&self, row: usize) -> &[f32] {
        &self.t[row * self.outputs..][..self.outputs]
    }

    /// Indices of all rows.
    pub(in crate::sonfin) fn row_indices(&self) -> Vec<u32> {
        let rows = u32::try_from(self.rows()).expect("invariant: scaled samples have fewer than 2³² rows");
        (0..rows).collect()
    }

    /// FNV-1a checksum over the bits, which verifies that training is resumed with the same rows.
    pub(in crate::sonfin) fn checksum(&self) -> u64 {
        let seed = 0xcbf2_9ce4_8422_2325 ^ self.dims as u64;
        let values = self.x.iter().chain(&self.t);
        values.fold(seed, |sum, x| (sum ^ u64::from(x.to_bits())).wrapping_mul(0x100_0000_01b3))
    }
}
