//! What the algorithm asks of a back end, and the rows it is asked about.

use super::pieces::Pieces;
use super::prototypes::Prototypes;
use super::sums::{Sums, Want};
use super::survey::{Ask, Survey};
use crate::data::{Precision, Table, Values};
use crate::error::Result;

/// Rows in memory.
#[derive(Clone, Copy)]
pub(super) struct Samples<'a> {
    pub(super) values: Values<'a>,
    pub(super) names: &'a [String],
    pub(super) weights: Option<&'a [f64]>,
}

impl<'a> Samples<'a> {
    pub(super) fn of(table: &'a Table, weights: Option<&'a [f64]>) -> Self {
        Samples { values: table.values(), names: table.names(), weights }
    }
}

/// Where rows come from.
pub(super) enum Source<'a, 'b> {
    Memory(Samples<'a>),
    Pieces(Pieces<'a, 'b>),
}

impl Source<'_, '_> {
    /// The columns that are clustered.
    pub(super) fn names(&self) -> &[String] {
        match self {
            Source::Memory(samples) => samples.names,
            Source::Pieces(pieces) => pieces.names(),
        }
    }

    pub(super) fn precision(&self) -> Precision {
        match self {
            Source::Memory(Samples { values: Values::F32(_), .. }) => Precision::F32,
            Source::Memory(Samples { values: Values::F64(_), .. }) => Precision::F64,
            Source::Pieces(pieces) => pieces.precision(),
        }
    }
}

/// Where the degrees of rows go: all of them, one column per cluster, or what matters of them.
pub(super) enum Out<'a> {
    Single(&'a mut [f32]),
    Double(&'a mut [f64]),
    /// So many of the largest of each row with their clusters, largest first, the first of equals first.
    Top(usize, &'a mut [(u32, f64)]),
    /// The cluster of the largest, the first of equals.
    Labels(&'a mut [u32]),
}

/// All rows of a problem, wherever they lie and whatever computes on them.
pub(super) trait Rows {
    /// Count, means and spread of the rows; refuses values that are not finite and weights that count nothing.
    fn survey(&mut self, ask: Ask) -> Result<Survey>;
    /// One fused pass over all rows for several prototypes at once: for each its sums, to the bit those of a pass for
    /// it alone.
    fn sweep(&mut self, prototypes: &[&Prototypes], want: Want) -> Result<Vec<Sums>>;
    /// The largest |u − u′| between the memberships of two prototypes, for each pair (before, after).
    fn change(&mut self, steps: &[(&Prototypes, &Prototypes)]) -> Result<Vec<f64>>;
    /// The rows with these numbers (ascending), one after the other, and their weights.
    fn gather(&mut self, rows: &[u64]) -> Result<(Vec<f64>, Vec<f64>)>;
    /// Calls `take` with some rows and their weights, again and again from the first row to the last.
    fn visit(&mut self, take: &mut dyn FnMut(&[f64], &[f64])) -> Result<()>;
}
