//! Textbook implementation in double precision, and random test problems.

pub(crate) mod problem;
pub(crate) mod textbook;
