//! Formatting and parsing of fuzzy numbers.

mod bounds;
mod convert;
pub(in crate::arithmetic) mod decimal;
pub(in crate::arithmetic) mod literal;
mod serialized;

pub use bounds::format_cuts;
pub(in crate::arithmetic) use convert::parse_literal;
