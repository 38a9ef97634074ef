//! Settings prepared for the data, and fuzzy fits that initialize other fits.

use super::prepare::Prepared;
use crate::clustering::algorithm::{AlternatingOptimizer, InitialState};
use crate::clustering::error::Result;
use crate::clustering::prototypes::Prototypes;
use crate::clustering::rows::backend::RowBackend;
use crate::clustering::settings::{Criterion, FuzzyCMeans};
use crate::data::Precision;
use crate::device::Device;

/// Maximum iterations and tolerance of a fuzzy fit that only initializes another fit.
const WARM_START_ITERATIONS: usize = 50;
const WARM_START_TOLERANCE: f64 = 1e-3;

/// Settings prepared for the data, with one or more numbers of clusters.
pub(in crate::clustering) struct Fit<'a> {
    pub(in crate::clustering) settings: &'a FuzzyCMeans,
    pub(in crate::clustering) clusters: &'a [usize],
    pub(in crate::clustering) names: Vec<String>,
    pub(in crate::clustering) precision: Precision,
    pub(in crate::clustering) device: &'a Device,
    pub(in crate::clustering) prepared: Prepared<'a>,
}

impl<'a> Fit<'a> {
    /// Prepares fits of `settings` to `rows`, whose column names and precision are given.
    pub(in crate::clustering) fn prepare(
        settings: &'a FuzzyCMeans,
        clusters: &'a [usize],
        rows: &mut dyn RowBackend,
        (names, precision): (Vec<String>, Precision),
        device: &'a Device,
    ) -> Result<Self> {
        let prepared = Prepared::new(settings, clusters, rows, &names, precision, device.progress())?;
        Ok(Fit { settings, clusters, names, precision, device, prepared })
    }

    pub(in crate::clustering) fn optimizer(&self) -> &AlternatingOptimizer<'a> {
        &self.prepared.optimizer
    }

    /// Runs short fuzzy fits that initialize other fits.
    pub(in crate::clustering) fn warm_start(
        &self,
        rows: &mut dyn RowBackend,
        starts: Vec<Prototypes>,
    ) -> Result<Vec<Prototypes>> {
        self.fuzzy_fit(WARM_START_ITERATIONS, WARM_START_TOLERANCE, rows, starts)
    }

    pub(in crate::clustering) fn fuzzy_fit(
        &self,
        max_iterations: usize,
        tolerance: f64,
        rows: &mut dyn RowBackend,
        starts: Vec<Prototypes>,
    ) -> Result<Vec<Prototypes>> {
        let optimizer = AlternatingOptimizer {
            max_iterations,
            tolerance,
            criterion: Criterion::CenterShift,
            plain: false,
            adaptive: None,
            ..*self.optimizer()
        };
        let outcomes = optimizer.run(rows, starts.into_iter().map(initial_state).collect())?;
        Ok(outcomes.into_iter().map(|outcome| outcome.prototypes).collect())
    }
}

pub(in crate::clustering) fn initial_state(prototypes: Prototypes) -> InitialState {
    InitialState { prototypes, regularized_clusters: Vec::new() }
}
