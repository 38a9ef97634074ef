//! `fuzzion sonfin export`

use super::load;
use crate::commands::common::paths::path_conflict;
use crate::console::{self, Console};
use crate::format::{count_of, display_path};
use fuzzion::Result;
use fuzzion::inference::{Dialect, SystemFormat};
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;

/// Export a model as a fuzzy system file
#[derive(clap::Args)]
#[command(
    after_help = "Systems are evaluated in double precision and networks in single precision, so that the results of `sonfin predict` differ \
from those of `infer` by rounding errors of about 1e-7 of the range of the target.

Examples:
  fuzzion sonfin export m.json m.fll      for fuzzylite and for `fuzzion infer`, `show` and `export`
  fuzzion sonfin export m.json m.fis      for MATLAB"
)]
pub(super) struct Export {
    /// Model file written by `sonfin fit --model`
    model: PathBuf,
    /// Output file: .fll (fuzzylite), .fis (MATLAB) or .json
    out: PathBuf,
}

impl Export {
    pub(super) fn run(&self, console: &Console) -> Result<ExitCode> {
        let is_supported = matches!(
            SystemFormat::from_path(&self.out),
            Some(SystemFormat::Fll | SystemFormat::Fis | SystemFormat::Json)
        );
        let unsupported =
            || format!("`{}`: expected a path ending in `.fll`, `.fis` or `.json`", display_path(&self.out));
        let usage_error = (!is_supported)
            .then(unsupported)
            .or_else(|| path_conflict(&[&self.model], &[("OUT", &self.out)]));
        if let Some(message) = usage_error {
            console::print_error(&message);
            return Ok(ExitCode::from(2));
        }
        let model = load(&self.model, "fuzzion convert")?;
        model.to_system()?.save(&self.out, Dialect::default())?;
        match console.json() {
            true => console
                .print_json(&json!({ "rules": model.rule_count(), "out": self.out.to_string_lossy() }))?,
            false => {
                let rules = count_of(model.rule_count() as u64, "rule");
                console.print_written(&format!(
                    "{}: {rules}; wrote {}",
                    display_path(&self.model),
                    display_path(&self.out)
                ))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
