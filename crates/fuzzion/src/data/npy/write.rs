//! Writing NPY files, version 1.0.

use super::header::MAGIC;
use crate::data::error::Result;
use crate::data::tables::{Precision, Table, Values};

/// Alignment of the values in the file, so that they can be memory-mapped.
const ALIGNMENT: usize = 64;
/// Values converted to bytes at a time on big-endian machines.
const VALUES_PER_CHUNK: usize = 64 * 1024;

/// Size of the header; a shape of 40 digits needs 109 bytes.
const HEADER_BYTES: usize = 2 * ALIGNMENT;

/// Encodes `table` and passes the bytes to `write`.
pub(crate) fn write_npy(table: &Table, mut write: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    write(&header(table.precision(), table.rows() as u64, table.columns()))?;
    write_values(table, write)
}

/// Header of the file; its size does not depend on the number of rows.
pub(crate) fn header(precision: Precision, rows: u64, columns: usize) -> Vec<u8> {
    let descr = match precision {
        Precision::F32 => "<f4",
        Precision::F64 => "<f8",
    };
    let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    let mut header = [MAGIC, &[1, 0], &((HEADER_BYTES - MAGIC.len() - 4) as u16).to_le_bytes()].concat();
    header.extend_from_slice(text.as_bytes());
    header.resize(HEADER_BYTES - 1, b' ');
    header.push(b'\n');
    header
}

/// Encodes the values of `table` without a header and passes the bytes to `write`.
pub(crate) fn write_values(table: &Table, mut write: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    match table.values() {
        Values::F32(v) if cfg!(target_endian = "little") => write(bytemuck::cast_slice(v)),
        Values::F64(v) if cfg!(target_endian = "little") => write(bytemuck::cast_slice(v)),
        Values::F32(v) => v
            .chunks(VALUES_PER_CHUNK)
            .try_for_each(|c| write(&c.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>())),
        Values::F64(v) => v
            .chunks(VALUES_PER_CHUNK)
            .try_for_each(|c| write(&c.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>())),
    }
}
