//! Reading Parquet files in chunks.

use super::column::{ColumnKind, catch_panics, read_numbers, read_texts};
use super::pages::check_pages;
use crate::data::error::{DataError, Result};
use crate::data::files::Source;
use crate::data::read::{ChunkReader, ReadTable};
use crate::data::tables::{Labels, Precision, Scalar, Table, unknown_column};
use crate::progress::Progress;
use parquet::basic::Type;
use parquet::column::reader::ColumnReader;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::fs::File;
use std::path::PathBuf;

/// Rows decoded at a time.
const CHUNK_ROWS: usize = 64 * 1024;

/// A column to read.
struct SelectedColumn {
    column: usize,
    kind: ColumnKind,
    /// Whether it is read as a label column.
    label: bool,
}

/// A Parquet file that is read in chunks; only the current chunk is in memory.
pub(crate) struct ParquetReader {
    path: PathBuf,
    /// The open file, for checks before `file` reads it.
    handle: File,
    file: SerializedFileReader<File>,
    precision: Precision,
    names: Vec<String>,
    selected: Vec<SelectedColumn>,
    /// Label columns without rows, which keep the classes of previous chunks.
    labels: Vec<Labels>,
    total_rows: u64,
    row: u64,
    /// Index of the next row group.
    next_group: usize,
    /// Readers of the selected columns of the open row group.
    readers: Vec<ColumnReader>,
    /// Unread rows of the open row group.
    rows_left: usize,
}

impl ParquetReader {
    pub(crate) fn open(source: Source, settings: &ReadTable) -> Result<Self> {
        let path = source.path;
        let malformed =
            |reason: String| DataError::Malformed { path: path.clone(), format: "Parquet", reason };
        let Some(handle) = source.file else {
            return Err(malformed(
                "a pipe or gzip file is not supported; save it as an uncompressed file".into(),
            ));
        };
        let file = catch_panics(|| SerializedFileReader::new(handle.try_clone()?))
            .map_err(|e| malformed(problem_of(&e)))?;
        let schema = file.metadata().file_metadata().schema_descr_ptr();
        let all: Vec<String> = schema.columns().iter().map(|column| column.path().string()).collect();
        let index_of =
            |name: &String| all.iter().position(|n| n == name).ok_or_else(|| unknown_column(name, &all));
        settings.labels.iter().try_for_each(|name| index_of(name).map(drop))?;
        let mut columns = match settings.selected_columns(&all) {
            None => (0..all.len()).collect(),
            Some(names) => names.iter().map(index_of).collect::<Result<Vec<_>>>()?,
        };
        for name in &settings.labels {
            let column = index_of(name)?;
            if !columns.contains(&column) {
                columns.push(column);
            }
        }

        let (mut names, mut labels, mut selected, mut single) = (Vec::new(), Vec::new(), Vec::new(), true);
        for column in columns {
            let (name, descriptor) = (all[column].clone(), schema.column(column));
            let kind = ColumnKind::of(&descriptor);
            let label = settings.labels.contains(&name) || settings.keep_text && kind == ColumnKind::Text;
            match kind {
                ColumnKind::Number { .. } if !label => {}
                ColumnKind::Number { .. } | ColumnKind::Text if label => {}
                ColumnKind::Other if settings.keep_text && settings.columns.is_none() => continue,
                ColumnKind::Text => {
                    return Err(malformed(format!(
                        "column `{name}` contains text; read it as labels or leave it out"
                    )));
                }
                _ => {
                    return Err(malformed(format!("column `{name}` has an unsupported type; leave it out")));
                }
            }
            if label {
                labels.push(Labels::empty(name, names.len()));
            } else {
                single &= descriptor.physical_type() == Type::FLOAT;
                names.push(name);
            }
            selected.push(SelectedColumn { column, kind, label });
        }
        if names.is_empty() && !settings.keep_text {
            return Err(DataError::NoData { path, what: "columns of numbers" });
        }
        let total_rows = u64::try_from(file.metadata().file_metadata().num_rows())
            .map_err(|_| malformed("the number of rows is negative; the file is damaged".into()))?;
        let file_precision = if single && !names.is_empty() { Precision::F32 } else { Precision::F64 };
        let precision = settings.precision.unwrap_or(file_precision);
        let (readers, row, next_group, rows_left) = (Vec::new(), 0, 0, 0);
        Ok(ParquetReader {
            path,
            handle,
            file,
            precision,
            names,
            selected,
            labels,
            total_rows,
            row,
            next_group,
            readers,
            rows_left,
        })
    }

