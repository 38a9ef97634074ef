//! Result of the compiler.

use super::step::{Slot, Step};

/// The steps of a system and the slots of its results.
#[derive(Clone, Debug)]
pub(crate) struct Steps {
    pub(crate) steps: Vec<Step>,
    pub(crate) outputs: Vec<CompiledOutput>,
    /// Firing strength of each rule.
    pub(crate) firing: Vec<Slot>,
    /// For each output, the aggregated strength of each of its sets.
    pub(crate) activated: Vec<Vec<Slot>>,
    /// For each output, the mask of rows where a rule that concludes it fired.
    pub(crate) fired: Vec<Slot>,
    /// Steps whose value is NaN in rows that require the general steps.
    pub(crate) fallback_flags: Vec<Slot>,
}

/// Source of an output's value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CompiledOutput {
    /// The value of a step.
    Value(Slot),
    /// The value of a step, or the previous row's value if there is none.
    LockPrevious(LockPrevious),
}

/// An output that may keep its value of the previous row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LockPrevious {
    pub(crate) value: Slot,
    /// Mask of rows without a value.
    pub(crate) missing: Slot,
    pub(crate) default: f64,
    pub(crate) range: Option<(f64, f64)>,
}

impl LockPrevious {
    /// The output of a row, given the output of the previous row.
    pub(crate) fn resolve(&self, value: f64, missing: bool, previous: f64) -> f64 {
        let value = match missing {
            true if previous.is_nan() => self.default,
            true => previous,
            false => value,
        };
        match self.range {
            Some((minimum, _)) if value < minimum => minimum,
            Some((_, maximum)) if value > maximum => maximum,
            _ => value,
        }
    }
}
