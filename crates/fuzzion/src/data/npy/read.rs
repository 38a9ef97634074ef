//! Reading NPY files, whole, mapped or in pieces.

use super::header::{Header, Kind};
use crate::data::input::Source;
use crate::data::mapped::Mapped;
use crate::data::read::ReadTable;
use crate::data::reader::Chunks;
use crate::data::scalar::{Precision, Scalar};
use crate::data::table::{MAX_COLUMNS, Storage, Table, numbered_names, unknown_column};
use crate::error::{Error, Result};
use crate::progress::Progress;
use std::io::{Read, Seek, SeekFrom};

/// From this many bytes on, a file is mapped rather than copied; few under test, so that both ways are taken.
const MAPPED_FROM: u64 = if cfg!(test) { 16 * 1024 } else { 64 * 1024 * 1024 };
/// Bytes read and converted at a time: memory is taken only for what has really arrived.
const PIECE: usize = 1024 * 1024;

/// The whole array in `source`.
pub(crate) fn read_npy(source: Source, settings: &ReadTable<'_>) -> Result<Table> {
    let path = source.path.clone();
    let mut reader = NpyReader::open(source, settings)?;
    if let Some(table) = reader.mapped(settings)? {
        return Ok(table);
    }
    let table = reader.next(usize::MAX, settings.progress)?;
    table.ok_or(Error::NoData { path, what: "rows" })
}

/// An NPY file read in pieces.
pub(crate) struct NpyReader {
    source: Source,
    header: Header,
    precision: Precision,
    /// The columns picked, by name and place; empty where all are.
    picked: Vec<usize>,
    names: Vec<String>,
    /// The next row.
    row: u64,
    /// All bytes of an array that lies column by column in something that cannot be sought in.
    whole: Option<Vec<u8>>,
}

impl NpyReader {
    pub(crate) fn open(mut source: Source, settings: &ReadTable<'_>) -> Result<Self> {
        let header = Header::read(&mut source)?;
        if header.columns == 0 || header.rows == 0 {
            return Err(Error::NoData { path: source.path, what: "rows" });
        }
        if header.columns > MAX_COLUMNS {
            let reason = format!(
                "it has {} columns, and a table at most {MAX_COLUMNS}; if it lies on its side, save it with `.T`",
                header.columns
            );
            return Err(Error::Malformed { path: source.path, format: "NPY", reason });
        }
        if let Some(name) = settings.labels.first() {
            return Err(Error::LabelsNotHeld { format: "NPY", name: name.clone() });
        }
        let own = if header.kind == Kind::Float && header.size < 8 { Precision::F32 } else { Precision::F64 };
        let picked = match &settings.columns {
            None => Vec::new(),
            Some(names) => {
                let all = numbered_names(header.columns);
                let place = |name: &String| {
                    all.iter().position(|n| n == name).ok_or_else(|| unknown_column(name, &all))
                };
                names.iter().map(place).collect::<Result<_>>()?
            }
        };
        let names = settings.columns.clone().unwrap_or_else(|| numbered_names(header.columns));
        let precision = settings.precision.unwrap_or(own);
        Ok(NpyReader { source, header, precision, picked, names, row: 0, whole: None })
    }

    /// The array mapped into memory, where it is large and lies as a table does.
    fn mapped(&self, settings: &ReadTable<'_>) -> Result<Option<Table>> {
        fn map<T: Scalar>(reader: &NpyReader) -> Result<Option<Table>> {
            let Some(file) = &reader.source.file else { return Ok(None) };
            let len = reader.header.rows as usize * reader.header.columns;
            let mapped = Mapped::<T>::new(file, reader.header.start as usize, len);
            match mapped.map_err(|e| reader.source.error(e))? {
                None => Ok(None),
                Some(mapped) => Table::from_storage(reader.names.clone(), Storage::Mapped(mapped)).map(Some),
            }
        }
        let header = &self.header;
        let as_it_lies = header.kind == Kind::Float
            && header.big_endian == cfg!(target_endian = "big")
            && !header.by_column
            && settings.columns.is_none();
        match (header.size, self.precision) {
            _ if !as_it_lies || self.source.size < MAPPED_FROM => Ok(None),
            (4, Precision::F32) => map::<f32>(self),
            (8, Precision::F64) => map::<f64>(self),
            _ => Ok(None),
        }
    }

    fn cut_short(&self) -> Error {
        Error::Malformed {
            path: self.source.path.clone(),
            format: "NPY",
            reason: format!(
                "it ends before its {} rows are complete; fetch or save it again",
                self.header.rows
            ),
        }
    }

    /// `rows` rows in the precision asked for.
    fn rows_as<T: Scalar>(&mut self, rows: usize, progress: Progress<'_>) -> Result<Table> {
        let values: Vec<T> =
            if self.header.by_column { self.gather(rows)? } else { self.stream(rows, progress)? };
        let values = if self.picked.is_empty() {
            values
        } else {
            let rows = values.chunks_exact(self.header.columns);
            rows.flat_map(|row| self.picked.iter().map(|column| row[*column])).collect()
        };
        Table::new(self.names.clone(), values)
    }

    /// The next rows of an array that lies row by row.
    fn stream<T: Scalar>(&mut self, rows: usize, progress: Progress<'_>) -> Result<Vec<T>> {
        let mut left = rows * self.header.columns * self.header.size;
        let mut values = Vec::new();
        if self.source.file.is_some() {
            // The header was checked against the file's length, but the file may be larger than the memory.
            let numbers = rows * self.header.columns;
            values.try_reserve_exact(numbers).map_err(|_| Error::OutOfMemory {
                path: self.source.path.clone(),
                bytes: (numbers * size_of::<T>()) as u64,
            })?;
        }
        let mut bytes = vec![0; PIECE.min(left)];
        while left > 0 {
            let piece = &mut bytes[..PIECE.min(left)];
            if self.source.fill(piece)? < piece.len() {
                return Err(self.cut_short());
            }
            left -= piece.len();
            decode(piece, &self.header, &mut values);
            progress.report(self.source.taken(), self.source.size)?;
        }
        Ok(values)
    }

