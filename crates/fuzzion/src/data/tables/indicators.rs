//! Indicators of the values of text columns, named `column=value`: 1 in the rows with this value and 0 in others.

use super::{Labels, Samples};

/// The text column and the value of an indicator, unless `name` is a column itself.
pub(in crate::data) fn indicator<'a, 'n>(
    samples: &Samples<'a>,
    name: &'n str,
) -> Option<(&'a Labels, &'n str)> {
    if samples.column_index(name).is_ok() {
        return None;
    }
    // Names of columns may contain `=`, too.
    name.match_indices('=').find_map(|(at, _)| Some((samples.label(&name[..at]).ok()?, &name[at + 1..])))
}

/// Whether `name` is an indicator.
pub(crate) fn has_indicator(samples: &Samples<'_>, name: &str) -> bool {
    indicator(samples, name).is_some()
}

/// Value of an indicator in a row; `None` if `name` is not an indicator, or the row or the text is missing.
pub(crate) fn indicator_value(samples: &Samples<'_>, name: &str, row: usize) -> Option<f64> {
    let (labels, value) = indicator(samples, name)?;
    let text = labels.classes().get(*labels.codes().get(row)? as usize)?;
    Some(f64::from(u8::from(text == value)))
}
