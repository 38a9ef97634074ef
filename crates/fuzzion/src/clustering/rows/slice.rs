//! Rows in memory.

use crate::data::{Precision, Table, Values};

/// Rows in memory, with optional weights.
#[derive(Clone, Copy)]
pub(in crate::clustering) struct RowSlice<'a> {
    pub(in crate::clustering) values: Values<'a>,
    pub(in crate::clustering) names: &'a [String],
    pub(in crate::clustering) weights: Option<&'a [f64]>,
}

impl<'a> RowSlice<'a> {
    pub(in crate::clustering) fn new(table: &'a Table, weights: Option<&'a [f64]>) -> Self {
        RowSlice { values: table.values(), names: table.names(), weights }
    }

    pub(in crate::clustering) fn precision(&self) -> Precision {
        match self.values {
            Values::F32(_) => Precision::F32,
            Values::F64(_) => Precision::F64,
        }
    }

    /// Splits the rows into batches of at most `rows`.
    pub(in crate::clustering) fn batches(self, rows: usize) -> impl Iterator<Item = RowSlice<'a>> {
        let columns = self.names.len();
        let total = self.values.len() / columns;
        (0..total).step_by(rows).map(move |first| {
            let last = total.min(first + rows);
            let range = first * columns..last * columns;
            let values = match self.values {
                Values::F32(x) => Values::F32(&x[range]),
                Values::F64(x) => Values::F64(&x[range]),
            };
            RowSlice { values, weights: self.weights.map(|weights| &weights[first..last]), ..self }
        })
    }
}
