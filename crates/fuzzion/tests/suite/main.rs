//! Integration tests in one binary: the structure of the source, and comparisons with other packages.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)] // tests; skipped comparisons are reported

mod clustering_against_peers;
mod imports;
mod inference_against_pyfuzzylite;
mod peers;
mod sets_against_pyfuzzylite;
mod sonfin_against_pyfuzzylite;
mod structure;
mod tuning_against_pyfuzzylite;
