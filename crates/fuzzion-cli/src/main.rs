//! The binary `fuzzion`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(fuzzion_cli::run(std::env::args_os()))
}
