//! Arguments and execution of `fuzzion sonfin fit`.

use super::results::{OutputArgs, Results};
use super::rows::Rows;
use super::settings::{GrowthArgs, TrainingArgs};
use super::stream::{Stream, interrupted_message};
use super::summary::{self, Summary};
use crate::commands::common::learning_args::ColumnArgs;
use crate::commands::common::standalone::parse_args;
use crate::commands::common::table_args::TableArgs;
use crate::commands::sonfin::load;
use crate::console::{self, Bar, Console, Stage};
use crate::format::display_path;
use crate::interrupt;
use fuzzion::data::DataError;
use fuzzion::inference::InferenceError;
use fuzzion::sonfin::{Growth, Model, Sonfin};
use fuzzion::{Device, Error, Result};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Number of rules if it is not chosen by cross-validation.
const DEFAULT_RULES: usize = 256;

/// Train a network on a table, adding rules as needed
#[derive(clap::Args)]
#[command(
    after_help = "Reads CSV, TSV (also .gz) and NPY; `-` is standard input. By default, all numeric columns except the targets are \
inputs. Without options for the rules or their training, the number of rules is chosen by cross-validation. The error is the error rate for classes and the RMSE for numbers. Ctrl-C saves the model so far to `--model`; `--resume` \
continues from there with the same result as an uninterrupted fit.

Examples:
  fuzzion sonfin fit train.csv --target y --model m.json                          choose the number of rules
  fuzzion sonfin fit train.csv --target kind --classify --auto --model m.json
  fuzzion sonfin fit train.csv --target y --rules 100 --epochs 20 --validation 0.2 --plot fit.html
  fuzzion sonfin fit train.csv --target kind --resume m.json --model m.json       resume after Ctrl-C
  tail -n +1 -f sensors.csv | fuzzion sonfin fit - --target kind --classify --stream --model m.json"
)]
pub(crate) struct Fit {
    /// Training table, or `-` for standard input
    data: PathBuf,
    #[command(flatten)]
    columns: ColumnArgs,
    #[command(flatten)]
    growth: GrowthArgs,
    #[command(flatten)]
    training: TrainingArgs,
    #[command(flatten)]
    outputs: OutputArgs,
    /// Train on every row once, as soon as it arrives, without storing the rows; the first chunk determines the ranges and classes, or the rows before Ctrl-C if there are fewer
    #[arg(long, help_heading = "Training", conflicts_with_all = ["auto", "epochs", "validation", "plot"])]
    stream: bool,
    /// Rows of the first chunk, and maximum number of rows per chunk, with `--stream`
    #[arg(long = "chunk-rows", alias = "piece", value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(2..))]
    #[arg(requires = "stream", help_heading = "Training")]
    chunk_rows: u32,
    /// Resume training of this model with its saved settings
    #[arg(long, value_name = "MODEL", help_heading = "Training")]
    resume: Option<PathBuf>,
    #[command(flatten)]
    reading: TableArgs,
}

impl Fit {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> Result<ExitCode> {
        if let Some(message) = self.usage_error(console.json()) {
            console::print_error(&message);
            return Ok(ExitCode::from(2));
        }
        let mut results = Results::create(&self.outputs)?;
        // A single network is trained on one GPU, and the summary names it.
        let device = &if self.training.auto() { device.clone() } else { device.with_first_gpu() };
        let mut latest = None;
        match self.execute(&mut results, &mut latest, device, console, interrupt::wait_for_save) {
            Ok(summary) => {
                results.finish()?;
                if !self.outputs.paths().uses_standard_output() {
                    console.print_summary(&summary, device)?;
                }
                Ok(ExitCode::SUCCESS)
            }
            Err(Error::Interrupted) => self.interrupted(results, latest),
            Err(error) => {
                if let (Some(model), Some(path), true) = (latest, self.outputs.model(), self.stream) {
                    results.write_model(&model)?;
                    results.finish_model()?;
                    console::print_error(&format!(
                        "saved the model to `{}` before the following error:",
                        display_path(path)
                    ));
                }
                self.with_hint(error)
            }
        }
    }

    /// Runs `fuzzion sonfin fit` with `args` and returns its printed output.
    pub(crate) fn output_of(args: &[&str], device: &Device) -> Result<String> {
        let fit: Fit = parse_args("fuzzion sonfin fit", args)?;
        let mut results = Results::create(&fit.outputs)?;
        let summary = fit.execute(&mut results, &mut None, device, &Console::new(false, true), || {})?;
        results.finish().map(|()| summary)
    }

    /// The error message for invalid combinations of options.
    fn usage_error(&self, json: bool) -> Option<String> {
        let set_on_resume = || {
            let flag = self.growth.first_given().or_else(|| self.training.first_given())?;
            self.resume
                .as_ref()
                .map(|_| format!("`--resume` uses the saved settings of the model; remove `{flag}`"))
        };
        let set_by_auto = || {
            let flag = self.growth.chosen_by_auto().or_else(|| self.training.chosen_by_auto())?;
            let alternative = if flag == "--rules" { " or use `--max-rules`" } else { "" };
            self.training
                .auto()
                .then(|| format!("`--auto` selects this setting; remove `{flag}`{alternative}"))
        };
        let unused_width_rule = || {
            let is_unused = self.growth.is_width_rule_unused() && !self.stream;
            is_unused.then(|| "`--width-rule` requires `--threshold` or `--gamma`".to_owned())
        };
        let error = self.growth.usage_error().or_else(|| self.training.usage_error());
        let error = error.or_else(set_by_auto).or_else(unused_width_rule);
        error.or_else(set_on_resume).or_else(|| self.outputs.usage_error(&[&self.data], json))
    }

