//! `fuzzion sonfin predict`

use super::missing_column;
use crate::commands::common::chunks::{Chunk, ChunkRows, chunks_of, open};
use crate::commands::common::classes::UnknownClasses;
use crate::commands::common::paths::{JSON_NEEDS_OUT, path_conflict};
use crate::commands::common::table_args::{TableArgs, with_row_offset};
use crate::console::{self, Console, Stage};
use crate::format::{count_of, display_path, ellipsize, format_number, format_seconds, json_number};
use fuzzion::data::{DataError, ReadTable, TableReader, TableWriter, pipeline};
use fuzzion::sonfin::Model;
use fuzzion::{Device, Error, Result, Table};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Rows per chunk.
const CHUNK_ROWS: usize = 1 << 16;

/// Predict every row of a table
#[derive(clap::Args)]
#[command(
    after_help = "A classifier writes a column `label` with the original class names; other models write one column per target. \
Inputs are matched by name, and other columns are ignored. If the table contains the target, the error is reported.

Examples:
  fuzzion sonfin predict m.json new.csv --out labels.csv
  fuzzion sonfin predict m.json new.csv --append --out all.csv         also copy the columns of new.csv
  zcat big.csv.gz | fuzzion sonfin predict m.json - --device cuda > labels.csv
  fuzzion sonfin predict m.json test.csv --scores --out scores.csv --json"
)]
pub(super) struct Predict {
    /// Model file written by `sonfin fit --model`
    model: PathBuf,
    /// Input table: CSV, TSV (also .gz), NPY, or `-` for standard input
    data: PathBuf,
    /// Output file: .csv, .tsv (also .gz) or, for numeric output, .npy; `-` writes CSV to standard output
    #[arg(long, value_name = "OUT", default_value = "-")]
    out: PathBuf,
    /// Copy the columns of a text table to the output, before the predictions
    #[arg(long)]
    append: bool,
    /// Write the class scores of a classifier instead of the labels, one column per class
    #[arg(long)]
    scores: bool,
    #[command(flatten)]
    reading: TableArgs,
}

/// Sums of the prediction errors.
#[derive(Default)]
struct ErrorSums {
    rows: u64,
    /// Number of wrong labels, or the sum of squared errors of each output.
    sums: Vec<f64>,
    /// Whether the table contains the targets.
    has_targets: bool,
    /// Classes of the target that the model does not know.
    unknown: UnknownClasses,
}

