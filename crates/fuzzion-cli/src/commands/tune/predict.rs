//! `fuzzion tune predict`

use super::prediction::{ErrorSums, predicted};
use crate::commands::common::chunks::{Chunk, ChunkRows, chunks_of, open};
use crate::commands::common::paths::{JSON_NEEDS_OUT, path_conflict};
use crate::commands::common::table_args::{TableArgs, with_row_offset};
use crate::console::{self, Console, Stage};
use crate::format::{count_of, display_path, ellipsize, format_number, format_seconds, json_number};
use fuzzion::data::{DataError, ReadTable, TableReader, TableWriter, pipeline};
use fuzzion::tuning::{TunedSystem, inspect};
use fuzzion::{Device, Error, Result};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Rows per chunk.
const CHUNK_ROWS: usize = 1 << 16;
/// Default probability of prediction intervals.
const LEVEL: f64 = 0.9;
/// Maximum number of rules in the summary.
const MAX_RULES: usize = 40;

/// Predict every row of a table, with prediction intervals
#[derive(clap::Args)]
#[command(
    after_help = "Writes a column for each target. If the model has calibrated intervals, `TARGET_lower` and `TARGET_upper` are the ends of an \
interval that contains the target with the probability `--level`. A classifier writes the class, the output of every class and, \
in `TARGET_set`, the classes that contain the correct one with this probability. `outside` is `no`, or the names of the inputs outside their \
range in the training data. `.npy` files contain the numbers only. Inputs are matched by name. If the table contains the target, \
the error is reported.

