//! `fuzzion data`

use super::words::{counted, shown};
use crate::console::{self, Console};
use fuzzion::data::Values;
use fuzzion::sonfin::two_spirals;
use fuzzion::tuning::{mackey_glass, truck};
use fuzzion::{Result, Table};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Write a classic data set to learn from
#[derive(clap::Args)]
#[command(after_help = "Writes CSV, TSV (also .gz), NPY, or Parquet where it is built in.

Examples:
  fuzzion data truck --points 64 --out truck.csv               64 × 64 rows of x, phi and theta
  fuzzion data mackey-glass --part train --out train.csv       the rows that are learned from by custom
  fuzzion data mackey-glass --out series.npy                   all 1000 rows in their order
  fuzzion data spirals --points 200 --out spirals.csv          two classes that wind around each other")]
pub(crate) struct Data {
    #[command(subcommand)]
    which: Which,
}

#[derive(clap::Subcommand)]
enum Which {
    /// The controller that backs a truck up to a dock (Kosko 1992), on a grid: place x and direction phi, angle theta of
    /// the wheels in degrees
    Truck {
        /// Points along each of x and phi
        #[arg(long, value_name = "N", default_value_t = 64)]
        points: usize,
        /// Where to write the table; `-` is CSV on standard output
        #[arg(long, value_name = "OUT", default_value = "-")]
        out: PathBuf,
    },
    /// Two spirals around each other (Lang and Witbrock 1988): places x and y, and which arm they are of
    Spirals {
        /// Points on each arm
        #[arg(long, value_name = "N", default_value_t = 97)]
        points: usize,
        /// Where to write the table; `-` is CSV on standard output
        #[arg(long, value_name = "OUT", default_value = "-")]
        out: PathBuf,
    },
    /// The chaotic series of Mackey and Glass (1977): its values 18, 12, 6 and 0 steps ago, and in 6 steps
    MackeyGlass {
        /// Which rows: all, train (the first 500) or test (the last 500)
        #[arg(long, value_name = "WORD", default_value = "all", hide_possible_values = true)]
        #[arg(value_parser = ["all", "train", "test"])]
        part: String,
        /// Where to write the table; `-` is CSV on standard output
        #[arg(long, value_name = "OUT", default_value = "-")]
        out: PathBuf,
    },
}

impl Data {
    pub(crate) fn run(&self, console: &Console) -> Result<ExitCode> {
        let (Which::Truck { out, .. } | Which::Spirals { out, .. } | Which::MackeyGlass { out, .. }) =
            &self.which;
        let standard_output = out == Path::new("-");
        if console.json() && standard_output {
            console::complain(
                "`--json` and the table cannot share standard output; name a file with `--out`",
            );
            return Ok(ExitCode::from(2));
        }
        let table = match &self.which {
            Which::Truck { points, .. } => truck(*points)?,
            Which::Spirals { points, .. } => two_spirals(*points)?,
            Which::MackeyGlass { part, .. } => part_of(mackey_glass()?, part)?,
        };
        table.write(out)?;
        let labels = table.labels().iter().map(|labels| labels.name());
        let columns: Vec<&str> = table.names().iter().map(String::as_str).chain(labels).collect();
        if console.json() {
            let rows = table.rows();
            console.say_json(&json!({ "out": out.to_string_lossy(), "rows": rows, "columns": columns }))?;
        } else if !standard_output {
            let (rows, names) = (counted(table.rows() as u64, "row"), columns.join(", "));
            console.say(&format!("{rows} of {names}, written to {}", shown(out)))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn part_of(table: Table, part: &str) -> Result<Table> {
    let half = table.rows() / 2;
    let rows = match part {
        "train" => 0..half,
        "test" => half..table.rows(),
        _ => return Ok(table),
    };
    match table.slice(rows) {
        Values::F32(values) => Table::new(table.names(), values.to_vec()),
        Values::F64(values) => Table::new(table.names(), values.to_vec()),
    }
}
