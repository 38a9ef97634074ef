//! Parsing of the command line, and error messages that name options as the user typed them.

use crate::console::print_error;
use crate::format::{display_path, ellipsize};
use crate::usage;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, Parser};
use fuzzion::data::DataError;
use fuzzion::inference::InferenceError;
use fuzzion::{Error, SettingError};
use std::ffi::OsString;
use std::io::{self, Write as _};

/// Settings that two options can set, and the second option.
const ALTERNATIVES: [(&str, &str); 2] = [("points", "rows"), ("max_rules", "rules")];

/// The selected command and its options as the user typed them.
pub(crate) struct TypedCommand {
    command: Command,
    matches: ArgMatches,
}

/// Parses the command line and returns it with the selected command; exits with code 2 if it is invalid.
pub(crate) fn parse<A: Parser>(args: Vec<OsString>) -> (A, TypedCommand) {
    let mut all = accept_negative_numbers(A::command());
    // `fuzzion cluster --version` is the version of this program.
    let name = all.get_name().to_owned();
    all = with_display_name(all, &name);
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
    (args, TypedCommand { command: command.clone(), matches: inner.clone() })
}

/// Sets the name in the version of a command and its subcommands.
fn with_display_name(command: Command, name: &str) -> Command {
    command.display_name(name.to_owned()).mut_subcommands(|inner| with_display_name(inner, name))
}

/// Prints the help, the version or what is wrong with the arguments, and exits.
fn exit(error: &clap::Error, program: &Command, args: &[OsString]) -> ! {
    // Help and the version are printed to standard output.
    if !error.use_stderr() {
        let code = match error.print().and_then(|()| io::stdout().flush()) {
            Err(cause) if cause.kind() != io::ErrorKind::BrokenPipe => {
                let error = Error::Data(DataError::File { doing: "write", path: "-".into(), cause });
                print_error(&error.message());
                1
            }
            _ => 0,
        };
        std::process::exit(code)
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
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

impl TypedCommand {
    /// The option with this identifier.
    fn option(&self, id: &str) -> Option<&str> {
        self.command.get_arguments().find(|arg| arg.get_id() == id)?.get_long()
    }

    /// The text of the value of the option with this identifier, empty for a flag; `None` if it was not typed.
    fn typed(&self, id: &str) -> Option<String> {
        self.option(id)?;
        if self.matches.value_source(id) != Some(ValueSource::CommandLine) {
            return None;
        }
        let takes_value =
            self.command.get_arguments().any(|arg| arg.get_id() == id && arg.get_action().takes_values());
        let value = self.matches.get_raw(id).and_then(|mut values| values.next());
        Some(
            value
                .filter(|_| takes_value)
                .map(|value| value.to_string_lossy().into_owned())
                .unwrap_or_default(),
        )
    }

    /// The option that sets `setting` to `value`, and the value as it was typed.
    fn typed_setting(&self, setting: &str, value: f64) -> Option<(&str, String)> {
        let typed = |id: &str| self.typed(id).filter(|text| text.parse() == Ok(value));
        let alternative = || ALTERNATIVES.iter().find(|(of, id)| *of == setting && self.option(id).is_some());
        let id = match (self.typed(setting), alternative()) {
            (None, Some((_, id))) if typed(id).is_some() => id,
            _ => setting,
        };
        Some((self.option(id)?, typed(id).unwrap_or_else(|| value.to_string())))
    }

    /// An option for the format of a table, as it was typed.
    fn format_option(&self, ids: &[&str]) -> Option<String> {
        let (id, value) = ids.iter().find_map(|id| Some((id, self.typed(id)?)))?;
        let option = self.option(id)?;
        Some(if value.is_empty() { format!("`--{option}`") } else { format!("`--{option} {value}`") })
    }
}

/// The message of `error`; an invalid setting is named like the option that the user typed.
pub(crate) fn message(error: &Error, typed: &TypedCommand) -> String {
    // The identifier of an option is the name of the setting: `n_init` for `--n-init`.
    let option = |setting: &str| typed.option(setting);
    let named = match error {
        Error::Data(DataError::NoData { path, what }) if what.contains("columns") => {
            typed.format_option(&["separator", "decimal_comma", "no_header"]).map(|format| {
                format!(
                    "{} contains no {what}; remove {format}, so that the format is detected",
                    display_path(path)
                )
            })
        }
        Error::Data(DataError::NotANumber { line: 1, .. }) if typed.typed("no_header").is_some() => {
            let message = error.message();
            let (problem, _) = message.split_once(';').unwrap_or((&message, ""));
            Some(format!(
                "{problem}; remove `--no-header` if the first line contains the names of the columns"
            ))
        }
        Error::Data(DataError::TrainingColumn { what: "target", problem, name })
            if problem.starts_with("contains text") && option("classify").is_some() =>
        {
            let name = ellipsize(name);
            Some(format!("the target `{name}` contains text; add `--classify` to use it as the class"))
        }
        Error::Data(DataError::NotANumber { name, .. }) => {
            let advice = match option("columns").or_else(|| option("inputs")) {
                Some(select) => format!("select other columns with `--{select}`"),
                None if option("labels").is_some() => format!("use `--labels {name}`"),
                None => "fix the file".into(),
            };
            let format = typed.format_option(&["decimal_comma", "separator"]);
            let format = format.map_or_else(String::new, |format| format!(", or remove {format}"));
            Some(error.message().replace(&format!("read `{name}` as labels"), &advice) + &format)
        }
        Error::Data(DataError::UnknownColumn { name, .. }) if name.is_empty() => {
            Some("the name of a column is empty; remove the surplus comma from the list of columns".into())
        }
        Error::Data(DataError::UnknownColumn { .. }) => typed
            .format_option(&["separator", "no_header", "header"])
            .map(|format| format!("{}; check {format}", error.message())),
        Error::Setting(SettingError::OutOfRange { name, value, must, .. }) => typed
            .typed_setting(name, *value)
            .map(|(option, value)| format!("`--{option}` is {value}, but it must be {must}")),
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
