//! The rows that are learned from.

use crate::commands::learning::ColumnWords;
use fuzzion::data::ReadTable;
use fuzzion::{Error, Result, Table};
use std::path::Path;

/// The rows of a table.
pub(super) struct Rows {
    pub(super) table: Table,
    pub(super) inputs: Vec<String>,
    targets: Vec<String>,
    left_out: Vec<String>,
}

/// What is told of rows.
pub(super) struct Read {
    pub(super) rows: u64,
    /// Columns of text, which are not learned from.
    pub(super) left_out: Vec<String>,
    /// Of a stream: the error over all pieces but the first, each before it was learned, and their rows.
    pub(super) unseen: Option<(f64, u64)>,
}

/// How a table is read: classes as they are written, and text that is no class beside the numbers.
pub(super) fn settings<'a>(words: &ColumnWords, settings: &ReadTable<'a>, classes: bool) -> ReadTable<'a> {
    let mut settings = settings.clone();
    if classes {
        settings = settings.labels(words.target.clone());
    }
    match &words.inputs {
        Some(inputs) => {
            let mut columns = inputs.clone();
            columns.extend(words.target.iter().filter(|name| !inputs.contains(name)).cloned());
            settings.columns(columns)
        }
        None => settings.keep_text(true),
    }
}

/// The columns of `table` to learn from.
pub(super) fn inputs(words: &ColumnWords, table: &Table) -> Vec<String> {
    let others = || table.names().iter().filter(|name| !words.target.contains(name)).cloned().collect();
    words.inputs.clone().unwrap_or_else(others)
}

/// The columns of text that are neither learned nor learned from.
pub(super) fn left_out(words: &ColumnWords, table: &Table) -> Vec<String> {
    let names = table.labels().iter().map(|labels| labels.name().to_owned());
    names.filter(|name| !words.target.contains(name)).collect()
}

impl Rows {
    pub(super) fn read(
        path: &Path,
        reading: &ReadTable<'_>,
        words: &ColumnWords,
        classes: bool,
    ) -> Result<Self> {
        let table = settings(words, reading, classes).read(path)?;
        if table.rows() == 0 {
            return Err(Error::NoData { path: path.to_path_buf(), what: "rows" });
        }
        let (inputs, left_out) = (inputs(words, &table), left_out(words, &table));
        Ok(Rows { table, inputs, targets: words.target.clone(), left_out })
    }

    pub(super) fn targets(&self) -> Vec<&str> {
        self.targets.iter().map(String::as_str).collect()
    }

    pub(super) fn summary(&self) -> Read {
        Read { rows: self.table.rows() as u64, left_out: self.left_out.clone(), unseen: None }
    }
}
