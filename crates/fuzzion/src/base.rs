//! Parts of the error enums that all modules use.

mod similar;

use std::{fmt, io};

pub(crate) use similar::most_similar;

/// Category of an error, for callers that handle errors by category, such as bindings to other languages.
///
/// ```
/// use fuzzion::{Device, ErrorKind, Table};
/// assert_eq!("gpu".parse::<Device>().unwrap_err().kind(), ErrorKind::Setting);
/// assert_eq!(Table::read("missing.csv").unwrap_err().kind(), ErrorKind::File);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An invalid setting, option or name.
    Setting,
    /// Invalid data or text: a wrong shape, a missing column, a syntax error, a value outside its range.
    Input,
    /// A file that cannot be read or written.
    File,
    /// Not enough memory.
    OutOfMemory,
    /// An unusable device, or a failed call of its driver.
    Device,
    /// A valid request that is not supported, by this build or at all.
    Unsupported,
    /// The progress callback requested cancellation.
    Interrupted,
}

/// The progress callback requested cancellation.
///
/// ```
/// use fuzzion::{Interrupted, Progress};
/// use std::ops::ControlFlow;
/// let cancel = Progress::new(|_done, _total| ControlFlow::Break(()));
/// assert_eq!(cancel.report(1, 10), Err(Interrupted));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

/// An invalid setting.
///
/// ```
/// use fuzzion::{SettingError, data::Precision};
/// let error = "f16".parse::<Precision>().unwrap_err();
/// assert!(matches!(error, SettingError::UnknownName { .. }));
/// assert_eq!(error.to_string(), "unknown precision `f16`; expected f32 or f64");
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingError {
    /// A setting outside its valid range.
    #[error("{algorithm}: `{name}` is {value}, but it must be {must}")]
    OutOfRange {
        /// The algorithm.
        algorithm: &'static str,
        /// The setting.
        name: &'static str,
        /// Its value.
        value: f64,
        /// Its valid values.
        must: &'static str,
    },

    /// A setting with the wrong number of values.
    #[error("`{name}` has {}, but it must have {expected}", count(found, "values"))]
    ValueCount {
        /// The setting.
        name: &'static str,
        /// Its number of values.
        found: usize,
        /// The required number of values.
        expected: usize,
    },

    /// An unknown option name.
    #[error("unknown {what} `{}`; expected {}", escaped(name), escaped(known))]
    UnknownName {
        /// The kind of option.
        what: &'static str,
        /// The name given.
        name: String,
        /// The supported names.
        known: String,
    },

    /// Mutually exclusive settings.
    #[error("{a} cannot be combined with {b}; leave out one of them")]
    Conflict {
        /// The first setting.
        a: &'static str,
        /// The second setting.
        b: &'static str,
    },
}

/// A syntax error in an expression, displayed with a caret under its position.
///
/// ```
/// use fuzzion::sets::{Set, SetError};
/// let Err(SetError::Syntax(error)) = Set::function("2 + * x") else { panic!("`+ *` is not valid") };
/// assert_eq!(error.column, 5);
/// assert_eq!(error.to_string().lines().last(), Some("      ^")); // the text is indented by two spaces
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}\n  {text}\n  {caret:>width$}", problem = escaped(problem), caret = '^', width = column)]
#[non_exhaustive]
pub struct SyntaxError {
    /// The problem, and what was expected.
    pub problem: String,
    /// The expression, or the part of it around the error.
    pub text: String,
    /// The position in `text`, in characters from 1.
    pub column: usize,
}

/// The error for an unknown `name` of a `what`, which must be one of `known`.
pub(crate) fn unknown_name(what: &'static str, name: &str, known: &[&str]) -> SettingError {
    let known = match known {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => known.concat(),
    };
    SettingError::UnknownName { what, name: name.to_owned(), known }
}

