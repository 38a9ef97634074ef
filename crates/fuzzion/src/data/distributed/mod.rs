//! Fits whose rows are distributed over processes or machines, which exchange only states and additive statistics.

mod encoding;
mod exchange;

pub(crate) use encoding::{Encode, encoded, from_bytes, to_bytes};
pub(crate) use exchange::{Event, Exchange, Requests};