impl Predict {
    pub(super) fn run(&self, device: &Device, console: &Console) -> Result<ExitCode> {
        let standard_output = self.out == Path::new("-");
        let needs_out = (standard_output && console.json()).then(|| JSON_NEEDS_OUT.to_owned());
        let inputs = [self.model.as_path(), self.data.as_path()];
        if let Some(message) = needs_out.or_else(|| path_conflict(&inputs, &[("--out", &self.out)])) {
            console::print_error(&message);
            return Ok(ExitCode::from(2));
        }
        let model = Model::load(&self.model)?;
        if self.scores && model.classes.is_empty() {
            let file = display_path(&self.model);
            console::print_error(&format!("`--scores` requires a classifier, but {file} predicts numbers"));
            return Ok(ExitCode::from(2));
        }
        let mut writer = TableWriter::create(&self.out)?.device(device);
        let bar = console.bar("predicting");
        let reading = self.reading.settings(&bar.watch(device)).keep_records(self.append);
        bar.stages().begin(Stage::Read);
        let (reader, has_targets) = self.open(&model, &reading)?;
        bar.stages().end();
        let (mut errors, started) = (ErrorSums { has_targets, ..ErrorSums::default() }, Instant::now());
        let predict = |chunk: &mut Chunk, result: &mut Chunk| {
            result.records = chunk.records.take();
            let chunk = chunk.rows();
            let predicted = model.predict(chunk, device);
            let predicted = predicted.map_err(|error| with_row_offset(error.into(), errors.rows))?;
            errors.add(&model, chunk, &predicted)?;
            result.table = Some(if self.scores { model.scores(chunk, device)? } else { predicted });
            Ok(())
        };
        let write = |result: &mut Chunk| result.write(&mut writer);
        let times = pipeline(chunks_of(reader, ChunkRows::Exactly(CHUNK_ROWS)), predict, write)?;
        bar.stages().add(times);
        bar.begin(Stage::Write, "writing");
        if errors.rows == 0 {
            return Err(Error::Data(DataError::NoData { path: self.data.clone(), what: "rows" }));
        }
        writer.finish()?;
        drop(bar);
        if let Some(warning) = errors.unknown.warning(&model.outputs[0], &model.classes) {
            console::print_warning(&warning);
        }
        let seconds = started.elapsed().as_secs_f64();
        if console.json() {
            let summary = json!({
                "rows": errors.rows,
                "error": match &errors.means(&model)[..] {
                    [] => Value::Null,
                    [error] => json_number(*error),
                    several => several.iter().map(|error| json_number(*error)).collect(),
                },
                "seconds": seconds,
                "out": self.out.to_string_lossy(),
            });
            console.print_summary_of_files(&summary.to_string(), device)?;
        } else if !standard_output {
            let error = errors.text(&model);
            if console.quiet() {
                console.print_summary(&error, device)?;
            } else {
                console.print_summary(&self.summary(&errors, &error, seconds), device)?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Opens the table with the inputs of the model, and with its targets if present. Returns whether they are.
    fn open(&self, model: &Model, settings: &ReadTable) -> Result<(TableReader, bool)> {
        let inputs = settings.clone().columns(model.inputs.clone());
        // A pipe can be opened only once.
        if self.data.is_file() {
            let mut with_targets =
                settings.clone().columns(model.inputs.iter().chain(&model.outputs).cloned());
            if !model.classes.is_empty() {
                with_targets = with_targets.labels(model.outputs.clone());
            }
            match open(&with_targets, &self.data) {
                Err(DataError::UnknownColumn { name, .. }) if model.outputs.contains(&name) => {}
                opened => return Ok((opened.map_err(|error| missing_column(error, model))?, true)),
            }
        }
        Ok((open(&inputs, &self.data).map_err(|error| missing_column(error, model))?, false))
    }

    fn summary(&self, errors: &ErrorSums, error: &str, seconds: f64) -> String {
        let (rows, out) = (count_of(errors.rows, "row"), display_path(&self.out));
        let error = if error.is_empty() { String::new() } else { format!(", {error}") };
        format!("{rows} predicted in {}{error}; wrote {out}", format_seconds(seconds))
    }
}

impl ErrorSums {
    fn add(&mut self, model: &Model, chunk: &Table, predicted: &Table) -> Result<()> {
        self.rows += chunk.rows() as u64;
        self.sums.resize(model.outputs.len(), 0.0);
        if !self.has_targets {
            return Ok(());
        }
        if !model.classes.is_empty() {
            let targets = chunk.label(&model.outputs[0])?;
            self.unknown.add(targets, &model.classes);
            let pairs = targets.iter().zip(predicted.label("label")?.iter());
            self.sums[0] += pairs.filter(|(target, predicted)| target != predicted).count() as f64;
            return Ok(());
        }
        for (name, sum) in model.outputs.iter().zip(&mut self.sums) {
            let (targets, predicted) = (chunk.column(name)?, predicted.column(name)?);
            *sum += targets.iter().zip(&predicted).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
        }
        Ok(())
    }

    /// The errors as text, empty without targets.
    fn text(&self, model: &Model) -> String {
        match &self.means(model)[..] {
            [] => String::new(),
            [error] if !model.classes.is_empty() => format!("error rate {:.2} %", 100.0 * error),
            [error] => format!("RMSE {}", format_number(*error)),
            several => {
                let of = |(error, name): (&f64, &String)| {
                    format!("{} (`{}`)", format_number(*error), ellipsize(name))
                };
                format!("RMSE {}", several.iter().zip(&model.outputs).map(of).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// The error rate of the labels, or the RMSE of each output; empty without targets.
    fn means(&self, model: &Model) -> Vec<f64> {
        if !self.has_targets {
            return Vec::new();
        }
        let mean = self.sums.iter().map(|sum| sum / self.rows as f64);
        mean.map(|mean| if model.classes.is_empty() { mean.sqrt() } else { mean }).collect()
    }
}
