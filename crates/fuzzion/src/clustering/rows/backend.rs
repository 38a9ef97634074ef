//! Interface between the algorithm and the back ends.

use super::summary::{DataSummary, SummaryOptions};
use super::sums::{RequestedSums, Sums};
use crate::clustering::error::Result;
use crate::clustering::prototypes::Prototypes;
use crate::clustering::settings::FuzzyCMeans;

/// Stopping rule of [`RowBackend::iterate`].
#[derive(Clone, Copy, Debug)]
pub struct IterationLimits {
    /// Maximum number of steps.
    pub max_iterations: usize,
    /// Largest center shift at convergence, in internal coordinates.
    pub tolerance: f64,
}

/// Result of [`RowBackend::iterate`].
pub struct IterationResult {
    pub centers: Vec<f64>,
    /// J before each step, in internal units.
    pub objectives: Vec<f64>,
    /// Whether the centers converged.
    pub(in crate::clustering) converged: bool,
}

/// Back end that computes on all rows of a problem.
pub trait RowBackend {
    /// Prepares for a fit of `settings` with these numbers of clusters, such as by compiling kernels in the background.
    fn start_fit(&mut self, _settings: &FuzzyCMeans, _clusters: &[usize]) {}
    /// Summarizes the rows; rejects values that are not finite and weights that sum to 0.
    fn summarize(&mut self, options: SummaryOptions) -> Result<DataSummary>;
    /// Computes the sums for several prototypes in one fused pass; each is bit-identical to that of a separate pass.
    fn sweep(&mut self, prototypes: &[&Prototypes], requested: RequestedSums) -> Result<Vec<Sums>>;
    /// Largest |u − u′| between the memberships of two prototypes, for each pair (before, after).
    fn change(&mut self, steps: &[(&Prototypes, &Prototypes)]) -> Result<Vec<f64>>;
    /// Returns the rows with these indices (ascending) and their weights.
    fn gather(&mut self, rows: &[u64]) -> Result<(Vec<f64>, Vec<f64>)>;
    /// Calls `take` with batches of rows and their weights, in order.
    fn visit(&mut self, take: &mut dyn FnMut(&[f64], &[f64])) -> Result<()>;
    /// Performs plain steps from `start` on the device, if this back end benefits from that.
    fn iterate(&mut self, _start: &Prototypes, _limits: IterationLimits) -> Result<Option<IterationResult>> {
        Ok(None)
    }
}
