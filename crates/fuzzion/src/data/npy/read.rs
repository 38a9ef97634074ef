//! Reading NPY files: as a whole, memory-mapped or in chunks.

use super::header::{DtypeKind, Header};
use crate::data::error::{DataError, Result};
use crate::data::files::Source;
use crate::data::mapped::MappedValues;
use crate::data::read::{ChunkReader, ReadTable};
use crate::data::tables::{MAX_COLUMNS, Precision, Scalar, Storage, Table, numbered_names, unknown_column};
use crate::device::Cpu;
use crate::progress::Progress;
use std::io::{Read, Seek, SeekFrom};

/// Minimum size of a memory-mapped file; smaller files are copied. Small in tests, so that both paths run.
const MIN_MAPPED_BYTES: u64 = if cfg!(test) { 16 * 1024 } else { 64 * 1024 * 1024 };
/// Bytes read and converted at a time, so that memory grows only with the data received.
const CHUNK_BYTES: usize = 1024 * 1024;
/// Mapped values converted in parallel at a time, and by one thread.
const PARALLEL_VALUES: usize = if cfg!(test) { 1000 } else { 4 * 1024 * 1024 };
const TASK_VALUES: usize = if cfg!(test) { 300 } else { 64 * 1024 };

/// Reads the whole array in `source`.
pub(crate) fn read_npy(source: Source, settings: &ReadTable) -> Result<Table> {
    let path = source.path.clone();
    let table = NpyReader::open(source, settings)?.next(usize::MAX, settings.progress())?;
    table.ok_or(DataError::NoData { path, what: "rows" })
}

/// An NPY file that is read in chunks.
pub(crate) struct NpyReader {
    source: Source,
    header: Header,
    precision: Precision,
    /// Indices of the selected columns; empty for all columns.
    selected: Vec<usize>,
    names: Vec<String>,
    /// Index of the next row.
    row: u64,
    /// Whether the file is large and can be memory-mapped; otherwise it is read as a stream.
    mappable: bool,
    cpu: Cpu,
    /// All bytes of a column-major array from an input that cannot seek.
    buffered: Option<Vec<u8>>,
}

impl NpyReader {
    pub(crate) fn open(mut source: Source, settings: &ReadTable) -> Result<Self> {
        let header = Header::read(&mut source)?;
        if header.columns == 0 || header.rows == 0 {
            return Err(DataError::NoData { path: source.path, what: "rows" });
        }
        if header.columns > MAX_COLUMNS {
            let reason = format!(
                "the array has {} columns, but a table has at most {MAX_COLUMNS}; save its transpose with `.T`",
                header.columns
            );
            return Err(DataError::Malformed { path: source.path, format: "NPY", reason });
        }
        if let Some(name) = settings.labels.first() {
            return Err(DataError::LabelsNotSupported { format: "NPY", name: name.clone() });
        }
        let file_precision = if header.kind == DtypeKind::Float && header.item_size < 8 {
            Precision::F32
        } else {
            Precision::F64
        };
        let all = numbered_names(header.columns);
        let columns = settings.selected_columns(&all);
        let selected: Vec<usize> = match columns {
            None => Vec::new(),
            Some(names) => {
                let index_of = |name: &String| {
                    all.iter().position(|n| n == name).ok_or_else(|| unknown_column(name, &all))
                };
                names.iter().map(index_of).collect::<Result<_>>()?
            }
        };
        let all_in_order = selected.iter().copied().eq(0..header.columns);
        let names = columns.map_or_else(|| all.clone(), <[String]>::to_vec);
        let can_map = |file| matches!(MappedValues::<u8>::new(file, header.data_offset, 1), Ok(Some(_)));
        Ok(NpyReader {
            precision: settings.precision.unwrap_or(file_precision),
            selected: if all_in_order { Vec::new() } else { selected },
            names,
            row: 0,
            // Some file systems do not support memory mapping.
            mappable: source.size >= MIN_MAPPED_BYTES && source.file.as_ref().is_some_and(can_map),
            cpu: settings.device.as_ref().map_or_else(Cpu::new, |device| Ok(device.host_cpu().clone()))?,
            buffered: None,
            source,
            header,
        })
    }

    /// Offset of the next row of a row-major array in the file.
    fn offset(&self) -> u64 {
        self.offset_of(self.row)
    }

    fn offset_of(&self, row: u64) -> u64 {
        self.header.data_offset + row * (self.header.columns * self.header.item_size) as u64
    }

