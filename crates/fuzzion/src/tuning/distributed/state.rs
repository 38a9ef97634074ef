//! The state of a distributed fit, from which each machine computes the statistics of its rows.

use super::problem;
use super::statistics::{TuningStatistics, Values};
use crate::clustering::{ClusteringState, Partition};
use crate::data::{
    MissingInputs, Samples, column, encoded, from_bytes, host_samples, targets_of_model, to_bytes,
};
use crate::device::Device;
use crate::tuning::error::Result;
use crate::tuning::initial::{input_rows, variance_sums, weighted};
use crate::tuning::network::Network;
use crate::tuning::solver::normal_equations::NormalEquations;
use crate::tuning::training::dispatch::backend_for;
use crate::tuning::training::loss::{Gradient, Loss};
use crate::tuning::training::prepare::column_range;
use crate::tuning::training::samples::ScaledSamples;
use crate::tuning::training::scaling::Scaling;

/// State of a [`DistributedTuning`](super::DistributedTuning): what to compute next, including the rules. It is sent to all
/// machines, as bytes if necessary.
#[derive(Clone, Debug)]
pub struct TuningState {
    pub(super) step: u64,
    pub(super) columns: Columns,
    pub(super) request: Request,
}

encoded! { TuningState { step, columns, request } }

/// The columns and their scaling.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    pub(super) inputs: Vec<String>,
    pub(super) targets: Vec<String>,
    /// Whether missing inputs are allowed.
    pub(super) missing: bool,
    /// Empty until the ranges are known.
    pub(super) scale: Scaling,
}

encoded! { Columns { inputs, targets, missing, scale } }

/// What to compute.
#[derive(Clone, Debug)]
pub(super) enum Request {
    Ranges,
    Clusters {
        state: ClusteringState,
    },
    /// `partition` is JSON.
    Variances {
        clusters: usize,
        partition: String,
    },
    Equations {
        network: Network,
    },
    Gradient {
        network: Network,
    },
}

encoded! {
    enum Request {
        0 => Ranges {},
        1 => Clusters { state },
        2 => Variances { clusters, partition },
        3 => Equations { network },
        4 => Gradient { network },
    }
}

