//! Rows that may exceed memory, read in batches; one column may contain sample weights.

use crate::clustering::error::Result;
use crate::data::{DataError, Precision, Samples, Table, TableReader, Values, unknown_column};

/// Table reader that is read from the first row to the last in every pass.
pub(in crate::clustering) struct RowBatches<'a> {
    reader: &'a mut TableReader,
    names: Vec<String>,
    /// Index of the weight column.
    weights: Option<usize>,
}

impl<'a> RowBatches<'a> {
    /// # Errors
    /// [`DataError::UnknownColumn`] if no column is named `weights`.
    pub(in crate::clustering) fn new(reader: &'a mut TableReader, weights: Option<&str>) -> Result<Self> {
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
        Ok(RowBatches { reader, names, weights })
    }

    /// Names of the clustered columns.
    pub(in crate::clustering) fn names(&self) -> &[String] {
        &self.names
    }

    pub(in crate::clustering) fn precision(&self) -> Precision {
        self.reader.precision()
    }

    /// Calls `work` with each batch of at most `rows` rows and the index of its first row.
    ///
    /// # Errors
    /// Read errors, errors of `work`, and [`DataError::SampleWeight`] with the row of an invalid weight.
    pub(in crate::clustering) fn for_each_batch(
        &mut self,
        rows: usize,
        mut work: impl FnMut(&Samples<'_>, u64) -> Result<()>,
    ) -> Result<()> {
        self.reader.rewind()?; // the caller may have read from it
        let (mut first, mut weight) = (0, 0.0);
        while let Some(batch) = self.reader.next(rows)? {
            let count = batch.rows();
            match self.weights {
                None => work(&batch.samples(), first)?,
                Some(column) => {
                    let (batch, weights) = split_column(&batch, column, &self.names)?;
                    weight += weights.iter().sum::<f64>();
                    let samples = batch.samples().with_weights(&weights);
                    work(&samples.map_err(|error| with_row_offset(error, first))?, first)?;
                }
            }
            first += count as u64;
        }
        if self.weights.is_some() { require_positive_weight(weight, first) } else { Ok(()) }
    }
}

/// Checks that the `sum` of the weights of all `rows` rows is positive.
pub(in crate::clustering) fn require_positive_weight(sum: f64, rows: u64) -> Result<()> {
    if sum == 0.0 && rows > 0 { Err(DataError::SampleWeight { row: 1, value: 0.0 }.into()) } else { Ok(()) }
}

/// Counts the row of an invalid weight from the first row of all batches, not of this one.
fn with_row_offset(error: DataError, first: u64) -> DataError {
    match error {
        DataError::SampleWeight { row, value } => DataError::SampleWeight { row: row + first, value },
        other => other,
    }
}

/// Splits a table into the other columns and one column.
fn split_column(batch: &Table, column: usize, names: &[String]) -> Result<(Table, Vec<f64>)> {
    fn drop_column<T: Copy>(values: &[T], columns: usize, column: usize) -> Vec<T> {
        let others = values.iter().enumerate().filter(|(i, _)| i % columns != column);
        others.map(|(_, x)| *x).collect()
    }
    let columns = batch.columns();
    let weight = |row: usize| batch.get(row, column).expect("invariant: the weight column exists");
    let weights = (0..batch.rows()).map(weight).collect();
    let others = match batch.values() {
        Values::F32(values) => Table::new(names, drop_column(values, columns, column)),
        Values::F64(values) => Table::new(names, drop_column(values, columns, column)),
    };
    Ok((others?, weights))
}
