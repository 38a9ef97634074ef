//! Prints results to standard output and progress to standard error.

use crate::interrupt;
use fuzzion::Device;
use fuzzion::data::DataError;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;

/// Output settings shared by all commands.
pub(crate) struct Console {
    json: bool,
    quiet: bool,
}

impl Console {
    pub(crate) fn new(json: bool, quiet: bool) -> Self {
        Console { json, quiet }
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

    /// Creates a progress bar on standard error, hidden if that is not a terminal.
    pub(crate) fn bar(&self, message: &'static str) -> Bar {
        if self.quiet || !io::stderr().is_terminal() {
            return Bar(ProgressBar::hidden());
        }
        let bar = ProgressBar::new(0).with_message(message);
        let style = ProgressStyle::with_template("{msg} {wide_bar:.cyan/blue} {pos}/{len} {eta}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Bar(bar)
    }
}

/// A progress bar whose steps also report Ctrl-C.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    /// Updates the bar; breaks after Ctrl-C.
    pub(crate) fn step(&self, done: u64, total: u64) -> ControlFlow<()> {
        self.callback()(done, total)
    }

    /// Progress callback for the library, as [`Bar::step`].
    pub(crate) fn callback(&self) -> impl Fn(u64, u64) -> ControlFlow<()> + Send + Sync + use<> {
        let bar = self.0.clone();
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
        self.0.set_message(message);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
