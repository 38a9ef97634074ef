//! Writing NPY files, version 1.0.

use super::header::MAGIC;
use crate::data::table::{Table, Values};
use crate::error::Result;

/// The numbers begin at a multiple of this, so that they can be mapped.
const ALIGNMENT: usize = 64;
/// Numbers turned into bytes at a time, where the machine is not little-endian.
const PIECE: usize = 64 * 1024;

/// Hands the bytes of `table` to `put`, piece by piece.
pub(crate) fn write_npy(table: &Table, mut put: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    let descr = match table.values() {
        Values::F32(_) => "<f4",
        Values::F64(_) => "<f8",
    };
    let (rows, columns) = (table.rows(), table.columns());
    let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    let bare = MAGIC.len() + 4 + text.len() + 1;
    let padding = bare.next_multiple_of(ALIGNMENT) - bare;
    let length = (text.len() + padding + 1) as u16; // at most 150: the longest shape has 40 digits
    put(MAGIC)?;
    put(&[1, 0])?;
    put(&length.to_le_bytes())?;
    put(text.as_bytes())?;
    put(&[b' '; ALIGNMENT][..padding])?;
    put(b"\n")?;
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
