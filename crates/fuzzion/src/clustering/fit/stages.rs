//! Stages of a fit: initial prototypes, preliminary fits, iterations and the best of all restarts.

use super::context::{Fit, initial_state};
use super::initial::{self, InitialPrototypes};
use super::prepare::require_finite;
use crate::clustering::algorithm::{InitialState, Outcome};
use crate::clustering::error::Result;
use crate::clustering::model::Partition;
use crate::clustering::prototypes::adaptive::AdaptiveMetric;
use crate::clustering::prototypes::{MembershipRule, Prototypes};
use crate::clustering::rows::backend::RowBackend;
use crate::clustering::rows::sums::{RequestedSums, Sums};
use crate::clustering::settings::{InitialCenters, Variant};

/// Dave's λ: ratio of the squared noise distance to the mean squared distance.
const NOISE_FACTOR: f64 = 0.1;

/// Objectives that differ by less than this fraction are those of the same optimum: the first restart that finds it
/// determines the order of the clusters, on all devices and in all precisions.
const TIE: f64 = 1e-5;

/// Squared distances below this are zero up to rounding when the spread is near 1; the inverse is finite in single
/// precision.
const NEGLIGIBLE: f64 = 1e-30;

impl<'a> Fit<'a> {
    /// Returns the best partition of all restarts for each number of clusters: lowest objective, ties to the first.
    pub(in crate::clustering) fn partitions(&self, rows: &mut dyn RowBackend) -> Result<Vec<Partition>> {
        let initial = initial::all(self, rows)?;
        let restarts: Vec<usize> = initial.iter().map(Vec::len).collect();
        let states = self.initial_states(rows, initial.into_iter().flatten().collect())?;
        let outcomes = self.optimizer().run(rows, states)?;
        let best = self.best_of_restarts(rows, outcomes, &restarts)?;
        self.finish(rows, best)
    }

    /// Returns the outcome with the lowest objective of each group, whose sizes are `restarts`.
    fn best_of_restarts(
        &self,
        rows: &mut dyn RowBackend,
        outcomes: Vec<Outcome>,
        restarts: &[usize],
    ) -> Result<Vec<Outcome>> {
        if restarts.iter().all(|restarts| *restarts <= 1) {
            return Ok(outcomes);
        }
        let objectives = self.optimizer().objectives(rows, &outcomes)?;
        let mut pairs = objectives.into_iter().zip(outcomes);
        let mut best = Vec::new();
        for restarts in restarts {
            let group = pairs.by_ref().take(*restarts);
            let is_lower = |b: f64, a: f64| b < a - TIE * a.abs();
            best.extend(
                group.reduce(|a, b| if is_lower(b.0, a.0) { b } else { a }).map(|(_, outcome)| outcome),
            );
        }
        Ok(best)
    }

    /// Runs the preliminary stages that the variant or metric requires.
    fn initial_states(
        &self,
        rows: &mut dyn RowBackend,
        initial: Vec<InitialPrototypes>,
    ) -> Result<Vec<InitialState>> {
        if let Some(adaptive) = &self.optimizer().adaptive {
            return self.adaptive_states(rows, initial, adaptive);
        }
        let m = self.settings.fuzzifier;
        let mut starts: Vec<Prototypes> = initial.into_iter().map(|start| start.prototypes).collect();
        match self.settings.variant {
            Variant::Fuzzy => {}
            Variant::Hard => starts.iter_mut().for_each(|start| start.rule = MembershipRule::Hard),
            Variant::Noise { distance: Some(distance) } => {
                let distance = (distance / self.prepared.space.length_unit()).powi(2);
                starts
                    .iter_mut()
                    .for_each(|start| start.rule = MembershipRule::Noise { fuzzifier: m, distance });
            }
            Variant::Noise { distance: None } => {
                starts = self.warm_start(rows, starts)?;
                let sums = quality_sums(rows, &starts)?;
                for (start, sums) in starts.iter_mut().zip(sums) {
                    let total = sums.quality().distances;
                    let mean = total / (sums.weight * start.clusters() as f64);
                    let distance = (NOISE_FACTOR * mean).max(NEGLIGIBLE);
                    start.rule = MembershipRule::Noise { fuzzifier: m, distance };
                }
            }
            Variant::Possibilistic => {
                for (start, widths) in self.estimate_widths(rows, &mut starts)? {
                    start.rule = MembershipRule::Possibilistic { fuzzifier: m, widths };
                }
            }
            Variant::PossibilisticFuzzy { membership, typicality, typicality_fuzzifier } => {
                for (start, widths) in self.estimate_widths(rows, &mut starts)? {
                    start.rule = MembershipRule::Mixed {
                        fuzzifier: m,
                        typicality_fuzzifier,
                        membership,
                        typicality,
                        widths,
                    };
                }
            }
        }
        Ok(starts.into_iter().map(initial_state).collect())
    }

