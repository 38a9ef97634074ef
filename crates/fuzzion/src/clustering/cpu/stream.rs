//! Rows that do not fit memory: read in pieces of whole chunks, so that every sum is the one of rows in memory.

use super::super::pieces::Pieces;
use super::super::prototypes::Prototypes;
use super::super::rows::Rows;
use super::super::sums::{Sums, Want};
use super::super::survey::{Ask, Survey};
use super::{CHUNK, Memory, zeros};
use crate::device::Cpu;
use crate::error::Result;

/// Bytes of a piece, as double precision.
const PIECE_BYTES: usize = 32 << 20;

/// Rows of a reader, from the first to the last for every sweep.
pub(in super::super) struct Stream<'a, 'b> {
    pieces: Pieces<'a, 'b>,
    cpu: &'a Cpu,
    chunks_per_piece: usize,
}

impl<'a, 'b> Stream<'a, 'b> {
    pub(in super::super) fn new(pieces: Pieces<'a, 'b>, cpu: &'a Cpu) -> Self {
        let chunk_bytes = CHUNK * pieces.names().len().max(1) * size_of::<f64>();
        Stream { pieces, cpu, chunks_per_piece: (PIECE_BYTES / chunk_bytes).max(1) }
    }

    /// The same in pieces of another size.
    #[cfg(test)]
    pub(in super::super) fn with_chunks_per_piece(self, chunks_per_piece: usize) -> Self {
        Stream { chunks_per_piece, ..self }
    }

    /// Calls `work` with every piece and the number of its first row.
    fn each(&mut self, mut work: impl FnMut(Memory<'_>, u64) -> Result<()>) -> Result<()> {
        let cpu = self.cpu;
        let rows = self.chunks_per_piece * CHUNK;
        self.pieces.each(rows, |samples, first| work(Memory::new(samples, cpu), first))
    }
}

impl Rows for Stream<'_, '_> {
    fn survey(&mut self, ask: Ask) -> Result<Survey> {
        let mut total = Survey::new(self.pieces.names().len(), ask);
        self.each(|piece, _| piece.survey_into(ask, &mut total))?;
        Ok(total)
    }

    fn sweep(&mut self, prototypes: &[&Prototypes], want: Want) -> Result<Vec<Sums>> {
        let mut totals = zeros(prototypes, want);
        self.each(|piece, _| {
            piece.sweep_into(prototypes, want, &mut totals);
            Ok(())
        })?;
        Ok(totals)
    }

    fn change(&mut self, steps: &[(&Prototypes, &Prototypes)]) -> Result<Vec<f64>> {
        let mut most = vec![0.0f64; steps.len()];
        self.each(|mut piece, _| {
            let changes = piece.change(steps)?;
            most.iter_mut().zip(changes).for_each(|(most, change)| *most = most.max(change));
            Ok(())
        })?;
        Ok(most)
    }

    fn gather(&mut self, rows: &[u64]) -> Result<(Vec<f64>, Vec<f64>)> {
        let mut values = Vec::with_capacity(rows.len() * self.pieces.names().len());
        let mut weights = Vec::with_capacity(rows.len());
        let mut wanted = rows.iter().peekable();
        self.each(|piece, first| {
            while let Some(row) = wanted.next_if(|row| **row < first + piece.rows() as u64) {
                values.extend(piece.row((row - first) as usize));
                weights.push(piece.weight((row - first) as usize));
            }
            Ok(())
        })?;
        Ok((values, weights))
    }

    fn visit(&mut self, take: &mut dyn FnMut(&[f64], &[f64])) -> Result<()> {
        self.each(|mut piece, _| piece.visit(take))
    }
}
