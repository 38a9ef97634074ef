//! Decoding of the columns of a row group.

use parquet::basic::{ConvertedType, LogicalType, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::{ParquetError, Result};
use parquet::schema::types::ColumnDescriptor;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Kind of data of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ColumnKind {
    /// Numbers; signed integers are multiplied by `scale`.
    Number { scale: f64, unsigned: bool },
    /// Text.
    Text,
    /// Unsupported types: nested lists, 96-bit timestamps, byte arrays of fixed length.
    Other,
}

impl ColumnKind {
    pub(crate) fn of(column: &ColumnDescriptor) -> ColumnKind {
        if column.max_rep_level() > 0 || column.max_def_level() > 1 {
            return ColumnKind::Other;
        }
        let unsigned = match column.logical_type_ref() {
            Some(LogicalType::Integer(integer)) => !integer.is_signed,
            _ => matches!(
                column.converted_type(),
                ConvertedType::UINT_8
                    | ConvertedType::UINT_16
                    | ConvertedType::UINT_32
                    | ConvertedType::UINT_64
            ),
        };
        let decimal = column.converted_type() == ConvertedType::DECIMAL
            || matches!(column.logical_type_ref(), Some(LogicalType::Decimal { .. }));
        let scale = if decimal { 10f64.powi(-column.type_scale()) } else { 1.0 };
        match column.physical_type() {
            Type::BOOLEAN | Type::INT32 | Type::INT64 | Type::FLOAT | Type::DOUBLE => {
                ColumnKind::Number { scale, unsigned }
            }
            Type::BYTE_ARRAY if !decimal => ColumnKind::Text,
            _ => ColumnKind::Other,
        }
    }
}

/// Runs `work` and reports a panic as a damaged file, because the `parquet` crate panics on some invalid files.
pub(crate) fn catch_panics<R>(work: impl FnOnce() -> Result<R>) -> Result<R> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(ParquetError::General("the file is damaged".into())))
}

/// Reads `rows` numbers; a missing value is NaN.
pub(crate) fn read_numbers(reader: &mut ColumnReader, kind: ColumnKind, rows: usize) -> Result<Vec<f64>> {
    let (scale, unsigned) = match kind {
        ColumnKind::Number { scale, unsigned } => (scale, unsigned),
        _ => (1.0, false),
    };
    match reader {
        ColumnReader::BoolColumnReader(r) => numbers(r, rows, |x| f64::from(u8::from(*x))),
        ColumnReader::Int32ColumnReader(r) if unsigned => numbers(r, rows, |x| f64::from(*x as u32)),
        ColumnReader::Int32ColumnReader(r) => numbers(r, rows, |x| f64::from(*x) * scale),
        ColumnReader::Int64ColumnReader(r) if unsigned => numbers(r, rows, |x| *x as u64 as f64),
        ColumnReader::Int64ColumnReader(r) => numbers(r, rows, |x| *x as f64 * scale),
        ColumnReader::FloatColumnReader(r) => numbers(r, rows, |x| f64::from(*x)),
        ColumnReader::DoubleColumnReader(r) => numbers(r, rows, |x| *x),
        _ => Err(ParquetError::General("a column changes its type; the file is damaged".into())),
    }
}

/// Reads `rows` strings; a missing value is `None`.
pub(crate) fn read_texts(reader: &mut ColumnReader, rows: usize) -> Result<Vec<Option<ByteArray>>> {
    match reader {
        ColumnReader::ByteArrayColumnReader(reader) => cells(reader, rows),
        _ => Err(ParquetError::General("a column changes its type; the file is damaged".into())),
    }
}

fn numbers<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
    number: impl Fn(&T::T) -> f64,
) -> Result<Vec<f64>> {
    let cells = cells(reader, rows)?;
    Ok(cells.iter().map(|cell| cell.as_ref().map_or(f64::NAN, &number)).collect())
}

/// Reads `rows` values; a missing value is `None`.
fn cells<T: DataType>(reader: &mut ColumnReaderImpl<T>, rows: usize) -> Result<Vec<Option<T::T>>> {
    let mut cells = Vec::with_capacity(rows);
    while cells.len() < rows {
        let (mut levels, mut values) = (Vec::new(), Vec::new());
        let left = rows - cells.len();
        let (records, _, _) = reader.read_records(left, Some(&mut levels), None, &mut values)?;
        if records == 0 {
            return Err(ParquetError::General(
                "a column has fewer values than rows; the file is damaged".into(),
            ));
        }
        let mut values = values.into_iter();
        if levels.is_empty() {
            cells.extend(values.map(Some));
        } else {
            cells.extend(levels.iter().map(|level| if *level > 0 { values.next() } else { None }));
        }
    }
    Ok(cells)
}
