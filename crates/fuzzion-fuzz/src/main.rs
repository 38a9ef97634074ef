//! Fuzz tests: `files` reads damaged files of every format, `commands` interrupts commands that write files.
//!
//! ```sh
//! cargo run --profile test -p fuzzion-fuzz -- files --seconds 60
//! cargo build --release && cargo run --profile test -p fuzzion-fuzz -- commands target/release/fuzzion --runs 500
//! ```
//!
//! The profile `test` has debug assertions and overflow checks. Each finding is kept as a file in the folder `findings` of this crate;
//! add it to `corpus`, whose files every run also reads without changes.
#![allow(clippy::print_stdout)] // prints its results

mod commands;
mod corpus;
mod files;
mod mutate;
mod targets;
mod worker;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Read damaged files of every format
    Files(files::FilesArgs),
    /// Kill and interrupt commands, and let their writes fail
    Commands(commands::CommandsArgs),
    /// Read damaged files until the end of the input; started by `files`
    #[command(hide = true)]
    Worker(worker::WorkerArgs),
}

/// The folder of this crate.
fn crate_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn main() -> ExitCode {
    let result = match Args::parse().command {
        Command::Files(args) => files::run(&args),
        Command::Commands(args) => commands::run(&args),
        Command::Worker(args) => worker::run(&args),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            println!("fuzzion-fuzz: {error}");
            ExitCode::FAILURE
        }
    }
}
