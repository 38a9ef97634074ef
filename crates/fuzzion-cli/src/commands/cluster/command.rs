//! Runs `fuzzion cluster`.

use super::args::Cluster;
use super::job::Job;
use super::tasks::{apply, image, sweep, table, video};
use crate::commands::common::standalone::parse_args;
use crate::console::{self, Console, Stage};
use fuzzion::clustering::Partition;
use fuzzion::data::{Content, ReadTable};
use fuzzion::{Device, Error, Result, SettingError};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

impl Cluster {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> Result<ExitCode> {
        if let Some(message) = self.usage_error(console.json()) {
            console::print_error(&message);
            return Ok(ExitCode::from(2));
        }
        let summary = self.execute(device, console)?;
        if !self.outputs.uses_standard_output() {
            console.print_summary(&summary, device)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Runs `fuzzion cluster` with `args` and returns its printed output.
    pub(crate) fn output_of(args: &[&str], device: &Device) -> Result<String> {
        parse_args::<Cluster>("fuzzion cluster", args)?.execute(device, &Console::new(false, true))
    }

    /// The error message for invalid combinations of options.
    fn usage_error(&self, json: bool) -> Option<String> {
        let sweep_from_file = self.sweep.is_some() && self.fit.file().is_some();
        let has_typicalities = self.apply.is_some() || self.cluster.has_typicalities();
        let without_typicalities = self.outputs.typicalities.is_some() && !has_typicalities;
        let inputs: Vec<&Path> =
            [Some(&self.data), self.apply.as_ref()].into_iter().flatten().map(PathBuf::as_path).collect();
        self.cluster
            .usage_error()
            .or_else(|| self.rows.usage_error())
            .or_else(|| self.outputs.usage_error(&inputs, json))
            .or_else(|| {
                sweep_from_file.then(|| {
                    "`--sweep` cannot use initial centers from a file; use `--init k-means++`".into()
                })
            })
            .or_else(|| {
                without_typicalities
                    .then(|| "`--typicalities` requires `--variant pcm` or `--variant pfcm`".into())
            })
    }

    /// Runs the task, writes the output files and returns the summary.
    fn execute(&self, device: &Device, console: &Console) -> Result<String> {
        let bar = console.bar("reading");
        bar.begin(Stage::Read, "reading");
        let reading = self.reading.settings(&bar.watch(device));
        let table_reading = self.table_reading(&reading);
        let job = Job { args: self, device, reading, table_reading, bar: &bar, json: console.json() };
        match job.table_reading.open_any(&self.data)? {
            Content::Table(reader) => match (&self.apply, &self.sweep) {
                (Some(model), _) => apply::table(&job, model, reader),
                (_, Some(range)) => sweep::table(&job, range.clone(), reader),
                _ => table::fit(&job, reader),
            },
            Content::Image(image) => match (&self.apply, &self.sweep) {
                (Some(model), _) => apply::image(&job, model, &image),
                (_, Some(range)) => sweep::image(&job, range.clone(), &image),
                _ => image::fit(&job, &image),
            },
            Content::Video(reader) => match (&self.apply, &self.sweep) {
                (None, None) => video::fit(&job, reader),
                (Some(_), _) => Err(Error::Setting(SettingError::Conflict { a: "a video", b: "`--apply`" })),
                _ => Err(Error::Setting(SettingError::Conflict { a: "a video", b: "`--sweep`" })),
            },
        }
    }

    /// The settings for reading the table, of which only the selected columns are parsed.
    fn table_reading(&self, reading: &ReadTable) -> ReadTable {
        let reading = reading.clone().keep_text(true).keep_records(self.outputs.append);
        match (&self.apply, &self.rows.columns) {
            (Some(model), _) => match Partition::load(model) {
                Ok(partition) => reading.preferred_columns(partition.centers.names()),
                Err(_) => reading, // the task reports the error
            },
            (None, Some(columns)) => reading.columns(columns.iter().chain(&self.rows.weights)),
            (None, None) => reading,
        }
    }
}
