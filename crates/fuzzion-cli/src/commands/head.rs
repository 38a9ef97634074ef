//! `fuzzion head`

pub(super) mod describe;
mod pictures;
mod words;

use crate::console::Console;
use fuzzion::data::{Precision, ReadTable, Separator};
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
    /// How precisely to hold the numbers of a text file
    #[arg(long, default_value = "f64", value_parser = ["f32", "f64"])]
    precision: String,
    /// Columns that hold text (others that mostly do are found)
    #[arg(long, value_name = "COL,…", value_delimiter = ',')]
    labels: Vec<String>,
    /// What separates the fields of a text: comma, semicolon, tab, pipe or blank (found if not said)
    #[arg(long, value_name = "WORD")]
    separator: Option<Separator>,
    /// The first line of a text names the columns (found if not said)
    #[arg(long, conflicts_with = "no_header")]
    header: bool,
    /// The first line of a text holds values
    #[arg(long)]
    no_header: bool,
    /// Numbers have a decimal comma, as in -1,5 (found if not said)
    #[arg(long)]
    decimal_comma: bool,
}

impl Head {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> fuzzion::Result<ExitCode> {
        let bar = console.bar("reading");
        let step = |done, total| bar.step(done, total);
        let precision = if self.precision == "f32" { Precision::F32 } else { Precision::F64 };
        let mut settings = ReadTable::new()
            .precision(precision)
            .labels(self.labels.iter().cloned())
            .progress(Progress::new(&step));
        settings.separator = self.separator;
        settings.header = (self.header || self.no_header).then_some(self.header);
        settings.decimal_comma = self.decimal_comma.then_some(true);
        if let Device::Cpu(cpu) | Device::Best(cpu, _) = device {
            settings = settings.cpu(cpu.clone());
        }
        let text = describe::head(&self.file, console.json(), self.rows.into(), &settings)?;
        drop(bar);
        console.say(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}
