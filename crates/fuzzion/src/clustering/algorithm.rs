//! The iteration, as the papers write it; it knows no back end.

use super::indices::{HYPERVOLUME_COLUMNS, indices, nearest_pair};
use super::metric::Shaping;
use super::prototypes::{Prototypes, Rule};
use super::report::{Report, Stop, Warning};
use super::rows::{Rows, Until};
use super::settings::Criterion;
use super::solver::Solver;
use super::sums::{Sums, Want};
use crate::error::Result;
use crate::progress::Progress;

/// Memberships that differ from 1/C by less than this share are no clusters.
const COLLAPSED: f64 = 1e-3;
/// Centers nearer than this share of the spread lie on each other.
const COINCIDE: f64 = 1e-3;
/// Steps made without coming back, after which the user may interrupt.
const AT_ONCE: usize = 256;

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

/// Where an iteration starts.
pub(super) struct Begin {
    pub(super) prototypes: Prototypes,
    /// Clusters whose covariance had to be regularised on the way here.
    pub(super) rescued: Vec<usize>,
}

/// Where an iteration came to.
pub(super) struct Outcome {
    pub(super) prototypes: Prototypes,
    pub(super) history: Vec<f64>,
    pub(super) iterations: usize,
    pub(super) stop: Stop,
    pub(super) rescued: Vec<usize>,
}

/// One iteration on its way.
struct Run {
    outcome: Outcome,
    solver: Solver,
    /// The step from the last accepted point: where equation (3) leads, and where the solver would go instead.
    step: Option<(Prototypes, Vec<f64>)>,
}

