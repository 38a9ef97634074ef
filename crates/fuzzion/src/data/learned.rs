//! Columns that something is learned from, and columns that are learned.

use super::table::Table;
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// What happens to rows with missing inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Missing {
    /// They are refused.
    #[default]
    Error,
    /// What is missing is left out of the firing strengths.
    Drop,
}

const TEXT: &str =
    "holds text, and systems are learned from numbers; leave the column out, or make it the class";

/// The error for a column that cannot be used.
pub(crate) fn unfit(what: &'static str, name: &str, problem: &'static str) -> Error {
    Error::LearnedColumn { what, name: name.to_owned(), problem }
}

/// Refuses a name that stands twice.
pub(crate) fn unique(what: &'static str, names: &[String]) -> Result<()> {
    match names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)) {
        Some((_, name)) => Err(unfit(what, name, "is named twice; name it once")),
        None => Ok(()),
    }
}

/// The inputs asked for: those named, or all columns but the targets.
pub(crate) fn input_names(table: &Table, named: &[String], targets: &[String]) -> Result<Vec<String>> {
    let named: Vec<String> = match named {
        [] => {
            let text = table.labels().iter().find(|labels| !targets.iter().any(|t| t == labels.name()));
            if let Some(labels) = text {
                return Err(unfit("column", labels.name(), TEXT));
            }
            table.names().iter().filter(|name| !targets.contains(name)).cloned().collect()
        }
        _ => named.to_vec(),
    };
    unique("input", &named)?;
    if let Some(name) = named.iter().find(|name| targets.contains(name)) {
        return Err(unfit("target", name, "is also an input; name it only once, as what is to be learned"));
    }
    if named.is_empty() {
        let problem = "is the only column, so there is nothing to learn it from; give at least one input";
        return Err(unfit("target", &targets[0], problem));
    }
    Ok(named)
}

/// A column of numbers, finite but where missing ones are dropped.
pub(crate) fn column(table: &Table, name: &str, what: &'static str, missing: Missing) -> Result<Vec<f64>> {
    if table.label(name).is_ok() && table.column_index(name).is_err() {
        return Err(unfit(what, name, TEXT));
    }
    let values = table.column(name)?;
    let fits = |x: &f64| x.is_finite() || (missing == Missing::Drop && x.is_nan());
    match values.iter().position(|x| !fits(x)) {
        None => Ok(values),
        Some(row) => Err(Error::NotFinite {
            row: row as u64 + 1,
            column: table.column_index(name)? + 1,
            name: name.to_owned(),
            value: values[row],
        }),
    }
}