    /// Initial states for an adaptive metric, computed from the given memberships or from a first sweep.
    fn adaptive_states(
        &self,
        rows: &mut dyn RowBackend,
        initial: Vec<InitialPrototypes>,
        adaptive: &AdaptiveMetric,
    ) -> Result<Vec<InitialState>> {
        let mut states = Vec::new();
        let (mut starts, mut given) = (Vec::new(), Vec::new());
        for start in initial {
            starts.push(start.prototypes);
            given.extend(start.sums);
        }
        let (starts, sums) = if given.is_empty() {
            if !matches!(self.settings.initial_centers, InitialCenters::Centers(_)) {
                starts = self.warm_start(rows, starts)?;
            }
            let sums = rows.sweep(&starts.iter().collect::<Vec<_>>(), self.optimizer().requested_sums())?;
            (starts, sums)
        } else {
            // The sums of given memberships are computed about the origin.
            starts.iter_mut().for_each(|start| start.centers.fill(0.0));
            (starts, given)
        };
        for (mut start, sums) in starts.into_iter().zip(sums) {
            let mut regularized_clusters = Vec::new();
            let next = sums.centers(&start.centers);
            start.cluster_metrics = Some(adaptive.cluster_metrics(
                &sums,
                &start,
                &next,
                self.optimizer().mean_eigenvalue,
                &mut regularized_clusters,
            ));
            start.centers = next;
            if matches!(adaptive, AdaptiveMetric::GathGeva) {
                start.rule = MembershipRule::Gaussian { fuzzifier: self.settings.fuzzifier };
            }
            states.push(InitialState { prototypes: start, regularized_clusters });
        }
        Ok(states)
    }

    /// Runs a fuzzy fit from each start and returns its result with the widths η: the means of d weighted by uᵐ.
    fn estimate_widths<'s>(
        &self,
        rows: &mut dyn RowBackend,
        starts: &'s mut Vec<Prototypes>,
    ) -> Result<impl Iterator<Item = (&'s mut Prototypes, Vec<f64>)>> {
        let (max_iterations, tolerance) = (self.settings.max_iterations, self.settings.tolerance);
        *starts = self.fuzzy_fit(max_iterations, tolerance, rows, std::mem::take(starts))?;
        let sums = quality_sums(rows, starts)?;
        let width = |(spread, mass): (f64, &f64)| {
            let width = spread / mass.max(f64::MIN_POSITIVE);
            if width > NEGLIGIBLE { width } else { NEGLIGIBLE }
        };
        let widths = move |sums: Sums| -> Vec<f64> {
            sums.quality().spreads.iter().copied().zip(&sums.masses).map(width).collect()
        };
        Ok(starts.iter_mut().zip(sums.into_iter().map(widths)))
    }

    fn finish(&self, rows: &mut dyn RowBackend, outcomes: Vec<Outcome>) -> Result<Vec<Partition>> {
        let mean = self.prepared.space.to_internal(self.prepared.summary.means());
        let final_sums = self.optimizer().final_sums(rows, &outcomes)?;
        let finish = |(outcome, (sums, masses)): (Outcome, (Sums, Vec<f64>))| {
            let report = self.optimizer().report(&outcome, &sums, &masses, &mean);
            let weights = sums.quality().memberships.clone();
            let partition = Partition::new(self.names.clone(), outcome.prototypes, weights, report);
            require_finite(partition.centers.to_f64().iter().chain(&partition.weights).copied())?;
            Ok(partition)
        };
        outcomes.into_iter().zip(final_sums).map(finish).collect()
    }
}

/// Computes the quality sums of all prototypes in one pass.
fn quality_sums(rows: &mut dyn RowBackend, prototypes: &[Prototypes]) -> Result<Vec<Sums>> {
    rows.sweep(&prototypes.iter().collect::<Vec<_>>(), RequestedSums { quality: true, scatter: false })
}
