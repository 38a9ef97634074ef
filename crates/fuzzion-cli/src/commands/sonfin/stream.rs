//! Rows that are learned once, as they come.

use super::later;
use super::rows::{Read, RowWords};
use fuzzion::data::ReadTable;
use fuzzion::sonfin::{Model, Sonfin};
use fuzzion::{Device, Error, Result};
use std::path::Path;

/// A table that is read in pieces.
pub(super) struct Stream<'a> {
    pub(super) data: &'a Path,
    pub(super) columns: &'a RowWords,
    /// Rows that are read and learned at a time.
    pub(super) piece: usize,
}

impl Stream<'_> {
    /// Begins with `resumed`, or a model that the first piece makes, and learns all that comes. `latest` is what was learned
    /// when it was interrupted.
    pub(super) fn learn(
        &self,
        sonfin: &Sonfin<'_>,
        resumed: Option<Model>,
        reading: &ReadTable<'_>,
        device: &Device,
        latest: &mut Option<Model>,
    ) -> Result<(Model, Read)> {
        let classes = resumed.as_ref().map_or(sonfin.classify.is_some(), |model| !model.classes.is_empty());
        let mut reader = self.columns.settings(reading, classes).open(self.data)?;
        let (mut model, mut read) = (resumed, Read { rows: 0, left_out: Vec::new() });
        loop {
            let piece = match reader.next(self.piece) {
                Ok(None) => break,
                Err(Error::Interrupted) => {
                    *latest = model;
                    return Err(Error::Interrupted);
                }
                piece => piece?,
            };
            let Some(piece) = piece else { break };
            match &mut model {
                Some(model) => {
                    model.partial_fit(&piece, device).map_err(|error| later(error, read.rows))?;
                }
                None => {
                    let sonfin = sonfin.clone().inputs(self.columns.inputs(&piece));
                    model = Some(sonfin.begin(&piece, &self.columns.targets(), device)?);
                }
            }
            if read.rows == 0 {
                read.left_out = self.columns.left_out(&piece);
            }
            read.rows += piece.rows() as u64;
        }
        match model {
            Some(model) if read.rows > 0 => Ok((model, read)),
            _ => Err(Error::NoData { path: self.data.to_path_buf(), what: "rows" }),
        }
    }
}
