//! Alternating optimization, independent of the back end.

use crate::clustering::error::Result;
use crate::clustering::model::indices::{HYPERVOLUME_COLUMNS, indices, nearest_pair};
use crate::clustering::model::report::{ClusteringReport, ClusteringWarning};
use crate::clustering::numerics::linear::squared_distance;
use crate::clustering::numerics::solver::Solver;
use crate::clustering::prototypes::adaptive::AdaptiveMetric;
use crate::clustering::prototypes::{MembershipRule, Prototypes};
use crate::clustering::rows::backend::{IterationLimits, RowBackend};
use crate::clustering::rows::sums::{RequestedSums, Sums};
use crate::clustering::settings::Criterion;
use crate::progress::Progress;
use crate::stop::Stop;

/// Memberships have collapsed if the modified partition coefficient is below this.
const COLLAPSED_MPC: f64 = 1e-3;
/// Centers closer than this fraction of the spread coincide.
const COINCIDENT_DISTANCE: f64 = 1e-3;
/// Maximum number of steps per device call; between calls, progress is reported and the run can be interrupted.
const MAX_DEVICE_STEPS: usize = 256;
/// Invariant of runs whose last step was accepted.
const PENDING: &str = "invariant: the run has a pending step";

/// Alternating optimization of memberships and centers.
pub(super) struct AlternatingOptimizer<'a> {
    pub(super) max_iterations: usize,
    pub(super) tolerance: f64,
    pub(super) criterion: Criterion,
    /// Whether acceleration is disabled.
    pub(super) plain: bool,
    pub(super) adaptive: Option<AdaptiveMetric>,
    /// Root mean square distance of the rows from their mean, in internal coordinates.
    pub(super) spread: f64,
    /// Geometric mean of the eigenvalues of the covariance of the data, in internal coordinates.
    pub(super) mean_eigenvalue: f64,
    pub(super) progress: &'a Progress,
}

/// Initial state of one run.
#[derive(Clone)]
pub(super) struct InitialState {
    pub(super) prototypes: Prototypes,
    /// Clusters whose covariance was regularized during initialization.
    pub(super) regularized_clusters: Vec<usize>,
}

/// Result of one run.
pub(super) struct Outcome {
    pub(super) prototypes: Prototypes,
    pub(super) history: Vec<f64>,
    pub(super) iterations: usize,
    pub(super) stop: Stop,
    pub(super) regularized_clusters: Vec<usize>,
}

impl From<InitialState> for Outcome {
    fn from(InitialState { prototypes, regularized_clusters }: InitialState) -> Self {
        let (history, iterations, stop) = (Vec::new(), 0, Stop::MaxIterations);
        Outcome { prototypes, history, iterations, stop, regularized_clusters }
    }
}

/// State of one run.
struct Run {
    outcome: Outcome,
    solver: Solver,
    /// Pending step from the last accepted point: the prototypes of Equation (3), and the centers proposed by the
    /// solver.
    step: Option<(Prototypes, Vec<f64>)>,
}

