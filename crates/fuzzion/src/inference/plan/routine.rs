//! The steps that some results need, and the places where they put their numbers.

use super::step::{Slot, Step};

/// Steps to be run in order, each writing one of `places` places; what no result needs is left out.
///
/// The first places hold the inputs before the first step and keep them.
#[derive(Clone, Debug)]
pub(crate) struct Routine {
    /// Each step and the place it writes, which is none of those it reads.
    pub(crate) steps: Vec<(Step, Slot)>,
    /// How many places there are.
    pub(crate) places: usize,
    /// Where the results stand at the end, in the order in which they were asked for.
    pub(crate) results: Vec<Slot>,
}

impl Routine {
    /// What `results` need of `steps`, for rows of so many inputs.
    pub(crate) fn new(steps: &[Step], results: &[Slot], inputs: usize) -> Self {
        const NEVER: usize = usize::MAX;
        // The last step that reads a number; those of results are read after the last one.
        let mut last_read = vec![None; steps.len()];
        results.iter().for_each(|slot| last_read[*slot] = Some(NEVER));
        for (i, step) in steps.iter().enumerate().rev() {
            if last_read[i].is_some() {
                step.needs().into_iter().for_each(|slot| last_read[slot] = last_read[slot].max(Some(i)));
            }
        }
        let mut place_of = vec![NEVER; steps.len()];
        let (mut free, mut places, mut kept) = (Vec::new(), inputs, Vec::new());
        for (i, step) in steps.iter().enumerate() {
            if last_read[i].is_none() {
                continue;
            }
            if let Step::Input { input } = step {
                place_of[i] = *input;
                continue;
            }
            let place = free.pop().unwrap_or_else(|| {
                places += 1;
                places - 1
            });
            place_of[i] = place;
            kept.push((step.moved(|slot| place_of[slot]), place));
            let mut read = step.needs();
            read.sort_unstable();
            read.dedup();
            let read = read.into_iter().filter(|slot| last_read[*slot] == Some(i)).map(|slot| place_of[slot]);
            // The inputs stay: another routine may have to run over the same rows.
            free.extend(read.filter(|place| *place >= inputs));
        }
        Routine { steps: kept, places, results: results.iter().map(|slot| place_of[*slot]).collect() }
    }
}