    /// The next rows of an array that lies column by column.
    fn gather<T: Scalar>(&mut self, rows: usize) -> Result<Vec<T>> {
        let (columns, size) = (self.header.columns, self.header.size);
        if self.source.file.is_none() && self.whole.is_none() {
            // The header is checked: this product fits.
            let bytes = self.header.rows * (columns * size) as u64;
            let whole = self.source.rest(bytes)?.filter(|whole| whole.len() as u64 == bytes);
            self.whole = Some(whole.ok_or_else(|| self.cut_short())?);
        }
        let (mut values, numbers) = (Vec::new(), rows * columns);
        values.try_reserve_exact(numbers).map_err(|_| Error::OutOfMemory {
            path: self.source.path.clone(),
            bytes: (numbers * size_of::<T>()) as u64,
        })?;
        values.resize(numbers, T::MISSING);
        let (mut bytes, mut column_values) = (vec![0; rows * size], Vec::with_capacity(rows));
        for column in 0..columns {
            let at = (column as u64 * self.header.rows + self.row) * size as u64;
            match (&self.whole, &mut self.source.file) {
                (Some(whole), _) => bytes.copy_from_slice(&whole[at as usize..at as usize + rows * size]),
                (None, Some(file)) => {
                    let read = file
                        .seek(SeekFrom::Start(self.header.start + at))
                        .and_then(|_| file.read_exact(&mut bytes));
                    read.map_err(|_| self.cut_short())?;
                }
                (None, None) => return Err(self.cut_short()),
            }
            column_values.clear();
            decode(&bytes, &self.header, &mut column_values);
            for (row, value) in column_values.iter().enumerate() {
                values[row * columns + column] = *value;
            }
        }
        Ok(values)
    }
}

impl Chunks for NpyReader {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn precision(&self) -> Precision {
        self.precision
    }

    fn rows(&self) -> Option<u64> {
        Some(self.header.rows)
    }

    fn next(&mut self, rows: usize, progress: Progress<'_>) -> Result<Option<Table>> {
        let rows = (self.header.rows - self.row).min(rows as u64) as usize;
        if rows == 0 {
            return Ok(None);
        }
        let table = match self.precision {
            Precision::F32 => self.rows_as::<f32>(rows, progress)?,
            Precision::F64 => self.rows_as::<f64>(rows, progress)?,
        };
        self.row += rows as u64;
        Ok(Some(table))
    }

    fn rewind(&mut self) -> Result<()> {
        if self.whole.is_none() {
            let mut source = self.source.reopen()?;
            self.header = Header::read(&mut source)?;
            self.source = source;
        }
        self.row = 0;
        Ok(())
    }
}

/// The numbers in `bytes`, onto the end of `values`.
fn decode<T: Scalar>(bytes: &[u8], header: &Header, values: &mut Vec<T>) {
    fn each<const N: usize, T: Scalar>(
        bytes: &[u8],
        header: &Header,
        values: &mut Vec<T>,
        number: impl Fn([u8; N]) -> f64,
    ) {
        let (numbers, _) = bytes.as_chunks::<N>();
        if header.big_endian {
            values.extend(numbers.iter().map(|bytes| {
                let mut bytes = *bytes;
                bytes.reverse();
                T::from_f64(number(bytes))
            }));
        } else {
            values.extend(numbers.iter().map(|bytes| T::from_f64(number(*bytes))));
        }
    }
    match (header.kind, header.size) {
        (Kind::Bool, _) => each(bytes, header, values, |[b]| f64::from(u8::from(b != 0))),
        (Kind::Signed, 1) => each(bytes, header, values, |b| f64::from(i8::from_le_bytes(b))),
        (Kind::Signed, 2) => each(bytes, header, values, |b| f64::from(i16::from_le_bytes(b))),
        (Kind::Signed, 4) => each(bytes, header, values, |b| f64::from(i32::from_le_bytes(b))),
        (Kind::Signed, _) => each(bytes, header, values, |b| i64::from_le_bytes(b) as f64),
        (Kind::Unsigned, 1) => each(bytes, header, values, |[b]| f64::from(b)),
        (Kind::Unsigned, 2) => each(bytes, header, values, |b| f64::from(u16::from_le_bytes(b))),
        (Kind::Unsigned, 4) => each(bytes, header, values, |b| f64::from(u32::from_le_bytes(b))),
        (Kind::Unsigned, _) => each(bytes, header, values, |b| u64::from_le_bytes(b) as f64),
        (Kind::Float, 2) => each(bytes, header, values, |b| half(u16::from_le_bytes(b))),
        (Kind::Float, 4) => each(bytes, header, values, |b| f64::from(f32::from_le_bytes(b))),
        (Kind::Float, _) => each(bytes, header, values, f64::from_le_bytes),
    }
}

/// A number of half precision: one sign bit, five of the exponent, ten of the fraction.
fn half(bits: u16) -> f64 {
    let fraction = f64::from(bits & 0x3ff);
    let size = match (bits >> 10) & 0x1f {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        exponent => (1024.0 + fraction) * 2f64.powi(i32::from(exponent) - 25),
    };
    if bits & 0x8000 == 0 { size } else { -size }
}