    /// The `rows` rows from the index `first` without a copy, if the file is large and has the memory layout of a table.
    fn map_rows<T: Scalar>(&self, first: u64, rows: usize) -> Result<Option<Table>> {
        let header = &self.header;
        let same_layout = header.kind == DtypeKind::Float
            && header.item_size == size_of::<T>()
            && header.big_endian == cfg!(target_endian = "big")
            && !header.fortran_order
            && self.selected.is_empty();
        match &self.source.file {
            Some(file) if same_layout && self.mappable => {
                let mapped = MappedValues::<T>::new(file, self.offset_of(first), rows * header.columns);
                let mapped = mapped.map_err(|e| self.source.error(e))?;
                let table = |mapped| Table::from_storage(self.names.clone(), Storage::Mapped(mapped));
                mapped.map(table).transpose()
            }
            _ => Ok(None),
        }
    }

    fn truncated(&self) -> DataError {
        DataError::Malformed {
            path: self.source.path.clone(),
            format: "NPY",
            reason: format!(
                "the file ends before its {} rows are complete; download it or save it again",
                self.header.rows
            ),
        }
    }

    /// The next `rows` rows with element type `T`.
    fn rows_as<T: Scalar>(&mut self, rows: usize, progress: &Progress) -> Result<Table> {
        if let Some(table) = self.map_rows::<T>(self.row, rows)? {
            let bytes = (rows * self.header.columns * self.header.item_size) as u64;
            progress.report(self.offset() + bytes, self.source.size)?;
            return Ok(table);
        }
        let values: Vec<T> = if self.header.fortran_order {
            self.read_fortran_order(rows)?
        } else {
            self.read_c_order(rows, progress)?
        };
        let values = if self.selected.is_empty() {
            values
        } else {
            let rows = values.chunks_exact(self.header.columns);
            rows.flat_map(|row| self.selected.iter().map(|column| row[*column])).collect()
        };
        Table::new(self.names.clone(), values)
    }

    /// Reads the next rows of a row-major array.
    fn read_c_order<T: Scalar>(&mut self, rows: usize, progress: &Progress) -> Result<Vec<T>> {
        let mut left = rows * self.header.columns * self.header.item_size;
        let mut values = Vec::new();
        if self.source.file.is_some() {
            // The header matches the file size, but the file can be larger than the memory.
            let count = rows * self.header.columns;
            values.try_reserve_exact(count).map_err(|_| DataError::OutOfMemory {
                path: self.source.path.clone(),
                bytes: (count * size_of::<T>()) as u64,
            })?;
        }
        if self.mappable {
            return self.decode_mapped(rows, values, progress);
        }
        let mut bytes = vec![0; CHUNK_BYTES.min(left)];
        while left > 0 {
            let chunk = &mut bytes[..CHUNK_BYTES.min(left)];
            if self.source.fill(chunk)? < chunk.len() {
                return Err(self.truncated());
            }
            left -= chunk.len();
            let first = values.len();
            values.resize(first + chunk.len() / self.header.item_size, T::MISSING);
            decode(chunk, &self.header, &mut values[first..]);
            progress.report(self.source.bytes_read(), self.source.size)?;
        }
        Ok(values)
    }

    /// Converts the next rows of a memory-mapped, row-major array on all threads and appends them to `values`.
    fn decode_mapped<T: Scalar>(
        &self,
        rows: usize,
        mut values: Vec<T>,
        progress: &Progress,
    ) -> Result<Vec<T>> {
        let header = &self.header;
        let (size, count) = (header.item_size, rows * header.columns);
        let file = self.source.file.as_ref().expect("invariant: only a file is mapped");
        let mapped = MappedValues::<u8>::new(file, self.offset(), count * size);
        let mapped = mapped.map_err(|e| self.source.error(e))?.ok_or_else(|| self.truncated())?;
        for first in (0..count).step_by(PARALLEL_VALUES) {
            let bytes = &mapped.as_slice()[first * size..];
            let end = count.min(first + PARALLEL_VALUES);
            values.resize(end, T::MISSING);
            self.cpu.fill_chunks(&mut values[first..], 1, TASK_VALUES, |start, values| {
                decode(&bytes[start * size..(start + values.len()) * size], header, values);
            });
            progress.report(self.offset() + (end * size) as u64, self.source.size)?;
        }
        Ok(values)
    }

