//! Training on a stream: every row is used once, in order.

use super::rows::{self, RowStats};
use crate::commands::common::classes::check_class;
use crate::commands::common::learning_args::ColumnArgs;
use crate::commands::common::table_args::with_row_offset;
use crate::format::{count_of, display_path, ellipsize};
use fuzzion::data::{DataError, ReadTable};
use fuzzion::inference::InferenceError;
use fuzzion::sonfin::{Model, Sonfin};
use fuzzion::{Device, Error, Result, Table};
use std::path::Path;
use std::time::{Duration, Instant};

/// A table that is read in chunks.
pub(super) struct Stream<'a> {
    pub(super) data: &'a Path,
    pub(super) columns: &'a ColumnArgs,
    /// Rows that determine ranges and classes, and the maximum number of rows of the following parts.
    pub(super) chunk_rows: usize,
    /// The file that receives the model during training.
    pub(super) checkpoint: Option<&'a Path>,
}

/// Minimum time between two checkpoints.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(1);

/// The message after a stream was interrupted.
pub(super) fn interrupted_message(path: &Path) -> String {
    format!(
        "interrupted; saved the model to `{}`: use `--stream --resume` to continue with the following rows",
        display_path(path)
    )
}

/// A stream in training.
struct Training<'a> {
    stream: &'a Stream<'a>,
    sonfin: &'a Sonfin,
    device: &'a Device,
    model: Option<Model>,
    stats: RowStats,
    /// Sum of the errors, squared for numeric targets, and the number of their rows.
    errors: (f64, u64),
    /// Time of the last checkpoint.
    saved: Option<Instant>,
}

impl Stream<'_> {
    /// Trains `resumed`, or a model started with the first chunk, on all rows, as soon as they arrive. After an error or an
    /// interruption, `latest` is the model so far.
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
        let stats = RowStats { rows: 0, ignored: Vec::new(), prequential: None };
        let mut training =
            Training { stream: self, sonfin, device, model: resumed, stats, errors: (0.0, 0), saved: None };
        let end = training.run(&rows::settings(self.columns, reading, is_classifier).live(true));
        let Training { model, mut stats, errors: (sum, rows), .. } = training;
        let model = model.filter(|_| stats.rows > 0);
        if end.is_err() {
            *latest = model;
            return Err(end.expect_err("invariant: the result was just checked"));
        }
        if rows > 0 {
            let mean = sum / rows as f64;
            stats.prequential = Some((if is_classifier { mean } else { mean.sqrt() }, rows));
        }
        let no_rows = || Error::Data(DataError::NoData { path: self.data.to_path_buf(), what: "rows" });
        Ok((model.ok_or_else(no_rows)?, stats))
    }
}

impl Training<'_> {
    /// Trains on all rows; after an interruption, on those that have arrived.
    fn run(&mut self, reading: &ReadTable) -> Result<()> {
        let mut reader = reading.open(self.stream.data)?;
        loop {
            let read = match self.model {
                Some(_) => reader.next_available(self.stream.chunk_rows),
                None => reader.next(self.stream.chunk_rows),
            };
            match read {
                Ok(Some(rows)) => self.learn(&rows)?,
                Ok(None) => return Ok(()),
                Err(DataError::Interrupted) => {
                    while let Some(rows) = reader.pending(self.stream.chunk_rows) {
                        self.learn(&rows)?;
                    }
                    return Err(Error::Interrupted);
                }
                Err(error) => return Err(error.into()),
            }
            self.save_if_due()?;
        }
    }

    fn learn(&mut self, rows: &Table) -> Result<()> {
        let columns = self.stream.columns;
        match &mut self.model {
            Some(model) => {
                let report = model
                    .partial_fit(rows, self.device)
                    .map_err(|error| with_row_offset(error.into(), self.stats.rows))?;
                let error = if model.classes.is_empty() { report.error * report.error } else { report.error };
                self.errors.0 += error * report.samples as f64;
                self.errors.1 += report.samples as u64;
            }
            None => {
                if self.sonfin.classify.is_some() {
                    self.check_first_classes(rows)?;
                }
                let sonfin = self.sonfin.clone().inputs(rows::inputs(columns, rows));
                self.model = Some(sonfin.begin_stream(rows, &columns.targets(), self.device)?);
            }
        }
        if self.stats.rows == 0 {
            self.stats.ignored = rows::ignored(columns, rows);
        }
        self.stats.rows += rows.rows() as u64;
        Ok(())
    }

    /// Checks the classes of the first rows, which must contain several.
    fn check_first_classes(&self, rows: &Table) -> Result<()> {
        let target = &self.stream.columns.target[0];
        check_class(rows, target)?;
        let mut labels = rows.label(target)?.iter();
        let first = labels.next().unwrap_or_default();
        if labels.all(|label| label == first) {
            let location = match rows.rows() {
                1 => "the first row".to_owned(),
                rows => format!("the first {}", count_of(rows as u64, "row")),
            };
            let problem = format!(
                "{} only the class `{}`; increase `--chunk-rows`, or shuffle the rows",
                if rows.rows() == 1 { "contains" } else { "contain" },
                ellipsize(first)
            );
            return Err(Error::Inference(InferenceError::InvalidSystem { location, problem }));
        }
        Ok(())
    }

    fn save_if_due(&mut self) -> Result<()> {
        if let (Some(model), Some(path)) = (&self.model, self.stream.checkpoint)
            && self.saved.is_none_or(|saved| saved.elapsed() > CHECKPOINT_INTERVAL)
        {
            model.save(path)?;
            self.saved = Some(Instant::now());
        }
        Ok(())
    }
}
