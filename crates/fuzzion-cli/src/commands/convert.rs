//! `fuzzion convert`

use super::paths::is_same;
use super::systems;
use super::words::{counted, shown};
use crate::console::{self, Console};
use fuzzion::inference::type2::IntervalSystem;
use fuzzion::inference::{Dialect, System, SystemFormat};
use fuzzion::{Error, Result};
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;

/// Write the fuzzy system in one file as another kind of file
#[derive(clap::Args)]
#[command(
    after_help = "Reads FLL (.fll), MATLAB (.fis), IEC 61131-7 (.fcl) and Fuzzion's own JSON (.json); writes all but FCL. \
What a format cannot hold is refused, and nothing is written.

What fuzzylite has not (else, not ( … ), Mean, scale, interval type 2) is written to .fll after a first line `# dialect: fuzzion`.

Examples:
  fuzzion convert tipper.fis tipper.fll       from MATLAB to fuzzylite
  fuzzion convert fire-edges mine.fll         a ready system of `fuzzion image` as a file to change
  fuzzion convert valve.fcl valve.json        to JSON, which holds everything and remembers whose numbers are meant"
)]
pub(crate) struct Convert {
    /// The file with the system: .fll, .fis, .fcl or .json, or the name of a ready one
    from: PathBuf,
    /// The file to write: .fll, .fis or .json
    to: PathBuf,
}

impl Convert {
    pub(crate) fn run(&self, console: &Console) -> Result<ExitCode> {
        if is_same(&self.from, &self.to) {
            console::complain(&format!(
                "`{}` is the file to read; name another one to write",
                shown(&self.to)
            ));
            return Ok(ExitCode::from(2));
        }
        let (system, meant) = self.rewrite()?;
        let dialect = meant.name();
        let rules: usize = system.blocks.iter().map(|block| block.rules.len()).sum();
        let (inputs, outputs) = (system.inputs.len(), system.outputs.len());
        if console.json() {
            console.say_json(&json!({
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
        let [inputs, outputs, rules] = counts.map(|(n, what)| counted(n as u64, what));
        let mut text =
            format!("{}: {inputs}, {outputs}, {rules}, written to {}\n", shown(&self.from), shown(&self.to));
        // Only JSON remembers whose numbers were meant.
        if let Some(format) = SystemFormat::of_name(&self.to)
            && format != SystemFormat::Json
            && format.dialect() != meant
        {
            let usual = format.dialect().name();
            text.push_str(&format!(
                "such a file means the numbers of {usual}; `--dialect {dialect}` keeps those of the first\n"
            ));
        }
        console.say(&text)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Writes what was read; the system, of an interval type-2 system that of the lower sets, and whose numbers it means.
    fn rewrite(&self) -> Result<(System, Dialect)> {
        match systems::load(&self.from) {
            Err(Error::IntervalSystem { .. }) => {
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
