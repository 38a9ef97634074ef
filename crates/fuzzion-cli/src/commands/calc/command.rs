//! Runs `fuzzion calc`.

use super::args::Calc;
use super::encoding::Encoding;
use crate::commands::common::paths::{JSON_NEEDS_OUT, path_conflict};
use crate::commands::common::standalone::parse_args;
use crate::console::{self, Console};
use fuzzion::arithmetic::{LuArray, MrArray};
use fuzzion::{Device, Result};
use std::path::Path;
use std::process::ExitCode;

impl Calc {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> Result<ExitCode> {
        if let Some(message) = self.usage_error(console) {
            console::print_error(&message);
            return Ok(ExitCode::from(2));
        }
        match (self.encoding.as_str(), self.precision.as_str()) {
            ("lu", "f32") => self.run_with::<LuArray<f32>>(device, console),
            ("lu", _) => self.run_with::<LuArray<f64>>(device, console),
            ("mr", "f32") => self.run_with::<MrArray<f32>>(device, console),
            ("mr", "f64") => self.run_with::<MrArray<f64>>(device, console),
            _ => self.run_with::<MrArray<f64, f32>>(device, console),
        }
    }

    /// Runs `fuzzion calc` with `args` and returns its printed output.
    pub(crate) fn output_of(args: &[&str], device: &Device) -> Result<String> {
        parse_args::<Calc>("fuzzion calc", args)?.single::<LuArray<f64>>(device, false)
    }

    /// The error message for invalid combinations of options.
    fn usage_error(&self, console: &Console) -> Option<String> {
        if self.encoding == "lu" && self.precision == "mixed" {
            return Some("`--precision mixed` requires `--encoding mr`".into());
        }
        let out = self.out.as_deref().unwrap_or(Path::new("-"));
        if self.data.is_some() && self.aggregate.is_none() && out == Path::new("-") && console.json() {
            return Some(JSON_NEEDS_OUT.into());
        }
        path_conflict(&[self.data.as_deref().unwrap_or(Path::new("-"))], &[("--out", out)])
    }

    fn run_with<A: Encoding>(&self, device: &Device, console: &Console) -> Result<ExitCode> {
        let bar = console.bar("calculating");
        let watched = bar.watch(device);
        match (&self.data, self.aggregate) {
            (Some(data), Some(aggregate)) => {
                self.run_aggregate::<A>(data, aggregate, (device, &bar), console)
            }
            (Some(data), None) => self.run_table::<A>(data, device, &bar, console),
            (None, _) if console.json() => {
                let value = self.single_json::<A>(&watched)?;
                drop(bar);
                console.print_json(&value)?;
                Ok(ExitCode::SUCCESS)
            }
            (None, _) => {
                let text = self.single::<A>(&watched, console.quiet())?;
                drop(bar);
                console.print(&text)?;
                Ok(ExitCode::SUCCESS)
            }
        }
    }
}
