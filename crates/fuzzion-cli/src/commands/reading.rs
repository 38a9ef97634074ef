//! How the files of tables are read: the words that every command with a table has in common.

use super::words::counted;
use fuzzion::data::{Precision, ReadTable, Separator};
use fuzzion::{Device, Error, Progress};
use std::path::Path;

/// How precisely a table is held, and where the guess about a text file is wrong.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Reading tables")]
pub(crate) struct Reading {
    /// How precisely to hold the numbers: f32 or f64 (default: as the file does; text as f64)
    #[arg(long, value_parser = ["f32", "f64"], hide_possible_values = true)]
    precision: Option<String>,
    #[command(flatten)]
    text: TextFile,
}

/// Where the guess about a text file is wrong.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Reading tables")]
pub(crate) struct TextFile {
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

impl Reading {
    /// The precision that was asked for.
    pub(crate) fn precision(&self) -> Option<Precision> {
        self.precision.as_deref().map(|word| if word == "f32" { Precision::F32 } else { Precision::F64 })
    }

    /// The library's settings for these words.
    pub(crate) fn settings<'a>(&self, device: &Device, progress: Progress<'a>) -> ReadTable<'a> {
        let mut settings = self.text.settings(device, progress);
        settings.precision = self.precision();
        settings
    }
}

impl TextFile {
    /// Whether numbers were said to have a decimal comma.
    pub(crate) fn decimal_comma(&self) -> bool {
        self.decimal_comma
    }

    /// The library's settings for these words.
    pub(crate) fn settings<'a>(&self, device: &Device, progress: Progress<'a>) -> ReadTable<'a> {
        let mut settings = ReadTable::new().progress(progress);
        settings.separator = self.separator;
        settings.header = (self.header || self.no_header).then_some(self.header);
        settings.decimal_comma = self.decimal_comma.then_some(true);
        if let Device::Cpu(cpu) | Device::Best(cpu, _) = device {
            settings = settings.cpu(cpu.clone());
        }
        settings
    }
}

/// What is wrong with the columns that a system's inputs are looked for in, with the name of their file.
pub(crate) fn of_inputs(file: &Path, error: Error) -> Error {
    let reason = match &error {
        Error::UnknownColumn { .. } | Error::TextInput { .. } => error.to_string(),
        Error::RowLength { found, expected, .. } => {
            let [found, expected] =
                [(found, "column"), (expected, "input")].map(|(n, what)| counted(*n as u64, what));
            format!("it has {found} without a name for {expected}; give each input one")
        }
        _ => return error,
    };
    Error::Malformed { path: file.into(), format: "the system's inputs", reason }
}
