//! Checks of input and target columns for training.

use super::classes::{Classes, Classify};
use crate::base::SettingError;
use crate::data::error::{DataError, Result};
use crate::data::tables::Samples;
use crate::macros::named;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

named! {
    /// Handling of rows with missing inputs.
    ///
    /// ```
    /// use fuzzion::tuning::{MissingInputs, Tuner};
    /// let tuner = Tuner::grid(&[3]).missing("drop".parse()?);
    /// assert_eq!(tuner.missing, MissingInputs::Drop);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[non_exhaustive]
    pub enum MissingInputs("handling of missing inputs") {
        /// Missing inputs are an error.
        #[default]
        Error = "error",
        /// Missing inputs are omitted from the firing strengths.
        Drop = "drop",
    }
}

const TEXT: &str =
    "contains text, but training requires numbers; leave the column out, or use it as the class";

/// The problem of a column without values.
pub(crate) const NO_VALUES: &str = "has no values; fill it in, or use other columns";

/// The error for a column that cannot be used for training.
pub(crate) fn column_error(what: &'static str, name: &str, problem: &'static str) -> DataError {
    DataError::TrainingColumn { what, name: name.to_owned(), problem }
}

/// Rejects duplicate names.
pub(crate) fn require_unique(what: &'static str, names: &[String]) -> Result<()> {
    let mut seen = HashSet::new();
    match names.iter().find(|name| !seen.insert(*name)) {
        Some(name) => Err(column_error(what, name, "is listed twice; list it once")),
        None => Ok(()),
    }
}

/// Checks the number of target columns and their names.
pub(crate) fn check_targets<E: From<SettingError> + From<DataError>>(
    algorithm: &'static str,
    classify: Option<Classify>,
    targets: &[String],
) -> Result<(), E> {
    let must = match (classify, targets.len()) {
        (_, 0) => "at least 1 column",
        (Some(_), 2..) => "1 column for classification",
        _ => return Ok(require_unique("target", targets)?),
    };
    Err(SettingError::OutOfRange { algorithm, name: "targets", value: targets.len() as f64, must }.into())
}

/// Class names, none for regression, and the target columns: one per class, or the numeric columns `targets`. If
/// `classes` is empty, the classes are those of the samples.
pub(crate) fn target_columns(
    samples: &Samples<'_>,
    classify: Option<Classify>,
    classes: &[String],
    targets: &[String],
) -> Result<(Vec<String>, Vec<Vec<f64>>)> {
    match classify {
        Some(_) => {
            require_unique("class", classes)?;
            let classes = match classes {
                [] => Classes::from_column(samples, &targets[0])?,
                _ => Classes::with_names(samples, &targets[0], classes)?,
            };
            classes.check_count(&targets[0])?;
            Ok((classes.names.clone(), classes.one_hot()))
        }
        None => Ok((Vec::new(), targets_of_model(samples, targets, &[])?)),
    }
}

/// The target columns of a model, which has no `classes` for regression.
pub(crate) fn targets_of_model(
    samples: &Samples<'_>,
    targets: &[String],
    classes: &[String],
) -> Result<Vec<Vec<f64>>> {
    match classes {
        [] => targets.iter().map(|name| column(samples, name, "target", MissingInputs::Error)).collect(),
        _ => Ok(Classes::with_names(samples, &targets[0], classes)?.one_hot()),
    }
}

/// Names of the input columns: `named`, or all columns except the targets if `named` is empty.
pub(crate) fn input_names(
    samples: &Samples<'_>,
    named: &[String],
    targets: &[String],
) -> Result<Vec<String>> {
    let named: Vec<String> = match named {
        [] => {
            let text = samples.labels().iter().find(|labels| !targets.iter().any(|t| t == labels.name()));
            if let Some(labels) = text {
                return Err(column_error("column", labels.name(), TEXT));
            }
            samples.names().iter().filter(|name| !targets.contains(name)).cloned().collect()
        }
        _ => named.to_vec(),
    };
    require_unique("input", &named)?;
    if let Some(name) = named.iter().find(|name| targets.contains(name)) {
        return Err(column_error("target", name, "is also an input; remove it from the inputs"));
    }
    if named.is_empty() {
        let problem = "is the only column of numbers; add at least one input column";
        return Err(column_error("target", &targets[0], problem));
    }
    Ok(named)
}

/// Values of a numeric column; all must be finite, except for NaN with [`MissingInputs::Drop`].
pub(crate) fn column(
    samples: &Samples<'_>,
    name: &str,
    what: &'static str,
    missing: MissingInputs,
) -> Result<Vec<f64>> {
    if samples.label(name).is_ok() && samples.column_index(name).is_err() {
        return Err(column_error(what, name, TEXT));
    }
    let values = samples.column(name)?;
    let is_valid = |x: &f64| x.is_finite() || (missing == MissingInputs::Drop && x.is_nan());
    match values.iter().position(|x| !is_valid(x)) {
        None => Ok(values),
        Some(_) if values.iter().all(|x| x.is_nan()) => Err(column_error(what, name, NO_VALUES)),
        Some(row) => Err(DataError::NotFinite {
            row: row as u64 + 1,
            column: samples.column_index(name)? + 1,
            name: name.to_owned(),
            value: values[row],
        }),
    }
}

/// Sentence about columns that are not used as inputs, because they have the same value in every row.
pub(crate) fn ignored_constants(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(5).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(shown.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let (are, have) = if names.len() == 1 { ("is", "has") } else { ("are", "have") };
    format!("{}{more} {have} the same value in every row and {are} ignored", shown.join(", "))
}
