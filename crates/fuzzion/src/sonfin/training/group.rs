//! Concurrent training of several networks.

use super::schedule::Split;
use super::state::TrainingState;
use crate::sonfin::backend::BackEnd;
use crate::sonfin::error::Result;
use crate::sonfin::learner::{BatchLearner, BatchRun, TrainingRun};
use crate::sonfin::types::network::Network;
use crate::sonfin::types::scale::Scale;

/// Samples between two progress reports.
const CHUNK: usize = 4096;

/// Trains networks with the same optimizer and number of epochs, each on the training rows of its split. The learner contains
/// the trained networks; the states receive only the history.
pub(super) fn train_group<'a>(
    back_end: &BackEnd<'a>,
    splits: &[&Split],
    states: &mut [TrainingState],
    scale: &Scale,
) -> Result<Box<dyn BatchLearner + 'a>> {
    let adam: Option<Vec<_>> = states.iter_mut().map(TrainingState::start_adam).collect();
    let settings = states[0].settings.clone();
    let networks: Vec<Network> = states.iter().map(|state| state.network.clone()).collect();
    let mut learner = back_end.learner(&networks, settings.mapping)?;
    let is_adam = adam.is_some();
    if let Some(adam) = adam {
        learner.set_adam(adam)?;
    }
    // Networks on the same split share the order of the rows.
    let is_shared = |i: usize| std::ptr::eq(splits[i], splits[0]);
    for epoch in 0..settings.epochs {
        states.iter_mut().for_each(|state| state.epoch = epoch);
        let order = |i: usize| match i > 0 && is_shared(i) {
            true => Vec::new(),
            false => splits[i].order(states[i].settings.seed, epoch),
        };
        let orders: Vec<Vec<u32>> = (0..states.len()).map(order).collect();
        let order_of = |i: usize| if is_shared(i) { &orders[0] } else { &orders[i] };
        let longest = (0..states.len()).map(|i| order_of(i).len()).max().unwrap_or(0);
        for first in (0..longest).step_by(CHUNK) {
            back_end.device.progress().report(0, 0)?;
            let rows = |i: usize| {
                let order = order_of(i);
                &order[first.min(order.len())..(first + CHUNK).min(order.len())]
            };
            let each = || states.iter().enumerate();
            let stats = if is_adam {
                let settings =
                    |i: usize, state: &TrainingState| state.settings.adam_settings(order_of(i).len());
                let run =
                    |(i, state)| settings(i, state).map(|settings| BatchRun { order: rows(i), settings });
                learner.learn_batches(&each().filter_map(run).collect::<Vec<_>>())?
            } else {
                let run = |(i, state): (usize, &TrainingState)| TrainingRun {
                    order: rows(i),
                    settings: state.step_settings(),
                    replay: None,
                };
                learner.learn(&each().map(run).collect::<Vec<_>>())?
            };
            for (state, stats) in states.iter_mut().zip(stats) {
                state.loss += stats.loss;
                state.misclassified += stats.misclassified;
            }
        }
        for (i, state) in states.iter_mut().enumerate() {
            let rows = order_of(i).len();
            state.record_epoch(rows, None, scale);
        }
    }
    Ok(learner)
}
