//! Summary statistics of columns.

use super::samples::ROWS_PER_CHUNK;
use super::storage::Values;
use super::table::Table;
use crate::data::error::Result;
use crate::device::Cpu;

/// 2⁻⁶⁴: the sum of up to 2⁶⁴ values scaled by it does not exceed their maximum.
const SCALE: f64 = 1.0 / 18_446_744_073_709_551_616.0;

/// Summary statistics of a numeric column.
///
/// ```
/// use fuzzion::data::Summary;
/// let summary = Summary::of([3.0, -1.0, f64::NAN]);
/// assert_eq!((summary.min, summary.max, summary.mean), (-1.0, 3.0, 1.0));
/// assert_eq!((summary.count, summary.missing), (2, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Minimum; +∞ if all values are missing.
    pub min: f64,
    /// Maximum; −∞ if all values are missing.
    pub max: f64,
    /// Mean of the values that are not missing; NaN if all values are missing.
    pub mean: f64,
    /// Number of values that are not missing.
    pub count: u64,
    /// Number of missing values (NaN).
    pub missing: u64,
}

impl Default for Summary {
    /// The summary of no values.
    fn default() -> Self {
        Summary { min: f64::INFINITY, max: f64::NEG_INFINITY, mean: f64::NAN, count: 0, missing: 0 }
    }
}

impl Summary {
    /// The summary of `values`.
    ///
    /// ```
    /// let summary = fuzzion::data::Summary::of([1.0, f64::NAN, 4.0]);
    /// assert_eq!((summary.min, summary.max, summary.mean, summary.missing), (1.0, 4.0, 2.5, 1));
    /// ```
    pub fn of(values: impl IntoIterator<Item = f64>) -> Self {
        // The sum of the scaled values is used if the sum overflows.
        let (mut summary, mut sum, mut scaled_sum) = (Summary::default(), 0.0, 0.0);
        for x in values {
            if x.is_nan() {
                summary.missing += 1;
            } else {
                (summary.min, summary.max) = (summary.min.min(x), summary.max.max(x));
                summary.count += 1;
                sum += x;
                scaled_sum += x * SCALE;
            }
        }
        let count = summary.count as f64;
        summary.mean = if sum.is_finite() { sum / count } else { scaled_sum / count / SCALE };
        summary.with_clamped_mean()
    }

    /// Clamps the mean to the range of the values, which rounding can leave.
    fn with_clamped_mean(mut self) -> Self {
        if self.count > 0 && !self.mean.is_nan() {
            self.mean = self.mean.clamp(self.min, self.max);
        }
        self
    }

    /// The summary of the values of both summaries.
    ///
    /// ```
    /// use fuzzion::data::Summary;
    /// let total = Summary::of([1.0, 3.0]).merge(&Summary::of([4.0, 8.0]));
    /// assert_eq!((total.min, total.max, total.mean, total.count), (1.0, 8.0, 4.0, 4));
    /// ```
    pub fn merge(&self, other: &Summary) -> Summary {
        let count = self.count + other.count;
        let part = |s: &Summary| if s.count == 0 { 0.0 } else { s.mean * (s.count as f64 / count as f64) };
        Summary {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
            mean: if count == 0 { f64::NAN } else { part(self) + part(other) },
            count,
            missing: self.missing + other.missing,
        }
        .with_clamped_mean()
    }
}

impl Table {
    /// The [`Summary`] of each numeric column.
    ///
    /// ```
    /// use fuzzion::Table;
    /// let summaries = Table::new(["x", "y"], vec![1.0, 10.0, 3.0, f64::NAN])?.summarize()?;
    /// assert_eq!((summaries[0].mean, summaries[1].mean), (2.0, 10.0));
    /// assert_eq!(summaries[1].missing, 1);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Cpu::new`].
    pub fn summarize(&self) -> Result<Vec<Summary>> {
        let columns = self.columns();
        let parts = Cpu::new()?.map_chunks(self.rows(), ROWS_PER_CHUNK, |rows| {
            let values = self.slice(rows);
            (0..columns)
                .map(|column| match values {
                    Values::F32(v) => {
                        Summary::of(v.iter().skip(column).step_by(columns).map(|x| f64::from(*x)))
                    }
                    Values::F64(v) => Summary::of(v.iter().skip(column).step_by(columns).copied()),
                })
                .collect::<Vec<_>>()
        });
        let mut total = vec![Summary::default(); columns];
        for part in parts {
            total.iter_mut().zip(&part).for_each(|(total, part)| *total = total.merge(part));
        }
        Ok(total)
    }
}
