//! Writing NPY files, version 1.0.

use super::header::MAGIC;
use crate::data::scalar::Precision;
use crate::data::table::{Table, Values};
use crate::error::Result;

/// The numbers begin at a multiple of this, so that they can be mapped.
const ALIGNMENT: usize = 64;
/// Numbers turned into bytes at a time, where the machine is not little-endian.
const PIECE: usize = 64 * 1024;

/// Bytes of a header; the longest, of 40 digits of shape, has 109.
const HEADER: usize = 2 * ALIGNMENT;

/// Hands the bytes of `table` to `put`, piece by piece.
pub(crate) fn write_npy(table: &Table, mut put: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    put(&header(table.precision(), table.rows() as u64, table.columns()))?;
    write_numbers(table, put)
}

/// What stands before the numbers; of the same length whatever the number of rows.
pub(crate) fn header(precision: Precision, rows: u64, columns: usize) -> Vec<u8> {
    let descr = match precision {
        Precision::F32 => "<f4",
        Precision::F64 => "<f8",
    };
    let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    let mut header = [MAGIC, &[1, 0], &((HEADER - MAGIC.len() - 4) as u16).to_le_bytes()].concat();
    header.extend_from_slice(text.as_bytes());
    header.resize(HEADER - 1, b' ');
    header.push(b'\n');
    header
}

/// Hands the numbers of `table` to `put`, piece by piece.
pub(crate) fn write_numbers(table: &Table, mut put: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    match table.values() {
        Values::F32(v) if cfg!(target_endian = "little") => put(bytemuck::cast_slice(v)),
        Values::F64(v) if cfg!(target_endian = "little") => put(bytemuck::cast_slice(v)),
        Values::F32(v) => {
            v.chunks(PIECE).try_for_each(|c| put(&c.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>()))
        }
        Values::F64(v) => {
            v.chunks(PIECE).try_for_each(|c| put(&c.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>()))
        }
    }
}
