//! `fuzzion sonfin predict`

use super::later;
use crate::commands::paths::clash;
use crate::commands::reading::Reading;
use crate::commands::words::{clipped, counted, number, short, shown};
use crate::console::{self, Console, seconds};
use fuzzion::data::{ReadTable, TableReader, TableWriter};
use fuzzion::sonfin::Model;
use fuzzion::{Device, Error, Progress, Result, Table};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Rows that are read, predicted and written at a time.
const PIECE: usize = 1 << 16;

/// Say what a model makes of every row of a table
#[derive(clap::Args)]
#[command(
    after_help = "A classifier writes a column `label`, its labels as they were read; other models a column for each target. \
Inputs are found by their names, and other columns are ignored; where the target is among them, the error is told.

Examples:
  fuzzion sonfin predict m.json new.csv --out labels.csv
  zcat big.csv.gz | fuzzion sonfin predict m.json - --device cuda > labels.csv
  fuzzion sonfin predict m.json test.csv --scores --out scores.csv --json"
)]
pub(super) struct Predict {
    /// The model that `sonfin fit --model` wrote
    model: PathBuf,
    /// The table: CSV, TSV (also .gz), NPY, or `-` for standard input
    data: PathBuf,
    /// Where to write: .csv, .tsv (also .gz) or, for numbers, .npy
    #[arg(long, value_name = "OUT", default_value = "-")]
    out: PathBuf,
    /// Write a column for each output of a classifier instead: the largest is the label
    #[arg(long)]
    scores: bool,
    #[command(flatten)]
    reading: Reading,
}

/// How far predictions are from what is known.
#[derive(Default)]
struct Tally {
    rows: u64,
    /// Labels that are wrong, or the squares of the errors of each output.
    off: Vec<f64>,
    known: bool,
}

impl Predict {
    pub(super) fn run(&self, device: &Device, console: &Console) -> Result<ExitCode> {
        let standard_output = self.out == Path::new("-");
        let taken = (standard_output && console.json()).then(|| {
            "`--json` and the predictions cannot share standard output; name a file with `--out`".to_owned()
        });
        let read = [self.model.as_path(), self.data.as_path()];
        if let Some(sentence) = taken.or_else(|| clash(&read, &[("--out", &self.out)])) {
            console::complain(&sentence);
            return Ok(ExitCode::from(2));
        }
        let model = Model::load(&self.model)?;
        let mut writer = TableWriter::create(&self.out)?;
        let bar = console.bar("predicting");
        let step = |done, total| bar.step(done, total);
        let (mut reader, known) = self.open(&model, &self.reading.settings(device, Progress::new(&step)))?;
        let (mut tally, clock) = (Tally { known, ..Tally::default() }, Instant::now());
        while let Some(piece) = reader.next(PIECE)? {
            let predicted = model.predict(&piece, device).map_err(|error| later(error, tally.rows))?;
            tally.add(&model, &piece, &predicted)?;
            writer.write(&if self.scores { model.scores(&piece, device)? } else { predicted })?;
        }
        if tally.rows == 0 {
            return Err(Error::NoData { path: self.data.clone(), what: "rows" });
        }
        drop(bar);
        writer.finish()?;
        let spent = clock.elapsed().as_secs_f64();
        if console.json() {
            console.say_json(&json!({
                "rows": tally.rows,
                "error": match &tally.errors(&model)[..] {
                    [] => Value::Null,
                    [error] => number(*error),
                    several => several.iter().map(|error| number(*error)).collect(),
                },
                "seconds": spent,
                "device": device.to_string(),
                "out": self.out.to_string_lossy(),
            }))?;
        } else if !standard_output {
            console.say(&self.told(&model, &tally, spent))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The columns that the model looks at, and what it learned where that is known; whether it is.
    fn open<'a>(&self, model: &Model, settings: &ReadTable<'a>) -> Result<(TableReader<'a>, bool)> {
        let missing = |error| match error {
            Error::UnknownColumn { name, known } => {
                Error::ModelColumn { name, inputs: model.inputs.len(), known }
            }
            other => other,
        };
        let inputs = settings.clone().columns(model.inputs.clone());
        // What can be read only once is not opened twice.
        if self.data.is_file() {
            let mut with_targets =
                settings.clone().columns(model.inputs.iter().chain(&model.outputs).cloned());
            if !model.classes.is_empty() {
                with_targets = with_targets.labels(model.outputs.clone());
            }
            match with_targets.open(&self.data) {
                Err(Error::UnknownColumn { name, .. }) if model.outputs.contains(&name) => {}
                opened => return Ok((opened.map_err(missing)?, true)),
            }
        }
        Ok((inputs.open(&self.data).map_err(missing)?, false))
    }

    fn told(&self, model: &Model, tally: &Tally, spent: f64) -> String {
        let (rows, out) = (counted(tally.rows, "row"), shown(&self.out));
        let errors = tally.errors(model);
        let error = match &errors[..] {
            [] => String::new(),
            [error] if !model.classes.is_empty() => format!(", {:.2} % of the labels wrong", 100.0 * error),
            [error] => format!(", RMSE {}", short(*error)),
            several => {
                let of = |(error, name): (&f64, &String)| format!("{} of `{}`", short(*error), clipped(name));
                format!(
                    ", RMSE {}",
                    several.iter().zip(&model.outputs).map(of).collect::<Vec<_>>().join(", ")
                )
            }
        };
        format!("{rows} predicted in {}{error}; written: {out}", seconds(spent))
    }
}

impl Tally {
    fn add(&mut self, model: &Model, piece: &Table, predicted: &Table) -> Result<()> {
        self.rows += piece.rows() as u64;
        self.off.resize(model.outputs.len(), 0.0);
        if !self.known {
            return Ok(());
        }
        if !model.classes.is_empty() {
            let pairs = piece.label(&model.outputs[0])?.iter().zip(predicted.label("label")?.iter());
            self.off[0] += pairs.filter(|(known, found)| known != found).count() as f64;
            return Ok(());
        }
        for (name, off) in model.outputs.iter().zip(&mut self.off) {
            let (known, found) = (piece.column(name)?, predicted.column(name)?);
            *off += known.iter().zip(&found).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
        }
        Ok(())
    }

    /// The share of labels that are wrong, or the root mean square of the errors of each output; none where they are not known.
    fn errors(&self, model: &Model) -> Vec<f64> {
        if !self.known {
            return Vec::new();
        }
        let mean = self.off.iter().map(|off| off / self.rows as f64);
        mean.map(|mean| if model.classes.is_empty() { mean.sqrt() } else { mean }).collect()
    }
}
