//! Reading Parquet files in pieces.

use super::column::{Shape, guarded, read_numbers, read_texts};
use crate::data::input::Source;
use crate::data::labels::Labels;
use crate::data::read::ReadTable;
use crate::data::reader::Chunks;
use crate::data::scalar::{Precision, Scalar};
use crate::data::table::{Table, unknown_column};
use crate::error::{Error, Result};
use crate::progress::Progress;
use parquet::basic::Type;
use parquet::column::reader::ColumnReader;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::fs::File;
use std::path::PathBuf;

/// Rows decoded at a time.
const PIECE: usize = 64 * 1024;

/// A column of the file that is wanted.
struct Wanted {
    column: usize,
    shape: Shape,
    /// Whether it becomes a label column.
    label: bool,
}

/// A Parquet file read in pieces; only these are in memory.
pub(crate) struct ParquetReader {
    path: PathBuf,
    file: SerializedFileReader<File>,
    precision: Precision,
    names: Vec<String>,
    wanted: Vec<Wanted>,
    /// The label columns without rows; they keep the classes from piece to piece.
    labels: Vec<Labels>,
    rows: u64,
    row: u64,
    /// The next row group to open.
    group: usize,
    /// The open row group's columns, as wanted, and the rows left in them.
    open: Vec<ColumnReader>,
    left: usize,
}

impl ParquetReader {
    pub(crate) fn open(source: Source, settings: &ReadTable<'_>) -> Result<Self> {
        let path = source.path;
        let malformed = |reason: String| Error::Malformed { path: path.clone(), format: "Parquet", reason };
        let Some(handle) = source.file else {
            return Err(malformed("its index is at its end: save it to a plain file and name that".into()));
        };
        let file = guarded(|| SerializedFileReader::new(handle)).map_err(|e| malformed(e.to_string()))?;
        let schema = file.metadata().file_metadata().schema_descr_ptr();
        let all: Vec<String> = schema.columns().iter().map(|column| column.path().string()).collect();
        let place =
            |name: &String| all.iter().position(|n| n == name).ok_or_else(|| unknown_column(name, &all));
        settings.labels.iter().try_for_each(|name| place(name).map(drop))?;
        let mut picked = match &settings.columns {
            None => (0..all.len()).collect(),
            Some(names) => names.iter().map(place).collect::<Result<Vec<_>>>()?,
        };
        for name in &settings.labels {
            let column = place(name)?;
            if !picked.contains(&column) {
                picked.push(column);
            }
        }

        let (mut names, mut labels, mut wanted, mut single) = (Vec::new(), Vec::new(), Vec::new(), true);
        for column in picked {
            let (name, about) = (all[column].clone(), schema.column(column));
            let shape = Shape::of(&about);
            let label = settings.labels.contains(&name) || settings.keep_text && shape == Shape::Text;
            match shape {
                Shape::Number { .. } if !label => {}
                Shape::Number { .. } | Shape::Text if label => {}
                Shape::Other if settings.keep_text && settings.columns.is_none() => continue,
                Shape::Text => {
                    return Err(malformed(format!(
                        "column `{name}` holds text; read it as labels or leave it out"
                    )));
                }
                _ => {
                    return Err(malformed(format!("column `{name}` holds no plain numbers; leave it out")));
                }
            }
            if label {
                labels.push(Labels::empty(name, names.len()));
            } else {
                single &= about.physical_type() == Type::FLOAT;
                names.push(name);
            }
            wanted.push(Wanted { column, shape, label });
        }
        if names.is_empty() && !settings.keep_text {
            return Err(Error::NoData { path, what: "columns of numbers" });
        }
        let rows = u64::try_from(file.metadata().file_metadata().num_rows())
            .map_err(|_| malformed("it is said to have fewer rows than none".into()))?;
        let own = if single && !names.is_empty() { Precision::F32 } else { Precision::F64 };
        let precision = settings.precision.unwrap_or(own);
        let (open, row, group, left) = (Vec::new(), 0, 0, 0);
        Ok(ParquetReader { path, file, precision, names, wanted, labels, rows, row, group, open, left })
    }

