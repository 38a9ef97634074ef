//! Statistics of rows, which are additive: those of disjoint rows can be merged.

use super::state::{Chunk, ClusteringState, Request};
use super::{from_bytes, problem, to_bytes};
use crate::clustering::error::Result;
use crate::clustering::prototypes::Prototypes;
use crate::clustering::rows::encoding::encoded;
use crate::clustering::rows::summary::DataSummary;
use crate::clustering::rows::sums::Sums;

/// Statistics of some rows at a [`ClusteringState`]. Their size does not depend on the number of rows. See
/// [`DistributedFit`](super::DistributedFit) for an example.
#[derive(Clone, Debug)]
pub struct ClusteringStatistics {
    pub(super) step: u64,
    pub(super) rows: u64,
    pub(super) values: Values,
}

encoded! { ClusteringStatistics { step, rows, values } }

/// The statistics for each [`Request`].
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

    /// Checks that these are the statistics of all rows at `state`; `total` is their number, if it is known.
    pub(super) fn check(&self, state: &ClusteringState, total: Option<u64>) -> Result<()> {
        if self.step != state.step {
            return Err(problem(format!(
                "the statistics belong to step {}, but the state to step {}; compute them with the current state",
                self.step, state.step
            )));
        }
        if let Some(total) = total.filter(|total| *total != self.rows) {
            return Err(problem(format!(
                "the statistics belong to {} rows, but the chunks have {total} rows; merge those of each chunk once",
                self.rows
            )));
        }
        let fits = match (&state.request, &self.values) {
            (Request::Summary { .. }, Values::Summary { chunks, summary, .. }) => {
                let mut numbers: Vec<u64> = chunks.iter().map(|chunk| chunk.number).collect();
                numbers.sort_unstable();
                if let Some(pair) = numbers.windows(2).find(|pair| pair[0] == pair[1]) {
                    return Err(problem(format!(
                        "two chunks have the number {}; give each chunk its own",
                        pair[0]
                    )));
                }
                summary.has_columns(state.columns)
            }
            (Request::Sums { prototypes, .. }, Values::Sums { sums }) => {
                let shape = |(p, s): (&Prototypes, &Sums)| s.require_shape((p.clusters(), p.columns()));
                prototypes.iter().zip(sums).try_for_each(shape)?;
                prototypes.len() == sums.len()
            }
            (Request::Changes { before, .. }, Values::Changes { changes }) => before.len() == changes.len(),
            (Request::Rows { rows, .. }, Values::Rows { rows: found }) => {
                rows.len() == found.len() && found.iter().all(|row| row.x.len() == state.columns)
            }
            _ => false,
        };
        if fits {
            Ok(())
        } else {
            Err(problem("the statistics belong to another fit; compute them with its state".into()))
        }
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
        from_bytes(bytes, "statistics")
    }
}
