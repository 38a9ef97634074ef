//! The training rows.

use crate::commands::common::learning_args::ColumnArgs;
use fuzzion::data::{DataError, ReadTable};
use fuzzion::{Error, Result, Samples, Table};
use std::path::Path;

/// Options about columns and sample weights.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Data")]
pub(super) struct RowArgs {
    #[command(flatten)]
    columns: ColumnArgs,
    /// Column of sample weights
    #[arg(long, value_name = "COL")]
    weights: Option<String>,
}

/// The training rows of a table.
pub(super) struct Rows {
    pub(super) table: Table,
    pub(super) inputs: Vec<String>,
    targets: Vec<String>,
    weights: Option<Vec<f64>>,
    /// Names of the text columns, which are ignored.
    pub(super) ignored: Vec<String>,
}

impl Rows {
    pub(super) fn read(
        path: &Path,
        settings: &ReadTable,
        args: &RowArgs,
        is_classifier: bool,
    ) -> Result<Self> {
        let ColumnArgs { target, inputs: named } = &args.columns;
        let no_rows = || Error::Data(DataError::NoData { path: path.to_path_buf(), what: "rows" });
        let mut reader = settings.clone().keep_text(true).open(path)?;
        // A pipe can be read only once, so it is read completely; the first row of a file determines its columns.
        let is_file = path.is_file();
        let first = reader.next(if is_file { 1 } else { usize::MAX })?.ok_or_else(no_rows)?;
        let texts: Vec<String> = first.labels().iter().map(|labels| labels.name().to_owned()).collect();
        let known = |name: &String| texts.contains(name) || first.names().contains(name);
        for name in target.iter().chain(named.iter().flatten()).chain(&args.weights) {
            if !known(name) {
                first.column_index(name)?; // the error lists the available columns
            }
        }
        let other = |name: &&String| !target.contains(name) && args.weights.as_ref() != Some(*name);
        let numeric = || first.names().iter().filter(other).cloned().collect();
        let inputs: Vec<String> = named.clone().unwrap_or_else(numeric);
        let table = if is_file {
            let mut columns: Vec<String> = Vec::new();
            for name in inputs.iter().chain(target).chain(&args.weights) {
                if !columns.contains(name) {
                    columns.push(name.clone());
                }
            }
            // A text target is a class; the fit reports a better error if a class is not expected.
            let labels: Vec<String> = target.iter().filter(|name| texts.contains(name)).cloned().collect();
            settings.clone().columns(columns).labels(labels).read(path)?
        } else {
            first
        };
        if table.rows() == 0 {
            return Err(no_rows());
        }
        let weights = args.weights.as_ref().map(|name| table.column(name)).transpose()?;
        let ignored = match named {
            Some(_) => Vec::new(),
            None => texts.into_iter().filter(|name| !(is_classifier && target.contains(name))).collect(),
        };
        Ok(Rows { table, inputs, targets: target.clone(), weights, ignored })
    }

    /// The rows with their weights.
    pub(super) fn samples(&self) -> Result<Samples<'_>> {
        let samples = self.table.samples();
        match &self.weights {
            Some(weights) => Ok(samples.with_weights(weights)?),
            None => Ok(samples),
        }
    }

    pub(super) fn targets(&self) -> Vec<&str> {
        self.targets.iter().map(String::as_str).collect()
    }
}
