//! Summary statistics of the data: count, means, variances and covariance.

use crate::clustering::error::Result;
use crate::data::{DataError, NO_VALUES, column_error, encoded};

/// Options of a [`DataSummary`].
#[derive(Clone, Copy, Debug)]
pub(in crate::clustering) struct SummaryOptions {
    /// Whether missing values are allowed.
    pub(in crate::clustering) partial: bool,
    /// Whether to compute the covariance of the columns.
    pub(in crate::clustering) covariance: bool,
    /// Power of two that scales the differences so that their squares neither overflow nor underflow.
    pub(in crate::clustering) scale: f64,
}

encoded! { SummaryOptions { partial, covariance, scale } }

/// Weighted sums of differences from an origin near the rows, which avoids cancellation for data far from 0.
///
/// Each chunk uses its own first values as the origin; merged summaries use their mean (T. F. Chan et al.,
/// "Algorithms for computing the sample variance", 1983).
#[derive(Clone, Debug)]
pub(in crate::clustering) struct DataSummary {
    pub(in crate::clustering) rows: u64,
    /// Sum of the weights of rows with at least one value.
    pub(in crate::clustering) weight: f64,
    /// Largest absolute scaled difference.
    max_difference: f64,
    scale: f64,
    origin: Vec<f64>,
    counts: Vec<f64>,
    sums: Vec<f64>,
    squares: Vec<f64>,
    /// Lower triangle in row-major order.
    cross: Vec<f64>,
    /// Scaled differences of the current row.
    differences: Vec<f64>,
}

encoded! {
    DataSummary { rows, weight, max_difference, scale, origin, counts, sums, squares, cross, differences }
}

/// Position of a value that is not finite.
#[derive(Clone, Copy, Debug)]
pub(in crate::clustering) struct InvalidValue {
    pub(in crate::clustering) row: u64,
    pub(in crate::clustering) column: usize,
    pub(in crate::clustering) value: f64,
}

impl InvalidValue {
    /// The error for this value, given the names of the columns.
    pub(in crate::clustering) fn error(self, names: &[String]) -> DataError {
        let (row, column, name) = (self.row + 1, self.column + 1, names[self.column].clone());
        DataError::NotFinite { row, column, name, value: self.value }
    }
}

impl DataSummary {
    /// Empty summary.
    pub(in crate::clustering) fn new(columns: usize, options: SummaryOptions) -> Self {
        let zeros = vec![0.0; columns];
        DataSummary {
            rows: 0,
            weight: 0.0,
            max_difference: 0.0,
            scale: options.scale,
            origin: zeros.clone(),
            counts: zeros.clone(),
            sums: zeros.clone(),
            squares: zeros.clone(),
            differences: zeros,
            cross: vec![0.0; if options.covariance { columns * columns } else { 0 }],
        }
    }

    /// Summary of a chunk of `rows` rows without missing values, from its sums: origins, Σw, Σwt and Σwt² of each column,
    /// max|t|, and the lower triangle of Σwtᵢtⱼ, with the scaled differences t.
    #[cfg(feature = "cuda")]
    pub(in crate::clustering) fn from_sums(
        rows: u64,
        options: SummaryOptions,
        [origin, counts, sums, squares]: [Vec<f64>; 4],
        max_difference: f64,
        cross: Vec<f64>,
    ) -> Self {
        let (weight, differences) = (counts.first().copied().unwrap_or(0.0), vec![0.0; counts.len()]);
        DataSummary {
            rows,
            weight,
            max_difference,
            scale: options.scale,
            origin,
            counts,
            sums,
            squares,
            cross,
            differences,
        }
    }

    /// Adds one row, or returns its first invalid value.
    pub(in crate::clustering) fn add_row<T: Copy + Into<f64>>(
        &mut self,
        x: &[T],
        weight: f64,
        options: SummaryOptions,
    ) -> Result<(), InvalidValue> {
        let to_f64 = |x: &T| -> f64 { (*x).into() };
        let mut has_value = true;
        if x.iter().fold(true, |finite, x| finite & to_f64(x).is_finite()) {
            if weight > 0.0 {
                if self.counts.contains(&0.0) {
                    self.set_origin(x.iter().map(to_f64));
                }
                self.differences.iter_mut().zip(x).zip(&self.origin).for_each(|((t, x), origin)| {
                    *t = to_f64(x) * self.scale - origin * self.scale;
                });
                self.counts.iter_mut().for_each(|count| *count += weight);
            }
        } else {
            let invalid =
                x.iter().map(to_f64).position(|x| !(x.is_finite() || x.is_nan() && options.partial));
            if let Some(column) = invalid {
                return Err(InvalidValue { row: self.rows, column, value: to_f64(&x[column]) });
            }
            has_value = x.iter().map(to_f64).any(f64::is_finite);
            if weight > 0.0 {
                self.set_origin(x.iter().map(to_f64));
                for (column, x) in x.iter().map(to_f64).enumerate() {
                    let present = x.is_finite();
                    let t = x * self.scale - self.origin[column] * self.scale;
                    self.differences[column] = if present { t } else { 0.0 };
                    self.counts[column] += if present { weight } else { 0.0 };
                }
            }
        }
        if weight > 0.0 {
            self.add_differences(weight);
        }
        self.rows += 1;
        self.weight += if has_value { weight } else { 0.0 };
        Ok(())
    }

