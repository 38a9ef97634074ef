//! `fuzzion grid`

use super::paths::clash;
use super::systems::SystemWords;
use super::words::{counted, shown};
use crate::console::{self, Console};
use fuzzion::inference::Points;
use fuzzion::{Error, Progress};
use serde_json::json;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Tabulate a fuzzy system over a grid of its inputs, as fuzzylite's FLD
#[derive(clap::Args)]
#[command(
    group = clap::ArgGroup::new("how many").required(true).args(["points", "rows"]),
    after_help = "Reads FLL (.fll), MATLAB (.fis), IEC 61131-7 (.fcl) and Fuzzion's own JSON (.json). \
The first line holds the names; the last input changes fastest.

Examples:
  fuzzion grid tipper.fis --points 11                          11 × 11 rows on standard output
  fuzzion grid tipper.fll --rows 1024 --out tipper.fld         at most 1024 rows in all
  fuzzion grid tipper.fll --points 5 --dialect matlab --decimals 9     MATLAB's numbers"
)]
pub(crate) struct Grid {
    #[command(flatten)]
    system: SystemWords,
    /// Points of every input, both ends of its range included
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    points: Option<u64>,
    /// As many points of every input as make at most that many rows in all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    rows: Option<u64>,
    /// Where to write the table
    #[arg(long, value_name = "OUT.fld", default_value = "-")]
    out: PathBuf,
    /// Digits after the point
    #[arg(long, value_name = "D", default_value_t = 3, value_parser = clap::value_parser!(u8).range(0..=17))]
    decimals: u8,
}

impl Grid {
    pub(crate) fn run(&self, console: &Console) -> fuzzion::Result<ExitCode> {
        let standard_output = self.out == Path::new("-");
        if console.json() && standard_output {
            console::complain(
                "`--json` and the table cannot share standard output; name a file with `--out`",
            );
            return Ok(ExitCode::from(2));
        }
        if let Some(sentence) = clash(&[&self.system.file], &[("--out", &self.out)]) {
            console::complain(&sentence);
            return Ok(ExitCode::from(2));
        }
        let (system, dialect) = self.system.load()?;
        let count = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        let points = match (self.points, self.rows) {
            (Some(n), _) => Points::Each(count(n)),
            (None, n) => Points::All(count(n.unwrap_or(1))),
        };
        let bar = console.bar("inferring");
        let step = |done, total| bar.step(done, total);
        let grid = fuzzion::inference::Grid::new(points).decimals(self.decimals.into());
        let written = grid.progress(Progress::new(&step)).save(&system, dialect, &self.out);
        drop(bar);
        let rows = match written {
            // A reader that has gone (`fuzzion grid … | head`) has seen what it wanted.
            Err(Error::File { cause, .. }) if standard_output && cause.kind() == ErrorKind::BrokenPipe => {
                return Ok(ExitCode::SUCCESS);
            }
            written => written?,
        };
        if console.json() {
            console.say_json(&json!({
                "system": self.system.file.to_string_lossy(),
                "out": self.out.to_string_lossy(),
                "rows": rows,
                "dialect": dialect.name(),
                "decimals": self.decimals,
            }))?;
        } else if !standard_output {
            let (rows, out) = (counted(rows, "row"), shown(&self.out));
            console.say(&format!("{}: {rows}, written to {out}", shown(&self.system.file)))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
