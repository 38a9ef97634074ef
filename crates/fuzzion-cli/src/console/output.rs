//! Prints results to standard output and progress to standard error.

use super::stages::{Stage, Stages};
use crate::format::escape_controls;
use crate::interrupt;
use fuzzion::Device;
use fuzzion::data::DataError;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Output settings shared by all commands.
pub(crate) struct Console {
    json: bool,
    quiet: bool,
    stages: Arc<Stages>,
}

impl Console {
    pub(crate) fn new(json: bool, quiet: bool) -> Self {
        Console { json, quiet, stages: Arc::default() }
    }

    /// Whether results are printed as JSON.
    pub(crate) fn json(&self) -> bool {
        self.json
    }

    /// Whether only the final result is printed.
    pub(crate) fn quiet(&self) -> bool {
        self.quiet
    }

    /// Prints a result to standard output.
    pub(crate) fn print(&self, text: &str) -> fuzzion::Result<()> {
        let text = escape_controls(text, &['\n', '\t']);
        let mut out = io::stdout().lock();
        let newline = if text.ends_with('\n') { "" } else { "\n" };
        let written = out
            .write_all(text.as_bytes())
            .and_then(|()| out.write_all(newline.as_bytes()))
            .and_then(|()| out.flush());
        Ok(written.map_err(|cause| DataError::File { doing: "write", path: "-".into(), cause })?)
    }

    /// Prints `value` as JSON on one line.
    pub(crate) fn print_json(&self, value: &serde_json::Value) -> fuzzion::Result<()> {
        self.print(&value.to_string())
    }

    /// Prints a message about files that were written, unless `--quiet`.
    pub(crate) fn print_written(&self, text: &str) -> fuzzion::Result<()> {
        if self.quiet { Ok(()) } else { self.print(text) }
    }

    /// Like [`Console::print_summary`] for a command whose results are files; prints no text with `--quiet`.
    pub(crate) fn print_summary_of_files(&self, summary: &str, device: &Device) -> fuzzion::Result<()> {
        if self.quiet && !self.json { Ok(()) } else { self.print_summary(summary, device) }
    }

    /// Prints the summary of a command on `device`, as text or as a JSON object, with the times of its stages; the text has no
    /// times and no line about written files with `--quiet`.
    pub(crate) fn print_summary(&self, summary: &str, device: &Device) -> fuzzion::Result<()> {
        let device = device.used();
        if self.json {
            let mut value =
                serde_json::from_str(summary).expect("invariant: with `--json`, a summary is JSON");
            self.stages.add_to_json(&mut value, &device);
            return self.print_json(&value);
        }
        if self.quiet {
            let results: Vec<&str> = summary.lines().filter(|line| !line.starts_with("wrote ")).collect();
            let results = results.join("\n");
            return if results.trim().is_empty() { Ok(()) } else { self.print(results.trim_end()) };
        }
        self.print(&format!("{}\n{}", summary.trim_end(), self.stages.line(&device)))
    }

    /// Creates a progress bar on standard error, hidden if that is not a terminal.
    pub(crate) fn bar(&self, message: &'static str) -> Bar {
        let stages = self.stages.clone();
        if self.quiet || !io::stderr().is_terminal() {
            return Bar { progress: ProgressBar::hidden(), stages };
        }
        let bar = ProgressBar::new(0).with_message(message);
        let style = ProgressStyle::with_template("{msg} {wide_bar:.cyan/blue} {pos}/{len} {eta}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Bar { progress: bar, stages }
    }
}

/// A progress bar whose steps also report Ctrl-C.
pub(crate) struct Bar {
    progress: ProgressBar,
    stages: Arc<Stages>,
}

impl Bar {
    /// Updates the bar; breaks after Ctrl-C.
    pub(crate) fn step(&self, done: u64, total: u64) -> ControlFlow<()> {
        self.callback()(done, total)
    }

    /// Progress callback for the library, as [`Bar::step`].
    pub(crate) fn callback(&self) -> impl Fn(u64, u64) -> ControlFlow<()> + Send + Sync + use<> {
        let bar = self.progress.clone();
        move |done, total| {
            bar.set_length(total);
            bar.set_position(done);
            interrupt::check()
        }
    }

    /// `device` with this bar as its progress callback.
    pub(crate) fn watch(&self, device: &Device) -> Device {
        device.with_progress(self.callback())
    }

    /// Sets the text in front of the bar.
    pub(crate) fn set_message(&self, message: String) {
        self.progress.set_message(message);
    }

    /// Begins a stage, with a text in front of the bar.
    pub(crate) fn begin(&self, stage: Stage, message: &'static str) {
        self.stages.begin(stage);
        self.progress.set_message(message);
    }

    /// Times of the stages of the command.
    pub(crate) fn stages(&self) -> &Stages {
        &self.stages
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.progress.finish_and_clear();
    }
}
