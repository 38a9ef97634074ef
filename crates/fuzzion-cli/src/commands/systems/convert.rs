//! `fuzzion convert`

use crate::commands::common::paths::{is_same, same_file};
use crate::commands::common::system_args;
use crate::console::{self, Console};
use crate::format::{count_of, display_path};
use fuzzion::inference::InferenceError;
use fuzzion::inference::type2::IntervalSystem;
use fuzzion::inference::{Dialect, System, SystemFormat};
use fuzzion::{Error, Result};
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;

/// Convert a fuzzy system to another file format
#[derive(clap::Args)]
#[command(
    after_help = "Reads FLL (.fll), MATLAB (.fis), IEC 61131-7 (.fcl) and Fuzzion's own JSON (.json); writes all of these except FCL. \
Systems that the target format cannot represent are rejected, and nothing is written.

Features that fuzzylite lacks (else, not ( … ), Mean, scale, interval type 2) are written to .fll files that start with the line \
`# dialect: fuzzion`.

Examples:
  fuzzion convert tipper.fis tipper.fll       from MATLAB to fuzzylite
  fuzzion convert fire-edges mine.fll         save a built-in system of `fuzzion image` as a starting point
  fuzzion convert valve.fcl valve.json        to JSON, which represents every system and stores the dialect"
)]
pub(crate) struct Convert {
    /// System file (.fll, .fis, .fcl or .json) or name of a built-in system
    from: PathBuf,
    /// Output file: .fll, .fis or .json
    to: PathBuf,
    /// Function block of an .fcl file that has several
    #[arg(long, value_name = "NAME")]
    block: Option<String>,
}

impl Convert {
    pub(crate) fn run(&self, console: &Console) -> Result<ExitCode> {
        if is_same(&self.from, &self.to) {
            console::print_error(&same_file(&self.to));
            return Ok(ExitCode::from(2));
        }
        let (system, original) = self.convert()?;
        let dialect = original.name();
        let rules: usize = system.blocks.iter().map(|block| block.rules.len()).sum();
        let (inputs, outputs) = (system.inputs.len(), system.outputs.len());
        if console.json() {
            console.print_json(&json!({
                "from": self.from.to_string_lossy(),
                "to": self.to.to_string_lossy(),
                "name": system.name,
                "inputs": inputs,
                "outputs": outputs,
                "rules": rules,
                "dialect": dialect,
            }))?;
            return Ok(ExitCode::SUCCESS);
        }
        let counts = [(inputs, "input"), (outputs, "output"), (rules, "rule")];
        let [inputs, outputs, rules] = counts.map(|(n, noun)| count_of(n as u64, noun));
        let (from, to) = (display_path(&self.from), display_path(&self.to));
        let mut text = format!("{from}: {inputs}, {outputs}, {rules}; wrote {to}\n");
        // Only JSON stores the dialect.
        if let Some(format) = SystemFormat::from_path(&self.to)
            && format != SystemFormat::Json
            && format.dialect() != original
        {
            let default = format.dialect().name();
            text.push_str(&format!(
                "the default dialect of the new file is {default}; evaluate it with `fuzzion infer {to} --dialect {dialect}` to get the \
                 original results\n"
            ));
        }
        console.print_written(&text)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Converts the file. Returns the system (for interval type 2, that of the lower sets) and its dialect.
    fn convert(&self) -> Result<(System, Dialect)> {
        match system_args::load_block(&self.from, self.block.as_deref()) {
            Err(Error::Inference(InferenceError::IntervalSystem { .. })) => {
                let loaded = IntervalSystem::load(&self.from)?;
                loaded.system.save(&self.to, loaded.dialect)?;
                Ok((loaded.system.lower().clone(), loaded.dialect))
            }
            loaded => {
                let loaded = loaded?;
                loaded.system.save(&self.to, loaded.dialect)?;
                Ok((loaded.system, loaded.dialect))
            }
        }
    }
}
