//! The context of a clustering task.

use super::args::Cluster;
use super::rows;
use super::timer::IterationTimer;
use crate::console::{Bar, Stage};
use crate::format::{count_of, display_path, format_number};
use crate::interrupt;
use fuzzion::clustering::{FuzzyCMeans, Partition};
use fuzzion::data::ReadTable;
use fuzzion::{Device, Error, Result, SettingError};
use std::sync::Arc;

/// Arguments, device and progress bar of a clustering task.
pub(super) struct Job<'a> {
    pub(super) args: &'a Cluster,
    pub(super) device: &'a Device,
    pub(super) reading: ReadTable,
    /// The settings for reading the table.
    pub(super) table_reading: ReadTable,
    pub(super) bar: &'a Bar,
    pub(super) json: bool,
}

impl<'a> Job<'a> {
    /// Calls `work` with the settings for `clusters` clusters of the columns `names` and the device. `timer` times the
    /// iterations; the bar shows them unless it already shows the progress of `reading` the data.
    pub(super) fn with_settings<R>(
        &self,
        clusters: usize,
        names: &[String],
        timer: &Arc<IterationTimer>,
        reading: bool,
        work: impl FnOnce(&FuzzyCMeans, &Device) -> Result<R>,
    ) -> Result<R> {
        let (timer, step) = (timer.clone(), self.bar.callback());
        let device = self.device.with_progress(move |done, total| {
            timer.tick(done);
            if reading { interrupt::check() } else { step(done, total) }
        });
        self.bar.begin(Stage::Compute, "clustering");
        let settings = self.args.settings(clusters, names, &self.reading)?;
        work(&settings, &device)
    }

    /// Fails with [`Error::Interrupted`] after Ctrl-C.
    pub(super) fn check_interrupt(&self) -> Result<()> {
        if interrupt::check().is_break() { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// Rejects the options that apply only to tables.
    pub(super) fn reject_table_options(&self, data: &'static str) -> Result<()> {
        let rows = &self.args.rows;
        let given = [
            (rows.columns.is_some(), "`--columns`"),
            (rows.weights.is_some(), "`--weights`"),
            (self.args.outputs.typicalities.is_some(), "`--typicalities`"),
            (self.args.outputs.append, "`--append`"),
        ];
        match given.into_iter().find(|(given, _)| *given) {
            Some((_, flag)) => Err(Error::Setting(SettingError::Conflict { a: data, b: flag })),
            None => Ok(()),
        }
    }

    /// The title of a plot: the file name of the data.
    pub(super) fn title(&self) -> String {
        rows::file_name(&self.args.data)
    }

    /// The subtitle of a plot: the clusters and how they were found.
    pub(super) fn subtitle(&self, partition: &Partition) -> String {
        let clusters = count_of(partition.clusters() as u64, "cluster");
        match &self.args.apply {
            Some(model) => format!("{clusters} of {}", rows::file_name(model)),
            None => format!("{clusters}, {}", self.args.cluster.method_name()),
        }
    }

    /// Notes below the summary, with the `warning` about the columns if any, followed by the written files.
    pub(super) fn notes(&self, ignored: &[String], streamed: bool, warning: Option<&str>) -> String {
        let mut out = warning.map_or_else(String::new, |warning| format!("\nwarning: {warning}\n"));
        if !ignored.is_empty() && self.args.rows.columns.is_none() {
            out.push_str(&format!("\nignored text columns: {}\n", rows::quoted_names(ignored)));
        }
        if streamed {
            let limit = format_number(self.args.rows.memory());
            out.push_str(&format!(
                "\nthe table is larger than {limit} GB (`--memory`) and was read several times\n"
            ));
        }
        if self.args.rows.standardize && self.args.cluster.is_scale_invariant() {
            out.push_str("\n`--standardize` has no effect: this metric does not depend on the units\n");
        }
        out + &self.written()
    }

    /// The line that lists the written files.
    pub(super) fn written(&self) -> String {
        let paths: Vec<String> = self.args.outputs.paths().into_iter().map(display_path).collect();
        if paths.is_empty() { String::new() } else { format!("\nwrote {}\n", paths.join(", ")) }
    }
}
