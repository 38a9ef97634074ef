//! Rows that need not fit memory, read in pieces; one column may hold their weights.

use super::prepare::{require_weight, sum_weights};
use super::rows::Samples;
use crate::data::{Precision, Table, TableReader, Values, unknown_column};
use crate::error::Result;

/// A reader that every pass reads from the first row to the last.
pub(super) struct Pieces<'a, 'b> {
    reader: &'a mut TableReader<'b>,
    names: Vec<String>,
    /// The column that holds the weights.
    weights: Option<usize>,
}

impl<'a, 'b> Pieces<'a, 'b> {
    /// # Errors
    /// [`Error::UnknownColumn`](crate::Error::UnknownColumn) where no column is called `weights`.
    pub(super) fn new(reader: &'a mut TableReader<'b>, weights: Option<&str>) -> Result<Self> {
        let mut names = reader.names().to_vec();
        let weights = match weights {
            Some(name) => {
                let column =
                    names.iter().position(|n| n == name).ok_or_else(|| unknown_column(name, &names))?;
                names.remove(column);
                Some(column)
            }
            None => None,
        };
        Ok(Pieces { reader, names, weights })
    }

    /// The columns that are clustered.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    pub(super) fn precision(&self) -> Precision {
        self.reader.precision()
    }

    /// Calls `work` with the rows of every piece of at most `rows` rows, and the number of its first one.
    ///
    /// # Errors
    /// Those of reading, of `work`, and [`Error::Weight`](crate::Error::Weight) naming the row.
    pub(super) fn each(
        &mut self,
        rows: usize,
        mut work: impl FnMut(Samples<'_>, u64) -> Result<()>,
    ) -> Result<()> {
        self.reader.rewind()?; // someone may have read from it before
        let (mut first, mut weight) = (0, 0.0);
        while let Some(piece) = self.reader.next(rows)? {
            let count = piece.rows();
            match self.weights {
                None => work(Samples::of(&piece, None), first)?,
                Some(column) => {
                    let (piece, weights) = parted(&piece, column, &self.names)?;
                    weight += sum_weights(&weights, count, first)?;
                    work(Samples::of(&piece, Some(&weights)), first)?;
                }
            }
            first += count as u64;
        }
        if self.weights.is_some() { require_weight(weight, first) } else { Ok(()) }
    }
}

/// The table without one column, and that column.
fn parted(piece: &Table, column: usize, names: &[String]) -> Result<(Table, Vec<f64>)> {
    fn without<T: Copy>(values: &[T], columns: usize, column: usize) -> Vec<T> {
        let kept = values.iter().enumerate().filter(|(i, _)| i % columns != column);
        kept.map(|(_, x)| *x).collect()
    }
    let columns = piece.columns();
    let weights = (0..piece.rows()).filter_map(|row| piece.get(row, column)).collect();
    let rest = match piece.values() {
        Values::F32(values) => Table::new(names, without(values, columns, column)),
        Values::F64(values) => Table::new(names, without(values, columns, column)),
    };
    Ok((rest?, weights))
}
