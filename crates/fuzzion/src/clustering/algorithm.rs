//! The iteration, as the papers write it; it knows no back end.

use super::indices::{HYPERVOLUME_COLUMNS, indices, nearest_pair};
use super::metric::Shaping;
use super::prototypes::{Prototypes, Rule};
use super::report::{Report, Stop, Warning};
use super::rows::Rows;
use super::settings::Criterion;
use super::solver::Solver;
use super::sums::{Sums, Want};
use crate::error::Result;
use crate::progress::Progress;

/// Memberships that differ from 1/C by less than this share are no clusters.
const COLLAPSED: f64 = 1e-3;
/// Centers nearer than this share of the spread lie on each other.
const COINCIDE: f64 = 1e-6;

/// What the iteration goes by.
pub(super) struct Course<'a> {
    pub(super) max_iterations: usize,
    pub(super) tolerance: f64,
    pub(super) criterion: Criterion,
    pub(super) plain: bool,
    pub(super) shaping: Option<Shaping>,
    /// The root mean square distance of the rows from their mean, in the coordinates of the space.
    pub(super) spread: f64,
    /// det^(1/p) of the covariance of the data there.
    pub(super) size: f64,
    pub(super) progress: Progress<'a>,
}

/// Where an iteration came to.
pub(super) struct Outcome {
    pub(super) prototypes: Prototypes,
    pub(super) history: Vec<f64>,
    pub(super) iterations: usize,
    pub(super) stop: Stop,
    pub(super) rescued: Vec<usize>,
}

impl Course<'_> {
    /// Iterates from `prototypes` until the criterion is met.
    pub(super) fn run(&self, rows: &mut dyn Rows, mut prototypes: Prototypes) -> Result<Outcome> {
        let want = self.want();
        let accelerates = matches!(prototypes.rule, Rule::Fuzzy { .. } | Rule::Noise { .. });
        let slack = if prototypes.space.single { 1e-6 } else { 1e-13 };
        let mut solver = Solver::new(self.plain || !accelerates || self.shaping.is_some(), slack);
        let mut history: Vec<f64> = Vec::new();
        let (mut stop, mut rescued, mut iterations) = (Stop::MaxIterations, Vec::new(), 0);
        let mut tail: Option<Vec<f64>> = None; // a plain step from the best point, in case the last one fails
        while iterations < self.max_iterations {
            self.progress.report(iterations as u64, self.max_iterations as u64)?;
            let sums = rows.sweep(&prototypes, want)?; // equations (1), (2)
            iterations += 1;
            let mapped = sums.centers(&prototypes.centers); // equation (3)
            let step = solver.step(&prototypes.centers, &mapped, sums.objective);
            if !step.accepted {
                prototypes.centers = step.centers;
                continue;
            }
            let objective = sums.objective * prototypes.objective_unit();
            let last = history.last().copied();
            history.push(objective);
            let mut next = prototypes.clone();
            next.centers.clone_from(&mapped);
            if let Some(shaping) = &self.shaping {
                let shapes = shaping.shapes(&sums, &prototypes, &mapped, self.size, &mut rescued);
                next.shapes = Some(shapes); // equations (7), (8)
            }
            if self.is_met(rows, &prototypes, &next, last, objective)? {
                stop = Stop::Converged;
                prototypes = next;
                tail = None;
                break;
            }
            tail = Some(mapped);
            next.centers = step.centers;
            prototypes = next;
        }
        if let Some(tail) = tail {
            prototypes.centers = tail; // the mixed step was never evaluated
        }
        Ok(Outcome { prototypes, history, iterations, stop, rescued })
    }

    pub(super) fn want(&self) -> Want {
        let priors = matches!(self.shaping, Some(Shaping::GathGeva));
        Want { scatter: self.shaping.is_some(), statistics: priors }
    }

    fn is_met(
        &self,
        rows: &mut dyn Rows,
        before: &Prototypes,
        after: &Prototypes,
        last: Option<f64>,
        objective: f64,
    ) -> Result<bool> {
        Ok(match self.criterion {
            Criterion::CenterMove => largest_move(before, after) <= self.tolerance * self.spread,
            Criterion::Objective => {
                last.is_some_and(|last| (last - objective).abs() <= self.tolerance * objective.abs())
            }
            Criterion::Memberships => rows.change(before, after)? <= self.tolerance,
        })
    }

    /// One more sweep at the final prototypes, for what the report says.
    pub(super) fn report(
        &self,
        rows: &mut dyn Rows,
        outcome: &Outcome,
        mean: &[f64],
    ) -> Result<(Report, Sums)> {
        let prototypes = &outcome.prototypes;
        let scatter = !prototypes.space.partial
            && (self.shaping.is_some() || prototypes.columns() <= HYPERVOLUME_COLUMNS);
        let sums = rows.sweep(prototypes, Want { scatter, statistics: true })?;
        let indices = indices(prototypes, &sums, mean);
        let mut warnings = Vec::new();
        let even = indices.modified_partition_coefficient.is_some_and(|mpc| mpc.abs() < COLLAPSED);
        let shares = matches!(prototypes.rule, Rule::Fuzzy { .. } | Rule::Gaussian { .. });
        if even && shares && self.spread > 0.0 {
            warnings.push(Warning::Collapsed { fuzzifier: prototypes.rule.fuzzifier() });
        } else if let Some((d, a, b)) = nearest_pair(prototypes)
            && d.sqrt() <= COINCIDE * self.spread
        {
            warnings.push(Warning::Coincide { clusters: (a, b) });
        }
        if !outcome.rescued.is_empty() {
            warnings.push(Warning::Regularized { clusters: outcome.rescued.clone() });
        }
        let report = Report {
            objective: sums.objective * prototypes.objective_unit(),
            history: outcome.history.clone(),
            iterations: outcome.iterations,
            stop: outcome.stop,
            sizes: sums.statistics.as_ref().map(|s| s.sizes.clone()).unwrap_or_default(),
            indices,
            warnings,
        };
        Ok((report, sums))
    }
}

/// The largest distance a center moves.
fn largest_move(before: &Prototypes, after: &Prototypes) -> f64 {
    let moves =
        (0..before.clusters()).map(|k| super::indices::squared_distance(before.center(k), after.center(k)));
    moves.fold(0.0, f64::max).sqrt()
}
