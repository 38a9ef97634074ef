//! Training on a stream: every row is used once, in order.

use super::rows::{self, RowStats};
use crate::commands::common::learning_args::ColumnArgs;
use crate::commands::common::table_args::with_row_offset;
use crate::format::display_path;
use crate::interrupt;
use fuzzion::data::{DataError, ReadTable, TableReader};
use fuzzion::sonfin::{Model, Sonfin};
use fuzzion::{Device, Error, Result};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A table that is read in chunks.
pub(super) struct Stream<'a> {
    pub(super) data: &'a Path,
    pub(super) columns: &'a ColumnArgs,
    /// Rows per chunk.
    pub(super) chunk_rows: usize,
    /// The file that receives the model during training.
    pub(super) checkpoint: Option<&'a Path>,
}

/// Minimum time between two checkpoints.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(1);

/// Writes the model periodically, and when the program is ended while it waits for more rows.
#[derive(Default)]
struct Checkpoint {
    /// Time of the last write.
    written: Option<Instant>,
    state: Arc<Mutex<CheckpointState>>,
}

/// The part of a checkpoint that is shared with the exit hook.
#[derive(Default)]
struct CheckpointState {
    /// Whether the file contains a model of this stream.
    is_started: bool,
    /// The model, if it changed since the last write.
    unsaved: Option<Model>,
}

impl Checkpoint {
    fn new(path: &Path) -> Self {
        let checkpoint = Checkpoint::default();
        let (state, path) = (Arc::clone(&checkpoint.state), path.to_path_buf());
        interrupt::set_exit_hook(move || {
            let mut state = state.lock().ok()?;
            if let Some(model) = state.unsaved.take() {
                model.save(&path).ok()?;
            }
            state.is_started.then(|| interrupted_message(&path))
        });
        checkpoint
    }

    fn update(&mut self, model: &Model, path: &Path) -> Result<()> {
        let is_due = self.written.is_none_or(|written| written.elapsed() > CHECKPOINT_INTERVAL);
        if is_due {
            model.save(path)?;
            self.written = Some(Instant::now());
        }
        if let Ok(mut state) = self.state.lock() {
            let unsaved = if is_due { None } else { Some(model.clone()) };
            *state = CheckpointState { is_started: true, unsaved };
        }
        Ok(())
    }
}

/// The message after a stream was interrupted.
pub(super) fn interrupted_message(path: &Path) -> String {
    format!(
        "interrupted; saved the model to `{}`: use `--stream --resume` to continue with the following rows",
        display_path(path)
    )
}

impl Stream<'_> {
    /// Trains `resumed`, or a model started with the first chunk, on all rows. After an error or an interruption, `latest` is
    /// the model so far.
    pub(super) fn train(
        &self,
        sonfin: &Sonfin,
        resumed: Option<Model>,
        reading: &ReadTable,
        device: &Device,
        latest: &mut Option<Model>,
    ) -> Result<(Model, RowStats)> {
        let is_classifier =
            resumed.as_ref().map_or(sonfin.classify.is_some(), |model| !model.classes.is_empty());
        let mut reader = rows::settings(self.columns, reading, is_classifier).live(true).open(self.data)?;
        let (mut model, mut stats) = (resumed, RowStats { rows: 0, ignored: Vec::new(), prequential: None });
        let (mut errors, mut checkpoint) = ((0.0, 0), self.checkpoint.map(Checkpoint::new));
        loop {
            match self.step(&mut model, &mut reader, sonfin, &mut stats, &mut errors, device) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    *latest = model.filter(|_| stats.rows > 0);
                    return Err(error);
                }
            }
            if let (Some(model), Some(path), Some(checkpoint)) = (&model, self.checkpoint, &mut checkpoint) {
                checkpoint.update(model, path)?;
            }
        }
        let (sum, rows) = errors;
        if rows > 0 {
            let mean = sum / rows as f64;
            stats.prequential = Some((if is_classifier { mean } else { mean.sqrt() }, rows));
        }
        match model {
            Some(model) if stats.rows > 0 => Ok((model, stats)),
            _ => Err(Error::Data(DataError::NoData { path: self.data.to_path_buf(), what: "rows" })),
        }
    }

    /// Trains on the next chunk; returns false at the end. `errors` accumulates the error and the number of rows.
    fn step(
        &self,
        model: &mut Option<Model>,
        reader: &mut TableReader,
        sonfin: &Sonfin,
        stats: &mut RowStats,
        errors: &mut (f64, u64),
        device: &Device,
    ) -> Result<bool> {
        let Some(chunk) = reader.next(self.chunk_rows)? else { return Ok(false) };
        match model {
            Some(model) => {
                let report = model
                    .partial_fit(&chunk, device)
                    .map_err(|error| with_row_offset(error.into(), stats.rows))?;
                let error = if model.classes.is_empty() { report.error * report.error } else { report.error };
                errors.0 += error * report.samples as f64;
                errors.1 += report.samples as u64;
            }
            None => {
                let sonfin = sonfin.clone().inputs(rows::inputs(self.columns, &chunk));
                *model = Some(sonfin.begin_stream(&chunk, &self.columns.targets(), device)?);
            }
        }
        if stats.rows == 0 {
            stats.ignored = rows::ignored(self.columns, &chunk);
        }
        stats.rows += chunk.rows() as u64;
        Ok(true)
    }
}
