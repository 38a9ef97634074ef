//! The user's units and those in which a system learns.

/// Inputs lie in [0, 1] while a system learns and targets about 0 in a range of 1, so that rates and ridges mean the same
/// for all data: input = low + span·scaled, target = offset + span·scaled.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scale {
    /// Where each input's range begins.
    pub(super) low: Vec<f64>,
    /// How wide it is; positive.
    pub(super) span: Vec<f64>,
    /// What 0 is for each target: the middle of its range; 0 for a class.
    pub(super) target_offset: Vec<f64>,
    /// What 1 is for each target; positive, and 1 for a class.
    pub(super) target_span: Vec<f64>,
}

impl Scale {
    /// An input's values as they are learned from.
    pub(super) fn enter(&self, input: usize, values: &mut [f64]) {
        let (low, inverse) = (self.low[input], 1.0 / self.span[input]);
        values.iter_mut().for_each(|x| *x = (*x - low) * inverse);
    }

    /// A target's values as they are learned.
    pub(super) fn enter_target(&self, target: usize, values: &mut [f64]) {
        let (offset, inverse) = (self.target_offset[target], 1.0 / self.target_span[target]);
        values.iter_mut().for_each(|y| *y = (*y - offset) * inverse);
    }

    /// An output's values in the user's units.
    pub(super) fn leave_target(&self, target: usize, values: &mut [f64]) {
        let (offset, span) = (self.target_offset[target], self.target_span[target]);
        values.iter_mut().for_each(|y| *y = offset + *y * span);
    }
}
