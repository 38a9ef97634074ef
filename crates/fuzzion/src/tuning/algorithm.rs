//! The ways of learning, as the papers write them; they know no back end.

use super::descent::{Course, Descent, count};
use super::network::Network;
use super::rows::Rows;
use super::settings::Step;
use super::step::Pace;
use crate::error::Result;
use crate::progress::Progress;

/// Iterations that a back end makes without coming back, after which the user may interrupt.
const AT_ONCE: usize = 128;
/// Factors of the least-squares outputs that are tried as the start of a softmax, which needs more than 0 and 1.
const SHARPER: [f64; 6] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0];

/// Gradient steps from a network whose consequents are solved for.
pub(super) fn descend(
    rows: &mut dyn Rows,
    network: Network,
    course: &Course,
    step: Step,
    ill_conditioned: bool,
    progress: Progress<'_>,
) -> Result<Descent> {
    let pace = Pace::new(step, course.rate, count(&network, course));
    let mut descent = Descent::new(network, pace, ill_conditioned);
    while descent.stop.is_none() {
        let made = descent.history.len();
        progress.report(made as u64, course.iterations as u64 + 1)?;
        let most = (course.iterations + 1 - made).min(AT_ONCE);
        match rows.iterate(&descent, course, most)? {
            Some(further) => descent = further,
            None => descent.advance(rows, course)?,
        }
    }
    Ok(descent)
}

/// Multiplies the consequents by what makes the loss least: where the outputs go into a softmax, 0 and 1 are too near
/// each other.
pub(super) fn sharpen(rows: &mut dyn Rows, network: &mut Network, course: &Course) -> Result<()> {
    let mut best: Option<(f64, Vec<f64>)> = None;
    for factor in SHARPER {
        let theta: Vec<f64> = network.theta.iter().map(|theta| factor * theta).collect();
        let tried = Network { theta, ..network.clone() };
        let loss = rows.slope(&tried, course.loss)?.loss[0];
        if best.as_ref().is_none_or(|(least, _)| loss < *least) {
            best = Some((loss, tried.theta));
        }
    }
    if let Some((_, theta)) = best {
        network.theta = theta;
    }
    Ok(())
}
