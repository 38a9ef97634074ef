//! Runs a command with given arguments, without a command line.

use crate::usage::sentence;
use clap::{CommandFactory as _, Parser};
use fuzzion::data::DataError;
use fuzzion::{Error, Result};
use std::ffi::OsString;

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
        let words: Vec<OsString> = args.iter().map(OsString::from).collect();
        Error::Data(DataError::Malformed {
            path: command.into(),
            format: "a command",
            reason: sentence(&error, &StandaloneArgs::<A>::command(), &words),
        })
    })?;
    Ok(parsed.args)
}