impl Course<'_> {
    /// Iterates from every start until each meets the criterion. All that still run share every pass over the rows, and
    /// each comes to the bit where it would come alone.
    pub(super) fn run(&self, rows: &mut dyn Rows, starts: Vec<Begin>) -> Result<Vec<Outcome>> {
        if let [start] = &starts[..]
            && let Some(outcome) = self.without_coming_back(rows, start)?
        {
            return Ok(vec![outcome]);
        }
        let mut runs: Vec<Run> = starts.into_iter().map(|start| self.begin(start)).collect();
        for iteration in 0..self.max_iterations {
            let mut running: Vec<&mut Run> =
                runs.iter_mut().filter(|run| run.outcome.stop != Stop::Converged).collect();
            if running.is_empty() {
                break;
            }
            self.progress.report(iteration as u64, self.max_iterations as u64)?;
            let prototypes: Vec<&Prototypes> = running.iter().map(|run| &run.outcome.prototypes).collect();
            let sums = rows.sweep(&prototypes, self.want())?; // equations (1), (2)
            running.iter_mut().zip(&sums).for_each(|(run, sums)| self.step(run, sums));
            running.retain(|run| run.step.is_some());
            let met = self.met(rows, &running)?;
            let last = iteration + 1 == self.max_iterations;
            running.into_iter().zip(met).for_each(|(run, met)| run.move_on(met, last));
        }
        Ok(runs.into_iter().map(|run| run.outcome).collect())
    }

    /// The same for the textbook's steps on a back end that makes many of them at once.
    fn without_coming_back(&self, rows: &mut dyn Rows, start: &Begin) -> Result<Option<Outcome>> {
        if !self.plain || self.criterion != Criterion::CenterMove || self.shaping.is_some() {
            return Ok(None);
        }
        let mut outcome = Outcome {
            prototypes: start.prototypes.clone(),
            history: Vec::new(),
            iterations: 0,
            stop: Stop::MaxIterations,
            rescued: start.rescued.clone(),
        };
        let unit = outcome.prototypes.objective_unit();
        while outcome.iterations < self.max_iterations && outcome.stop != Stop::Converged {
            self.progress.report(outcome.iterations as u64, self.max_iterations as u64)?;
            let most = (self.max_iterations - outcome.iterations).min(AT_ONCE);
            let until = Until { most, moves: self.tolerance * self.spread };
            let Some(steps) = rows.iterate(&outcome.prototypes, until)? else { return Ok(None) };
            outcome.prototypes.centers = steps.centers;
            outcome.iterations += steps.objectives.len();
            outcome.history.extend(steps.objectives.iter().map(|j| (j * unit).min(f64::MAX)));
            if steps.rest {
                outcome.stop = Stop::Converged;
            }
        }
        Ok(Some(outcome))
    }

    fn begin(&self, start: Begin) -> Run {
        let accelerates = matches!(start.prototypes.rule, Rule::Fuzzy { .. } | Rule::Noise { .. });
        let slack = if start.prototypes.space.single { 1e-6 } else { 1e-13 };
        let outcome = Outcome {
            prototypes: start.prototypes,
            history: Vec::new(),
            iterations: 0,
            stop: Stop::MaxIterations,
            rescued: start.rescued,
        };
        let solver = Solver::new(self.plain || !accelerates || self.shaping.is_some(), slack);
        Run { outcome, solver, step: None }
    }

    /// The step that `sums` ask for, in `run.step`; none where the solver takes back the last one.
    fn step(&self, run: &mut Run, sums: &Sums) {
        let Outcome { prototypes, history, iterations, rescued, .. } = &mut run.outcome;
        *iterations += 1;
        let mapped = sums.centers(&prototypes.centers); // equation (3)
        let step = run.solver.step(&prototypes.centers, &mapped, &sums.masses, sums.objective);
        if !step.accepted {
            prototypes.centers = step.centers;
            return;
        }
        history.push(objective(sums, prototypes));
        let mut next = prototypes.clone();
        if let Some(shaping) = &self.shaping {
            let shapes = shaping.shapes(sums, prototypes, &mapped, self.size, rescued);
            next.shapes = Some(shapes); // equations (7), (8)
        }
        next.centers = mapped;
        run.step = Some((next, step.centers));
    }

    pub(super) fn want(&self) -> Want {
        let priors = matches!(self.shaping, Some(Shaping::GathGeva));
        Want { scatter: self.shaping.is_some(), statistics: priors }
    }

    /// Whether each of `stepped` meets the criterion with the step it is about to take.
    fn met(&self, rows: &mut dyn Rows, stepped: &[&mut Run]) -> Result<Vec<bool>> {
        let steps: Vec<(&Prototypes, &Prototypes)> = stepped
            .iter()
            .filter_map(|run| run.step.as_ref().map(|(next, _)| (&run.outcome.prototypes, next)))
            .collect();
        Ok(match self.criterion {
            Criterion::CenterMove => steps
                .iter()
                .map(|(old, new)| largest_move(old, new) <= self.tolerance * self.spread)
                .collect(),
            Criterion::Objective => {
                stepped.iter().map(|run| settled(&run.outcome.history, self.tolerance)).collect()
            }
            Criterion::Memberships => {
                rows.change(&steps)?.into_iter().map(|change| change <= self.tolerance).collect()
            }
        })
    }

    /// J at the final prototypes of all fits, in the units of their space.
    pub(super) fn objectives(&self, rows: &mut dyn Rows, outcomes: &[Outcome]) -> Result<Vec<f64>> {
        let prototypes: Vec<&Prototypes> = outcomes.iter().map(|outcome| &outcome.prototypes).collect();
        Ok(rows.sweep(&prototypes, self.want())?.iter().map(total).collect())
    }

    /// One more sweep at the final prototypes of all fits for what their reports say; with Σᵢ uₖᵢᵐ of each.
    pub(super) fn finals(&self, rows: &mut dyn Rows, outcomes: &[Outcome]) -> Result<Vec<(Sums, Vec<f64>)>> {
        let prototypes: Vec<&Prototypes> = outcomes.iter().map(|outcome| &outcome.prototypes).collect();
        let Some(first) = prototypes.first() else { return Ok(Vec::new()) };
        let scatter =
            !first.space.partial && (self.shaping.is_some() || first.columns() <= HYPERVOLUME_COLUMNS);
        let sums = rows.sweep(&prototypes, Want { scatter, statistics: true })?;
        let mut masses: Vec<Vec<f64>> = sums.iter().map(|sums| sums.masses.clone()).collect();
        if let Rule::Mixed { fuzzifier, .. } = first.rule {
            // There the sums weigh rows with typicalities as well.
            let fuzzy = |p: &&Prototypes| Prototypes { rule: Rule::Fuzzy { fuzzifier }, ..(*p).clone() };
            let fuzzy: Vec<Prototypes> = prototypes.iter().map(fuzzy).collect();
            let sums = rows.sweep(&fuzzy.iter().collect::<Vec<_>>(), Want::default())?;
            masses = sums.into_iter().map(|sums| sums.masses).collect();
        }
        Ok(sums.into_iter().zip(masses).collect())
    }

    /// What is to be told of a fit whose final prototypes have these sums and Σᵢ uₖᵢᵐ.
    pub(super) fn report(&self, outcome: &Outcome, sums: &Sums, masses: &[f64], mean: &[f64]) -> Report {
        let prototypes = &outcome.prototypes;
        let indices = indices(prototypes, sums, masses, mean);
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
        Report {
            objective: objective(sums, prototypes),
            history: outcome.history.clone(),
            iterations: outcome.iterations,
            stop: outcome.stop,
            sizes: sums.statistics.as_ref().map(|s| s.sizes.clone()).unwrap_or_default(),
            indices,
            warnings,
        }
    }
}

impl Run {
    /// Takes the step that was made: the plain one if it is the last, since nobody will look at the solver's.
    fn move_on(&mut self, met: bool, last: bool) {
        let Some((next, ahead)) = self.step.take() else { return };
        self.outcome.prototypes = next;
        if met {
            self.outcome.stop = Stop::Converged;
        } else if !last {
            self.outcome.prototypes.centers = ahead;
        }
    }
}

/// J in the units of the space. The exponential distance of equation (8) can leave single precision, not double.
fn total(sums: &Sums) -> f64 {
    let spreads = || sums.statistics.as_ref().map_or(f64::INFINITY, |s| s.spreads.iter().sum());
    if sums.objective.is_finite() { sums.objective } else { spreads() }
}

/// J in the user's units, at most the largest number there is.
fn objective(sums: &Sums, prototypes: &Prototypes) -> f64 {
    (total(sums) * prototypes.objective_unit()).min(f64::MAX)
}

/// Whether the objective changed by no more than a share of itself.
fn settled(history: &[f64], tolerance: f64) -> bool {
    matches!(history, [.., last, now] if (last - now).abs() <= tolerance * now.abs())
}

/// The largest distance a center moves.
fn largest_move(before: &Prototypes, after: &Prototypes) -> f64 {
    let moves =
        (0..before.clusters()).map(|k| super::indices::squared_distance(before.center(k), after.center(k)));
    moves.fold(0.0, f64::max).sqrt()
}
