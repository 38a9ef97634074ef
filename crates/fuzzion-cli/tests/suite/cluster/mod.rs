//! `fuzzion cluster`

mod errors;
mod images;
mod scales;
mod tables;