    /// Trains the model, writes it and returns the summary. `latest` is the model so far, for an interruption. Calls
    /// `saves_on_interruption` after reading, if an interruption saves the model; a stream saves checkpoints.
    fn execute(
        &self,
        results: &mut Results,
        latest: &mut Option<Model>,
        device: &Device,
        console: &Console,
        saves_on_interruption: fn(),
    ) -> Result<String> {
        let bar = console.bar("reading");
        bar.begin(Stage::Read, "reading");
        let reading = self.reading.settings(&bar.watch(device));
        let resumed = self.resumed()?;
        let (model, rows) = if self.stream {
            let stream = Stream {
                data: &self.data,
                columns: &self.columns,
                chunk_rows: self.chunk_rows as usize,
                checkpoint: self.outputs.model().filter(|path| *path != Path::new("-")),
            };
            stream.train(&self.sonfin(Vec::new()), resumed, &reading, device, latest)?
        } else {
            let is_classifier =
                resumed.as_ref().map_or(self.training.is_classifier(), |model| !model.classes.is_empty());
            let rows = Rows::read(&self.data, &reading, &self.columns, is_classifier)?;
            if self.outputs.model().is_some() {
                saves_on_interruption();
            }
            bar.begin(Stage::Compute, "training");
            let model = self.train(resumed, &rows, device, &bar, latest)?;
            bar.begin(Stage::Write, "writing");
            results.write_page(&model, &rows, device)?;
            (model, rows.stats())
        };
        results.write_model(&model)?;
        drop(bar);
        let summary =
            Summary { data: &self.data, rows: &rows, model: &model, written: self.outputs.paths().entries() };
        Ok(if console.json() { summary::json(&summary).to_string() } else { summary::text(&summary) })
    }

    /// The model to resume, which must have the given targets.
    fn resumed(&self) -> Result<Option<Model>> {
        let Some(path) = &self.resume else { return Ok(None) };
        let model = load(path, "fuzzion tune --system")?;
        if model.outputs != self.columns.target {
            let (location, targets) = (display_path(path), model.outputs.join(","));
            let problem = format!("was trained on other targets; resume it with `--target {targets}`");
            return Err(Error::Inference(InferenceError::InvalidSystem { location, problem }));
        }
        Ok(Some(model))
    }

    fn train(
        &self,
        resumed: Option<Model>,
        rows: &Rows,
        device: &Device,
        bar: &Bar,
        latest: &mut Option<Model>,
    ) -> Result<Model> {
        let keeps_latest = self.outputs.model().is_some();
        let checkpoint = |model: &Model| {
            bar.set_message(summary::epoch(&model.report));
            if keeps_latest {
                *latest = Some(model.clone());
            }
            Ok(())
        };
        let device = &bar.watch(device);
        if let Some(mut model) = resumed {
            model.resume_with_checkpoints(&rows.table, device, checkpoint)?;
            return Ok(model);
        }
        let sonfin = self.sonfin(rows.inputs.clone());
        match self.training.auto() {
            true => Ok(sonfin.fit_auto(&rows.table, &rows.targets(), device, checkpoint)?),
            false => Ok(sonfin.fit_with_checkpoints(&rows.table, &rows.targets(), device, checkpoint)?),
        }
    }

    fn sonfin(&self, inputs: Vec<String>) -> Sonfin {
        let mut sonfin = Sonfin::new();
        if self.training.is_given() || self.growth.is_given() {
            sonfin = sonfin.growth(Growth::Budget(DEFAULT_RULES));
        }
        self.training.settings(self.growth.settings(sonfin)).inputs(inputs)
    }

    /// Reports the error of a missing input with a hint about `--missing drop`; returns other errors.
    fn with_hint(&self, error: Error) -> Result<ExitCode> {
        match &error {
            Error::Data(DataError::NotFinite { name, value, .. })
                if value.is_nan()
                    && !self.training.drops_missing()
                    && !self.columns.targets().contains(&name.as_str()) =>
            {
                console::print_error(&format!("{error}, or use `--missing drop`"));
                Ok(ExitCode::FAILURE)
            }
            _ => Err(error),
        }
    }

    /// Saves the model so far and prints how to resume.
    fn interrupted(&self, mut results: Results, latest: Option<Model>) -> Result<ExitCode> {
        let (Some(model), Some(path)) = (latest, self.outputs.model()) else {
            let grows = self.sonfin(Vec::new()).growth == Growth::Auto && !self.stream;
            if (self.training.auto() || grows) && self.outputs.model().is_some() {
                let search =
                    if self.training.auto() { "`--auto` search" } else { "search for the number of rules" };
                console::print_error(&format!("interrupted during the {search}; no model was saved"));
                return Ok(interrupt::exit_code());
            }
            return Err(Error::Interrupted);
        };
        results.write_model(&model)?;
        results.finish_model()?;
        let (name, data) = (display_path(path), display_path(&self.data));
        let target = model.outputs.join(",");
        console::print_error(&match self.stream {
            true => interrupted_message(path),
            false => format!(
                "interrupted; saved the model to `{name}`: resume with `fuzzion sonfin fit {data} --target {target} --resume {name} \
                 --model {name}`"
            ),
        });
        Ok(interrupt::exit_code())
    }
}
