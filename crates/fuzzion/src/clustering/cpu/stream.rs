//! Rows that do not fit memory: read in pieces of whole chunks, so that every sum is the one of rows in memory.

use super::super::prototypes::Prototypes;
use super::super::rows::Rows;
use super::super::sums::{Sums, Want};
use super::super::survey::{Ask, Survey};
use super::{CHUNK, Memory, zero};
use crate::data::{Table, TableReader};
use crate::device::Cpu;
use crate::error::Result;

/// Bytes of a piece, as double precision.
const PIECE_BYTES: usize = 32 << 20;

/// Rows of a reader, from the first to the last for every sweep.
pub(in super::super) struct Stream<'a, 'b> {
    reader: &'a mut TableReader<'b>,
    cpu: &'a Cpu,
    fresh: bool,
}

impl<'a, 'b> Stream<'a, 'b> {
    pub(in super::super) fn new(reader: &'a mut TableReader<'b>, cpu: &'a Cpu) -> Self {
        Stream { reader, cpu, fresh: true }
    }

    /// Calls `work` with every piece and the number of its first row.
    fn pieces(&mut self, mut work: impl FnMut(&Table, Memory<'_>, u64) -> Result<()>) -> Result<()> {
        if !self.fresh {
            self.reader.rewind()?;
        }
        self.fresh = false;
        let chunk_bytes = CHUNK * self.reader.columns().max(1) * size_of::<f64>();
        let rows = CHUNK * (PIECE_BYTES / chunk_bytes).max(1);
        let mut first = 0;
        while let Some(piece) = self.reader.next(rows)? {
            let names = piece.names();
            work(&piece, Memory { values: piece.values(), names, weights: None, cpu: self.cpu }, first)?;
            first += piece.rows() as u64;
        }
        Ok(())
    }
}

impl Rows for Stream<'_, '_> {
    fn survey(&mut self, ask: Ask) -> Result<Survey> {
        let mut total = None;
        self.pieces(|_, piece, _| {
            let total = total.get_or_insert_with(|| Survey::new(piece.row(0).collect(), ask));
            piece.survey_into(ask, total)
        })?;
        Ok(total.unwrap_or_else(|| Survey::new(vec![0.0; self.reader.columns()], ask)))
    }

    fn sweep(&mut self, prototypes: &Prototypes, want: Want) -> Result<Sums> {
        let mut total = zero(prototypes, want);
        self.pieces(|_, piece, _| {
            piece.sweep_into(prototypes, want, &mut total);
            Ok(())
        })?;
        Ok(total)
    }

    fn gather(&mut self, rows: &[u64]) -> Result<(Vec<f64>, Vec<f64>)> {
        let mut values = Vec::with_capacity(rows.len() * self.reader.columns());
        let mut wanted = rows.iter().peekable();
        self.pieces(|table, piece, first| {
            while let Some(row) = wanted.next_if(|row| **row < first + table.rows() as u64) {
                values.extend(piece.row((row - first) as usize));
            }
            Ok(())
        })?;
        Ok((values, vec![1.0; rows.len()]))
    }

    fn change(&mut self, before: &Prototypes, after: &Prototypes) -> Result<f64> {
        let mut most = 0.0f64;
        self.pieces(|_, mut piece, _| {
            most = most.max(piece.change(before, after)?);
            Ok(())
        })?;
        Ok(most)
    }
}
