//! Statistics of rows, which are additive: those of disjoint rows can be merged.

use super::problem;
use crate::clustering::error::Result;
use crate::clustering::rows::summary::DataSummary;
use crate::clustering::rows::sums::Sums;
use crate::data::{encoded, from_bytes, to_bytes};

/// Statistics of some rows at a [`ClusteringState`](super::ClusteringState). Their size does not depend on the number of rows. See
/// [`DistributedFit`](super::DistributedFit) for an example.
#[derive(Clone, Debug)]
pub struct ClusteringStatistics {
    pub(super) step: u64,
    pub(super) rows: u64,
    pub(super) values: Values,
}

encoded! { ClusteringStatistics { step, rows, values } }

/// The statistics for each kind of request.
#[derive(Clone, Debug)]
pub(super) enum Values {
    /// `weight` is the sum of the sample weights.
    Summary {
        chunks: Vec<Chunk>,
        weight: f64,
        summary: DataSummary,
    },
    Sums {
        sums: Vec<Sums>,
    },
    /// Largest change of a membership.
    Changes {
        changes: Vec<f64>,
    },
    Rows {
        rows: Vec<Sampled>,
    },
}

encoded! {
    enum Values {
        0 => Summary { chunks, weight, summary },
        1 => Sums { sums },
        2 => Changes { changes },
        3 => Rows { rows },
    }
}

/// A chunk of rows, in the order of their numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk {
    pub(super) number: u64,
    pub(super) rows: u64,
}

encoded! { Chunk { number, rows } }

/// A sampled row, with its index if the chunks are concatenated.
#[derive(Clone, Debug)]
pub(super) struct Sampled {
    pub(super) index: u64,
    pub(super) x: Vec<f64>,
    pub(super) weight: f64,
}

encoded! { Sampled { index, x, weight } }

impl ClusteringStatistics {
    /// Number of rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Adds the statistics of other rows at the same state. Merging in another order changes the result by rounding errors
    /// only.
    ///
    /// # Errors
    /// [`ClusteringError::Distributed`](crate::clustering::ClusteringError::Distributed) if the statistics belong to
    /// different states, and [`ClusteringError::SumsShape`](crate::clustering::ClusteringError::SumsShape).
    pub fn merge(&mut self, other: &ClusteringStatistics) -> Result<()> {
        if self.step != other.step {
            return Err(problem(format!(
                "cannot merge statistics of the steps {} and {}; compute both with the same state",
                self.step, other.step
            )));
        }
        match (&mut self.values, &other.values) {
            (
                Values::Summary { chunks, weight, summary },
                Values::Summary { chunks: c, weight: w, summary: s },
            ) if s.has_columns(summary.means().len()) => {
                chunks.extend(c);
                *weight += w;
                summary.merge(s);
            }
            (Values::Sums { sums }, Values::Sums { sums: others }) if sums.len() == others.len() => {
                sums.iter_mut().zip(others).try_for_each(|(sums, other)| sums.merge(other))?;
            }
            (Values::Changes { changes }, Values::Changes { changes: others })
                if changes.len() == others.len() =>
            {
                changes.iter_mut().zip(others).for_each(|(a, b)| *a = a.max(*b));
            }
            (Values::Rows { rows }, Values::Rows { rows: others }) => rows.extend(others.iter().cloned()),
            _ => {
                let text = "the statistics belong to different fits; compute all with the same state";
                return Err(problem(text.into()));
            }
        }
        self.rows += other.rows;
        Ok(())
    }

    /// The encoding for other machines, which must use the same version of the library.
    pub fn to_bytes(&self) -> Vec<u8> {
        to_bytes(self)
    }

    /// Decodes statistics.
    ///
    /// # Errors
    /// [`ClusteringError::Distributed`](crate::clustering::ClusteringError::Distributed) if the bytes are malformed or of
    /// another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        from_bytes(bytes, "statistics").map_err(problem)
    }
}