    /// Sets the origin of each column to its first value; rows of weight 0 are skipped because they may be outliers.
    fn set_origin(&mut self, x: impl Iterator<Item = f64>) {
        for ((origin, count), x) in self.origin.iter_mut().zip(&self.counts).zip(x) {
            *origin = if *count == 0.0 && x.is_finite() { x } else { *origin };
        }
    }

    /// Adds the differences of the current row to all sums.
    fn add_differences(&mut self, weight: f64) {
        let n = self.origin.len();
        for ((sum, square), t) in self.sums.iter_mut().zip(&mut self.squares).zip(&self.differences) {
            *sum += weight * t;
            *square += weight * t * t;
            self.max_difference = if t.abs() > self.max_difference { t.abs() } else { self.max_difference };
        }
        if !self.cross.is_empty() {
            for (i, a) in self.differences.iter().enumerate() {
                let a = weight * a;
                let row = self.cross[i * n..][..=i].iter_mut();
                row.zip(&self.differences).for_each(|(sum, b)| *sum += a * b);
            }
        }
    }

    /// Whether the summary has consistent lengths for `columns` columns.
    pub(in crate::clustering) fn has_columns(&self, columns: usize) -> bool {
        let lists = [&self.origin, &self.counts, &self.sums, &self.squares, &self.differences];
        lists.iter().all(|list| list.len() == columns) && [0, columns * columns].contains(&self.cross.len())
    }

    /// Merges another summary.
    pub(in crate::clustering) fn merge(&mut self, other: &DataSummary) {
        let mut other = other.clone();
        other.recenter();
        self.recenter();
        let n = self.origin.len();
        let fraction = |i: usize| other.counts[i] / (self.counts[i] + other.counts[i]).max(f64::MIN_POSITIVE);
        let fractions: Vec<f64> = (0..n).map(fraction).collect();
        let shift = |i: usize| (other.origin[i] - self.origin[i]) * self.scale;
        // A column present in only one summary has the origin of that summary.
        let in_both = |i: usize| self.counts[i] > 0.0 && other.counts[i] > 0.0;
        let shifts: Vec<f64> = (0..n).map(|i| if in_both(i) { shift(i) } else { 0.0 }).collect();
        for (at, cross) in self.cross.iter_mut().enumerate() {
            let (i, j) = (at / n, at % n);
            *cross += other.cross[at] + self.counts[i] * fractions[i] * shifts[i] * shifts[j];
        }
        for i in 0..n {
            self.squares[i] += other.squares[i] + self.counts[i] * fractions[i] * shifts[i] * shifts[i];
            if self.counts[i] == 0.0 {
                self.origin[i] = other.origin[i];
            } else {
                self.origin[i] += shifts[i] * fractions[i] / self.scale;
            }
            self.counts[i] += other.counts[i];
            self.max_difference = self.max_difference.max(shifts[i].abs());
        }
        self.max_difference = self.max_difference.max(other.max_difference);
        self.rows += other.rows;
        self.weight += other.weight;
    }

    /// Moves the origin to the mean.
    fn recenter(&mut self) {
        let n = self.origin.len();
        let averages: Vec<f64> =
            self.sums.iter().zip(&self.counts).map(|(s, n)| if *n > 0.0 { s / n } else { 0.0 }).collect();
        for (at, cross) in self.cross.iter_mut().enumerate() {
            *cross -= self.counts[at / n] * averages[at / n] * averages[at % n];
        }
        for (i, average) in averages.iter().enumerate() {
            self.squares[i] = (self.squares[i] - self.counts[i] * average * average).max(0.0);
            self.origin[i] += average / self.scale;
            self.sums[i] = 0.0;
        }
    }

    /// Returns a better scale if the squared differences overflow or underflow.
    pub(in crate::clustering) fn better_scale(&self) -> Option<f64> {
        const MAX_EXPONENT: f64 = 400.0; // squares and their sums over 2¹⁰⁰ rows stay within 2^±1000
        let power = self.max_difference.log2();
        if self.max_difference == 0.0 || power.abs() <= MAX_EXPONENT {
            return None;
        }
        Some(self.scale * (-power.round()).clamp(-1000.0, 1000.0).exp2())
    }

