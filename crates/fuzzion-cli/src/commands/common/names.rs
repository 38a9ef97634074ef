//! Options that select a value by its name.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::str::FromStr;

/// Parser of the given names of a `T`; clap lists the names and suggests a similar one if a name is unknown.
pub(crate) fn names<T>(names: impl IntoIterator<Item = &'static str>) -> impl TypedValueParser<Value = T>
where
    T: FromStr + Clone + Send + Sync + 'static,
{
    let parse = |name: String| name.parse::<T>().ok().expect("invariant: every listed name can be parsed");
    PossibleValuesParser::new(names).map(parse)
}
