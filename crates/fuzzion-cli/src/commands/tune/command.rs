//! Runs `fuzzion tune`.

use super::args::Tune;
use super::fitted::Fitted;
use super::results::Results;
use super::rows::Rows;
use super::{simplify, summary};
use crate::commands::common::standalone::parse_args;
use crate::console::{self, Bar, Console, Stage};
use crate::format::{ellipsize, quoted_list};
use crate::opening::OpeningDevice;
use fuzzion::data::DataError;
use fuzzion::inference::InferenceError;
use fuzzion::{Device, Error, Result};
use std::path::PathBuf;
use std::process::ExitCode;

impl Tune {
    pub(crate) fn run(
        &self,
        open: impl FnOnce() -> Result<OpeningDevice>,
        console: &Console,
    ) -> Result<ExitCode> {
        if let Some(message) = self.usage_error(console.json()) {
            console::print_error(&message);
            return Ok(ExitCode::from(2));
        }
        let (summary, device) = self.execute(open()?, console)?;
        if !self.outputs.paths().uses_standard_output() {
            console.print_summary(&summary, &device)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Runs `fuzzion tune` with `args` and returns its printed output.
    pub(crate) fn output_of(args: &[&str], device: &Device) -> Result<String> {
        let tune = parse_args::<Tune>("fuzzion tune", args)?;
        Ok(tune.execute(device.into(), &Console::new(false, true))?.0)
    }

    /// The error message for invalid combinations of options.
    fn usage_error(&self, json: bool) -> Option<String> {
        let inputs: Vec<_> =
            std::iter::once(&self.data).chain(self.rules.file()).map(PathBuf::as_path).collect();
        self.columns
            .usage_error()
            .or_else(|| self.rules.usage_error())
            .or_else(|| self.training.usage_error(self.rules.is_auto()))
            .or_else(|| self.outputs.usage_error(&inputs, json, self.training.order(), self.rules.is_auto()))
    }

    /// Fits the system, writes the output files and returns the summary and the device that computed.
    fn execute(&self, opening: OpeningDevice, console: &Console) -> Result<(String, Device)> {
        // A pipe may be silent for a long time, and the error of an unavailable device must not wait for it.
        let opening = if self.data.is_file() { opening } else { OpeningDevice::from(&opening.wait()?) };
        let mut results = Results::create(&self.outputs)?;
        let bar = console.bar("reading");
        let (rows, device) = self.read(opening, &bar);
        // Reading ends early if the device is not available, so that this error is the reason.
        let device = &self.device(&device?);
        let rows = rows?;
        let watched = bar.watch(device);
        bar.begin(Stage::Compute, "training");
        for input in self.rules.named_inputs() {
            rows.table.samples().column_index(input).map_err(|error| unknown_words(error, &rows.inputs))?;
        }
        let tuner = self.tuner(&rows)?;
        let tuner = self.rules.with_rule_count(tuner, |tuner| self.fit(tuner, &rows, &watched))?;
        let tuned = if self.rules.is_auto() {
            tuner.auto(rows.samples()?, &rows.targets(), &watched)?
        } else {
            self.fit(&tuner, &rows, &watched)?
        };
        bar.set_message("evaluating".into());
        let (tuned, simplifications) = simplify::simplify(self, tuned, &tuner, &rows, device)?;
        let (tuned, unused) = self.rules.with_words(tuned, &rows.inputs)?;
        let importance = match self.outputs.importance || self.outputs.plot.is_some() {
            true => tuned.permutation_importance(rows.samples()?, tuner.seed, device)?,
            false => Vec::new(),
        };
        let stability = match self.outputs.stability {
            Some(resamples) => {
                bar.set_message("refitting resamples".into());
                tuned.rule_stability(&tuner, rows.samples()?, resamples, &watched)?
            }
            None => Vec::new(),
        };
        let held_out = tuner.validation_rows(rows.table.rows());
        let reports = tuned.rule_reports(rows.samples()?, device)?;
        // The supports in an inference engine, for the page and the notes below the text.
        let supports = match console.json() {
            true => Vec::new(),
            false => simplify::supports(&tuned, &rows.table, device)?,
        };
        let fitted = Fitted {
            args: self,
            rows: &rows,
            tuned,
            rules: reports,
            supports,
            importance,
            stability,
            held_out,
            simplifications,
        };
        bar.begin(Stage::Write, "writing");
        results.write(&fitted, device)?;
        results.finish()?;
        drop(bar);
        for input in unused {
            let input = ellipsize(input);
            console::print_warning(&format!(
                "no rule uses the input `{input}`, whose `--words` have no effect"
            ));
        }
        let summary = match console.json() {
            true => summary::json(&fitted).to_string(),
            false => summary::text(&fitted)?,
        };
        Ok((summary, device.clone()))
    }

    /// Reads the rows while the device is opened.
    fn read(&self, opening: OpeningDevice, bar: &Bar) -> (Result<Rows>, Result<Device>) {
        bar.begin(Stage::Read, "reading");
        let reading = self.reading.settings(&opening.cpu(bar.callback()));
        // A grid with a set for each value of a text column would have too many rules.
        let with_text = self.rules.is_auto() || self.rules.is_tree();
        let kinds = (self.training.is_classifier(), with_text);
        let rows = Rows::read(&self.data, &reading, &self.columns, kinds);
        bar.stages().end();
        (rows, opening.wait())
    }
}

/// The error for `--words` of a column that does not exist.
fn unknown_words(error: DataError, inputs: &[String]) -> Error {
    let DataError::UnknownColumn { name, similar, .. } = error else { return error.into() };
    let similar = similar.map_or_else(String::new, |name| format!(" (did you mean `{}`?)", ellipsize(&name)));
    let (name, inputs) = (ellipsize(&name), quoted_list(inputs));
    let problem = format!("names the unknown input `{name}`{similar}; available inputs: {inputs}");
    Error::Inference(InferenceError::InvalidSystem { location: "`--words`".into(), problem })
}
