//! Rows that are learned once, as they come.

use super::later;
use super::rows::{self, Read};
use crate::commands::learning::ColumnWords;
use crate::commands::words::shown;
use crate::interrupt;
use fuzzion::data::{ReadTable, TableReader};
use fuzzion::sonfin::{Model, Sonfin};
use fuzzion::{Device, Error, Result};
use std::path::Path;
use std::sync::{Arc, Mutex};
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

/// A model that is written from time to time, and when the program is ended while it waits for more rows.
#[derive(Default)]
struct Kept {
    /// When it was written.
    written: Option<Instant>,
    unwritten: Arc<Mutex<Unwritten>>,
}

/// What the file does not hold.
#[derive(Default)]
struct Unwritten {
    /// Whether it holds anything of this stream.
    begun: bool,
    /// What was learned since it was written.
    since: Option<Model>,
}

impl Kept {
    fn at(path: &Path) -> Self {
        let kept = Kept::default();
        let (unwritten, path) = (Arc::clone(&kept.unwritten), path.to_path_buf());
        interrupt::before_the_end(move || {
            let mut unwritten = unwritten.lock().ok()?;
            if let Some(model) = unwritten.since.take() {
                model.save(&path).ok()?;
            }
            unwritten.begun.then(|| so_far(&path))
        });
        kept
    }

    fn keep(&mut self, model: &Model, path: &Path) -> Result<()> {
        let late = self.written.is_none_or(|written| written.elapsed() > BETWEEN);
        if late {
            model.save(path)?;
            self.written = Some(Instant::now());
        }
        if let Ok(mut unwritten) = self.unwritten.lock() {
            *unwritten = Unwritten { begun: true, since: if late { None } else { Some(model.clone()) } };
        }
        Ok(())
    }
}

/// What is said of a stream that was interrupted.
pub(super) fn so_far(path: &Path) -> String {
    format!(
        "interrupted; `{}` holds what was learned so far: `--stream --resume` goes on with the rows that follow",
        shown(path)
    )
}

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
        let (mut errors, mut kept) = ((0.0, 0), self.kept.map(Kept::at));
        loop {
            match self.step(&mut model, &mut reader, sonfin, &mut read, &mut errors, device) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    *latest = model.filter(|_| read.rows > 0);
                    return Err(error);
                }
            }
            if let (Some(model), Some(path), Some(kept)) = (&model, self.kept, &mut kept) {
                kept.keep(model, path)?;
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
