//! `fuzzion head`

pub(super) mod describe;

use crate::console::Console;
use fuzzion::data::{Precision, ReadTable};
use fuzzion::{Device, Progress};
use std::path::PathBuf;
use std::process::ExitCode;

/// Say what a table, image or video file holds: size, columns, ranges, missing values, first rows
#[derive(clap::Args)]
#[command(after_help = "Reads CSV, TSV (also .gz), NPY, PNG, JPEG, PGM, PPM and Y4M; `-` is standard input.

Examples:
  fuzzion head measurements.csv            columns, ranges, missing values, the first rows
  zcat big.csv.gz | fuzzion head - --rows 3 --json     the same from a pipe, for a program")]
pub(crate) struct Head {
    /// The file, a folder of pictures, or `-`
    file: PathBuf,
    /// How many rows to show
    #[arg(long, default_value_t = 5, value_name = "N")]
    rows: usize,
    /// How precisely to hold the numbers of a text file
    #[arg(long, default_value = "f64", value_parser = ["f32", "f64"])]
    precision: String,
}

impl Head {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> fuzzion::Result<ExitCode> {
        let bar = console.bar("reading");
        let step = |done, total| bar.step(done, total);
        let precision = if self.precision == "f32" { Precision::F32 } else { Precision::F64 };
        let mut settings = ReadTable::new().precision(precision).progress(Progress::new(&step));
        if let Device::Cpu(cpu) | Device::Best(cpu, _) = device {
            settings = settings.cpu(cpu.clone());
        }
        let text = describe::head(&self.file, console.json(), self.rows, &settings)?;
        drop(bar);
        console.say(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}
