//! The training rows.

use crate::commands::common::classes::check_class;
use crate::commands::common::learning_args::ColumnArgs;
use fuzzion::data::{DataError, ReadTable};
use fuzzion::{Error, Result, Table};
use std::path::Path;

/// The training rows of a table.
pub(super) struct Rows {
    pub(super) table: Table,
    pub(super) inputs: Vec<String>,
    targets: Vec<String>,
    ignored: Vec<String>,
}

/// Row counts and errors for the summary.
pub(super) struct RowStats {
    pub(super) rows: u64,
    /// Names of the text columns, which are ignored.
    pub(super) ignored: Vec<String>,
    /// For a stream: the error over all chunks except the first, each evaluated before it is used for training, and the
    /// number of rows in these chunks.
    pub(super) prequential: Option<(f64, u64)>,
}

/// The reader settings: classes are read as text, and other text columns are kept.
pub(super) fn settings(args: &ColumnArgs, settings: &ReadTable, is_classifier: bool) -> ReadTable {
    let mut settings = settings.clone();
    if is_classifier {
        settings = settings.labels(args.target.clone());
    }
    match &args.inputs {
        Some(inputs) => {
            let mut columns = inputs.clone();
            columns.extend(args.target.iter().filter(|name| !inputs.contains(name)).cloned());
            settings.columns(columns)
        }
        None => settings.keep_text(true),
    }
}

/// The input columns of `table`.
pub(super) fn inputs(args: &ColumnArgs, table: &Table) -> Vec<String> {
    let all_others = || table.names().iter().filter(|name| !args.target.contains(name)).cloned().collect();
    args.inputs.clone().unwrap_or_else(all_others)
}

/// The text columns that are not targets.
pub(super) fn ignored(args: &ColumnArgs, table: &Table) -> Vec<String> {
    let names = table.labels().iter().map(|labels| labels.name().to_owned());
    names.filter(|name| !args.target.contains(name)).collect()
}

impl Rows {
    pub(super) fn read(
        path: &Path,
        reading: &ReadTable,
        args: &ColumnArgs,
        is_classifier: bool,
    ) -> Result<Self> {
        let table = settings(args, reading, is_classifier).read(path)?;
        if table.rows() == 0 {
            return Err(Error::Data(DataError::NoData { path: path.to_path_buf(), what: "rows" }));
        }
        if is_classifier {
            check_class(&table, &args.target[0])?;
        }
        let (inputs, ignored) = (inputs(args, &table), ignored(args, &table));
        Ok(Rows { table, inputs, targets: args.target.clone(), ignored })
    }

    pub(super) fn targets(&self) -> Vec<&str> {
        self.targets.iter().map(String::as_str).collect()
    }

    pub(super) fn stats(&self) -> RowStats {
        RowStats { rows: self.table.rows() as u64, ignored: self.ignored.clone(), prequential: None }
    }
}