impl AlternatingOptimizer<'_> {
    /// Iterates from every initial state until convergence or the maximum number of iterations. All active runs share the
    /// passes over the rows; the result of each run is bit-identical to that of a separate run.
    pub(super) fn run(&self, rows: &mut dyn RowBackend, starts: Vec<InitialState>) -> Result<Vec<Outcome>> {
        if let [start] = &starts[..]
            && let Some(outcome) = self.iterate_on_device(rows, start)?
        {
            return Ok(vec![outcome]);
        }
        let mut runs: Vec<Run> = starts.into_iter().map(|start| self.new_run(start)).collect();
        for iteration in 0..self.max_iterations {
            let mut running: Vec<&mut Run> =
                runs.iter_mut().filter(|run| run.outcome.stop != Stop::Converged).collect();
            if running.is_empty() {
                break;
            }
            self.progress.report(iteration as u64, self.max_iterations as u64)?;
            let prototypes: Vec<&Prototypes> = running.iter().map(|run| &run.outcome.prototypes).collect();
            let sums = rows.sweep(&prototypes, self.requested_sums())?; // Equations (1), (2)
            running.iter_mut().zip(&sums).for_each(|(run, sums)| self.step(run, sums));
            running.retain(|run| run.step.is_some());
            let converged = self.converged(rows, &running)?;
            let last = iteration + 1 == self.max_iterations;
            running.into_iter().zip(converged).for_each(|(run, converged)| run.take_step(converged, last));
        }
        Ok(runs.into_iter().map(|run| run.outcome).collect())
    }

    /// Like [`AlternatingOptimizer::run`], for plain steps on a back end that performs many steps per call.
    fn iterate_on_device(&self, rows: &mut dyn RowBackend, start: &InitialState) -> Result<Option<Outcome>> {
        if !self.plain || self.criterion != Criterion::CenterShift || self.adaptive.is_some() {
            return Ok(None);
        }
        let mut outcome = Outcome::from(start.clone());
        let unit = outcome.prototypes.objective_unit();
        while outcome.iterations < self.max_iterations && outcome.stop != Stop::Converged {
            self.progress.report(outcome.iterations as u64, self.max_iterations as u64)?;
            let max_iterations = (self.max_iterations - outcome.iterations).min(MAX_DEVICE_STEPS);
            let limits = IterationLimits { max_iterations, tolerance: self.tolerance * self.spread };
            let Some(steps) = rows.iterate(&outcome.prototypes, limits)? else { return Ok(None) };
            outcome.prototypes.centers = steps.centers;
            outcome.iterations += steps.objectives.len();
            outcome.history.extend(steps.objectives.iter().map(|j| (j * unit).min(f64::MAX)));
            if steps.converged {
                outcome.stop = Stop::Converged;
            }
        }
        Ok(Some(outcome))
    }

    fn new_run(&self, start: InitialState) -> Run {
        let can_accelerate =
            matches!(start.prototypes.rule, MembershipRule::Fuzzy { .. } | MembershipRule::Noise { .. });
        let slack = if start.prototypes.space.single { 1e-6 } else { 1e-13 };
        let solver = Solver::new(self.plain || !can_accelerate || self.adaptive.is_some(), slack);
        Run { outcome: start.into(), solver, step: None }
    }

    /// Computes the next step in `run.step`; `None` if the solver rejects the last step.
    fn step(&self, run: &mut Run, sums: &Sums) {
        let Outcome { prototypes, history, iterations, regularized_clusters, .. } = &mut run.outcome;
        *iterations += 1;
        let mapped = sums.centers(&prototypes.centers); // Equation (3)
        let step = run.solver.step(&prototypes.centers, &mapped, &sums.masses, sums.objective);
        if !step.accepted {
            prototypes.centers = step.centers;
            return;
        }
        history.push(objective(sums, prototypes));
        let mut next = prototypes.clone();
        if let Some(adaptive) = &self.adaptive {
            let metrics = adaptive.cluster_metrics(
                sums,
                prototypes,
                &mapped,
                self.mean_eigenvalue,
                regularized_clusters,
            );
            next.cluster_metrics = Some(metrics); // Equations (7), (8)
        }
        next.centers = mapped;
        run.step = Some((next, step.centers));
    }

    pub(super) fn requested_sums(&self) -> RequestedSums {
        let priors = matches!(self.adaptive, Some(AdaptiveMetric::GathGeva));
        RequestedSums { scatter: self.adaptive.is_some(), quality: priors }
    }

    /// Whether the pending step of each run meets the convergence criterion.
    fn converged(&self, rows: &mut dyn RowBackend, runs: &[&mut Run]) -> Result<Vec<bool>> {
        let steps: Vec<(&Prototypes, &Prototypes)> =
            runs.iter().map(|run| (&run.outcome.prototypes, &run.step.as_ref().expect(PENDING).0)).collect();
        Ok(match self.criterion {
            Criterion::CenterShift => steps
                .iter()
                .map(|(old, new)| max_center_shift(old, new) <= self.tolerance * self.spread)
                .collect(),
            Criterion::Objective => {
                runs.iter().map(|run| objective_converged(&run.outcome.history, self.tolerance)).collect()
            }
            Criterion::Memberships => {
                rows.change(&steps)?.into_iter().map(|change| change <= self.tolerance).collect()
            }
        })
    }

    /// J at the final prototypes of all runs, in internal units.
    pub(super) fn objectives(&self, rows: &mut dyn RowBackend, outcomes: &[Outcome]) -> Result<Vec<f64>> {
        let prototypes: Vec<&Prototypes> = outcomes.iter().map(|outcome| &outcome.prototypes).collect();
        Ok(rows.sweep(&prototypes, self.requested_sums())?.iter().map(internal_objective).collect())
    }

    /// Performs the final sweep for the reports of all runs; returns the sums and Σᵢ uₖᵢᵐ of each.
    pub(super) fn final_sums(
        &self,
        rows: &mut dyn RowBackend,
        outcomes: &[Outcome],
    ) -> Result<Vec<(Sums, Vec<f64>)>> {
        let prototypes: Vec<&Prototypes> = outcomes.iter().map(|outcome| &outcome.prototypes).collect();
        let Some(first) = prototypes.first() else { return Ok(Vec::new()) }; // no cluster counts were given
        let scatter =
            !first.space.partial && (self.adaptive.is_some() || first.columns() <= HYPERVOLUME_COLUMNS);
        let sums = rows.sweep(&prototypes, RequestedSums { scatter, quality: true })?;
        let mut masses: Vec<Vec<f64>> = sums.iter().map(|sums| sums.masses.clone()).collect();
        if let MembershipRule::Mixed { fuzzifier, .. } = first.rule {
            // The masses of a mixed rule include typicalities.
            let fuzzy =
                |p: &&Prototypes| Prototypes { rule: MembershipRule::Fuzzy { fuzzifier }, ..(*p).clone() };
            let fuzzy: Vec<Prototypes> = prototypes.iter().map(fuzzy).collect();
            let sums = rows.sweep(&fuzzy.iter().collect::<Vec<_>>(), RequestedSums::default())?;
            masses = sums.into_iter().map(|sums| sums.masses).collect();
        }
        Ok(sums.into_iter().zip(masses).collect())
    }

    /// Builds the report of a run from its final sums and Σᵢ uₖᵢᵐ.
    pub(super) fn report(
        &self,
        outcome: &Outcome,
        sums: &Sums,
        masses: &[f64],
        mean: &[f64],
    ) -> ClusteringReport {
        let prototypes = &outcome.prototypes;
        let indices = indices(prototypes, sums, masses, mean);
        let mut warnings = Vec::new();
        let uniform = indices.modified_partition_coefficient.is_some_and(|mpc| mpc.abs() < COLLAPSED_MPC);
        let sums_to_one =
            matches!(prototypes.rule, MembershipRule::Fuzzy { .. } | MembershipRule::Gaussian { .. });
        if uniform && sums_to_one && self.spread > 0.0 {
            warnings.push(ClusteringWarning::Collapsed { fuzzifier: prototypes.rule.fuzzifier() });
        } else if let Some((d, a, b)) = nearest_pair(prototypes)
            && d.sqrt() <= COINCIDENT_DISTANCE * self.spread
        {
            warnings.push(ClusteringWarning::CoincidentCenters { clusters: (a, b) });
        }
        if !outcome.regularized_clusters.is_empty() {
            warnings.push(ClusteringWarning::Regularized { clusters: outcome.regularized_clusters.clone() });
        }
        ClusteringReport {
            objective: objective(sums, prototypes),
            history: outcome.history.clone(),
            iterations: outcome.iterations,
            stop: outcome.stop,
            sizes: sums.quality().sizes.clone(),
            indices,
            warnings,
        }
    }
}