    /// Reads the next rows of a column-major array.
    fn read_fortran_order<T: Scalar>(&mut self, rows: usize) -> Result<Vec<T>> {
        let (columns, size) = (self.header.columns, self.header.item_size);
        if self.source.file.is_none() && self.buffered.is_none() {
            // `Header::check_length` has excluded an overflow.
            let bytes = self.header.rows * (columns * size) as u64;
            let buffered = self.source.read_rest(bytes)?.filter(|buffered| buffered.len() as u64 == bytes);
            self.buffered = Some(buffered.ok_or_else(|| self.truncated())?);
        }
        let (mut values, count) = (Vec::new(), rows * columns);
        values.try_reserve_exact(count).map_err(|_| DataError::OutOfMemory {
            path: self.source.path.clone(),
            bytes: (count * size_of::<T>()) as u64,
        })?;
        values.resize(count, T::MISSING);
        let (mut bytes, mut column_values) = (vec![0; rows * size], vec![T::MISSING; rows]);
        for column in 0..columns {
            let at = (column as u64 * self.header.rows + self.row) * size as u64;
            match (&self.buffered, &mut self.source.file) {
                (Some(buffered), _) => {
                    bytes.copy_from_slice(&buffered[at as usize..at as usize + rows * size])
                }
                (None, Some(file)) => {
                    let read = file
                        .seek(SeekFrom::Start(self.header.data_offset + at))
                        .and_then(|_| file.read_exact(&mut bytes));
                    read.map_err(|_| self.truncated())?;
                }
                (None, None) => return Err(self.truncated()),
            }
            decode(&bytes, &self.header, &mut column_values);
            for (row, value) in column_values.iter().enumerate() {
                values[row * columns + column] = *value;
            }
        }
        Ok(values)
    }
}

impl ChunkReader for NpyReader {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn precision(&self) -> Precision {
        self.precision
    }

    fn rows(&self) -> Option<u64> {
        Some(self.header.rows)
    }

    fn next(&mut self, rows: usize, progress: &Progress) -> Result<Option<Table>> {
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

    fn map(&self) -> Result<Option<Table>> {
        let rows = self.header.rows as usize;
        match self.precision {
            Precision::F32 => self.map_rows::<f32>(0, rows),
            Precision::F64 => self.map_rows::<f64>(0, rows),
        }
    }

    fn rewind(&mut self) -> Result<()> {
        if self.buffered.is_none() {
            let mut source = self.source.reopen()?;
            self.header = Header::read(&mut source)?;
            self.source = source;
        }
        self.row = 0;
        Ok(())
    }
}

/// Decodes `bytes` into `values`.
fn decode<T: Scalar>(bytes: &[u8], header: &Header, values: &mut [T]) {
    fn fill<const N: usize, T: Scalar>(
        bytes: &[u8],
        header: &Header,
        values: &mut [T],
        convert: impl Fn([u8; N]) -> f64,
    ) {
        let (items, _) = bytes.as_chunks::<N>();
        if header.big_endian {
            values.iter_mut().zip(items).for_each(|(value, bytes)| {
                let mut bytes = *bytes;
                bytes.reverse();
                *value = T::from_f64(convert(bytes));
            });
        } else {
            values.iter_mut().zip(items).for_each(|(value, bytes)| *value = T::from_f64(convert(*bytes)));
        }
    }
    match (header.kind, header.item_size) {
        (DtypeKind::Bool, _) => fill(bytes, header, values, |[b]| f64::from(u8::from(b != 0))),
        (DtypeKind::Signed, 1) => fill(bytes, header, values, |b| f64::from(i8::from_le_bytes(b))),
        (DtypeKind::Signed, 2) => fill(bytes, header, values, |b| f64::from(i16::from_le_bytes(b))),
        (DtypeKind::Signed, 4) => fill(bytes, header, values, |b| f64::from(i32::from_le_bytes(b))),
        (DtypeKind::Signed, _) => fill(bytes, header, values, |b| i64::from_le_bytes(b) as f64),
        (DtypeKind::Unsigned, 1) => fill(bytes, header, values, |[b]| f64::from(b)),
        (DtypeKind::Unsigned, 2) => fill(bytes, header, values, |b| f64::from(u16::from_le_bytes(b))),
        (DtypeKind::Unsigned, 4) => fill(bytes, header, values, |b| f64::from(u32::from_le_bytes(b))),
        (DtypeKind::Unsigned, _) => fill(bytes, header, values, |b| u64::from_le_bytes(b) as f64),
        (DtypeKind::Float, 2) => fill(bytes, header, values, |b| half_to_f64(u16::from_le_bytes(b))),
        (DtypeKind::Float, 4) => fill(bytes, header, values, |b| f64::from(f32::from_le_bytes(b))),
        (DtypeKind::Float, _) => fill(bytes, header, values, f64::from_le_bytes),
    }
}

/// Converts a half-precision number: 1 sign bit, 5 exponent bits, 10 fraction bits.
fn half_to_f64(bits: u16) -> f64 {
    let fraction = f64::from(bits & 0x3ff);
    let magnitude = match (bits >> 10) & 0x1f {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        exponent => (1024.0 + fraction) * 2f64.powi(i32::from(exponent) - 25),
    };
    if bits & 0x8000 == 0 { magnitude } else { -magnitude }
}
