//! A plan's steps in two stages: what rules say of a row, and what follows from that.

use super::step::{Slot, Step};

/// Steps cut where the first defuzzifier begins.
#[derive(Clone, Debug)]
pub(crate) struct Stages {
    pub(crate) first: Vec<Step>,
    /// The numbers of the first stage that the second one reads, as its inputs in this order.
    pub(crate) crossing: Vec<Slot>,
    pub(crate) second: Vec<Step>,
    /// The result, a number of the second stage.
    pub(crate) result: Slot,
}

impl Stages {
    /// The stages of what `result` needs.
    pub(crate) fn of(steps: &[Step], result: Slot) -> Self {
        let mut live = vec![false; steps.len()];
        live[result] = true;
        for (i, step) in steps.iter().enumerate().rev().filter(|(i, _)| *i <= result) {
            if live[i] {
                step.needs().into_iter().for_each(|slot| live[slot] = true);
            }
        }
        let defuzzifies = |step: &Step| matches!(step, Step::Defuzzify { .. } | Step::Weighted { .. });
        let cut = (0..steps.len()).find(|i| live[*i] && defuzzifies(&steps[*i])).unwrap_or(steps.len());
        let read_behind = (cut..steps.len()).filter(|i| live[*i]).flat_map(|i| steps[i].needs());
        let mut crossing: Vec<Slot> = read_behind.chain([result]).filter(|slot| *slot < cut).collect();
        crossing.sort_unstable();
        crossing.dedup();
        let inputs = crossing.len();
        // What nobody reads has no place.
        let place = |slot: Slot| match slot < cut {
            true => crossing.binary_search(&slot).unwrap_or(0),
            false => inputs + slot - cut,
        };
        let second = (0..inputs).map(|input| Step::Input { input });
        let second = second.chain(steps[cut..].iter().map(|step| step.moved(place))).collect();
        Stages { first: steps[..cut].to_vec(), second, result: place(result), crossing }
    }
}
