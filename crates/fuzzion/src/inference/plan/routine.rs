//! The steps that a selection of results needs, with buffers assigned to their values.

use super::step::{Slot, Step};

/// Steps to run in order, each writing to one of `buffers` buffers. Steps that no result needs are left out.
///
/// The first buffers contain the inputs; no step overwrites them.
#[derive(Clone, Debug)]
pub(crate) struct Routine {
    /// Each step and the buffer it writes, which is never one of its operands.
    pub(crate) steps: Vec<(Step, Slot)>,
    /// Number of buffers.
    pub(crate) buffers: usize,
    /// Buffers of the results, in the requested order.
    pub(crate) results: Vec<Slot>,
}

impl Routine {
    /// The part of `steps` that computes `results`, for rows with `inputs` inputs.
    pub(crate) fn new(steps: &[Step], results: &[Slot], inputs: usize) -> Self {
        const NEVER: usize = usize::MAX;
        // Last step that reads each value; results are read after the last step.
        let mut last_read = vec![None; steps.len()];
        results.iter().for_each(|slot| last_read[*slot] = Some(NEVER));
        for (i, step) in steps.iter().enumerate().rev() {
            if last_read[i].is_some() {
                step.operands().into_iter().for_each(|slot| last_read[slot] = last_read[slot].max(Some(i)));
            }
        }
        let mut buffer_of = vec![NEVER; steps.len()];
        let (mut free, mut buffers, mut needed) = (Vec::new(), inputs, Vec::new());
        for (i, step) in steps.iter().enumerate() {
            if last_read[i].is_none() {
                continue;
            }
            if let Step::Input { input } = step {
                buffer_of[i] = *input;
                continue;
            }
            let buffer = free.pop().unwrap_or_else(|| {
                buffers += 1;
                buffers - 1
            });
            buffer_of[i] = buffer;
            needed.push((step.remap(|slot| buffer_of[slot]), buffer));
            let mut read = step.operands();
            read.sort_unstable();
            read.dedup();
            let read =
                read.into_iter().filter(|slot| last_read[*slot] == Some(i)).map(|slot| buffer_of[slot]);
            // Inputs are preserved because another routine may run over the same rows.
            free.extend(read.filter(|buffer| *buffer >= inputs));
        }
        Routine { steps: needed, buffers, results: results.iter().map(|slot| buffer_of[*slot]).collect() }
    }
}
