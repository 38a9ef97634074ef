//! Consecutive rows of samples, and tables in a given precision.

use crate::data::{DataError, Precision, Samples, Table};

/// Splits the samples into parts of at most `rows` rows.
pub(in crate::clustering) fn parts<'a>(
    samples: &'a Samples<'_>,
    rows: usize,
) -> impl Iterator<Item = Samples<'a>> {
    let total = samples.rows();
    (0..total).step_by(rows).map(move |first| samples.part(first..first + rows))
}

/// A table of `values`, rounded to `precision`.
pub(in crate::clustering) fn table_in(
    precision: Precision,
    names: &[String],
    values: Vec<f64>,
) -> Result<Table, DataError> {
    match precision {
        Precision::F64 => Table::new(names, values),
        Precision::F32 => Table::new(names, values.into_iter().map(|x| x as f32).collect::<Vec<_>>()),
    }
}
