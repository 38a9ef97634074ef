//! The coordinates the kernels compute in: centered, scaled to a spread near 1, and whitened where the metric asks.

use super::linear::{invert_lower, regular_cholesky, times_lower};
use crate::data::Precision;
use serde::{Deserialize, Serialize};

/// The smallest scale whose inverse single precision holds as well, with room for the squares of what it scales.
const LEAST_SINGLE: f64 = 1.0 / (1u128 << 120) as f64;

/// y = W·((x − shift)·scale); distances are plain squared Euclidean ones between the y.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Space {
    pub(super) shift: Vec<f64>,
    pub(super) scale: Vec<f64>,
    /// The lower triangle W, row by row.
    pub(super) map: Option<Vec<f64>>,
    /// Its inverse.
    pub(super) back: Option<Vec<f64>>,
    /// What a squared distance here is to be multiplied by to be one of the metric.
    pub(super) unit: f64,
    /// Whether the data are single precision, so that a center is rounded exactly as a row is.
    pub(super) single: bool,
    /// Whether missing values are left out of distances instead of being refused.
    pub(super) partial: bool,
}

impl Space {
    /// Centered at `mean`, and scaled by a power of two (which rounds nothing) to a spread near 1.
    pub(super) fn euclidean(mean: &[f64], spread: f64, precision: Precision) -> Self {
        let single = precision == Precision::F32;
        let mut scale = if spread > 0.0 { power_near(spread) } else { 1.0 };
        if single {
            scale = scale.clamp(LEAST_SINGLE, 1.0 / LEAST_SINGLE);
        }
        let rounded = |x: &f64| if single { f64::from(*x as f32) } else { *x };
        Space {
            shift: mean.iter().map(rounded).collect(),
            scale: vec![scale; mean.len()],
            map: None,
            back: None,
            unit: (1.0 / scale) * (1.0 / scale),
            single,
            partial: false,
        }
    }

    /// The same with each column multiplied by its own factor.
    pub(super) fn with_scales(mut self, scale: Vec<f64>) -> Self {
        self.scale = scale;
        self.unit = 1.0;
        self
    }

    /// The same in the metric of the inverse of `covariance`, that of the scaled columns; `None` where it is singular.
    pub(super) fn with_covariance(mut self, covariance: &[f64]) -> Option<Self> {
        let n = self.shift.len();
        let back = regular_cholesky(covariance, n)?;
        self.map = Some(invert_lower(&back, n));
        self.back = Some(back);
        Some(self)
    }

    pub(super) fn columns(&self) -> usize {
        self.shift.len()
    }

    /// A row in these coordinates, rounded as the kernels round it.
    pub(super) fn enter(&self, row: &[f64]) -> Vec<f64> {
        let place = |i: usize| {
            let (x, shift, scale) = (row[i], self.shift[i], self.scale[i]);
            if self.single {
                f64::from((x as f32 - shift as f32) * scale as f32)
            } else {
                (x - shift) * scale
            }
        };
        let y: Vec<f64> = (0..row.len()).map(place).collect();
        match &self.map {
            Some(map) => times_lower(map, &y),
            None => y,
        }
    }

    /// A point of these coordinates as the user's.
    pub(super) fn leave(&self, point: &[f64]) -> Vec<f64> {
        let y = match &self.back {
            Some(back) => times_lower(back, point),
            None => point.to_vec(),
        };
        y.iter().enumerate().map(|(i, y)| y / self.scale[i] + self.shift[i]).collect()
    }

    /// A covariance of these coordinates as one of the user's (no whitening in between).
    pub(super) fn leave_covariance(&self, covariance: &[f64]) -> Vec<f64> {
        let n = self.columns();
        let entry = |i: usize| covariance[i] / (self.scale[i / n] * self.scale[i % n]);
        (0..n * n).map(entry).collect()
    }
}

/// The power of two nearest to 1/`size`.
pub(super) fn power_near(size: f64) -> f64 {
    (-size.log2().round()).clamp(-1000.0, 1000.0).exp2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_enters_leaves_as_it_was() {
        let plain = Space::euclidean(&[3.0, -7.0], 1e6, Precision::F64);
        let scaled = plain.clone().with_scales(vec![0.3, 1e-5]);
        let white = scaled.clone().with_covariance(&[4.0, 1.0, 1.0, 3.0]).unwrap();
        for space in [plain, scaled, white] {
            let back = space.leave(&space.enter(&[1.5, 2e6]));
            assert!((back[0] - 1.5).abs() < 1e-9 && (back[1] - 2e6).abs() < 1e-9, "{back:?}");
        }
    }
}
