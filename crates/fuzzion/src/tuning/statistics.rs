//! ΦᵀWΦ and ΦᵀWY, which add up over parts of the rows.

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// The sums that least squares needs, equation (3): those of parts of the rows, from several files or machines, are
/// [merged](Statistics::merge) into those of all.
///
/// They are taken of systems with the same rules, and travel between machines as any serde format:
///
/// ```
/// use fuzzion::tuning::Statistics;
///
/// // One rule without inputs, which concludes a constant: Φ is 1 in every row. Here y = 2 and 4, elsewhere y = 9.
/// let mut here = Statistics {
///     unknowns: 1, outputs: 1, gram: vec![2.0], cross: vec![6.0], squares: vec![20.0], weight: 2.0, rows: 2,
/// };
/// let elsewhere = r#"{"unknowns": 1, "outputs": 1, "gram": [1], "cross": [9], "squares": [81], "weight": 1, "rows": 1}"#;
/// here.merge(&serde_json::from_str(elsewhere)?)?;
/// assert_eq!((here.gram[0], here.cross[0], here.rows), (3.0, 15.0, 3)); // θ = 15/3, the mean of all three
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// How many unknowns each output has.
    pub unknowns: usize,
    /// How many outputs there are.
    pub outputs: usize,
    /// ΦᵀWΦ, its lower triangle row by row.
    pub gram: Vec<f64>,
    /// ΦᵀWY, output by output.
    pub cross: Vec<f64>,
    /// YᵀWY of each output.
    pub squares: Vec<f64>,
    /// The sum of all weights.
    pub weight: f64,
    /// How many rows were added.
    pub rows: u64,
}

impl Statistics {
    /// Those in the lower triangle, row by row, of the products of all columns of Φ and then of the targets.
    pub(super) fn of_triangle(
        triangle: &[f64],
        (unknowns, outputs): (usize, usize),
        weight: f64,
        rows: usize,
    ) -> Self {
        let mut statistics = Statistics::zero(unknowns, outputs);
        let (gram, mut beyond) = triangle.split_at(statistics.gram.len());
        statistics.gram.copy_from_slice(gram);
        // Each target with every column of Φ, then with targets up to itself.
        for (o, cross) in statistics.cross.chunks_exact_mut(unknowns).enumerate() {
            let (row, rest) = beyond.split_at(unknowns + o + 1);
            cross.copy_from_slice(&row[..unknowns]);
            statistics.squares[o] = row[unknowns + o];
            beyond = rest;
        }
        (statistics.weight, statistics.rows) = (weight, rows as u64);
        statistics
    }

    /// Those of no rows.
    pub(super) fn zero(unknowns: usize, outputs: usize) -> Self {
        Statistics {
            unknowns,
            outputs,
            gram: vec![0.0; unknowns * (unknowns + 1) / 2],
            cross: vec![0.0; unknowns * outputs],
            squares: vec![0.0; outputs],
            weight: 0.0,
            rows: 0,
        }
    }

    /// Adds those of other rows.
    ///
    /// # Errors
    /// [`Error::StatisticsShape`] where the two are of systems with other unknowns or outputs, and
    /// [`Error::StatisticsParts`] where either lacks numbers; nothing is added then.
    pub fn merge(&mut self, other: &Statistics) -> Result<()> {
        self.check()?;
        other.check()?;
        if (self.unknowns, self.outputs) != (other.unknowns, other.outputs) {
            return Err(Error::StatisticsShape {
                found: (other.unknowns, other.outputs),
                expected: (self.unknowns, self.outputs),
            });
        }
        self.add(other);
        Ok(())
    }

    /// Whether there are as many sums as unknowns and outputs ask for.
    ///
    /// # Errors
    /// [`Error::StatisticsParts`].
    pub(super) fn check(&self) -> Result<()> {
        let triangle = self.unknowns.checked_add(1).and_then(|next| next.checked_mul(self.unknowns));
        let parts = [
            ("gram", self.gram.len(), triangle.map(|square| square / 2)),
            ("cross", self.cross.len(), self.unknowns.checked_mul(self.outputs)),
            ("squares", self.squares.len(), Some(self.outputs)),
        ];
        match parts.into_iter().find(|(_, found, expected)| Some(*found) != *expected) {
            Some((part, found, _)) => {
                Err(Error::StatisticsParts { part, found, unknowns: self.unknowns, outputs: self.outputs })
            }
            None => Ok(()),
        }
    }

    /// Adds those of other rows of the same system.
    pub(super) fn add(&mut self, other: &Statistics) {
        let add = |sums: &mut [f64], more: &[f64]| sums.iter_mut().zip(more).for_each(|(sum, x)| *sum += x);
        add(&mut self.gram, &other.gram);
        add(&mut self.cross, &other.cross);
        add(&mut self.squares, &other.squares);
        self.weight += other.weight;
        self.rows += other.rows;
    }
}
