//! The first look at the data: how many rows, where they lie, how far they spread.

use crate::error::{Error, Result};

/// What a survey is asked to look at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ask {
    /// Whether missing values are allowed.
    pub(super) partial: bool,
    /// Whether the covariance of the columns is wanted.
    pub(super) covariance: bool,
    /// What differences are multiplied by, a power of two, so that their squares stay within double precision.
    pub(super) scale: f64,
}

/// Sums over rows of differences to an origin amid them, which keeps them exact for data far from 0.
///
/// Each chunk takes its own first values as origin; joined surveys have their mean as origin (T. F. Chan and others,
/// "Algorithms for computing the sample variance", 1983).
#[derive(Clone, Debug)]
pub(super) struct Survey {
    pub(super) rows: u64,
    /// The sum of the weights of rows that have a value.
    pub(super) weight: f64,
    /// The largest difference that was squared.
    most: f64,
    scale: f64,
    origin: Vec<f64>,
    counts: Vec<f64>,
    sums: Vec<f64>,
    squares: Vec<f64>,
    /// The lower triangle, row by row.
    cross: Vec<f64>,
    /// Those of the row at hand.
    differences: Vec<f64>,
}

/// A value that is not finite, by its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bad {
    pub(super) row: u64,
    pub(super) column: usize,
    pub(super) value: f64,
}

impl Survey {
    /// A survey of no rows yet.
    pub(super) fn new(columns: usize, ask: Ask) -> Self {
        let zeros = vec![0.0; columns];
        Survey {
            rows: 0,
            weight: 0.0,
            most: 0.0,
            scale: ask.scale,
            origin: zeros.clone(),
            counts: zeros.clone(),
            sums: zeros.clone(),
            squares: zeros.clone(),
            differences: zeros,
            cross: vec![0.0; if ask.covariance { columns * columns } else { 0 }],
        }
    }

    /// Counts one row in; a value that may not be there ends it.
    pub(super) fn row<T: Copy + Into<f64>>(&mut self, x: &[T], weight: f64, ask: Ask) -> Result<(), Bad> {
        let wide = |x: &T| -> f64 { (*x).into() };
        let mut seen = true;
        if x.iter().fold(true, |finite, x| finite & wide(x).is_finite()) {
            if weight > 0.0 {
                if self.counts.contains(&0.0) {
                    self.set_origin(x.iter().map(wide));
                }
                self.differences.iter_mut().zip(x).zip(&self.origin).for_each(|((t, x), origin)| {
                    *t = wide(x) * self.scale - origin * self.scale;
                });
                self.counts.iter_mut().for_each(|count| *count += weight);
            }
        } else {
            let unfit = x.iter().map(wide).position(|x| !(x.is_finite() || x.is_nan() && ask.partial));
            if let Some(column) = unfit {
                return Err(Bad { row: self.rows, column, value: wide(&x[column]) });
            }
            seen = x.iter().map(wide).any(f64::is_finite);
            if weight > 0.0 {
                self.set_origin(x.iter().map(wide));
                for (column, x) in x.iter().map(wide).enumerate() {
                    let here = x.is_finite();
                    let t = x * self.scale - self.origin[column] * self.scale;
                    self.differences[column] = if here { t } else { 0.0 };
                    self.counts[column] += if here { weight } else { 0.0 };
                }
            }
        }
        if weight > 0.0 {
            self.sum_differences(weight);
        }
        self.rows += 1;
        self.weight += if seen { weight } else { 0.0 };
        Ok(())
    }

    /// The first value of each column is its origin; a row that counts nothing must not become it, wherever it lies.
    fn set_origin(&mut self, x: impl Iterator<Item = f64>) {
        for ((origin, count), x) in self.origin.iter_mut().zip(&self.counts).zip(x) {
            *origin = if *count == 0.0 && x.is_finite() { x } else { *origin };
        }
    }

    /// Adds the differences of a row to all sums.
    fn sum_differences(&mut self, weight: f64) {
        let n = self.origin.len();
        for ((sum, square), t) in self.sums.iter_mut().zip(&mut self.squares).zip(&self.differences) {
            *sum += weight * t;
            *square += weight * t * t;
            self.most = if t.abs() > self.most { t.abs() } else { self.most };
        }
        if !self.cross.is_empty() {
            for (i, a) in self.differences.iter().enumerate() {
                let a = weight * a;
                let row = self.cross[i * n..][..=i].iter_mut();
                row.zip(&self.differences).for_each(|(sum, b)| *sum += a * b);
            }
        }
    }

    /// Counts the rows of another survey in.
    pub(super) fn add(&mut self, other: &Survey) {
        let mut other = other.clone();
        other.settle();
        self.settle();
        let n = self.origin.len();
        let share = |i: usize| other.counts[i] / (self.counts[i] + other.counts[i]).max(f64::MIN_POSITIVE);
        let shares: Vec<f64> = (0..n).map(share).collect();
        let gap = |i: usize| (other.origin[i] - self.origin[i]) * self.scale;
        // A column that only one of the two has seen lies where that one says.
        let seen = |i: usize| self.counts[i] > 0.0 && other.counts[i] > 0.0;
        let gaps: Vec<f64> = (0..n).map(|i| if seen(i) { gap(i) } else { 0.0 }).collect();
        for (at, cross) in self.cross.iter_mut().enumerate() {
            let (i, j) = (at / n, at % n);
            *cross += other.cross[at] + self.counts[i] * shares[i] * gaps[i] * gaps[j];
        }
        for i in 0..n {
            self.squares[i] += other.squares[i] + self.counts[i] * shares[i] * gaps[i] * gaps[i];
            if self.counts[i] == 0.0 {
                self.origin[i] = other.origin[i];
            } else {
                self.origin[i] += gaps[i] * shares[i] / self.scale;
            }
            self.counts[i] += other.counts[i];
            self.most = self.most.max(gaps[i].abs());
        }
        self.most = self.most.max(other.most);
        self.rows += other.rows;
        self.weight += other.weight;
    }

