//! Statistics of rows, which are additive: those of disjoint rows can be merged.

use super::problem;
use crate::clustering::ClusteringStatistics;
use crate::data::{encoded, from_bytes, to_bytes};
use crate::tuning::error::Result;
use crate::tuning::solver::normal_equations::NormalEquations;
use crate::tuning::training::loss::Gradient;

/// Statistics of some rows at a [`TuningState`](super::TuningState). Their size does not depend on the number of rows. See
/// [`DistributedTuning`](super::DistributedTuning) for an example.
#[derive(Clone, Debug)]
pub struct TuningStatistics {
    pub(super) step: u64,
    pub(super) rows: u64,
    pub(super) values: Values,
}

encoded! { TuningStatistics { step, rows, values } }

/// The statistics for each kind of request.
#[derive(Clone, Debug)]
pub(super) enum Values {
    /// Minimum and maximum of each input and target over the rows with positive weight, and the sum of the weights.
    Ranges {
        inputs: Vec<[f64; 2]>,
        targets: Vec<[f64; 2]>,
        weight: f64,
    },
    Clusters {
        statistics: ClusteringStatistics,
    },
    /// Sums of the squared distances and memberships, for each cluster and input.
    Variances {
        sums: Vec<[f64; 2]>,
    },
    Equations {
        equations: NormalEquations,
    },
    /// The gradient of the sum, not of the mean, of the losses.
    Gradient {
        gradient: Gradient,
    },
}

encoded! {
    enum Values {
        0 => Ranges { inputs, targets, weight },
        1 => Clusters { statistics },
        2 => Variances { sums },
        3 => Equations { equations },
        4 => Gradient { gradient },
    }
}

impl TuningStatistics {
    /// Number of rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Adds the statistics of other rows at the same state. Merging in another order changes the result by rounding errors
    /// only.
    ///
    /// # Errors
    /// [`TuningError::Distributed`](crate::tuning::TuningError::Distributed) if the statistics belong to different states, and
    /// [`TuningError::NormalEquationsShape`](crate::tuning::TuningError::NormalEquationsShape).
    pub fn merge(&mut self, other: &TuningStatistics) -> Result<()> {
        if self.step != other.step {
            return Err(problem(format!(
                "cannot merge statistics of the steps {} and {}; compute both with the same state",
                self.step, other.step
            )));
        }
        match (&mut self.values, &other.values) {
            (
                Values::Ranges { inputs, targets, weight },
                Values::Ranges { inputs: i, targets: t, weight: w },
            ) if (inputs.len(), targets.len()) == (i.len(), t.len()) => {
                let ranges = inputs.iter_mut().chain(targets).zip(i.iter().chain(t));
                ranges.for_each(|(a, b)| *a = [a[0].min(b[0]), a[1].max(b[1])]);
                *weight += w;
            }
            (Values::Clusters { statistics }, Values::Clusters { statistics: others }) => {
                statistics.merge(others)?;
            }
            (Values::Variances { sums }, Values::Variances { sums: others })
                if sums.len() == others.len() =>
            {
                add(sums.as_flattened_mut(), others.as_flattened());
            }
            (Values::Equations { equations }, Values::Equations { equations: others }) => {
                equations.merge(others)?;
            }
            (Values::Gradient { gradient: a }, Values::Gradient { gradient: b })
                if (a.sets.len(), a.theta.len()) == (b.sets.len(), b.theta.len()) =>
            {
                add(&mut a.loss, &b.loss);
                add(&mut a.squares, &b.squares);
                add(&mut a.weight, &b.weight);
                add(a.sets.as_flattened_mut(), b.sets.as_flattened());
                add(&mut a.theta, &b.theta);
            }
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
    /// [`TuningError::Distributed`](crate::tuning::TuningError::Distributed) if the bytes are malformed or of another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        from_bytes(bytes, "statistics").map_err(problem)
    }
}

/// Adds the sums of other rows.
fn add(sums: &mut [f64], more: &[f64]) {
    sums.iter_mut().zip(more).for_each(|(sum, x)| *sum += x);
}
