//! Writing Parquet files.

use crate::data::error::{DataError, Result};
use crate::data::tables::{Labels, Precision, Table, Values};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, FloatType};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Rows per row group.
const ROWS_PER_GROUP: usize = 256 * 1024;

/// Writes `table` to `out`: the numeric columns, then the label columns; a missing number is stored as NaN.
pub(crate) fn write_parquet(table: &Table, out: &mut (impl Write + Send), path: &Path) -> Result<()> {
    let mut writer = ParquetWriter::new(table, out, path)?;
    writer.write(table)?;
    writer.finish().map(drop)
}

/// A Parquet file that is written in chunks.
pub(crate) struct ParquetWriter<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    path: PathBuf,
}

impl<W: Write + Send> ParquetWriter<W> {
    /// Creates a file with the columns of `first`.
    pub(crate) fn new(first: &Table, out: W, path: &Path) -> Result<Self> {
        let writer = open(first, out).map_err(|e| write_error(e, path))?;
        Ok(ParquetWriter { writer, path: path.to_path_buf() })
    }

    /// Appends the rows of `table`, which must have the columns of the first table.
    pub(crate) fn write(&mut self, table: &Table) -> Result<()> {
        write(table, &mut self.writer).map_err(|e| write_error(e, &self.path))
    }

    /// Completes the file and returns the underlying writer.
    pub(crate) fn finish(self) -> Result<W> {
        self.writer.into_inner().map_err(|e| write_error(e, &self.path))
    }
}

fn write_error(e: ParquetError, path: &Path) -> DataError {
    let cause = match e {
        ParquetError::External(e) => io::Error::other(e),
        other => io::Error::other(other.to_string()),
    };
    DataError::File { doing: "write", path: path.to_path_buf(), cause }
}

fn open<W: Write + Send>(table: &Table, out: W) -> Result<SerializedFileWriter<W>, ParquetError> {
    let number = match table.precision() {
        Precision::F32 => Physical::FLOAT,
        Precision::F64 => Physical::DOUBLE,
    };
    let mut fields = Vec::new();
    for name in table.names() {
        fields
            .push(Type::primitive_type_builder(name, number).with_repetition(Repetition::REQUIRED).build()?);
    }
    for labels in table.labels() {
        let text = Type::primitive_type_builder(labels.name(), Physical::BYTE_ARRAY)
            .with_repetition(Repetition::REQUIRED)
            .with_logical_type(Some(LogicalType::String));
        fields.push(text.build()?);
    }
    let fields = fields.into_iter().map(Arc::new).collect();
    let schema = Arc::new(Type::group_type_builder("table").with_fields(fields).build()?);
    // Numeric values rarely repeat, so a dictionary would not reduce the size.
    let mut properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
    for name in table.names() {
        properties = properties.set_column_dictionary_enabled(vec![name.clone()].into(), false);
    }
    SerializedFileWriter::new(out, schema, Arc::new(properties.build()))
}

fn write<W: Write + Send>(table: &Table, writer: &mut SerializedFileWriter<W>) -> Result<(), ParquetError> {
    for start in (0..table.rows()).step_by(ROWS_PER_GROUP) {
        let rows = start..table.rows().min(start + ROWS_PER_GROUP);
        let mut group = writer.next_row_group()?;
        for index in 0..table.columns() {
            let Some(mut column) = group.next_column()? else { break };
            match table.slice(rows.clone()) {
                Values::F32(v) => {
                    column.typed::<FloatType>().write_batch(&column_values(v, index, table), None, None)?
                }
                Values::F64(v) => {
                    column.typed::<DoubleType>().write_batch(&column_values(v, index, table), None, None)?
                }
            };
            column.close()?;
        }
        for labels in table.labels() {
            let Some(mut column) = group.next_column()? else { break };
            column.typed::<ByteArrayType>().write_batch(&texts(labels, rows.clone()), None, None)?;
            column.close()?;
        }
        group.close()?;
    }
    Ok(())
}

/// Values of one column in row-major `values`.
fn column_values<T: Copy>(values: &[T], column: usize, table: &Table) -> Vec<T> {
    values.iter().skip(column).step_by(table.columns()).copied().collect()
}

fn texts(labels: &Labels, rows: Range<usize>) -> Vec<ByteArray> {
    rows.map(|row| ByteArray::from(labels.get(row).unwrap_or_default())).collect()
}
