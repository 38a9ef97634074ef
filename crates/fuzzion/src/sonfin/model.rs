//! A learned network: what it is, and what it says about rows.

use super::network::Network;
use super::prototype::Prototypes;
use super::report::Report;
use super::samples::Samples;
use super::scale::Scale;
use super::settings::Missing;
use super::sonfin::learner;
use super::state::State;
use crate::data::{Labels, Table, Values};
use crate::device::Device;
use crate::error::{Error, Result};
use std::ops::Range;

/// Rows that are scaled and sent to the processor together.
const PIECE: usize = 65_536;

/// A network grown from samples; made by [`Sonfin::fit`](super::Sonfin::fit).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Model {
    /// The columns that are inputs.
    pub inputs: Vec<String>,
    /// The columns that were learned.
    pub outputs: Vec<String>,
    /// The classes that are told apart; empty where the targets are numbers.
    pub classes: Vec<String>,
    /// How the fit went.
    pub report: Report,
    pub(super) state: State,
    pub(super) scale: Scale,
    /// The mean φ of each rule over the rows of the fit; empty where they are not known, as of a stream.
    pub(super) shares: Vec<f32>,
}

impl Model {
    /// What the model says about every row: for classes a column of text called `label`, else a column for each target.
    ///
    /// Inputs are found by their names; other columns are not looked at.
    ///
    /// # Errors
    /// [`Error::ModelColumn`] where an input is not there, [`Error::LearnedColumn`] where it holds text, and
    /// [`Error::NotFinite`] for a value that is missing or infinite (a missing one is fine where the model learned to drop
    /// it).
    pub fn predict(&self, samples: &Table, device: &Device) -> Result<Table> {
        let outputs = self.scored(samples, device)?;
        if self.classes.is_empty() {
            return Table::new(self.outputs.iter().cloned(), outputs);
        }
        let found = outputs.chunks_exact(self.classes.len()).map(|y| &self.classes[largest(y)]);
        let labels = Labels::new("label", found);
        Ok(Table::from_parts::<f64>(Vec::new(), samples.rows(), Vec::new(), vec![labels]))
    }

    /// The outputs of every row: a column for each class or target. What is largest is the class that is found; those of
    /// classes learned by cross-entropy are probabilities only after a softmax.
    ///
    /// # Errors
    /// As [`Model::predict`].
    pub fn scores(&self, samples: &Table, device: &Device) -> Result<Table> {
        Table::new(self.output_names().iter().cloned(), self.scored(samples, device)?)
    }

    /// The outputs in the user's units, row by row.
    fn scored(&self, samples: &Table, device: &Device) -> Result<Vec<f64>> {
        let width = self.network().outputs;
        let mut outputs = Vec::with_capacity(samples.rows() * width);
        for start in (0..samples.rows()).step_by(PIECE) {
            let piece = self.scaled(samples, start..(start + PIECE).min(samples.rows()))?;
            let rows: Vec<u32> = (0..piece.rows() as u32).collect();
            let networks = std::slice::from_ref(self.network());
            let y = learner(&piece, networks, device, self.state.settings.mapping)?.outputs(0, &rows)?;
            outputs.extend(y.iter().map(|y| f64::from(*y)));
        }
        for y in outputs.chunks_exact_mut(width) {
            self.in_units(y);
        }
        Ok(outputs)
    }

    /// Takes the outputs of one row to the user's units.
    pub(super) fn in_units(&self, outputs: &mut [f64]) {
        let each = outputs.iter_mut().enumerate();
        each.for_each(|(l, y)| self.scale.leave_target(l, std::slice::from_mut(y)));
    }

    /// The inputs of some rows, scaled, without targets.
    pub(super) fn scaled(&self, table: &Table, rows: Range<usize>) -> Result<Samples> {
        let columns: Vec<usize> =
            self.inputs.iter().map(|name| self.column_index(table, name)).collect::<Result<_>>()?;
        let x = match table.slice(rows.clone()) {
            Values::F32(values) => self.entered(values, table.columns(), &columns, rows.start)?,
            Values::F64(values) => self.entered(values, table.columns(), &columns, rows.start)?,
        };
        Ok(Samples { dims: columns.len(), outputs: self.network().outputs, x, t: Vec::new() })
    }

    /// These columns of `values`, whose first row is `first` of the table.
    fn entered<T: Copy + Into<f64>>(
        &self,
        values: &[T],
        width: usize,
        columns: &[usize],
        first: usize,
    ) -> Result<Vec<f32>> {
        let mut x = Vec::with_capacity(values.len() / width * columns.len());
        for (i, row) in values.chunks_exact(width).enumerate() {
            for (j, column) in columns.iter().enumerate() {
                let value: f64 = row[*column].into();
                let drops = self.state.settings.missing == Missing::Drop && value.is_nan();
                if !value.is_finite() && !drops {
                    let (row, name) = ((first + i) as u64 + 1, self.inputs[j].clone());
                    return Err(Error::NotFinite { row, column: column + 1, name, value });
                }
                x.push(self.scale.entered(j, value));
            }
        }
        Ok(x)
    }

    fn column_index(&self, table: &Table, name: &str) -> Result<usize> {
        table.column_index(name).map_err(|error| match error {
            Error::UnknownColumn { .. } if table.label(name).is_ok() => {
                let problem = "holds text, and the model knows it as numbers; give it as numbers";
                Error::LearnedColumn { what: "input", name: name.to_owned(), problem }
            }
            Error::UnknownColumn { name, known } => {
                Error::ModelColumn { name, inputs: self.inputs.len(), known }
            }
            other => other,
        })
    }

    /// The rules that are the result as things stand.
    pub(super) fn network(&self) -> &Network {
        self.state.kept()
    }

    /// Its rules in the user's units.
    pub(super) fn prototypes(&self) -> Prototypes<'_> {
        Prototypes::new(self.network(), &self.scale)
    }

    /// What the outputs are called: the classes, or the targets.
    pub(super) fn output_names(&self) -> &[String] {
        if self.classes.is_empty() { &self.outputs } else { &self.classes }
    }
}

/// The first of the largest.
fn largest(values: &[f64]) -> usize {
    (1..values.len()).fold(0, |best, i| if values[i] > values[best] { i } else { best })
}
