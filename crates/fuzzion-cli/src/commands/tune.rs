//! `fuzzion tune`

mod page;
mod results;
mod rows;
mod settings;
mod simpler;
mod summary;

use super::reading::Reading;
use crate::console::{self, Console};
use clap::Parser;
use fuzzion::tuning::reading::{Importance, Support};
use fuzzion::tuning::{Tuned, Tuner};
use fuzzion::{Device, Error, Progress, Result};
use results::{ResultWords, Results};
use rows::{RowWords, Rows};
use settings::{Learning, Rules};
use std::path::PathBuf;
use std::process::ExitCode;

/// Learn a Takagi-Sugeno system from a table: rules that people can read, as a file that every engine runs
#[derive(clap::Args)]
#[command(
    group = clap::ArgGroup::new("start").required(true).multiple(true).args(["sets", "rules", "init", "system", "auto"]),
    after_help = "Reads CSV, TSV (also .gz), NPY; `-` is standard input. Inputs are all columns of numbers but the targets, or \
those named.

Examples:
  fuzzion data truck --out truck.csv
  fuzzion tune truck.csv --target theta --sets 5,7 --model truck.fll       a grid of sets, one rule for each pair
  fuzzion infer truck.fll --data truck.csv --out learned.csv               and run
  fuzzion tune iris.csv --target species --classify --rules 3 --init fcm   classes, rules from clusters
  fuzzion tune train.csv --target y --auto --validation 0.2 --plot y.html  rules, order and step chosen for you"
)]
pub(crate) struct Tune {
    /// The table, or `-`
    data: PathBuf,
    #[command(flatten)]
    columns: RowWords,
    #[command(flatten)]
    rules: Rules,
    #[command(flatten)]
    learning: Learning,
    #[command(flatten)]
    results: ResultWords,
    #[command(flatten)]
    reading: Reading,
}

/// A command line that holds nothing else.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct Alone {
    #[command(flatten)]
    tune: Tune,
}

/// A fit and what is told of it.
struct Told<'a> {
    words: &'a Tune,
    rows: &'a Rows,
    tuned: Tuned,
    supports: Vec<Support>,
    importance: Vec<Importance>,
    /// What merging and pruning took away, in words.
    simpler: Vec<String>,
}

impl Tune {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> Result<ExitCode> {
        if let Some(sentence) = self.complaint(console.json()) {
            console::complain(&sentence);
            return Ok(ExitCode::from(2));
        }
        let told = self.tell(device, console)?;
        if !self.results.written().takes_standard_output() {
            console.say(&told)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// What `fuzzion tune` with these words says; its files are written.
    pub(crate) fn said(words: &[&str], device: &Device) -> Result<String> {
        let told = Alone::try_parse_from(words).map_err(|e| Error::Malformed {
            path: "fuzzion tune".into(),
            format: "a command",
            reason: e.to_string(),
        })?;
        told.tune.tell(device, &Console::new(false, true))
    }

    fn complaint(&self, json: bool) -> Option<String> {
        let read: Vec<_> =
            std::iter::once(&self.data).chain(self.rules.file()).map(PathBuf::as_path).collect();
        self.rules
            .complaint()
            .or_else(|| self.learning.complaint())
            .or_else(|| self.results.complaint(&read, json, self.learning.order(), self.rules.is_auto()))
    }

    fn tell(&self, device: &Device, console: &Console) -> Result<String> {
        let mut results = Results::create(&self.results)?;
        let bar = console.bar("reading");
        let step = |done, total| bar.step(done, total);
        let reading = self.reading.settings(device, Progress::new(&step));
        let rows = Rows::read(&self.data, &reading, &self.columns, self.learning.classify().is_some())?;
        bar.rename("learning".into());
        let tuner = self.tuner(&rows, Progress::new(&step))?;
        let tuner = self.rules.with_start(tuner, |tuner| self.fit(tuner, &rows, device))?;
        let tuned = if self.rules.is_auto() {
            tuner.auto(&rows.table, &rows.targets(), device)?
        } else {
            self.fit(&tuner, &rows, device)?
        };
        bar.rename("looking back".into());
        let (tuned, simpler) = simpler::simpler(self, tuned, &tuner, &rows, device)?;
        let importance = match self.results.importance {
            true => tuned.importance(&rows.table, tuner.seed, device)?,
            false => Vec::new(),
        };
        let supports = simpler::supports(&tuned, &rows.table, device)?;
        let told = Told { words: self, rows: &rows, tuned, supports, importance, simpler };
        results.write(&told, device)?;
        drop(bar);
        results.finish()?;
        if console.json() { Ok(summary::json(&told).to_string()) } else { summary::text(&told) }
    }

    fn tuner<'a>(&self, rows: &Rows, progress: Progress<'a>) -> Result<Tuner<'a>> {
        let tuner = self.learning.settings(self.rules.tuner()?)?;
        Ok(tuner.inputs(rows.inputs.clone()).progress(progress))
    }

    fn fit(&self, tuner: &Tuner<'_>, rows: &Rows, device: &Device) -> Result<Tuned> {
        match &rows.weights {
            None => tuner.fit(&rows.table, &rows.targets(), device),
            Some(weights) => tuner.fit_weighted(&rows.table, &rows.targets(), weights, device),
        }
    }
}
