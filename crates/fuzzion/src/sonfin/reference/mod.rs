//! Textbook implementation in double precision, random problems and a classic data set.

pub(super) mod datasets;
pub(super) mod problem;
pub(super) mod textbook;
