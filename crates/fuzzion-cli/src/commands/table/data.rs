//! `fuzzion data`

use crate::commands::common::paths::JSON_NEEDS_OUT;
use crate::console::{self, Console};
use crate::format::{count_of, display_path};
use fuzzion::data::Values;
use fuzzion::sonfin::two_spirals;
use fuzzion::tuning::{mackey_glass, truck};
use fuzzion::{Result, Table};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Generate a classic benchmark data set
#[derive(clap::Args)]
#[command(after_help = "Writes CSV, TSV (also .gz), NPY, or Parquet if support is compiled in.

Examples:
  fuzzion data truck --points 64 --out truck.csv               64 × 64 rows of x, phi and theta
  fuzzion data mackey-glass --part train --out train.csv       the usual training rows
  fuzzion data mackey-glass --out series.npy                   all 1000 rows in order
  fuzzion data spirals --points 200 --out spirals.csv          two intertwined spirals as two classes")]
pub(crate) struct Data {
    #[command(subcommand)]
    dataset: Dataset,
}

#[derive(clap::Subcommand)]
enum Dataset {
    /// Truck backer-upper controller (Kosko 1992) on a grid: position x, direction phi and wheel angle theta in degrees
    Truck {
        /// Number of points along each of x and phi
        #[arg(long, value_name = "N", default_value_t = 64)]
        points: usize,
        /// Output file; `-` writes CSV to standard output
        #[arg(long, value_name = "OUT", default_value = "-")]
        out: PathBuf,
    },
    /// Two intertwined spirals (Lang and Witbrock 1988): coordinates x and y, and the arm as the class
    Spirals {
        /// Number of points on each arm
        #[arg(long, value_name = "N", default_value_t = 97)]
        points: usize,
        /// Output file; `-` writes CSV to standard output
        #[arg(long, value_name = "OUT", default_value = "-")]
        out: PathBuf,
    },
    /// Chaotic time series (Mackey and Glass 1977): values 18, 12, 6 and 0 steps ago, and 6 steps ahead
    MackeyGlass {
        /// Rows to write: all, train (the first 500) or test (the last 500)
        #[arg(long, value_name = "PART", default_value = "all", hide_possible_values = true)]
        #[arg(value_parser = ["all", "train", "test"])]
        part: String,
        /// Output file; `-` writes CSV to standard output
        #[arg(long, value_name = "OUT", default_value = "-")]
        out: PathBuf,
    },
}

impl Data {
    pub(crate) fn run(&self, console: &Console) -> Result<ExitCode> {
        let (Dataset::Truck { out, .. } | Dataset::Spirals { out, .. } | Dataset::MackeyGlass { out, .. }) =
            &self.dataset;
        let standard_output = out == Path::new("-");
        if console.json() && standard_output {
            console::print_error(JSON_NEEDS_OUT);
            return Ok(ExitCode::from(2));
        }
        let table = match &self.dataset {
            Dataset::Truck { points, .. } => truck(*points)?,
            Dataset::Spirals { points, .. } => two_spirals(*points)?,
            Dataset::MackeyGlass { part, .. } => part_of(mackey_glass()?, part)?,
        };
        table.write(out)?;
        let labels = table.labels().iter().map(|labels| labels.name());
        let columns: Vec<&str> = table.names().iter().map(String::as_str).chain(labels).collect();
        if console.json() {
            let rows = table.rows();
            console.print_json(&json!({ "out": out.to_string_lossy(), "rows": rows, "columns": columns }))?;
        } else if !standard_output {
            let (rows, names) = (count_of(table.rows() as u64, "row"), columns.join(", "));
            console.print_written(&format!("wrote {}: {rows}, columns {names}", display_path(out)))?;
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
        Values::F32(values) => Ok(Table::new(table.names(), values.to_vec())?),
        Values::F64(values) => Ok(Table::new(table.names(), values.to_vec())?),
    }
}
