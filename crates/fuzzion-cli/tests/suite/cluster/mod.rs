//! `fuzzion cluster`

mod errors;
mod images;
mod tables;
