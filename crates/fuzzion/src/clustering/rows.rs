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

    pub(super) fn precision(&self) -> Precision {
        match self.values {
            Values::F32(_) => Precision::F32,
            Values::F64(_) => Precision::F64,
        }
    }

    /// The same rows in pieces of at most `rows`.
    pub(super) fn pieces(self, rows: usize) -> impl Iterator<Item = Samples<'a>> {
        let columns = self.names.len();
        let total = self.values.len() / columns;
        (0..total).step_by(rows).map(move |first| {
            let last = total.min(first + rows);
            let range = first * columns..last * columns;
            let values = match self.values {
                Values::F32(x) => Values::F32(&x[range]),
                Values::F64(x) => Values::F64(&x[range]),
            };
            Samples { values, weights: self.weights.map(|weights| &weights[first..last]), ..self }
        })
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
            Source::Memory(samples) => samples.precision(),
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

impl Out<'_> {
    /// Takes the degrees of rows from number `first` on, clusters side by side.
    pub(super) fn put(&mut self, first: usize, clusters: usize, degrees: &[f64]) {
        match self {
            Out::Single(out) => {
                let out = &mut out[first * clusters..][..degrees.len()];
                out.iter_mut().zip(degrees).for_each(|(to, u)| *to = *u as f32);
            }
            Out::Double(out) => out[first * clusters..][..degrees.len()].copy_from_slice(degrees),
            Out::Top(top, out) => {
                let rows = out[first * *top..].chunks_exact_mut(*top).zip(degrees.chunks_exact(clusters));
                rows.for_each(|(out, row)| largest(row, out));
            }
            Out::Labels(out) => {
                let rows = out[first..].iter_mut().zip(degrees.chunks_exact(clusters));
                rows.for_each(|(out, row)| *out = first_of_largest(row));
            }
        }
    }
}

/// The largest numbers of `row` with their places, largest first, the first of equals first.
pub(super) fn largest(row: &[f64], out: &mut [(u32, f64)]) {
    let mut all: Vec<(u32, f64)> = row.iter().enumerate().map(|(k, u)| (k as u32, *u)).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1)); // stable: the first of equals stays first
    out.copy_from_slice(&all[..out.len()]);
}

/// The place of the largest number, the first of equals.
pub(super) fn first_of_largest(row: &[f64]) -> u32 {
    (1..row.len()).fold(0, |best, k| if row[k] > row[best] { k } else { best }) as u32
}

/// When an iteration made without coming back ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Until {
    /// The most steps.
    pub(super) most: usize,
    /// The largest move of a center that counts as rest, in the coordinates of the space.
    pub(super) moves: f64,
}

/// Where it came to.
pub(super) struct Iterated {
    pub(super) centers: Vec<f64>,
    /// J before each step, in the units of the space.
    pub(super) objectives: Vec<f64>,
    /// Whether the centers came to rest.
    pub(super) rest: bool,
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
    /// The textbook's steps from `start` made without coming back between them, where this back end gains by that.
    fn iterate(&mut self, _start: &Prototypes, _until: Until) -> Result<Option<Iterated>> {
        Ok(None)
    }
}
