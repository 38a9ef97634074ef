//! The rows of a table on a device, and their text.

use crate::commands::common::table_args::with_row_offset;
use fuzzion::clustering::{FuzzyCMeans, Partition};
use fuzzion::data::{Records, TableReader};
use fuzzion::{Device, DeviceSamples, Result, Samples};
use std::ops::RangeInclusive;

/// Rows per chunk in a pass over rows that are read again, and values per chunk of the output of rows in memory.
pub(super) const STREAM_ROWS: usize = 1 << 16;
pub(super) const CHUNK_VALUES: usize = 1 << 24;

/// The text of rows: of a pipe in memory, otherwise read again.
pub(super) enum RowText {
    Memory(Records),
    Stream(TableReader),
}

impl RowText {
    /// The text of the rows of the next chunk, which begins at row `start`.
    fn next(&mut self, start: u64, rows: usize) -> Result<Option<Records>> {
        match self {
            RowText::Memory(records) => Ok(Some(records.part(start as usize..start as usize + rows))),
            RowText::Stream(reader) => {
                reader.next(rows)?;
                Ok(reader.records())
            }
        }
    }
}

/// The rows to cluster, placed on a device, with their text if it is copied to the outputs.
pub(super) struct PlacedRows<'a> {
    pub(super) values: PlacedValues<'a>,
    pub(super) records: Option<&'a mut RowText>,
}

/// The rows to cluster, in the memory of the device or read again for every pass.
pub(super) enum PlacedValues<'a> {
    Memory(DeviceSamples<'a>),
    Stream {
        reader: &'a mut TableReader,
        at_start: &'a mut bool,
        weights: Option<&'a str>,
        names: &'a [String],
    },
}

impl PlacedRows<'_> {
    pub(super) fn fit(&mut self, settings: &FuzzyCMeans, device: &Device) -> Result<Partition> {
        match &mut self.values {
            PlacedValues::Memory(samples) => Ok(settings.fit(&*samples, device)?),
            PlacedValues::Stream { reader, at_start, weights, .. } => {
                rewind(reader, at_start)?;
                Ok(settings.fit_reader(reader, *weights, device)?)
            }
        }
    }

    /// Fits each number of clusters; all fits share the passes over the rows.
    pub(super) fn sweep(
        &mut self,
        range: RangeInclusive<usize>,
        settings: &FuzzyCMeans,
        device: &Device,
    ) -> Result<Vec<Partition>> {
        match &mut self.values {
            PlacedValues::Memory(samples) => Ok(settings.sweep(range, &*samples, device)?),
            PlacedValues::Stream { reader, at_start, weights, .. } => {
                rewind(reader, at_start)?;
                Ok(settings.sweep_reader(range, reader, *weights, device)?)
            }
        }
    }

    /// Calls `work` with all rows and their text, if it is copied, chunk by chunk; its output has `width` values per row.
    pub(super) fn for_each_chunk(
        &mut self,
        width: usize,
        mut work: impl FnMut(&Samples<'_>, Option<&Records>) -> Result<()>,
    ) -> Result<()> {
        let (mut rows_before, records) = (0, &mut self.records);
        let mut work = |chunk: &Samples<'_>| {
            let text = records
                .as_mut()
                .map(|records| records.next(rows_before, chunk.rows()))
                .transpose()?
                .flatten();
            let result = work(chunk, text.as_ref()).map_err(|error| with_row_offset(error, rows_before));
            rows_before += chunk.rows() as u64;
            result
        };
        match &mut self.values {
            PlacedValues::Memory(samples) => {
                let samples = Samples::from(&*samples);
                let rows = (CHUNK_VALUES / width).max(1);
                (0..samples.rows())
                    .step_by(rows)
                    .try_for_each(|start| work(&samples.part(start..start + rows)))?;
            }
            PlacedValues::Stream { reader, at_start, names, .. } => {
                rewind(reader, at_start)?;
                while let Some(chunk) = reader.next(STREAM_ROWS)? {
                    match chunk.names() == *names {
                        true => work(&chunk.samples())?,
                        false => work(&chunk.select(names.iter())?.samples())?,
                    }
                }
            }
        }
        Ok(())
    }
}

pub(super) fn rewind(reader: &mut TableReader, at_start: &mut bool) -> Result<()> {
    if !std::mem::replace(at_start, false) {
        reader.rewind()?;
    }
    Ok(())
}
