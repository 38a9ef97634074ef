//! `fuzzion sonfin export`

use crate::commands::paths::clash;
use crate::commands::words::{counted, shown};
use crate::console::{self, Console};
use fuzzion::Result;
use fuzzion::inference::{Dialect, MOST_BYTES, SystemFormat};
use fuzzion::sonfin::Model;
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;

/// Write a model as a fuzzy system that every engine runs
#[derive(clap::Args)]
#[command(after_help = "Examples:
  fuzzion sonfin export m.json m.fll      for fuzzylite, and for `fuzzion infer`, `show` and `export`
  fuzzion sonfin export m.json m.fis      for MATLAB")]
pub(super) struct Export {
    /// The model that `sonfin fit --model` wrote
    model: PathBuf,
    /// Where to write the system: .fll (fuzzylite), .fis (MATLAB) or .json
    out: PathBuf,
}

impl Export {
    pub(super) fn run(&self, console: &Console) -> Result<ExitCode> {
        let known = matches!(
            SystemFormat::of_name(&self.out),
            Some(SystemFormat::Fll | SystemFormat::Fis | SystemFormat::Json)
        );
        let unknown =
            || format!("`{}` is no kind of system; name a `.fll`, `.fis` or `.json`", shown(&self.out));
        let wrong = (!known).then(unknown).or_else(|| clash(&[&self.model], &[("OUT", &self.out)]));
        if let Some(sentence) = wrong {
            console::complain(&sentence);
            return Ok(ExitCode::from(2));
        }
        let model = Model::load(&self.model)?;
        model.to_system()?.save(&self.out, Dialect::default())?;
        if std::fs::metadata(&self.out).is_ok_and(|file| file.len() > MOST_BYTES as u64) {
            let most = MOST_BYTES >> 20;
            console::complain(&format!(
                "`{}` has more than the {most} MiB that `fuzzion infer` reads of a system; `sonfin predict` runs the model itself",
                shown(&self.out)
            ));
        }
        match console.json() {
            true => console
                .say_json(&json!({ "rules": model.rule_count(), "out": self.out.to_string_lossy() }))?,
            false => {
                let rules = counted(model.rule_count() as u64, "rule");
                console.say(&format!("a system of {rules}; written: {}", shown(&self.out)))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