/// Defines the conversions of the errors of lower modules into the error enum of a module. Variants that a lower error
/// itself wraps are converted one by one, so that a given error is always found in the same variant:
/// `from_lower! { Upper, Variant(Lower: VariantOfLower, …), … }`. With `; kind { Variant: Setting, … }` at the end, it also
/// defines `Upper::kind`: that of the lower error, the kinds of the variants given, and otherwise `Input`.
macro_rules! from_lower {
    ($upper:ident, $($(#[$cfg:meta])* $variant:ident($lower:ident $(: $($inner:ident),+)?)),+;
     kind { $($own:ident: $kind:ident),* }) => {
        $crate::base::from_lower! { $upper, $($(#[$cfg])* $variant($lower $(: $($inner),+)?)),+ }

        impl $upper {
            /// Category of the error.
            pub fn kind(&self) -> $crate::base::ErrorKind {
                #[allow(unreachable_patterns)] // an enum can have no other variants
                match self {
                    $upper::Interrupted => $crate::base::ErrorKind::Interrupted,
                    $upper::Setting(_) => $crate::base::ErrorKind::Setting,
                    $($(#[$cfg])* $upper::$variant(error) => error.kind(),)+
                    $($upper::$own { .. } => $crate::base::ErrorKind::$kind,)*
                    _ => $crate::base::ErrorKind::Input,
                }
            }
        }
    };
    ($upper:ident, $($(#[$cfg:meta])* $variant:ident($lower:ident $(: $($inner:ident),+)?)),+ $(,)?) => {
        impl From<$crate::base::Interrupted> for $upper {
            fn from(_: $crate::base::Interrupted) -> Self {
                $upper::Interrupted
            }
        }
        $(
            $(#[$cfg])*
            impl From<$lower> for $upper {
                fn from(error: $lower) -> Self {
                    match error {
                        $lower::Interrupted => $upper::Interrupted,
                        $($($lower::$inner(inner) => inner.into(),)+)?
                        own => $upper::$variant(own),
                    }
                }
            }
        )+
    };
}
pub(crate) use from_lower;

/// The messages of `error` and its sources, separated by colons.
pub(crate) fn message(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let cause = error.downcast_ref().map_or_else(|| error.to_string(), io_message);
        text = format!("{text}: {cause}");
        source = error.source();
    }
    text
}

/// The message of an input or output error, without the error code of the operating system.
fn io_message(error: &io::Error) -> String {
    use io::ErrorKind::{AlreadyExists, IsADirectory, NotADirectory, NotFound, PermissionDenied};
    let text = error.to_string();
    match error.kind() {
        _ if error.raw_os_error().is_none() => match text.split_once(" (os error") {
            None => text,                           // has a message of this library
            Some((text, _)) => text.to_lowercase(), // wrapped by an encoder
        },
        NotFound => "the file does not exist; check its path".into(),
        PermissionDenied => "permission denied; choose another path, or change the permissions".into(),
        IsADirectory => "it is a folder; specify a file".into(),
        NotADirectory => "a part of the path is a file, not a folder".into(),
        AlreadyExists => "a file with this name exists; choose another path".into(),
        _ => text.split(" (os error").next().unwrap_or(&text).to_lowercase(),
    }
}

/// The suggestion of a similar name in a message.
pub(crate) fn suggestion(similar: &Option<String>) -> String {
    similar.as_ref().map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"))
}

/// `n` and its unit, such as `1 row` or `3 rows`; `units` is the plural.
pub(crate) fn count<N: fmt::Display + PartialEq + From<u8>>(n: &N, units: &str) -> String {
    let unit = if *n == N::from(1) { units.trim_end_matches('s') } else { units };
    format!("{n} {unit}")
}

/// [`count`] with the verb, such as `1 row was` or `3 rows were`.
pub(crate) fn count_were<N: fmt::Display + PartialEq + From<u8>>(n: &N, units: &str) -> String {
    format!("{} {}", count(n, units), if *n == N::from(1) { "was" } else { "were" })
}

/// [`count`] with the verb, such as `1 row is` or `3 rows are`.
pub(crate) fn count_are<N: fmt::Display + PartialEq + From<u8>>(n: &N, units: &str) -> String {
    format!("{} {}", count(n, units), if *n == N::from(1) { "is" } else { "are" })
}

/// `text` with its control characters escaped.
pub(crate) fn escaped(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            let (plain, escape) =
                if c.is_control() { (None, Some(c.escape_default())) } else { (Some(c), None) };
            plain.into_iter().chain(escape.into_iter().flatten())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_and_verbs_agree_with_their_number() {
        assert_eq!([0usize, 1, 2].map(|n| count(&n, "rows")), ["0 rows", "1 row", "2 rows"]);
        assert_eq!([1u64, 3].map(|n| count_were(&n, "values")), ["1 value was", "3 values were"]);
        assert_eq!([1usize, 3].map(|n| count_are(&n, "keys")), ["1 key is", "3 keys are"]);
    }

    #[cfg(unix)]
    #[test]
    fn errors_of_the_operating_system_have_no_code() {
        let texts = [2, 13, 21].map(|code| io_message(&io::Error::from_raw_os_error(code)));
        assert_eq!(
            texts,
            [
                "the file does not exist; check its path",
                "permission denied; choose another path, or change the permissions",
                "it is a folder; specify a file"
            ]
        );
    }
}