    fn malformed(&self, error: &ParquetError) -> Error {
        Error::Malformed { path: self.path.clone(), format: "Parquet", reason: error.to_string() }
    }

    /// Opens the next row group that has rows; `false` after the last one.
    fn open_group(&mut self) -> Result<bool> {
        while self.left == 0 {
            if self.group >= self.file.num_row_groups() {
                return Ok(false);
            }
            let group = guarded(|| self.file.get_row_group(self.group)).map_err(|e| self.malformed(&e))?;
            let rows = usize::try_from(group.metadata().num_rows()).map_err(|_| {
                self.malformed(&ParquetError::General("a row group has fewer rows than none".into()))
            })?;
            let columns = self.wanted.iter().map(|w| guarded(|| group.get_column_reader(w.column)));
            let open = columns.collect::<Result<_, _>>().map_err(|e| self.malformed(&e))?;
            drop(group);
            (self.open, self.left) = (open, rows);
            self.group += 1;
        }
        Ok(true)
    }

    /// Decodes `rows` rows of the open group onto `values`.
    fn decode<T: Scalar>(&mut self, rows: usize, values: &mut Vec<T>, labels: &mut [Labels]) -> Result<()> {
        let (width, before) = (self.names.len(), values.len());
        values.resize(before + rows * width, T::MISSING);
        let (mut number, mut text) = (0, 0);
        for (wanted, reader) in self.wanted.iter().zip(&mut self.open) {
            let failed = |e: ParquetError| Error::Malformed {
                path: self.path.clone(),
                format: "Parquet",
                reason: e.to_string(),
            };
            if wanted.shape == Shape::Text {
                let texts = guarded(|| read_texts(reader, rows)).map_err(failed)?;
                for bytes in &texts {
                    let word = std::str::from_utf8(bytes.as_ref().map_or(&[], |t| t.data()));
                    labels[text].push(word.map_err(|_| {
                        failed(ParquetError::General("a text is not UTF-8; save it as UTF-8".into()))
                    })?);
                }
            } else {
                let numbers = guarded(|| read_numbers(reader, wanted.shape, rows)).map_err(failed)?;
                if wanted.label {
                    let word = |x: &f64| if x.is_nan() { String::new() } else { x.to_string() };
                    numbers.iter().for_each(|x| labels[text].push(&word(x)));
                } else {
                    for (row, x) in numbers.into_iter().enumerate() {
                        values[before + row * width + number] = T::from_f64(x);
                    }
                }
            }
            text += usize::from(wanted.label);
            number += usize::from(!wanted.label);
        }
        self.left -= rows;
        Ok(())
    }

    fn rows_as<T: Scalar>(&mut self, rows: usize, progress: Progress<'_>) -> Result<Option<Table>> {
        let (mut values, mut labels, mut done) = (Vec::<T>::new(), self.labels.clone(), 0);
        while done < rows && self.open_group()? {
            let piece = PIECE.min(rows - done).min(self.left);
            self.decode(piece, &mut values, &mut labels)?;
            done += piece;
            self.row += piece as u64;
            progress.report(self.row, self.rows)?;
        }
        if done == 0 {
            return Ok(None);
        }
        self.labels = labels.iter().map(|l| l.slice(0..0)).collect();
        Ok(Some(Table::from_parts(self.names.clone(), done, values, labels)))
    }
}

impl Chunks for ParquetReader {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn precision(&self) -> Precision {
        self.precision
    }

    fn rows(&self) -> Option<u64> {
        Some(self.rows)
    }

    fn next(&mut self, rows: usize, progress: Progress<'_>) -> Result<Option<Table>> {
        match self.precision {
            Precision::F32 => self.rows_as::<f32>(rows, progress),
            Precision::F64 => self.rows_as::<f64>(rows, progress),
        }
    }

    fn rewind(&mut self) -> Result<()> {
        (self.row, self.group, self.left) = (0, 0, 0);
        self.open.clear();
        Ok(())
    }
}
