//! `fuzzion head`

pub(crate) mod describe;
mod images;

use crate::commands::common::table_args::TableArgs;
use crate::console::Console;
use fuzzion::Device;
use std::path::PathBuf;
use std::process::ExitCode;

/// Summarize a table, image or video: size, columns, ranges, missing values, first rows
#[derive(clap::Args)]
#[command(after_help = "Reads CSV, TSV (also .gz), NPY, PNG, JPEG, PGM, PPM and Y4M; `-` is standard input.

Examples:
  fuzzion head measurements.csv                                      columns, ranges, missing values, first rows
  fuzzion head codes.txt --separator tab --no-header --labels c1     override the detected format
  zcat big.csv.gz | fuzzion head - --rows 3 --json                   read from a pipe, print JSON")]
pub(crate) struct Head {
    /// File, folder of images, or `-` for standard input
    file: PathBuf,
    /// Number of rows to print, at most 10000
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=10_000))]
    rows: u16,
    /// Columns to read as text [default: detected]
    #[arg(long, value_name = "COL,…", value_delimiter = ',')]
    labels: Vec<String>,
    #[command(flatten)]
    reading: TableArgs,
}

impl Head {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> fuzzion::Result<ExitCode> {
        let bar = console.bar("reading");
        let settings = self.reading.settings(&bar.watch(device)).labels(self.labels.iter().cloned());
        let text = describe::head(&self.file, console.json(), self.rows.into(), &settings)?;
        drop(bar);
        console.print(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}