Examples:
  fuzzion tune houses.csv --target price --model houses.json
  fuzzion tune predict houses.json new.csv --out prices.csv --level 0.95
  fuzzion tune predict houses.json new.csv --append --out all.csv        also the columns of new.csv
  fuzzion tune predict houses.json new.csv --explain --out prices.csv    also the strongest rules of every row
  fuzzion explain houses.json --data new.csv --row 7                     explain the prediction of one row"
)]
pub(crate) struct Predict {
    /// Model file written by `tune --model FILE.json`
    model: PathBuf,
    /// Input table: CSV, TSV (also .gz), NPY, or `-` for standard input
    data: PathBuf,
    /// Output file: .csv, .tsv (also .gz) or .npy; `-` writes CSV to standard output
    #[arg(long, value_name = "OUT", default_value = "-")]
    out: PathBuf,
    /// Probability of the prediction intervals, above 0 and below 1 [default: 0.9]
    #[arg(long, value_name = "P")]
    level: Option<f64>,
    /// Copy the columns of a text table to the output, before the predictions
    #[arg(long)]
    append: bool,
    /// Write the strongest rules of every row, with their normalized firing strengths
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    reading: TableArgs,
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
        let tuned = self.load()?;
        let level = self.level.or(tuned.calibration_rows().map(|_| LEVEL));
        let mut writer = TableWriter::create(&self.out)?.device(device);
        let with_text = self.out.extension().is_none_or(|end| end != "npy");
        let bar = console.bar("predicting");
        let reading = self.reading.settings(&bar.watch(device)).keep_records(self.append);
        bar.stages().begin(Stage::Read);
        let (reader, has_targets) = self.open(&tuned, &reading)?;
        bar.stages().end();
        let (mut errors, started) = (ErrorSums::new(&tuned, has_targets), Instant::now());
        let predict = |chunk: &mut Chunk, result: &mut Chunk| {
            result.records = chunk.records.take();
            let chunk = chunk.rows();
            let rows = predicted(&tuned, chunk, level, self.explain, device);
            let rows = rows.map_err(|error| with_row_offset(error, errors.rows))?;
            errors.add(&tuned, chunk, &rows)?;
            result.table = Some(rows.table(&tuned, with_text)?);
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
        if let Some(warning) = errors.unknown.warning(&tuned.targets[0], &tuned.classes) {
            console::print_warning(&warning);
        }
        let seconds = started.elapsed().as_secs_f64();
        if console.json() {
            console.print_summary(&self.json(&errors, level, seconds).to_string(), device)?;
        } else if !standard_output {
            let seconds = (!console.quiet()).then_some(seconds);
            console.print_summary(&self.summary(&tuned, &errors, level, seconds)?, device)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn load(&self) -> Result<TunedSystem> {
        let is_system = |end: &std::ffi::OsStr| ["fll", "fis", "fcl"].iter().any(|known| end == *known);
        if self.model.extension().is_some_and(is_system) {
            let reason = "it is a fuzzy system; use `fuzzion infer`, or a model written by `fuzzion tune --model FILE.json`";
            let (path, format) = (self.model.clone(), "a tuned system");
            return Err(Error::Data(DataError::Malformed { path, format, reason: reason.into() }));
        }
        Ok(TunedSystem::load(&self.model)?)
    }

    /// Opens the table with the inputs of the model, and with its targets if present. Returns whether they are.
    fn open(&self, tuned: &TunedSystem, settings: &ReadTable) -> Result<(TableReader, bool)> {
        let (columns, texts) = source_columns(&tuned.inputs);
        // A pipe can be opened only once.
        if self.data.is_file() {
            let mut with_targets =
                settings.clone().columns(columns.iter().chain(&tuned.targets).cloned()).labels(texts.clone());
            if !tuned.classes.is_empty() {
                with_targets = with_targets.labels(texts.iter().chain(&tuned.targets).cloned());
            }
            match open(&with_targets, &self.data) {
                Err(DataError::UnknownColumn { name, .. }) if tuned.targets.contains(&name) => {}
                opened => return Ok((opened?, true)),
            }
        }
        Ok((open(&settings.clone().columns(columns).labels(texts), &self.data)?, false))
    }

    fn json(&self, errors: &ErrorSums, level: Option<f64>, seconds: f64) -> Value {
        let numbers = |values: Vec<f64>| match &values[..] {
            [] => Value::Null,
            [one] => json_number(*one),
            several => several.iter().map(|value| json_number(*value)).collect(),
        };
        json!({
            "rows": errors.rows,
            "error": numbers(errors.means()),
            "level": level.map(json_number),
            "coverage": numbers(errors.coverage()),
            "outside": errors.outside,
            "seconds": seconds,
            "out": self.out.to_string_lossy(),
        })
    }

    /// The summary as text; only the results without `seconds`.
    fn summary(
        &self,
        tuned: &TunedSystem,
        errors: &ErrorSums,
        level: Option<f64>,
        seconds: Option<f64>,
    ) -> Result<String> {
        let percent = |fraction: f64| format!("{:.1} %", 100.0 * fraction);
        let listed = |values: Vec<f64>, format: &dyn Fn(f64) -> String| match values.len() {
            1 => format(values[0]),
            _ => {
                let of =
                    |(value, name): (&f64, &String)| format!("{} (`{}`)", format(*value), ellipsize(name));
                values.iter().zip(&tuned.targets).map(of).collect::<Vec<_>>().join(", ")
            }
        };
        let is_classifier = !tuned.classes.is_empty();
        let error = match errors.means() {
            means if means.is_empty() => None,
            means if is_classifier => Some(format!("error rate {:.2} %", 100.0 * means[0])),
            means => Some(format!("RMSE {}", listed(means, &format_number))),
        };
        let mut out = match seconds {
            Some(seconds) => {
                let (rows, seconds) = (count_of(errors.rows, "row"), format_seconds(seconds));
                let error = error.map_or_else(String::new, |error| format!(", {error}"));
                format!("{rows} predicted in {seconds}{error}; wrote {}\n", display_path(&self.out))
            }
            None => error.map_or_else(String::new, |error| error + "\n"),
        };
        match (level, errors.coverage()) {
            (Some(level), coverage) if !coverage.is_empty() => {
                let what = if is_classifier { "sets" } else { "intervals" };
                let level = 100.0 * level;
                out += &format!(
                    "the prediction {what} of {level} % contain {} of the targets\n",
                    listed(coverage, &percent)
                );
            }
            (None, _) => {
                out += "the model has no prediction intervals; train it with `fuzzion tune --intervals`\n";
            }
            _ => {}
        }
        if errors.outside > 0 {
            let rows = count_of(errors.outside, "row");
            out += &format!("{rows} outside of the training data: the predictions are extrapolations\n");
        }
        if self.explain {
            let rules = inspect::rules(&tuned.system)?;
            let width = rules.len().to_string().len();
            for (rule, text) in rules.iter().enumerate().take(MAX_RULES) {
                out += &format!("{:>width$}  {text}\n", rule + 1);
            }
        }
        Ok(out)
    }
}

/// The columns of the inputs of a model, and those of them that contain text: an input `column=value` is a value of a text column.
fn source_columns(inputs: &[String]) -> (Vec<String>, Vec<String>) {
    let (mut columns, mut texts) = (Vec::new(), Vec::new());
    for input in inputs {
        match input.split_once('=') {
            None => columns.push(input.clone()),
            Some((column, _)) if texts.iter().any(|text| text == column) => {}
            Some((column, _)) => {
                columns.push(column.to_owned());
                texts.push(column.to_owned());
            }
        }
    }
    (columns, texts)
}
