//! From settings and a table to a tuned system.

use super::algorithm::{descend, sharpen};
use super::antecedents::Antecedents;
use super::descent::{Course, Descent, least_squares};
use super::lm;
use super::network::Network;
use super::prepare::Prepared;
use super::readable;
use super::recursive;
use super::report::Report;
use super::rows::{Loss, Rows, Samples};
use super::settings::{Classify, Method, Start};
use super::starts;
use super::summary::summary;
use super::tuned::Tuned;
use super::tuner::{Tuner, rows_of};
use crate::data::Table;
use crate::device::Device;
use crate::error::{Error, Result};
use std::time::Instant;

/// Fewer rows than consequents need at least this ridge.
const ENOUGH_RIDGE: f64 = 1e-6;

/// What was learned, in scaled coordinates.
pub(super) struct Learned {
    /// The antecedents that it started from.
    pub(super) before: Antecedents,
    pub(super) descent: Descent,
}

/// Checks, learns, and tells how it went.
pub(super) fn fit(
    tuner: &Tuner<'_>,
    table: &Table,
    targets: &[&str],
    weights: Option<&[f64]>,
    device: &Device,
) -> Result<Tuned> {
    tuner.check()?;
    let prepared = Prepared::new(tuner, table, targets, weights)?;
    let clock = Instant::now();
    let mut rows = rows_of(&prepared.samples, device)?;
    let learned = learn(tuner, &prepared, &prepared.samples, &mut *rows, device)?;
    let seconds = clock.elapsed().as_secs_f64();
    let report = Report { seconds, ..summary(tuner, &prepared, &learned.descent, &mut *rows, device)? };
    drop(rows);
    Tuned::new(tuner, prepared, learned, report)
}

/// Learns from `samples`, which are those of `prepared` or a part of them, on `rows`.
pub(super) fn learn(
    tuner: &Tuner<'_>,
    prepared: &Prepared,
    samples: &Samples,
    rows: &mut dyn Rows,
    device: &Device,
) -> Result<Learned> {
    let before = starts::antecedents(tuner, prepared, samples, device)?;
    let mut network = Network::new(before.clone(), tuner.order, samples.targets.len());
    check_rules(tuner, prepared, &network, samples.training)?;
    let course = course(tuner);
    let descent = match tuner.method {
        Method::Recursive(forgetting) => recursive::one_pass(samples, rows, network, &course, forgetting)?,
        Method::LevenbergMarquardt => {
            let ill_conditioned = least_squares(rows, &mut network, tuner.ridge)?;
            lm::descend(samples, rows, network, &course, ill_conditioned, tuner.progress)?
        }
        Method::Hybrid | Method::Gradient => {
            let ill_conditioned = least_squares(rows, &mut network, tuner.ridge)?;
            if course.loss == Loss::CrossEntropy {
                sharpen(rows, &mut network, &course)?;
            }
            descend(rows, network, &course, tuner.step, ill_conditioned, tuner.progress)?
        }
    };
    Ok(Learned { before, descent })
}

/// What the settings mean for a descent.
fn course(tuner: &Tuner<'_>) -> Course {
    let softmax = tuner.classify == Some(Classify::CrossEntropy);
    let solves = tuner.method == Method::Hybrid && !softmax;
    Course {
        iterations: tuner.iterations,
        solve_every: if solves { tuner.solve_every } else { 0 },
        rate: tuner.first_rate(),
        ridge: tuner.ridge,
        readable: tuner.readable,
        loss: if softmax { Loss::CrossEntropy } else { Loss::Squares },
        patience: tuner.patience,
    }
}

/// Refuses rules that these settings cannot learn.
fn check_rules(tuner: &Tuner<'_>, prepared: &Prepared, network: &Network, training: usize) -> Result<()> {
    let antecedents = &network.antecedents;
    let moves = tuner.iterations > 0 && !matches!(tuner.method, Method::Recursive(_));
    if !antecedents.form.is_smooth() && moves {
        let (algorithm, name) = ("tuning of triangles", "iterations");
        let must = "0, which is least squares alone, since triangles have no slopes to follow";
        return Err(Error::Parameter { algorithm, name, value: tuner.iterations as f64, must });
    }
    let unknowns = network.unknowns();
    if training == 0 || (training < unknowns && tuner.ridge < ENOUGH_RIDGE) {
        return Err(Error::FewTrainingRows { rows: training, unknowns });
    }
    if tuner.readable && matches!(tuner.start, Start::Grid(_) | Start::System(_)) {
        for (input, order) in readable::in_order(antecedents).into_iter().enumerate() {
            let p = |set: usize| &antecedents.sets[set].parameters;
            if !order.windows(2).all(|pair| readable::agree(antecedents.form, p(pair[0]), p(pair[1]))) {
                let problem = "has sets that are not readable to begin with: neighbors must cross at a membership from 0.2 \
                               to 0.8; start from a grid, or without `readable`";
                let name = prepared.inputs[input].clone();
                return Err(Error::LearnedColumn { what: "input", name, problem });
            }
        }
    }
    Ok(())
}
