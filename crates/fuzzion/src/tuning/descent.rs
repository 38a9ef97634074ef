//! A descent on its way: what it goes by, where it is, and what it has seen.

use super::basis::Frames;
use super::network::Network;
use super::readable;
use super::report::Stop;
use super::rows::{Loss, Rows, Slope};
use super::step::{AT_REST, Pace, TOO_FAR, limit};
use crate::error::Result;

/// A mean loss that is rounding only: targets are scaled to a range of 1.
pub(super) const EXACT: f64 = 1e-28;

/// What a descent goes by, as plain data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Course {
    pub(super) iterations: usize,
    /// Least squares is solved in every so-manieth iteration; 0 lets the consequents follow their slopes as well.
    pub(super) solve_every: usize,
    pub(super) rate: f64,
    pub(super) ridge: f64,
    pub(super) readable: bool,
    pub(super) loss: Loss,
    /// Iterations without a better validation loss before it ends.
    pub(super) patience: usize,
}

/// The means over the training and over the validation rows (NaN where there are none) before one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reading {
    pub(super) loss: [f64; 2],
    /// The squared errors, all outputs together.
    pub(super) squares: [f64; 2],
    /// The rate of the step that follows.
    pub(super) rate: f64,
}

/// A descent on its way. A back end that makes many iterations at once returns the same that as many calls of
/// [`Descent::advance`] would leave.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Descent {
    /// What is looked at next; its consequents are those of the last solution.
    pub(super) network: Network,
    pub(super) pace: Pace,
    /// The least training loss, and where it was: a step too far goes back there.
    pub(super) least: f64,
    pub(super) least_at: Network,
    /// The least validation loss, or training loss where nothing is kept back, and where it was: what is returned.
    pub(super) best: f64,
    pub(super) best_at: Network,
    /// Iterations since then.
    pub(super) since: usize,
    pub(super) history: Vec<Reading>,
    pub(super) stop: Option<Stop>,
    pub(super) ill_conditioned: bool,
}

impl Descent {
    /// A descent from a network whose consequents are solved for.
    pub(super) fn new(network: Network, pace: Pace, ill_conditioned: bool) -> Self {
        Descent {
            pace,
            least: f64::INFINITY,
            least_at: network.clone(),
            best: f64::INFINITY,
            best_at: network.clone(),
            network,
            since: 0,
            history: Vec::new(),
            stop: None,
            ill_conditioned,
        }
    }

    /// How many steps were made.
    pub(super) fn iterations(&self) -> usize {
        self.history.len().saturating_sub(1)
    }

    /// One iteration: consequents, error, step.
    pub(super) fn advance(&mut self, rows: &mut dyn Rows, course: &Course) -> Result<()> {
        let made = self.history.len();
        if made > 0 && course.solve_every > 0 && made.is_multiple_of(course.solve_every) {
            self.ill_conditioned |= least_squares(rows, &mut self.network, course.ridge)?; // equation (3)
        }
        let slope = rows.slope(&self.network, course.loss)?; // equation (4)
        self.record(&slope, course);
        if self.stop.is_none() {
            self.step(&slope, course);
        }
        Ok(())
    }

    /// Notes the error at the present network, keeps it if it is the best, and says whether to go on.
    pub(super) fn record(&mut self, slope: &Slope, course: &Course) {
        let mean = |sums: [f64; 2]| [sums[0] / slope.weight[0], sums[1] / slope.weight[1]];
        let (loss, squares) = (mean(slope.loss), mean(slope.squares));
        self.history.push(Reading { loss, squares, rate: self.pace.rate });
        if loss[0] < self.least {
            (self.least, self.least_at) = (loss[0], self.network.clone());
        }
        let validates = slope.weight[1] > 0.0;
        let judged = if validates { loss[1] } else { loss[0] };
        if judged < self.best {
            (self.best, self.best_at, self.since) = (judged, self.network.clone(), 0);
        } else {
            self.since += 1;
        }
        self.stop = if self.history.len() > course.iterations {
            Some(Stop::MaxIterations)
        } else if validates && self.since >= course.patience {
            Some(Stop::Validation)
        } else if loss[0] <= EXACT {
            Some(Stop::Converged)
        } else {
            None
        };
    }

    /// Moves on, or back to the best place with a smaller rate where the last step went too far.
    fn step(&mut self, slope: &Slope, course: &Course) {
        let loss = slope.loss[0] / slope.weight[0];
        let near = loss <= TOO_FAR * self.least; // not so where it is no number
        if !near {
            self.network = self.least_at.clone();
            self.pace.shrink();
            if self.pace.rate < AT_REST * course.rate {
                self.stop = Some(Stop::Converged);
            }
            return;
        }
        self.pace.observe(loss);
        let slopes = slopes(slope, course);
        if slopes.iter().all(|slope| *slope == 0.0) {
            self.stop = Some(Stop::Converged);
            return;
        }
        let before = course.readable.then(|| self.network.antecedents.clone());
        let mut parameters = parameters(&self.network, course);
        self.pace.take(&mut parameters, &slopes);
        put(&mut self.network, &parameters);
        if let Some(before) = before {
            readable::keep(&before, &mut self.network.antecedents);
        }
    }
}

/// Solves equation (3) for the consequents, in frames that follow the sets; whether it was ill-conditioned.
pub(super) fn least_squares(rows: &mut dyn Rows, network: &mut Network, ridge: f64) -> Result<bool> {
    network.frames = Frames::of(&network.antecedents);
    let solution = rows.consequents(network, ridge)?;
    network.theta = solution.theta;
    Ok(solution.ill_conditioned)
}

/// How many parameters a descent moves.
pub(super) fn count(network: &Network, course: &Course) -> usize {
    let theta = if course.solve_every == 0 { network.theta.len() } else { 0 };
    4 * network.antecedents.sets.len() + theta
}

/// Four for each set, then the consequents where they follow their slopes.
fn parameters(network: &Network, course: &Course) -> Vec<f64> {
    let sets = network.antecedents.sets.iter().flat_map(|set| set.parameters);
    sets.chain(network.theta.iter().copied()).take(count(network, course)).collect()
}

fn slopes(slope: &Slope, course: &Course) -> Vec<f64> {
    let theta = if course.solve_every == 0 { &slope.theta[..] } else { &[] };
    slope.sets.iter().flatten().chain(theta).copied().collect()
}

/// Puts moved parameters back, within the limits of the form.
pub(super) fn put(network: &mut Network, parameters: &[f64]) {
    let antecedents = &mut network.antecedents;
    let (sets, theta) = parameters.split_at(4 * antecedents.sets.len());
    for (set, moved) in antecedents.sets.iter_mut().zip(sets.as_chunks::<4>().0) {
        set.parameters = *moved;
        limit(antecedents.form, &mut set.parameters);
    }
    network.theta[..theta.len()].copy_from_slice(theta);
}
