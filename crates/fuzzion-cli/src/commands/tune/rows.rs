//! The training rows.

use crate::commands::common::learning_args::ColumnArgs;
use crate::format::ellipsize;
use fuzzion::data::{DataError, ReadTable};
use fuzzion::{Error, Result, Samples, Table};
use std::path::Path;

/// Maximum number of different values of a text column that is an input by default.
const MAX_TEXT_VALUES: usize = 20;

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

impl RowArgs {
    /// The error message for weights that are also a target or an input.
    pub(super) fn usage_error(&self) -> Option<String> {
        let weights = self.weights.as_ref()?;
        let role = match &self.columns.inputs {
            _ if self.columns.target.contains(weights) => "a target",
            Some(inputs) if inputs.contains(weights) => "an input",
            _ => return None,
        };
        Some(format!("the weights `{}` are also {role}; use another column", ellipsize(weights)))
    }
}

/// The training rows of a table.
pub(super) struct Rows {
    pub(super) table: Table,
    pub(super) inputs: Vec<String>,
    targets: Vec<String>,
    weights: Option<Vec<f64>>,
    /// Names of the text columns that are ignored.
    pub(super) ignored: Vec<String>,
}

impl Rows {
    /// Reads the rows. By default, the inputs are the numeric columns and, if `with_text`, the text columns with few values.
    pub(super) fn read(
        path: &Path,
        settings: &ReadTable,
        args: &RowArgs,
        (is_classifier, with_text): (bool, bool),
    ) -> Result<Self> {
        let ColumnArgs { target, inputs: named } = &args.columns;
        let no_rows = || Error::Data(DataError::NoData { path: path.to_path_buf(), what: "rows" });
        let mut reader = settings.clone().keep_text(true).open(path)?;
        // A pipe can be read only once, so it is read completely; the first row of a file determines its columns.
        let is_file = path.is_file();
        let first = reader.next(if is_file { 1 } else { usize::MAX })?.ok_or_else(no_rows)?;
        let texts: Vec<String> = first.labels().iter().map(|labels| labels.name().to_owned()).collect();
        // In case of two columns with the same name, the numeric one is used.
        let numeric = first.names().to_vec();
        let is_text = |name: &&String| texts.contains(name) && !numeric.contains(name);
        let known = |name: &String| texts.contains(name) || first.names().contains(name);
        for name in target.iter().chain(named.iter().flatten()).chain(&args.weights) {
            if !known(name) {
                first.column_index(name)?; // the error lists the available columns
            }
        }
        let other = |name: &&String| !target.contains(name) && args.weights.as_ref() != Some(*name);
        let texts_of_rows: &[String] = if with_text { &texts } else { &[] };
        let all = || first.names().iter().chain(texts_of_rows).filter(other).cloned().collect();
        let candidates: Vec<String> = named.clone().unwrap_or_else(all);
        let table = if is_file {
            let mut columns: Vec<String> = Vec::new();
            for name in candidates.iter().chain(target).chain(&args.weights) {
                if !columns.contains(name) {
                    columns.push(name.clone());
                }
            }
            // A text target is a class; the fit reports a better error if a class is not expected.
            let labels: Vec<String> = columns.iter().filter(is_text).cloned().collect();
            settings.clone().columns(columns).labels(labels).read(path)?
        } else {
            first
        };
        if table.rows() == 0 {
            return Err(no_rows());
        }
        let weights = args.weights.as_ref().map(|name| table.column(name)).transpose()?;
        // By default, text with many different values, such as names, is not an input.
        let is_ignored = |name: &String| {
            let values = table.samples().label(name).map_or(0, |labels| labels.classes().len());
            named.is_none() && is_text(&name) && !(2..=MAX_TEXT_VALUES).contains(&values)
        };
        let (mut ignored, inputs): (Vec<String>, Vec<String>) = candidates.into_iter().partition(is_ignored);
        let is_other = |name: &&String| match target.contains(name) {
            true => !is_classifier,
            false => named.is_none() && !with_text && other(name),
        };
        ignored.extend(texts.iter().filter(is_text).filter(is_other).cloned());
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