impl Run {
    /// Takes the pending step. The last step is plain, because an accelerated step would require another evaluation.
    fn take_step(&mut self, converged: bool, last: bool) {
        let (next, accelerated) = self.step.take().expect(PENDING);
        self.outcome.prototypes = next;
        if converged {
            self.outcome.stop = Stop::Converged;
        } else if !last {
            self.outcome.prototypes.centers = accelerated;
        }
    }
}

/// J in internal units. The exponential distance of Equation (8) can overflow single precision, but not double.
fn internal_objective(sums: &Sums) -> f64 {
    let spreads = || sums.quality.as_ref().map_or(f64::INFINITY, |s| s.spreads.iter().sum());
    if sums.objective.is_finite() { sums.objective } else { spreads() }
}

/// J in the units of the data, clamped to the largest finite number.
pub(super) fn objective(sums: &Sums, prototypes: &Prototypes) -> f64 {
    (internal_objective(sums) * prototypes.objective_unit()).min(f64::MAX)
}

/// Whether the relative change of the objective is within the tolerance.
fn objective_converged(history: &[f64], tolerance: f64) -> bool {
    matches!(history, [.., last, now] if (last - now).abs() <= tolerance * now.abs())
}

/// Largest distance between a center before and after a step.
fn max_center_shift(before: &Prototypes, after: &Prototypes) -> f64 {
    let shifts = (0..before.clusters()).map(|k| squared_distance(before.center(k), after.center(k)));
    shifts.fold(0.0, f64::max).sqrt()
}
