//! `fuzzion grid`

use crate::commands::common::paths::{JSON_NEEDS_OUT, path_conflict, wrong_extension};
use crate::commands::common::system_args::SystemArgs;
use crate::console::{self, Console};
use crate::format::{count_of, display_path};
use fuzzion::Device;
use fuzzion::inference::GridPoints;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Evaluate a fuzzy system on a grid of inputs, in the FLD format of fuzzylite
#[derive(clap::Args)]
#[command(
    group = clap::ArgGroup::new("size").required(true).args(["points", "rows"]),
    after_help = "Reads FLL (.fll), MATLAB (.fis), IEC 61131-7 (.fcl) and Fuzzion's own JSON (.json). \
The first line of the output contains the variable names; the last input varies fastest.

Examples:
  fuzzion grid tipper.fis --points 11                                  print 11 × 11 rows
  fuzzion grid tipper.fll --rows 1024 --out tipper.fld                 write at most 1024 rows
  fuzzion grid tipper.fll --points 5 --dialect matlab --decimals 9     use the MATLAB dialect"
)]
pub(crate) struct Grid {
    #[command(flatten)]
    system: SystemArgs,
    /// Number of points per input, including both ends of its range
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    points: Option<u64>,
    /// Maximum total number of rows; all inputs get the same number of points
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    rows: Option<u64>,
    /// Output file, or `-` for standard output
    #[arg(long, value_name = "OUT.fld", default_value = "-")]
    out: PathBuf,
    /// Number of decimal places
    #[arg(long, value_name = "D", default_value_t = 3, value_parser = clap::value_parser!(u8).range(0..=17))]
    decimals: u8,
}

impl Grid {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> fuzzion::Result<ExitCode> {
        let standard_output = self.out == Path::new("-");
        if console.json() && standard_output {
            console::print_error(JSON_NEEDS_OUT);
            return Ok(ExitCode::from(2));
        }
        if let Some(message) = path_conflict(&[&self.system.file], &[("--out", &self.out)])
            .or_else(|| wrong_extension("--out", Some(&self.out), &["fld", "txt"]))
        {
            console::print_error(&message);
            return Ok(ExitCode::from(2));
        }
        let (system, dialect) = self.system.load()?;
        let count = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        let points = match (self.points, self.rows) {
            (Some(n), _) => GridPoints::PerInput(count(n)),
            (None, Some(n)) => GridPoints::Total(count(n)),
            (None, None) => unreachable!("invariant: `--points` or `--rows` is required"),
        };
        let bar = console.bar("inferring");
        let grid = fuzzion::inference::InputGrid::new(points).decimals(self.decimals.into());
        let rows = grid.save(&system, dialect, &bar.watch(device), &self.out)?;
        drop(bar);
        if console.json() {
            console.print_json(&json!({
                "system": self.system.file.to_string_lossy(),
                "out": self.out.to_string_lossy(),
                "rows": rows,
                "dialect": dialect.name(),
                "decimals": self.decimals,
            }))?;
        } else if !standard_output {
            let (rows, out) = (count_of(rows, "row"), display_path(&self.out));
            console.print_written(&format!("{}: {rows}; wrote {out}", display_path(&self.system.file)))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
