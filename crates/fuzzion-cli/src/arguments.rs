//! Parsing of the command line, and error messages that name options as the user typed them.

use crate::console::print_error;
use crate::usage;
use clap::error::ErrorKind;
use clap::{Arg, Command, Parser};
use fuzzion::data::DataError;
use fuzzion::inference::InferenceError;
use fuzzion::{Error, SettingError};
use std::ffi::OsString;

/// Parses the command line and returns it with the selected command; exits with code 2 if it is invalid.
pub(crate) fn parse<A: Parser>(args: Vec<OsString>) -> (A, Command) {
    let mut all = accept_negative_numbers(A::command());
    let matches = match all.try_get_matches_from_mut(&args) {
        Ok(matches) => matches,
        Err(error) => exit(&error, &all, &args),
    };
    let args = match A::from_arg_matches(&matches) {
        Ok(parsed) => parsed,
        Err(error) => exit(&error, &all, &args),
    };
    let (mut command, mut inner) = (&all, &matches);
    while let Some((name, matches)) = inner.subcommand() {
        command = command.find_subcommand(name).expect("invariant: a parsed command exists");
        inner = matches;
    }
    (args, command.clone())
}

/// Prints the help, the version or what is wrong with the arguments, and exits.
fn exit(error: &clap::Error, program: &Command, args: &[OsString]) -> ! {
    // Help and the version are printed to standard output.
    if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        error.exit()
    }
    print_error(&format!("{}; {}", usage::sentence(error, program, args), usage::hint(program, args)));
    std::process::exit(2)
}

/// Accepts `-1` as the value of every option, so that it is reported as out of range and not as an unknown option.
fn accept_negative_numbers(command: Command) -> Command {
    let accept = |arg: Arg| {
        let takes_value = arg.get_long().is_some() && arg.get_action().takes_values();
        if takes_value { arg.allow_negative_numbers(true) } else { arg }
    };
    command.mut_args(accept).mut_subcommands(accept_negative_numbers)
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
        Error::Data(DataError::UnknownColumn { name, .. }) if name.is_empty() => {
            Some("the name of a column is empty; remove the surplus comma from the list of columns".into())
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
