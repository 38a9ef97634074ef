//! Rows that are learned once, as they come.

use super::later;
use super::rows::{self, Read};
use crate::commands::learning::ColumnWords;
use fuzzion::data::{ReadTable, TableReader};
use fuzzion::sonfin::{Model, Sonfin};
use fuzzion::{Device, Error, Result};
use std::path::Path;
use std::time::{Duration, Instant};

/// A table that is read in pieces.
pub(super) struct Stream<'a> {
    pub(super) data: &'a Path,
    pub(super) columns: &'a ColumnWords,
    /// Rows that are read and learned at a time.
    pub(super) piece: usize,
    /// Where the model is kept while it goes on.
    pub(super) kept: Option<&'a Path>,
}

/// The model is written at most so often while it goes on.
const BETWEEN: Duration = Duration::from_secs(1);

impl Stream<'_> {
    /// Begins with `resumed`, or a model that the first piece makes, and learns all that comes. `latest` is what was learned
    /// when it was interrupted, or came to something that cannot be learned.
    pub(super) fn learn(
        &self,
        sonfin: &Sonfin<'_>,
        resumed: Option<Model>,
        reading: &ReadTable<'_>,
        device: &Device,
        latest: &mut Option<Model>,
    ) -> Result<(Model, Read)> {
        let classes = resumed.as_ref().map_or(sonfin.classify.is_some(), |model| !model.classes.is_empty());
        let mut reader = rows::settings(self.columns, reading, classes).live(true).open(self.data)?;
        let (mut model, mut read) = (resumed, Read { rows: 0, left_out: Vec::new(), unseen: None });
        let (mut errors, mut written) = ((0.0, 0), None);
        loop {
            match self.step(&mut model, &mut reader, sonfin, &mut read, &mut errors, device) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    *latest = model.filter(|_| read.rows > 0);
                    return Err(error);
                }
            }
            if let (Some(model), Some(path)) = (&model, self.kept)
                && written.is_none_or(|written: Instant| written.elapsed() > BETWEEN)
            {
                model.save(path)?;
                written = Some(Instant::now());
            }
        }
        let (sum, rows) = errors;
        if rows > 0 {
            let mean = sum / rows as f64;
            read.unseen = Some((if classes { mean } else { mean.sqrt() }, rows));
        }
        match model {
            Some(model) if read.rows > 0 => Ok((model, read)),
            _ => Err(Error::NoData { path: self.data.to_path_buf(), what: "rows" }),
        }
    }

    /// Learns one more piece; `false` where there is none. `errors` sums shares or squares over rows, and counts these.
    fn step(
        &self,
        model: &mut Option<Model>,
        reader: &mut TableReader<'_>,
        sonfin: &Sonfin<'_>,
        read: &mut Read,
        errors: &mut (f64, u64),
        device: &Device,
    ) -> Result<bool> {
        let Some(piece) = reader.next(self.piece)? else { return Ok(false) };
        match model {
            Some(model) => {
                let told = model.partial_fit(&piece, device).map_err(|error| later(error, read.rows))?;
                let error = if model.classes.is_empty() { told.error * told.error } else { told.error };
                errors.0 += error * told.samples as f64;
                errors.1 += told.samples as u64;
            }
            None => {
                let sonfin = sonfin.clone().inputs(rows::inputs(self.columns, &piece));
                *model = Some(sonfin.begin(&piece, &self.columns.targets(), device)?);
            }
        }
        if read.rows == 0 {
            read.left_out = rows::left_out(self.columns, &piece);
        }
        read.rows += piece.rows() as u64;
        Ok(true)
    }
}