    /// Checks that every column has a value in at least one row of positive weight.
    pub(in crate::clustering) fn require_values(&self, names: &[String]) -> Result<()> {
        match self.counts.iter().position(|count| *count == 0.0) {
            Some(column) => Err(column_error("column", &names[column], NO_VALUES).into()),
            None => Ok(()),
        }
    }

    /// Means of the columns, valid after merging.
    pub(in crate::clustering) fn means(&self) -> &[f64] {
        &self.origin
    }

    fn variance(&self, column: usize) -> f64 {
        if self.counts[column] > 0.0 { self.squares[column] / self.counts[column] } else { 0.0 }
    }

    /// √(Σw(x − mean)²/Σw) of each column; exactly 0 if all values are equal.
    pub(in crate::clustering) fn deviations(&self) -> Vec<f64> {
        (0..self.origin.len()).map(|i| self.variance(i).sqrt() / self.scale).collect()
    }

    /// Σw(x − mean)(x − mean)ᵀ/Σw of the columns multiplied by `scales`; empty if not requested.
    pub(in crate::clustering) fn covariance(&self, scales: &[f64]) -> Vec<f64> {
        let n = self.origin.len();
        let factor = |i: usize| scales[i] / self.scale;
        let entry = |at: usize| {
            let (i, j) = (at / n, at % n);
            self.cross[i.max(j) * n + i.min(j)] / self.weight * factor(i) * factor(j)
        };
        if self.cross.is_empty() { Vec::new() } else { (0..n * n).map(entry).collect() }
    }

    /// Root mean square distance of the rows from their mean.
    pub(in crate::clustering) fn spread(&self) -> f64 {
        (0..self.origin.len()).map(|i| self.variance(i)).sum::<f64>().sqrt() / self.scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: SummaryOptions = SummaryOptions { partial: false, covariance: true, scale: 1.0 };

    /// Summary of `x`, merged from two chunks.
    fn summary_of(x: &[[f64; 2]], weights: &[f64], split: usize, options: SummaryOptions) -> DataSummary {
        let mut total = DataSummary::new(2, options);
        for (rows, weights) in [(&x[..split], &weights[..split]), (&x[split..], &weights[split..])] {
            let mut part = DataSummary::new(2, options);
            rows.iter().zip(weights).for_each(|(x, w)| part.add_row(x, *w, options).unwrap());
            total.merge(&part);
        }
        total
    }

    #[test]
    fn means_and_covariances_match_the_hand_computation_at_any_offset() {
        // Means 3 and 0, variances 2 and 8/3, covariance -2 over weights 1, 1, 1; the first row has weight 0.
        let rows =
            |offset: f64| [[1e12, -1e12], [1.0, 2.0], [4.0, -2.0], [4.0, 0.0]].map(|r| [r[0] + offset, r[1]]);
        for offset in [0.0, 1e9, -1e12] {
            for split in 0..4 {
                let summary = summary_of(&rows(offset), &[0.0, 1.0, 1.0, 1.0], split, OPTIONS);
                assert_eq!((summary.rows, summary.weight), (4, 3.0));
                assert_eq!(summary.means(), [3.0 + offset, 0.0]);
                let covariance = summary.covariance(&[1.0, 0.5]);
                let expected = [2.0, -1.0, -1.0, 8.0 / 12.0];
                assert!(
                    covariance.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14),
                    "{covariance:?}"
                );
            }
        }
    }

    #[test]
    fn equal_values_have_deviation_zero() {
        let summary = summary_of(&[[0.1, 7.7e11]; 9], &[0.3; 9], 4, OPTIONS);
        assert_eq!(summary.deviations(), [0.0, 0.0]);
        assert_eq!(summary.spread(), 0.0);
    }

    #[test]
    fn squares_that_overflow_or_underflow_require_another_scale() {
        for size in [1e-300, 1e-170, 1e170, 1e307] {
            let rows = [[-size, 0.0], [size, 0.0]];
            let summary = summary_of(&rows, &[1.0; 2], 1, OPTIONS);
            let scale = summary.better_scale().unwrap();
            let rescaled = summary_of(&rows, &[1.0; 2], 2, SummaryOptions { scale, ..OPTIONS });
            assert!((rescaled.spread() / size - 1.0).abs() < 1e-14, "{size}: {}", rescaled.spread());
            assert_eq!(rescaled.better_scale(), None);
        }
        assert_eq!(summary_of(&[[1e-100, 1e100]; 3], &[1.0; 3], 1, OPTIONS).better_scale(), None);
    }
}