    /// Makes the mean the origin.
    fn settle(&mut self) {
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

    /// A better scale to ask with, where squares of the differences left the range of double precision.
    pub(super) fn better_scale(&self) -> Option<f64> {
        const SAFE: f64 = 400.0; // squares and their sums over 2¹⁰⁰ rows stay within 2^±1000
        let power = self.most.log2();
        if self.most == 0.0 || power.abs() <= SAFE {
            return None;
        }
        Some(self.scale * (-power.round()).clamp(-1000.0, 1000.0).exp2())
    }

    /// Refuses a column that has no value in any row that counts.
    pub(super) fn require_values(&self, names: &[String]) -> Result<()> {
        match self.counts.iter().position(|count| *count == 0.0) {
            Some(column) => Err(Error::NotFinite {
                row: 1,
                column: column + 1,
                name: names[column].clone(),
                value: f64::NAN,
            }),
            None => Ok(()),
        }
    }

    /// The means of the columns; once surveys were joined, that is.
    pub(super) fn means(&self) -> &[f64] {
        &self.origin
    }

    fn variance(&self, column: usize) -> f64 {
        if self.counts[column] > 0.0 { self.squares[column] / self.counts[column] } else { 0.0 }
    }

    /// √(Σw(x − mean)²/Σw) of each column; exactly 0 where all values are equal.
    pub(super) fn deviations(&self) -> Vec<f64> {
        (0..self.origin.len()).map(|i| self.variance(i).sqrt() / self.scale).collect()
    }

    /// Σw(x − mean)(x − mean)ᵀ/Σw of columns multiplied by `scales`, where it was asked for.
    pub(super) fn covariance(&self, scales: &[f64]) -> Vec<f64> {
        let n = self.origin.len();
        let factor = |i: usize| scales[i] / self.scale;
        let entry = |at: usize| {
            let (i, j) = (at / n, at % n);
            self.cross[i.max(j) * n + i.min(j)] / self.weight * factor(i) * factor(j)
        };
        if self.cross.is_empty() { Vec::new() } else { (0..n * n).map(entry).collect() }
    }

    /// The root mean square distance of the rows from their mean.
    pub(super) fn spread(&self) -> f64 {
        (0..self.origin.len()).map(|i| self.variance(i)).sum::<f64>().sqrt() / self.scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASK: Ask = Ask { partial: false, covariance: true, scale: 1.0 };

    /// The survey of `x` in two chunks.
    fn surveyed(x: &[[f64; 2]], weights: &[f64], split: usize, ask: Ask) -> Survey {
        let mut total = Survey::new(2, ask);
        for (rows, weights) in [(&x[..split], &weights[..split]), (&x[split..], &weights[split..])] {
            let mut part = Survey::new(2, ask);
            rows.iter().zip(weights).for_each(|(x, w)| part.row(x, *w, ask).unwrap());
            total.add(&part);
        }
        total
    }

    #[test]
    fn means_and_covariances_are_those_computed_by_hand_wherever_the_data_lie() {
        // Means 3 and 0, variances 2 and 8/3, covariance -2 over weights 1, 1, 1; the heavy row counts nothing.
        let rows =
            |offset: f64| [[1e12, -1e12], [1.0, 2.0], [4.0, -2.0], [4.0, 0.0]].map(|r| [r[0] + offset, r[1]]);
        for offset in [0.0, 1e9, -1e12] {
            for split in 0..4 {
                let survey = surveyed(&rows(offset), &[0.0, 1.0, 1.0, 1.0], split, ASK);
                assert_eq!((survey.rows, survey.weight), (4, 3.0));
                assert_eq!(survey.means(), [3.0 + offset, 0.0]);
                let covariance = survey.covariance(&[1.0, 0.5]);
                let expected = [2.0, -1.0, -1.0, 8.0 / 12.0];
                assert!(
                    covariance.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14),
                    "{covariance:?}"
                );
            }
        }
    }

    #[test]
    fn equal_values_have_no_deviation_at_all() {
        let survey = surveyed(&[[0.1, 7.7e11]; 9], &[0.3; 9], 4, ASK);
        assert_eq!(survey.deviations(), [0.0, 0.0]);
        assert_eq!(survey.spread(), 0.0);
    }

    #[test]
    fn squares_that_leave_double_precision_ask_for_another_scale() {
        for size in [1e-300, 1e-170, 1e170, 1e307] {
            let rows = [[-size, 0.0], [size, 0.0]];
            let survey = surveyed(&rows, &[1.0; 2], 1, ASK);
            let scale = survey.better_scale().unwrap();
            let again = surveyed(&rows, &[1.0; 2], 2, Ask { scale, ..ASK });
            assert!((again.spread() / size - 1.0).abs() < 1e-14, "{size}: {}", again.spread());
            assert_eq!(again.better_scale(), None);
        }
        assert_eq!(surveyed(&[[1e-100, 1e100]; 3], &[1.0; 3], 1, ASK).better_scale(), None);
    }
}
