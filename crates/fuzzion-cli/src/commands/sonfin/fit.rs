//! `fuzzion sonfin fit`

use super::results::{ResultWords, Results};
use super::rows::Rows;
use super::settings::{Growing, Learning};
use super::stream::{Stream, so_far};
use super::summary;
use crate::commands::learning::ColumnWords;
use crate::commands::reading::Reading;
use crate::commands::words::shown;
use crate::console::{self, Bar, Console};
use crate::interrupt;
use clap::Parser;
use fuzzion::sonfin::{Model, Sonfin};
use fuzzion::{Device, Error, Progress, Result};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Grow a network from a table, sample by sample
#[derive(clap::Args)]
#[command(
    after_help = "Reads CSV, TSV (also .gz), NPY; `-` is standard input. Inputs are all columns of numbers but the targets, or \
those named. Errors are shares of wrong rows for classes, and root mean squares for numbers. Ctrl-C writes what was learned so \
far to `--model`; `--resume` goes on from there as if nothing had happened.

Examples:
  fuzzion sonfin fit train.csv --target kind --classify --auto --model m.json
  fuzzion sonfin fit train.csv --target y --rules 100 --epochs 20 --validation 0.2 --plot fit.html
  fuzzion sonfin fit train.csv --target kind --resume m.json --model m.json       go on after Ctrl-C
  tail -f sensors.csv | fuzzion sonfin fit - --target kind --classify --stream --model m.json"
)]
pub(crate) struct Fit {
    /// The table, or `-`
    data: PathBuf,
    #[command(flatten)]
    columns: ColumnWords,
    #[command(flatten)]
    growing: Growing,
    #[command(flatten)]
    learning: Learning,
    #[command(flatten)]
    results: ResultWords,
    /// Learn the rows once, in their order and without holding them: the first ones say what the ranges and classes are
    #[arg(long, conflicts_with_all = ["auto", "epochs", "validation", "plot"])]
    stream: bool,
    /// With `--stream`: rows that are read and learned at a time
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(2..))]
    #[arg(requires = "stream")]
    piece: u32,
    /// Go on with this model, whose settings then count
    #[arg(long, value_name = "MODEL")]
    resume: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

/// A command line that holds nothing else.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct Alone {
    #[command(flatten)]
    fit: Fit,
}

impl Fit {
    pub(super) fn run(&self, device: &Device, console: &Console) -> Result<ExitCode> {
        if let Some(sentence) = self.complaint(console.json()) {
            console::complain(&sentence);
            return Ok(ExitCode::from(2));
        }
        let mut results = Results::create(&self.results)?;
        // A stream has been written when it waits for more, and may wait for long.
        if self.results.model().is_some() && !self.stream {
            interrupt::wait_for_the_work();
        }
        let mut latest = None;
        match self.tell(&mut results, &mut latest, device, console) {
            Ok(said) => {
                results.finish()?;
                if !self.results.written().takes_standard_output() {
                    console.say(&said)?;
                }
                Ok(ExitCode::SUCCESS)
            }
            Err(Error::Interrupted) => self.interrupted(results, latest),
            Err(error) => {
                if let (Some(model), Some(path), true) = (latest, self.results.model(), self.stream) {
                    results.write(&model)?;
                    results.finish_model()?;
                    console::complain(&format!("`{}` holds what was learned before this:", shown(path)));
                }
                self.refused(error)
            }
        }
    }

    /// What `fuzzion sonfin fit` with these words says; its files are written.
    pub(crate) fn said(words: &[&str], device: &Device) -> Result<String> {
        let told = Alone::try_parse_from(words).map_err(|e| Error::Malformed {
            path: "fuzzion sonfin fit".into(),
            format: "a command",
            reason: e.to_string(),
        })?;
        let mut results = Results::create(&told.fit.results)?;
        let said = told.fit.tell(&mut results, &mut None, device, &Console::new(false, true))?;
        results.finish().map(|()| said)
    }

    fn complaint(&self, json: bool) -> Option<String> {
        let said_anew = || {
            let flag = self.growing.any().or_else(|| self.learning.any())?;
            self.resume
                .as_ref()
                .map(|_| format!("`--resume` goes on with the model's own settings; leave out `{flag}`"))
        };
        let chosen = || {
            let flag = self.growing.chosen_by_auto().or_else(|| self.learning.chosen_by_auto())?;
            let mend = if flag == "--rules" { ", or give `--max-rules`" } else { "" };
            self.learning.auto().then(|| format!("`--auto` chooses that itself; leave out `{flag}`{mend}"))
        };
        let no_growth = || {
            let budget = self.growing.width_rule_without_growth() && !self.stream;
            budget.then(|| {
                "`--width-rule` is for rules that grow while they learn; give `--threshold` or `--gamma` with it".to_owned()
            })
        };
        let own = self.growing.complaint().or_else(|| self.learning.complaint());
        let own = own.or_else(chosen).or_else(no_growth);
        own.or_else(said_anew).or_else(|| self.results.complaint(&[&self.data], json))
    }

