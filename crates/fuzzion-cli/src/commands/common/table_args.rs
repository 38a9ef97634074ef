//! Options of commands that read tables.

use crate::commands::common::names::names;
use crate::format::{count_of, display_path};
use fuzzion::data::DataError;
use fuzzion::data::{Precision, ReadTable, Separator};
use fuzzion::inference::InferenceError;
use fuzzion::{Device, Error};
use std::path::Path;

/// Precision of a table and overrides for the detected text format.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Reading tables")]
pub(crate) struct TableArgs {
    /// Precision of the values: f32 or f64 [default: the type in the file; f64 for text files]
    #[arg(long, value_name = "TYPE")]
    #[arg(value_parser = names::<Precision>(Precision::ALL.map(|value| value.name())), hide_possible_values = true)]
    precision: Option<Precision>,
    #[command(flatten)]
    text: TextTableArgs,
}

/// Overrides for the detected text format.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Reading tables")]
pub(crate) struct TextTableArgs {
    /// Field separator of a text file: comma, semicolon, tab, pipe or blank [default: detected]
    #[arg(long, value_name = "NAME")]
    separator: Option<Separator>,
    /// Treat the first line of a text file as column names [default: detected]
    #[arg(long, conflicts_with = "no_header")]
    header: bool,
    /// Treat the first line of a text file as data
    #[arg(long)]
    no_header: bool,
    /// Parse numbers with a decimal comma, as in -1,5 [default: detected]
    #[arg(long)]
    decimal_comma: bool,
}

impl TableArgs {
    /// The requested precision.
    pub(crate) fn precision(&self) -> Option<Precision> {
        self.precision
    }

    /// The reader settings for these options, with the threads and the progress callback of `device`.
    pub(crate) fn settings(&self, device: &Device) -> ReadTable {
        let mut settings = self.text.settings(device);
        settings.precision = self.precision();
        settings
    }
}

impl TextTableArgs {
    /// The reader settings for these options, with the threads and the progress callback of `device`.
    pub(crate) fn settings(&self, device: &Device) -> ReadTable {
        let mut settings = ReadTable::new().device(device);
        settings.separator = self.separator;
        settings.header = (self.header || self.no_header).then_some(self.header);
        settings.decimal_comma = self.decimal_comma.then_some(true);
        settings
    }
}

/// Adds the file name to an error about the columns of a system's inputs.
pub(crate) fn in_input_table(file: &Path, error: Error) -> Error {
    let reason = match &error {
        Error::Data(DataError::UnknownColumn { .. })
        | Error::Inference(InferenceError::TextColumn { .. }) => error.to_string(),
        Error::Inference(InferenceError::RowLength { found, expected, .. }) => {
            let [found, expected] =
                [(found, "column"), (expected, "input")].map(|(n, noun)| count_of(*n as u64, noun));
            format!(
                "it has {found} without names, but the system has {expected}; provide one column per input"
            )
        }
        _ => return error,
    };
    let problem = format!("does not match the inputs of the system: {reason}");
    Error::Inference(InferenceError::InvalidSystem { location: display_path(file), problem })
}

/// Shifts the row of an error in a chunk by the number of rows before the chunk.
pub(crate) fn with_row_offset(error: Error, rows: u64) -> Error {
    match error {
        Error::Data(DataError::NotFinite { row, column, name, value }) => {
            Error::Data(DataError::NotFinite { row: row + rows, column, name, value })
        }
        other => other,
    }
}

/// The index of the row with the number `row` of `--row`, in a table of `rows` rows.
pub(crate) fn existing_row(row: u64, rows: usize, file: &Path) -> Result<usize, Error> {
    if row <= rows as u64 {
        return Ok(row as usize - 1);
    }
    let (file, count) = (display_path(file), count_of(rows as u64, "row"));
    let problem = format!("is {row}, but {file} has {count}; expected a number from 1 to {rows}");
    Err(Error::Inference(InferenceError::InvalidSystem { location: "`--row`".into(), problem }))
}
