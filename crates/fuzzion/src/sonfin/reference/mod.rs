//! Textbook implementation in double precision, random problems and a classic data set.

mod adam;
pub(super) mod datasets;
mod equations;
pub(crate) mod problem;
pub(crate) mod textbook;
