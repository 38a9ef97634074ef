//! Formatting and parsing of fuzzy numbers.

mod convert;
pub(in crate::arithmetic) mod decimal;
pub(in crate::arithmetic) mod literal;
mod serialized;

pub(in crate::arithmetic) use convert::parse_literal;
