//! Textbook implementation in double precision, and random problems.

pub(crate) mod problem;
pub(crate) mod textbook;
