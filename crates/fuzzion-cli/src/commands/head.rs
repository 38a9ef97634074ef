//! `fuzzion head`

pub(super) mod describe;
mod pictures;

use super::reading::Reading;
use crate::console::Console;
use fuzzion::{Device, Progress};
use std::path::PathBuf;
use std::process::ExitCode;

/// Say what a table, image or video file holds: size, columns, ranges, missing values, first rows
#[derive(clap::Args)]
#[command(after_help = "Reads CSV, TSV (also .gz), NPY, PNG, JPEG, PGM, PPM and Y4M; `-` is standard input.

Examples:
  fuzzion head measurements.csv            columns, ranges, missing values, the first rows
  fuzzion head codes.txt --separator tab --no-header --labels c1     where the guess is wrong
  zcat big.csv.gz | fuzzion head - --rows 3 --json     the same from a pipe, for a program")]
pub(crate) struct Head {
    /// The file, a folder of pictures, or `-`
    file: PathBuf,
    /// How many rows to show, at most 10000
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=10_000))]
    rows: u16,
    /// Columns that hold text (others that mostly do are found)
    #[arg(long, value_name = "COL,…", value_delimiter = ',')]
    labels: Vec<String>,
    #[command(flatten)]
    reading: Reading,
}

impl Head {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> fuzzion::Result<ExitCode> {
        let bar = console.bar("reading");
        let step = |done, total| bar.step(done, total);
        let settings =
            self.reading.settings(device, Progress::new(&step)).labels(self.labels.iter().cloned());
        let text = describe::head(&self.file, console.json(), self.rows.into(), &settings)?;
        drop(bar);
        console.say(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}
