//! A plan's steps split into two stages: rule firing, then defuzzification.

use super::step::{Slot, Step};

/// Steps split before the first defuzzification step.
#[derive(Clone, Debug)]
pub(crate) struct Stages {
    pub(crate) first: Vec<Step>,
    /// Values of the first stage that the second stage reads, in the order of the second stage's inputs.
    pub(crate) intermediates: Vec<Slot>,
    pub(crate) second: Vec<Step>,
    /// The result, a value of the second stage.
    pub(crate) result: Slot,
}

impl Stages {
    /// Splits the steps that `result` needs.
    pub(crate) fn new(steps: &[Step], result: Slot) -> Self {
        let mut live = vec![false; steps.len()];
        live[result] = true;
        for (i, step) in steps.iter().enumerate().rev().filter(|(i, _)| *i <= result) {
            if live[i] {
                step.operands().into_iter().for_each(|slot| live[slot] = true);
            }
        }
        let defuzzifies = |step: &Step| matches!(step, Step::Defuzzify { .. } | Step::Weighted { .. });
        let cut = (0..steps.len()).find(|i| live[*i] && defuzzifies(&steps[*i])).unwrap_or(steps.len());
        let read_after_cut = (cut..steps.len()).filter(|i| live[*i]).flat_map(|i| steps[i].operands());
        let mut intermediates: Vec<Slot> =
            read_after_cut.chain([result]).filter(|slot| *slot < cut).collect();
        intermediates.sort_unstable();
        intermediates.dedup();
        let inputs = intermediates.len();
        let map = |slot: Slot| match slot < cut {
            true => intermediates
                .binary_search(&slot)
                .expect("invariant: the second stage reads only intermediates of the first"),
            false => inputs + slot - cut,
        };
        let second = (0..inputs).map(|input| Step::Input { input });
        // Dead steps, which are never run, may read other values of the first stage; placeholders keep the slots.
        let remapped = (cut..steps.len()).map(|i| match live[i] {
            true => steps[i].remap(map),
            false => Step::Constant { value: f64::NAN },
        });
        let second = second.chain(remapped).collect();
        Stages { first: steps[..cut].to_vec(), second, result: map(result), intermediates }
    }
}
