//! The rows that are learned from.

use crate::commands::learning::ColumnWords;
use fuzzion::data::ReadTable;
use fuzzion::{Error, Result, Table};
use std::path::Path;

/// Which columns are learned, from which, and how much rows count.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Data")]
pub(super) struct RowWords {
    #[command(flatten)]
    columns: ColumnWords,
    /// The column that says how often a row counts
    #[arg(long, value_name = "COL", conflicts_with = "auto")]
    weights: Option<String>,
}

/// The rows of a table.
pub(super) struct Rows {
    pub(super) table: Table,
    pub(super) inputs: Vec<String>,
    targets: Vec<String>,
    pub(super) weights: Option<Vec<f64>>,
    /// Columns of text, which are not learned from.
    pub(super) left_out: Vec<String>,
}

impl Rows {
    pub(super) fn read(
        path: &Path,
        settings: &ReadTable<'_>,
        words: &RowWords,
        classes: bool,
    ) -> Result<Self> {
        let ColumnWords { target, inputs: named } = &words.columns;
        let none = || Error::NoData { path: path.to_path_buf(), what: "rows" };
        let mut reader = settings.clone().keep_text(true).open(path)?;
        // What can be read only once is read whole; of a file the first row tells what its columns are.
        let again = path.is_file();
        let first = reader.next(if again { 1 } else { usize::MAX })?.ok_or_else(none)?;
        let texts: Vec<String> = first.labels().iter().map(|labels| labels.name().to_owned()).collect();
        let known = |name: &String| texts.contains(name) || first.names().contains(name);
        let asked = target.iter().chain(named.iter().flatten()).chain(&words.weights);
        for name in asked {
            if !known(name) {
                first.column_index(name)?; // says which there are
            }
        }
        let other = |name: &&String| !target.contains(name) && words.weights.as_ref() != Some(*name);
        let numbers = || first.names().iter().filter(other).cloned().collect();
        let inputs: Vec<String> = named.clone().unwrap_or_else(numbers);
        let table = if again {
            let mut columns: Vec<String> = Vec::new();
            for name in inputs.iter().chain(target).chain(&words.weights) {
                if !columns.contains(name) {
                    columns.push(name.clone());
                }
            }
            // A target of text is a class; one that should not be is refused with a better sentence later.
            let labels: Vec<String> = target.iter().filter(|name| texts.contains(name)).cloned().collect();
            settings.clone().columns(columns).labels(labels).read(path)?
        } else {
            first
        };
        if table.rows() == 0 {
            return Err(none());
        }
        let weights = words.weights.as_ref().map(|name| table.column(name)).transpose()?;
        let left_out = match named {
            Some(_) => Vec::new(),
            None => texts.into_iter().filter(|name| !(classes && target.contains(name))).collect(),
        };
        Ok(Rows { table, inputs, targets: target.clone(), weights, left_out })
    }

    pub(super) fn targets(&self) -> Vec<&str> {
        self.targets.iter().map(String::as_str).collect()
    }
}
