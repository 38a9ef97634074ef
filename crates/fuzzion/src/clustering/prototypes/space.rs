//! Internal coordinates of the kernels: centered, scaled to a spread near 1, and whitened if the metric requires it.

use crate::clustering::numerics::linear::{invert_lower, regular_cholesky, times_lower};
use crate::data::Precision;
use crate::data::encoded;
use serde::{Deserialize, Serialize};

/// Smallest scale for which the inverse and the squares of scaled values are finite in single precision.
const MIN_SCALE_F32: f64 = 1.0 / (1u128 << 120) as f64;

/// Internal coordinates y = W·((x − shift)·scale); distances are squared Euclidean distances between the y.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Space {
    pub(in crate::clustering) shift: Vec<f64>,
    pub(in crate::clustering) scale: Vec<f64>,
    /// W, a lower triangular matrix in row-major order.
    #[serde(rename = "map")]
    pub(in crate::clustering) whitening: Option<Vec<f64>>,
    /// W⁻¹.
    #[serde(rename = "back")]
    pub(in crate::clustering) whitening_inverse: Option<Vec<f64>>,
    /// Factor that converts internal squared distances to those of the metric; infinite if they exceed the range of the numbers.
    #[serde(with = "infinity_as_null")]
    pub(in crate::clustering) unit: f64,
    /// Whether the data have single precision, so that centers are rounded like rows.
    pub(in crate::clustering) single: bool,
    /// Whether distances skip missing values.
    pub(in crate::clustering) partial: bool,
}

encoded! { Space { shift, scale, whitening, whitening_inverse, unit, single, partial } }

impl Space {
    /// Coordinates centered at `mean` and scaled by a power of two (without rounding) to a spread near 1.
    pub fn euclidean(mean: &[f64], spread: f64, precision: Precision) -> Self {
        let single = precision == Precision::F32;
        let mut scale = if spread > 0.0 { inverse_power_of_two(spread) } else { 1.0 };
        if single {
            scale = scale.clamp(MIN_SCALE_F32, 1.0 / MIN_SCALE_F32);
        }
        let rounded = |x: &f64| if single { f64::from(*x as f32) } else { *x };
        Space {
            shift: mean.iter().map(rounded).collect(),
            scale: vec![scale; mean.len()],
            whitening: None,
            whitening_inverse: None,
            unit: (1.0 / scale) * (1.0 / scale),
            single,
            partial: false,
        }
    }

    /// Sets a scale for each column.
    pub(in crate::clustering) fn with_scales(mut self, scale: Vec<f64>) -> Self {
        self.scale = scale;
        self.unit = 1.0;
        self
    }

    /// Factor that converts internal distances to those of the metric.
    pub(in crate::clustering) fn length_unit(&self) -> f64 {
        // The square of a large or small scale, which all columns share, exceeds the range of the numbers.
        if self.unit.is_normal() { self.unit.sqrt() } else { 1.0 / self.scale[0] }
    }

    /// Whitens the scaled columns by their `covariance`; `None` if it is singular.
    pub(in crate::clustering) fn with_covariance(mut self, covariance: &[f64]) -> Option<Self> {
        let n = self.shift.len();
        let factor = regular_cholesky(covariance, n)?;
        self.whitening = Some(invert_lower(&factor, n));
        self.whitening_inverse = Some(factor);
        Some(self)
    }

    pub(in crate::clustering) fn columns(&self) -> usize {
        self.shift.len()
    }

    /// Converts a row to internal coordinates, with the rounding of the kernels.
    pub(in crate::clustering) fn to_internal(&self, row: &[f64]) -> Vec<f64> {
        let scaled = |i: usize| {
            let (x, shift, scale) = (row[i], self.shift[i], self.scale[i]);
            if self.single {
                f64::from((x as f32 - shift as f32) * scale as f32)
            } else {
                (x - shift) * scale
            }
        };
        let y: Vec<f64> = (0..row.len()).map(scaled).collect();
        match &self.whitening {
            Some(whitening) => times_lower(whitening, &y),
            None => y,
        }
    }

    /// Converts a point to the coordinates of the data.
    pub(in crate::clustering) fn to_external(&self, point: &[f64]) -> Vec<f64> {
        let y = match &self.whitening_inverse {
            Some(inverse) => times_lower(inverse, point),
            None => point.to_vec(),
        };
        y.iter().enumerate().map(|(i, y)| y / self.scale[i] + self.shift[i]).collect()
    }

    /// Converts a covariance to the coordinates of the data, without whitening.
    pub(in crate::clustering) fn covariance_to_external(&self, covariance: &[f64]) -> Vec<f64> {
        let n = self.columns();
        let entry = |i: usize| covariance[i] / (self.scale[i / n] * self.scale[i % n]);
        (0..n * n).map(entry).collect()
    }
}

/// Infinity as `null`, because JSON has no infinite numbers.
mod infinity_as_null {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        value.is_finite().then_some(value).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Ok(Option::deserialize(deserializer)?.unwrap_or(f64::INFINITY))
    }
}

/// Power of two nearest to 1/`size`.
pub(in crate::clustering) fn inverse_power_of_two(size: f64) -> f64 {
    (-size.log2().round()).clamp(-1000.0, 1000.0).exp2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversion_to_internal_coordinates_is_reversible() {
        let plain = Space::euclidean(&[3.0, -7.0], 1e6, Precision::F64);
        let scaled = plain.clone().with_scales(vec![0.3, 1e-5]);
        let white = scaled.clone().with_covariance(&[4.0, 1.0, 1.0, 3.0]).unwrap();
        for space in [plain, scaled, white] {
            let back = space.to_external(&space.to_internal(&[1.5, 2e6]));
            assert!((back[0] - 1.5).abs() < 1e-9 && (back[1] - 2e6).abs() < 1e-9, "{back:?}");
        }
    }
}
