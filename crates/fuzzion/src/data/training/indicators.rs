//! Text columns as inputs: one indicator per value, named `column=value`, which is 1 in the rows with this value and 0 in others.

use super::columns::{MissingInputs, column, column_error};
use crate::data::error::{DataError, Result};
use crate::data::tables::{Labels, Samples, indicator};

/// Maximum number of values of a text column that is an input: each is an input of its own.
pub(crate) const MAX_VALUES: usize = 20;

/// `names` with the indicators of all values in place of each text column.
pub(crate) fn with_indicators(samples: &Samples<'_>, names: Vec<String>) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for name in names {
        match samples.label(&name) {
            Ok(labels) if samples.column_index(&name).is_err() => {
                if !is_input(labels) {
                    let problem =
                        "is text with fewer than 2 or more than 20 different values; leave the column out";
                    return Err(column_error("input", &name, problem));
                }
                let mut values = labels.classes().to_vec();
                values.sort();
                found.extend(values.iter().map(|value| format!("{name}={value}")));
            }
            _ => found.push(name),
        }
    }
    Ok(found)
}

/// Whether a text column has few values.
pub(crate) fn is_input(labels: &Labels) -> bool {
    (2..=MAX_VALUES).contains(&labels.classes().len())
}

/// Values of an input: a numeric column or an indicator, which is NaN for a missing text; all must be finite, except for NaN
/// with [`MissingInputs::Drop`].
pub(crate) fn input_column(samples: &Samples<'_>, name: &str, missing: MissingInputs) -> Result<Vec<f64>> {
    let Some((labels, value)) = indicator(samples, name) else {
        return column(samples, name, "input", missing);
    };
    let code =
        labels.classes().iter().position(|class| class == value).map_or(Labels::MISSING, |code| code as u32);
    let values = labels.codes().iter().map(|found| match *found {
        Labels::MISSING => f64::NAN,
        found => f64::from(u8::from(found == code)),
    });
    let values: Vec<f64> = values.collect();
    if missing == MissingInputs::Error && values.iter().any(|x| x.is_nan()) {
        let problem = "has missing values; leave the column out, or ignore missing inputs";
        return Err(column_error("input", labels.name(), problem));
    }
    Ok(values)
}

/// Rejects texts that have no indicator among `inputs`, because they did not occur in the training data; if `row` is given,
/// only those of this row.
pub(crate) fn check_values(samples: &Samples<'_>, inputs: &[String], row: Option<usize>) -> Result<()> {
    let indicators: Vec<(&Labels, &str)> =
        inputs.iter().filter_map(|input| indicator(samples, input)).collect();
    for (labels, _) in &indicators {
        let of_column = indicators.iter().filter(|(other, _)| other.name() == labels.name());
        let known: Vec<&str> = of_column.map(|(_, value)| *value).collect();
        let is_checked = |code: usize| row.is_none_or(|row| labels.codes().get(row) == Some(&(code as u32)));
        let mut values = labels.classes().iter().enumerate().filter(|(code, _)| is_checked(*code));
        if let Some((_, value)) = values.find(|(_, value)| !known.contains(&value.as_str())) {
            let (column, value, known) = (labels.name().to_owned(), value.clone(), known.join(", "));
            return Err(DataError::UnknownValue { column, value, known });
        }
    }
    Ok(())
}
