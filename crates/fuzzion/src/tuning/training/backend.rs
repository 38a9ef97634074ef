//! Interface between the training algorithms and the back ends.

use crate::clustering::{FuzzyCMeans, Partition};
use crate::tuning::error::Result;
use crate::tuning::network::Network;
use crate::tuning::solver::normal_equations::NormalEquations;
use crate::tuning::solver::solve::{Solution, solve};
use crate::tuning::training::descent::{Descent, DescentSettings};
use crate::tuning::training::loss::{Gradient, Loss};

/// Back end: evaluates networks on its samples.
pub trait Backend {
    /// Normal equations of Equation (3) over the training rows.
    fn normal_equations(&mut self, network: &Network) -> Result<NormalEquations>;

    /// Solves Equation (3) for θ.
    fn solve_consequents(&mut self, network: &Network, ridge: f64) -> Result<Solution> {
        Ok(solve(&self.normal_equations(network)?, ridge))
    }

    /// Σᵢ wᵢ·φₖᵢ² over the training rows for every rule k.
    fn squared_firing(&mut self, network: &Network) -> Result<Vec<f64>> {
        let equations = self.normal_equations(network)?;
        // The first monomial of every rule is 1.
        Ok((0..network.unknowns()).step_by(network.basis.len()).map(|m| equations.diagonal(m)).collect())
    }

    /// Fits clusters to the inputs of the training rows, and computes their variances as
    /// [`Backend::cluster_variances`] does if they have no covariances. Returns `None` if the rows are in the memory of this
    /// process.
    fn fit_clusters(&mut self, _settings: &FuzzyCMeans) -> Result<Option<(Partition, Option<Vec<f64>>)>> {
        Ok(None)
    }

    /// Σᵢ uₖᵢ²·(xᵢⱼ − vₖⱼ)² / Σᵢ uₖᵢ² over the training rows for every center v of fuzzy c-means and every input.
    /// Returns `None` if this back end does not support it for these samples.
    fn cluster_variances(&mut self, _centers: &[f64]) -> Result<Option<Vec<f64>>> {
        Ok(None)
    }

    /// Loss over all rows and its gradient over the training rows.
    fn loss_and_gradient(&mut self, network: &Network, loss: Loss) -> Result<Gradient>;

    /// Performs between one and `max_iterations` iterations of the descent on the device. Returns `None` if this back
    /// end does not support it for these settings.
    fn iterate_on_device(
        &mut self,
        _descent: &Descent,
        _settings: &DescentSettings,
        _max_iterations: usize,
    ) -> Result<Option<Descent>> {
        Ok(None)
    }

    /// ŷ of every row, by output.
    fn predict(&mut self, network: &Network) -> Result<Vec<Vec<f64>>>;
}