    /// Learns and writes, `latest` being what was learned so far; the summary.
    fn tell(
        &self,
        results: &mut Results,
        latest: &mut Option<Model>,
        device: &Device,
        console: &Console,
    ) -> Result<String> {
        let bar = console.bar("reading");
        let step = |done, total| bar.step(done, total);
        let reading = self.reading.settings(device, Progress::new(&step));
        let resumed = self.resumed()?;
        let (model, rows) = if self.stream {
            let kept = self.results.model().filter(|path| *path != Path::new("-"));
            let stream =
                Stream { data: &self.data, columns: &self.columns, piece: self.piece as usize, kept };
            stream.learn(&self.sonfin(Vec::new()), resumed, &reading, device, latest)?
        } else {
            let classes = resumed.as_ref().map_or(self.learning.classes(), |model| !model.classes.is_empty());
            let rows = Rows::read(&self.data, &reading, &self.columns, classes)?;
            bar.rename("learning".into());
            let model = self.learn(resumed, &rows, device, &bar, latest)?;
            results.draw(&model, &rows, device)?;
            (model, rows.summary())
        };
        results.write(&model)?;
        drop(bar);
        let told = summary::Told {
            data: &self.data,
            rows: &rows,
            model: &model,
            written: self.results.written().paths(),
        };
        Ok(if console.json() { summary::json(&told).to_string() } else { summary::text(&told) })
    }

    /// The model to go on with, which must have learned what is asked for.
    fn resumed(&self) -> Result<Option<Model>> {
        let Some(path) = &self.resume else { return Ok(None) };
        let model = Model::load(path)?;
        if model.outputs != self.columns.target {
            let (learned, path) = (model.outputs.join(","), path.clone());
            let reason = format!("it has learned other columns; give `--target {learned}`");
            return Err(Error::Malformed { path, format: "a model to go on with", reason });
        }
        Ok(Some(model))
    }

    fn learn(
        &self,
        resumed: Option<Model>,
        rows: &Rows,
        device: &Device,
        bar: &Bar,
        latest: &mut Option<Model>,
    ) -> Result<Model> {
        let keeps = self.results.model().is_some();
        let mut checkpoint = |model: &Model| {
            bar.rename(summary::epoch(&model.report));
            if keeps {
                *latest = Some(model.clone());
            }
            Ok(())
        };
        let step = |done, total| bar.step(done, total);
        if let Some(mut model) = resumed {
            model.resume_watched(&rows.table, device, Progress::new(&step), &mut checkpoint)?;
            return Ok(model);
        }
        let sonfin = self.sonfin(rows.inputs.clone()).progress(Progress::new(&step));
        match self.learning.auto() {
            true => sonfin.auto(&rows.table, &rows.targets(), device, &mut checkpoint),
            false => sonfin.fit_watched(&rows.table, &rows.targets(), device, &mut checkpoint),
        }
    }

    fn sonfin<'a>(&self, inputs: Vec<String>) -> Sonfin<'a> {
        self.learning.settings(self.growing.settings(Sonfin::new())).inputs(inputs)
    }

    /// Says what is wrong, and which word would mend it.
    fn refused(&self, error: Error) -> Result<ExitCode> {
        match &error {
            Error::NotFinite { name, value, .. }
                if value.is_nan()
                    && !self.learning.drops()
                    && !self.columns.targets().contains(&name.as_str()) =>
            {
                console::complain(&format!("{error}, or give `--missing drop`"));
                Ok(ExitCode::FAILURE)
            }
            _ => Err(error),
        }
    }

    /// Writes what was learned so far, and says how to go on.
    fn interrupted(&self, mut results: Results, latest: Option<Model>) -> Result<ExitCode> {
        let (Some(model), Some(path)) = (latest, self.results.model()) else {
            if self.learning.auto() && self.results.model().is_some() {
                console::complain(
                    "interrupted while `--auto` was still choosing, so there is no model to write",
                );
                return Ok(ExitCode::from(interrupt::EXIT_CODE));
            }
            return Err(Error::Interrupted);
        };
        results.write(&model)?;
        results.finish_model()?;
        let (name, data) = (shown(path), shown(&self.data));
        let target = model.outputs.join(",");
        console::complain(&match self.stream {
            true => so_far(path),
            false => format!(
                "interrupted; `{name}` holds what was learned so far: go on with `fuzzion sonfin fit {data} --target {target} \
                 --resume {name} --model {name}`"
            ),
        });
        Ok(ExitCode::from(interrupt::EXIT_CODE))
    }
}
