//! Runs a command with given arguments, without a command line.

use crate::usage::sentence;
use clap::Parser;
use fuzzion::data::DataError;
use fuzzion::{Error, Result};

/// The arguments of a single command.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct StandaloneArgs<A: clap::Args> {
    #[command(flatten)]
    args: A,
}

/// Parses the arguments of `command`, such as `fuzzion cluster`.
pub(crate) fn parse_args<A: clap::Args>(command: &str, args: &[&str]) -> Result<A> {
    let parsed = StandaloneArgs::<A>::try_parse_from(args).map_err(|error| {
        Error::Data(DataError::Malformed {
            path: command.into(),
            format: "a command",
            reason: sentence(&error),
        })
    })?;
    Ok(parsed.args)
}
