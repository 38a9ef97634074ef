//! Parsing of the command line, and error messages that name options as the user typed them.

use crate::console::print_error;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Parser};
use fuzzion::data::DataError;
use fuzzion::inference::InferenceError;
use fuzzion::{Error, SettingError};
use std::error::Error as _;
use std::ffi::OsString;
use std::num::{ParseFloatError, ParseIntError};

/// Parses the command line and returns it with the selected command; exits with code 2 if it is invalid.
pub(crate) fn parse<A: Parser>(args: Vec<OsString>) -> (A, Command) {
    let mut all = accept_negative_numbers(A::command());
    let exit = |error: clap::Error| match number_error(&error) {
        Some(message) => {
            print_error(&message);
            std::process::exit(2)
        }
        None => error.exit(),
    };
    let matches = all.try_get_matches_from_mut(args).unwrap_or_else(exit);
    let args = A::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let (mut command, mut inner) = (&all, &matches);
    while let Some((name, matches)) = inner.subcommand() {
        command = command.find_subcommand(name).expect("invariant: a parsed command exists");
        inner = matches;
    }
    (args, command.clone())
}

/// Accepts `-1` as the value of every option, so that it is reported as out of range and not as an unknown option.
fn accept_negative_numbers(command: Command) -> Command {
    let accept = |arg: Arg| {
        let takes_value = arg.get_long().is_some() && arg.get_action().takes_values();
        if takes_value { arg.allow_negative_numbers(true) } else { arg }
    };
    command.mut_args(accept).mut_subcommands(accept_negative_numbers)
}

/// The message for a value that is not a number or outside its range, which clap describes in terms of Rust.
fn number_error(error: &clap::Error) -> Option<String> {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text),
        _ => None,
    };
    if error.kind() != ErrorKind::ValueValidation {
        return None;
    }
    let (option, value) = (context(ContextKind::InvalidArg)?, context(ContextKind::InvalidValue)?);
    let option = option.split(' ').next()?;
    let cause = error.source()?;
    let expected = if cause.is::<ParseIntError>() {
        "a nonnegative integer".into()
    } else if cause.is::<ParseFloatError>() {
        "a number".into()
    } else {
        integer_range(&cause.to_string())?
    };
    Some(format!("invalid value `{value}` for `{option}`; expected {expected}"))
}

/// The range in a message such as `0 is not in 1..=10`.
fn integer_range(message: &str) -> Option<String> {
    let (low, high) = message.split_once(" is not in ")?.1.split_once("..")?;
    let high = high.trim_start_matches('=');
    let is_unlimited = high.parse::<u64>().ok()? >= u32::MAX.into(); // the maximum of the type
    Some(if is_unlimited {
        format!("an integer of at least {low}")
    } else {
        format!("an integer from {low} to {high}")
    })
}

/// The message of `error`; an invalid setting is named like the option of `command` that sets it.
pub(crate) fn message(error: &Error, command: &Command) -> String {
    // The identifier of an option is the name of the setting: `n_init` for `--n-init`.
    let option = |setting: &str| command.get_arguments().find(|arg| arg.get_id() == setting)?.get_long();
    let named = match error {
        Error::Data(DataError::NotANumber { name, .. }) => {
            let advice = match option("columns").or_else(|| option("inputs")) {
                Some(select) => format!("select other columns with `--{select}`"),
                None if option("labels").is_some() => format!("use `--labels {name}`"),
                None => "fix the file".into(),
            };
            Some(error.message().replace(&format!("read `{name}` as labels"), &advice))
        }
        Error::Setting(SettingError::OutOfRange { name, value, must, .. }) => {
            option(name).map(|option| format!("`--{option}` is {value}, but it must be {must}"))
        }
        Error::Setting(SettingError::ValueCount { name, found, expected }) => {
            option(name).map(|option| format!("`--{option}` has {found} values, but it must have {expected}"))
        }
        Error::Inference(InferenceError::FunctionBlock { location, block: None, available }) => {
            option("block").map(|option| {
                format!(
                    "{location} contains several function blocks; select one with `--{option}`: {available}"
                )
            })
        }
        _ => None,
    };
    named.unwrap_or_else(|| error.message())
}
