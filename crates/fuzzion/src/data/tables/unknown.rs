//! The error for an unknown column.

use crate::base::most_similar;
use crate::data::error::DataError;

/// The error for an unknown column name; lists the first of the available `names`.
pub(crate) fn unknown_column(name: &str, names: &[String]) -> DataError {
    const MAX_LISTED: usize = 12;
    let mut known: Vec<String> = names.iter().take(MAX_LISTED).map(|n| format!("`{n}`")).collect();
    match names.len() {
        0 => known.push("none".into()),
        n if n > MAX_LISTED => known.push(format!("and {} more", n - MAX_LISTED)),
        _ => {}
    }
    DataError::UnknownColumn {
        name: name.to_owned(),
        similar: most_similar(name, names.iter().map(String::as_str)),
        known: known.join(", "),
    }
}