    fn malformed(&self, error: &ParquetError) -> DataError {
        DataError::Malformed { path: self.path.clone(), format: "Parquet", reason: problem_of(error) }
    }

    /// Opens the next row group that is not empty; `false` after the last one.
    fn open_group(&mut self) -> Result<bool> {
        while self.rows_left == 0 {
            if self.next_group >= self.file.num_row_groups() {
                return Ok(false);
            }
            let group =
                catch_panics(|| self.file.get_row_group(self.next_group)).map_err(|e| self.malformed(&e))?;
            let rows = usize::try_from(group.metadata().num_rows()).map_err(|_| {
                self.malformed(&ParquetError::General(
                    "a row group has a negative number of rows; the file is damaged".into(),
                ))
            })?;
            let columns = self.selected.iter().map(|selected| {
                catch_panics(|| {
                    check_pages(&self.handle, group.metadata().column(selected.column))?;
                    group.get_column_reader(selected.column)
                })
            });
            let readers = columns.collect::<Result<_, _>>().map_err(|e| self.malformed(&e))?;
            drop(group);
            (self.readers, self.rows_left) = (readers, rows);
            self.next_group += 1;
        }
        Ok(true)
    }

    /// Decodes `rows` rows of the open row group and appends them to `values` and `labels`.
    fn decode<T: Scalar>(&mut self, rows: usize, values: &mut Vec<T>, labels: &mut [Labels]) -> Result<()> {
        let (width, before) = (self.names.len(), values.len());
        values.resize(before + rows * width, T::MISSING);
        let (mut number, mut text) = (0, 0);
        for (selected, reader) in self.selected.iter().zip(&mut self.readers) {
            let failed = |e: ParquetError| DataError::Malformed {
                path: self.path.clone(),
                format: "Parquet",
                reason: problem_of(&e),
            };
            if selected.kind == ColumnKind::Text {
                let texts = catch_panics(|| read_texts(reader, rows)).map_err(failed)?;
                for bytes in &texts {
                    let label = std::str::from_utf8(bytes.as_ref().map_or(&[], |t| t.data()));
                    labels[text].push(label.map_err(|_| {
                        failed(ParquetError::General(
                            "a text value is not valid UTF-8; save it as UTF-8".into(),
                        ))
                    })?);
                }
            } else {
                let numbers = catch_panics(|| read_numbers(reader, selected.kind, rows)).map_err(failed)?;
                if selected.label {
                    let label = |x: &f64| if x.is_nan() { String::new() } else { x.to_string() };
                    numbers.iter().for_each(|x| labels[text].push(&label(x)));
                } else {
                    for (row, x) in numbers.into_iter().enumerate() {
                        values[before + row * width + number] = T::from_f64(x);
                    }
                }
            }
            text += usize::from(selected.label);
            number += usize::from(!selected.label);
        }
        self.rows_left -= rows;
        Ok(())
    }

    fn rows_as<T: Scalar>(&mut self, rows: usize, progress: &Progress) -> Result<Option<Table>> {
        let (mut values, mut labels, mut done) = (Vec::<T>::new(), self.labels.clone(), 0);
        while done < rows && self.open_group()? {
            let chunk = CHUNK_ROWS.min(rows - done).min(self.rows_left);
            self.decode(chunk, &mut values, &mut labels)?;
            done += chunk;
            self.row += chunk as u64;
            progress.report(self.row, self.total_rows)?;
        }
        if done == 0 {
            return Ok(None);
        }
        self.labels = labels.iter().map(|l| l.slice(0..0)).collect();
        Ok(Some(Table::from_parts(self.names.clone(), done, values, labels)))
    }
}

/// Why a file is not a valid Parquet file: the problems that this library finds, and otherwise no details of the format.
fn problem_of(error: &ParquetError) -> String {
    match error {
        ParquetError::General(problem) if problem.contains("; ") => problem.clone(),
        _ => "the file is damaged or of another format; download it or save it again".into(),
    }
}

impl ChunkReader for ParquetReader {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn precision(&self) -> Precision {
        self.precision
    }

    fn rows(&self) -> Option<u64> {
        Some(self.total_rows)
    }

    fn next(&mut self, rows: usize, progress: &Progress) -> Result<Option<Table>> {
        match self.precision {
            Precision::F32 => self.rows_as::<f32>(rows, progress),
            Precision::F64 => self.rows_as::<f64>(rows, progress),
        }
    }

    fn rewind(&mut self) -> Result<()> {
        (self.row, self.next_group, self.rows_left) = (0, 0, 0);
        self.readers.clear();
        Ok(())
    }
}
