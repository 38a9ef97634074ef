//! The first look at the data: how many rows, where they lie, how far they spread.

use crate::error::{Error, Result};

/// What a survey is asked to look at.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ask {
    /// Whether missing values are allowed.
    pub(super) partial: bool,
    /// Whether the covariance of the columns is wanted.
    pub(super) covariance: bool,
}

/// Sums over rows of differences to the first row, which keeps them exact for data far from 0.
#[derive(Clone, Debug)]
pub(super) struct Survey {
    pub(super) rows: u64,
    pub(super) weight: f64,
    origin: Vec<f64>,
    counts: Vec<f64>,
    sums: Vec<f64>,
    squares: Vec<f64>,
    cross: Vec<f64>,
}

/// A value that is not finite, by its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bad {
    pub(super) row: u64,
    pub(super) column: usize,
    pub(super) value: f64,
}

impl Survey {
    pub(super) fn new(origin: Vec<f64>, ask: Ask) -> Self {
        let n = origin.len();
        let zeros = vec![0.0; n];
        let cross = vec![0.0; if ask.covariance { n * n } else { 0 }];
        let origin = origin.into_iter().map(|x| if x.is_finite() { x } else { 0.0 }).collect();
        Survey {
            rows: 0,
            weight: 0.0,
            origin,
            counts: zeros.clone(),
            sums: zeros.clone(),
            squares: zeros,
            cross,
        }
    }

    /// Counts one row in; a value that may not be there ends it.
    pub(super) fn row(&mut self, x: impl Iterator<Item = f64>, weight: f64, ask: Ask) -> Result<(), Bad> {
        let n = self.origin.len();
        let mut t = [0.0; 64];
        let mut large = Vec::new();
        let t: &mut [f64] = if n <= t.len() {
            &mut t[..n]
        } else {
            large.resize(n, 0.0);
            &mut large
        };
        let mut seen = false;
        for (column, x) in x.enumerate() {
            if !x.is_finite() {
                if x.is_nan() && ask.partial {
                    continue;
                }
                return Err(Bad { row: self.rows, column, value: x });
            }
            seen = true;
            let difference = x - self.origin[column];
            t[column] = difference;
            self.counts[column] += weight;
            self.sums[column] += weight * difference;
            self.squares[column] += weight * difference * difference;
        }
        if !self.cross.is_empty() {
            for (i, a) in t.iter().enumerate() {
                let a = weight * a;
                self.cross[i * n..][..=i].iter_mut().zip(t.iter()).for_each(|(sum, b)| *sum += a * b);
            }
        }
        self.rows += 1;
        self.weight += if seen { weight } else { 0.0 };
        Ok(())
    }

    pub(super) fn add(&mut self, other: &Survey) {
        let add = |a: &mut [f64], b: &[f64]| a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        self.rows += other.rows;
        self.weight += other.weight;
        add(&mut self.counts, &other.counts);
        add(&mut self.sums, &other.sums);
        add(&mut self.squares, &other.squares);
        add(&mut self.cross, &other.cross);
    }

    pub(super) fn origin(&self) -> &[f64] {
        &self.origin
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

    fn average(&self, column: usize) -> f64 {
        if self.counts[column] > 0.0 { self.sums[column] / self.counts[column] } else { 0.0 }
    }

    pub(super) fn means(&self) -> Vec<f64> {
        (0..self.origin.len()).map(|i| self.origin[i] + self.average(i)).collect()
    }

    /// Σw(x − mean)²/Σw of each column; exactly 0 where all values are equal.
    pub(super) fn variances(&self) -> Vec<f64> {
        let variance = |i: usize| {
            let mean = self.average(i);
            if self.counts[i] > 0.0 { (self.squares[i] / self.counts[i] - mean * mean).max(0.0) } else { 0.0 }
        };
        (0..self.origin.len()).map(variance).collect()
    }

    /// Σw(x − mean)(x − mean)ᵀ/Σw, where it was asked for.
    pub(super) fn covariance(&self) -> Vec<f64> {
        let n = self.origin.len();
        let entry = |at: usize| {
            let (i, j) = (at / n, at % n);
            self.cross[i.max(j) * n + i.min(j)] / self.weight - self.average(i) * self.average(j)
        };
        if self.cross.is_empty() { Vec::new() } else { (0..n * n).map(entry).collect() }
    }

    /// The root mean square distance of the rows from their mean.
    pub(super) fn spread(&self) -> f64 {
        self.variances().iter().sum::<f64>().sqrt()
    }
}
