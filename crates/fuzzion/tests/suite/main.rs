//! Integration tests in one binary: the structure of the source, and comparisons with other packages.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)] // tests; skipped comparisons are reported

mod clustering_against_python_packages;
mod imports;
mod inference_against_pyfuzzylite;
mod python_packages;
mod sets_against_pyfuzzylite;
mod sonfin_against_pyfuzzylite;
mod structure;
mod tuning_against_pyfuzzylite;
