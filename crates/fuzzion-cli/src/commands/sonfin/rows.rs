//! The rows that are learned from.

use fuzzion::data::ReadTable;
use fuzzion::{Error, Result, Table};
use std::path::Path;

/// Which columns are learned, and from which.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Data")]
pub(super) struct RowWords {
    /// The columns to be learned
    #[arg(long, value_name = "COL,…", value_delimiter = ',', required = true)]
    target: Vec<String>,
    /// The columns to learn from (default: all others that hold numbers)
    #[arg(long, value_name = "COL,…", value_delimiter = ',')]
    inputs: Option<Vec<String>>,
}

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

impl RowWords {
    pub(super) fn targets(&self) -> Vec<&str> {
        self.target.iter().map(String::as_str).collect()
    }

    /// How a table is read: classes as they are written, and text that is no class beside the numbers.
    pub(super) fn settings<'a>(&self, settings: &ReadTable<'a>, classes: bool) -> ReadTable<'a> {
        let mut settings = settings.clone();
        if classes {
            settings = settings.labels(self.target.clone());
        }
        match &self.inputs {
            Some(inputs) => {
                let mut columns = inputs.clone();
                columns.extend(self.target.iter().filter(|name| !inputs.contains(name)).cloned());
                settings.columns(columns)
            }
            None => settings.keep_text(true),
        }
    }

    /// The columns of `table` to learn from.
    pub(super) fn inputs(&self, table: &Table) -> Vec<String> {
        let others = || table.names().iter().filter(|name| !self.target.contains(name)).cloned().collect();
        self.inputs.clone().unwrap_or_else(others)
    }

    /// The columns of text that are neither.
    pub(super) fn left_out(&self, table: &Table) -> Vec<String> {
        let names = table.labels().iter().map(|labels| labels.name().to_owned());
        names.filter(|name| !self.target.contains(name)).collect()
    }
}

impl Rows {
    pub(super) fn read(
        path: &Path,
        settings: &ReadTable<'_>,
        words: &RowWords,
        classes: bool,
    ) -> Result<Self> {
        let table = words.settings(settings, classes).read(path)?;
        if table.rows() == 0 {
            return Err(Error::NoData { path: path.to_path_buf(), what: "rows" });
        }
        let (inputs, left_out) = (words.inputs(&table), words.left_out(&table));
        Ok(Rows { table, inputs, targets: words.target.clone(), left_out })
    }

    pub(super) fn targets(&self) -> Vec<&str> {
        self.targets.iter().map(String::as_str).collect()
    }

    pub(super) fn summary(&self) -> Read {
        Read { rows: self.table.rows() as u64, left_out: self.left_out.clone(), unseen: None }
    }
}