impl TuningState {
    /// Number of statistics that were computed before.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Returns the statistics of a chunk of rows, which may be empty. It must contain the input and target columns of the fit.
    /// `chunk` is the number of the chunk: any numbers will do, but each chunk must have its own, and the same one in all steps.
    ///
    /// # Errors
    /// [`TuningError::Data`](crate::tuning::TuningError::Data) for a column that is missing, contains text, or contains values
    /// that are not finite, [`TuningError::Distributed`](crate::tuning::TuningError::Distributed) if the chunk differs from that
    /// of other steps, and errors of the device.
    pub fn partial_statistics<'a>(
        &self,
        samples: impl Into<Samples<'a>>,
        chunk: u64,
        device: &Device,
    ) -> Result<TuningStatistics> {
        let samples = host_samples(samples)?;
        let values = self.values(&samples, chunk, device)?;
        Ok(TuningStatistics { step: self.step, rows: samples.rows() as u64, values })
    }

    fn values(&self, samples: &Samples<'_>, chunk: u64, device: &Device) -> Result<Values> {
        let mut scaled = self.columns.read(samples)?;
        let weight = samples.weights().map_or(samples.rows() as f64, |weights| weights.iter().sum());
        if let Request::Ranges = self.request {
            let range = |values: &Vec<f64>| column_range(values, samples.weights());
            let inputs = scaled.inputs.iter().map(range).collect();
            let targets = scaled.targets.iter().map(range).collect();
            return Ok(Values::Ranges { inputs, targets, weight });
        }
        self.columns.scale(&mut scaled);
        let backend = |network: &Network| {
            backend_for(&scaled, samples.rows() as f64 * network.unknowns() as f64, device)
        };
        let has_weight = weight > 0.0; // otherwise, the means of a back end are undefined
        Ok(match &self.request {
            Request::Ranges => unreachable!("invariant: ranges were returned above"),
            Request::Clusters { state } => {
                let rows = input_rows(&scaled, device)?;
                let statistics = state.partial_statistics(weighted(&rows, &scaled)?, chunk, device)?;
                Values::Clusters { statistics }
            }
            Request::Variances { partition, .. } if has_weight => {
                let partition = Partition::from_json(partition)?;
                Values::Variances { sums: variance_sums(&partition, &scaled, device)? }
            }
            Request::Variances { clusters, .. } => {
                Values::Variances { sums: vec![[0.0; 2]; clusters * scaled.inputs.len()] }
            }
            Request::Equations { network } if has_weight => {
                Values::Equations { equations: backend(network)?.normal_equations(network)? }
            }
            Request::Equations { network } => {
                Values::Equations { equations: NormalEquations::zero(network.unknowns(), network.outputs) }
            }
            Request::Gradient { network } if has_weight => {
                let mean = backend(network)?.loss_and_gradient(network, Loss::SquaredError)?;
                Values::Gradient { gradient: scaled_gradient(mean, weight) }
            }
            Request::Gradient { network } => Values::Gradient { gradient: zero_gradient(network) },
        })
    }

    /// Checks that `statistics` are those of all rows at this state; `total` is their number, if it is known.
    pub(super) fn check(&self, statistics: &TuningStatistics, total: Option<u64>) -> Result<()> {
        if statistics.step != self.step {
            return Err(problem(format!(
                "the statistics belong to step {}, but the state to step {}; compute them with the current state",
                statistics.step, self.step
            )));
        }
        if let Some(total) = total.filter(|total| *total != statistics.rows) {
            return Err(problem(format!(
                "the statistics belong to {} rows, but the chunks have {total} rows; merge those of each chunk once",
                statistics.rows
            )));
        }
        let (inputs, targets) = (self.columns.inputs.len(), self.columns.targets.len());
        let fits = match (&self.request, &statistics.values) {
            (Request::Ranges, Values::Ranges { inputs: i, targets: t, .. }) => {
                (i.len(), t.len()) == (inputs, targets)
            }
            (Request::Clusters { state }, Values::Clusters { statistics }) => {
                state.check(statistics, total)?;
                true
            }
            (Request::Variances { clusters, .. }, Values::Variances { sums }) => {
                sums.len() == clusters * inputs
            }
            (Request::Equations { network }, Values::Equations { equations }) => {
                equations.check()?;
                (equations.unknowns, equations.outputs) == (network.unknowns(), network.outputs)
            }
            (Request::Gradient { network }, Values::Gradient { gradient }) => {
                (gradient.sets.len(), gradient.theta.len())
                    == (network.antecedents.sets.len(), network.theta.len())
            }
            _ => false,
        };
        if fits {
            Ok(())
        } else {
            Err(problem("the statistics belong to another fit; compute them with its state".into()))
        }
    }

    /// Whether the parts of a decoded state have matching sizes.
    fn is_consistent(&self) -> bool {
        let Columns { inputs, targets, scale, .. } = &self.columns;
        match &self.request {
            Request::Ranges => true,
            Request::Clusters { .. } | Request::Variances { .. } => {
                scale.is_consistent(inputs.len(), targets.len())
            }
            Request::Equations { network } | Request::Gradient { network } => {
                scale.is_consistent(inputs.len(), targets.len())
                    && network.antecedents.is_consistent(inputs.len())
                    && network.outputs == targets.len()
            }
        }
    }

    /// The encoding for other machines, which must use the same version of the library.
    pub fn to_bytes(&self) -> Vec<u8> {
        to_bytes(self)
    }

    /// Decodes a state.
    ///
    /// # Errors
    /// [`TuningError::Distributed`](crate::tuning::TuningError::Distributed) if the bytes are malformed or of another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let state: TuningState = from_bytes(bytes, "state").map_err(problem)?;
        if state.is_consistent() { Ok(state) } else { Err(problem("the state is inconsistent".into())) }
    }
}

impl Columns {
    /// The columns of a chunk, in their own units.
    fn read(&self, samples: &Samples<'_>) -> Result<ScaledSamples> {
        let missing = if self.missing { MissingInputs::Drop } else { MissingInputs::Error };
        let inputs = self.inputs.iter().map(|name| column(samples, name, "input", missing));
        Ok(ScaledSamples {
            inputs: inputs.collect::<Result<_, _>>()?,
            targets: targets_of_model(samples, &self.targets, &[])?,
            weights: samples.weights().map(<[f64]>::to_vec),
            training: samples.rows(),
        })
    }

    fn scale(&self, samples: &mut ScaledSamples) {
        samples.inputs.iter_mut().enumerate().for_each(|(j, column)| self.scale.scale_input(j, column));
        samples.targets.iter_mut().enumerate().for_each(|(o, column)| self.scale.scale_target(o, column));
    }
}

/// The gradient times a factor; the losses are sums in any case.
pub(super) fn scaled_gradient(mut gradient: Gradient, factor: f64) -> Gradient {
    let gradients = gradient.sets.as_flattened_mut().iter_mut().chain(&mut gradient.theta);
    gradients.for_each(|x| *x *= factor);
    gradient
}

/// The gradient over zero rows.
fn zero_gradient(network: &Network) -> Gradient {
    let (sets, theta) = (vec![[0.0; 4]; network.antecedents.sets.len()], vec![0.0; network.theta.len()]);
    Gradient { loss: [0.0; 2], squares: [0.0; 2], weight: [0.0; 2], sets, theta }
}
