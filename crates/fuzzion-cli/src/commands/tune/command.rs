//! Runs `fuzzion tune`.

use super::args::Tune;
use super::fitted::Fitted;
use super::results::Results;
use super::rows::Rows;
use super::{simplify, summary};
use crate::commands::common::standalone::parse_args;
use crate::console::{self, Console, Stage};
use fuzzion::{Device, Result};
use std::path::PathBuf;
use std::process::ExitCode;

impl Tune {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> Result<ExitCode> {
        if let Some(message) = self.usage_error(console.json()) {
            console::print_error(&message);
            return Ok(ExitCode::from(2));
        }
        // The summary names the device that computes.
        let device = &self.training.device(device);
        let summary = self.execute(device, console)?;
        if !self.outputs.paths().uses_standard_output() {
            console.print_summary(&summary, device)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Runs `fuzzion tune` with `args` and returns its printed output.
    pub(crate) fn output_of(args: &[&str], device: &Device) -> Result<String> {
        parse_args::<Tune>("fuzzion tune", args)?.execute(device, &Console::new(false, true))
    }

    /// The error message for invalid combinations of options.
    fn usage_error(&self, json: bool) -> Option<String> {
        let inputs: Vec<_> =
            std::iter::once(&self.data).chain(self.rules.file()).map(PathBuf::as_path).collect();
        self.rules
            .usage_error()
            .or_else(|| self.training.usage_error())
            .or_else(|| self.outputs.usage_error(&inputs, json, self.training.order(), self.rules.is_auto()))
    }

    /// Fits the system, writes the output files and returns the summary.
    fn execute(&self, device: &Device, console: &Console) -> Result<String> {
        let mut results = Results::create(&self.outputs)?;
        let bar = console.bar("reading");
        bar.begin(Stage::Read, "reading");
        let watched = bar.watch(device);
        let reading = self.reading.settings(&watched);
        let rows = Rows::read(&self.data, &reading, &self.columns, self.training.classify().is_some())?;
        bar.begin(Stage::Compute, "training");
        let tuner = self.tuner(&rows)?;
        let tuner = self.rules.with_rule_count(tuner, |tuner| self.fit(tuner, &rows, &watched))?;
        let tuned = if self.rules.is_auto() {
            tuner.auto(rows.samples()?, &rows.targets(), &watched)?
        } else {
            self.fit(&tuner, &rows, &watched)?
        };
        bar.set_message("evaluating".into());
        let (tuned, simplifications) = simplify::simplify(self, tuned, &tuner, &rows, device)?;
        let importance = match self.outputs.importance {
            true => tuned.permutation_importance(&rows.table, tuner.seed, device)?,
            false => Vec::new(),
        };
        // The JSON summary does not contain the supports.
        let supports = match console.json() && self.outputs.plot.is_none() {
            true => Vec::new(),
            false => simplify::supports(&tuned, &rows.table, device)?,
        };
        let fitted = Fitted { args: self, rows: &rows, tuned, supports, importance, simplifications };
        bar.begin(Stage::Write, "writing");
        results.write(&fitted, device)?;
        results.finish()?;
        drop(bar);
        if console.json() { Ok(summary::json(&fitted).to_string()) } else { summary::text(&fitted) }
    }
}
