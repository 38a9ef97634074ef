//! Errors of the command line in one sentence, with a reference to the help.

mod unexpected;
mod values;

use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use std::ffi::OsString;

/// The message for a command line that is not a request for help or the version, without the reference to the help.
pub(crate) fn sentence(error: &Error, program: &Command, args: &[OsString]) -> String {
    let argument = text(error, ContextKind::InvalidArg).unwrap_or_default();
    let option = name_of(&argument);
    let value = text(error, ContextKind::InvalidValue).unwrap_or_default();
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let (command, _) = command_of(program, args);
            match argument.starts_with('-') {
                true => unexpected::option(
                    &argument,
                    &suggestion(error, ContextKind::SuggestedArg),
                    command,
                    args,
                ),
                false => unexpected::argument(&argument, command, args),
            }
        }
        ErrorKind::InvalidSubcommand => {
            let name = text(error, ContextKind::InvalidSubcommand).unwrap_or_default();
            // `predict` is a command of commands.
            let nested = program.get_subcommands().filter(|command| command.find_subcommand(&name).is_some());
            let nested: Vec<String> =
                nested.map(|command| format!("{} {name}", command.get_name())).collect();
            // Names of one or two letters are similar to many commands.
            let similar = match name.len() {
                _ if !nested.is_empty() => format!(" (did you mean {}?)", quoted(&nested, " or ")),
                ..3 => String::new(),
                _ => suggestion(error, ContextKind::SuggestedSubcommand),
            };
            format!("unknown command `{name}`{similar}")
        }
        ErrorKind::MissingSubcommand => {
            let known = quoted(&list(error, ContextKind::ValidSubcommand), ", ");
            format!("the command is incomplete; available: {known}")
        }
        ErrorKind::MissingRequiredArgument => {
            let missing: Vec<String> =
                list(error, ContextKind::InvalidArg).iter().map(|argument| alternatives(argument)).collect();
            format!("missing {}", missing.join(" and "))
        }
        // A word after the arguments of a command that has subcommands.
        ErrorKind::ArgumentConflict if argument.is_empty() => {
            let word = text(error, ContextKind::InvalidSubcommand).unwrap_or_default();
            unexpected::word(&word, program, args)
        }
        ErrorKind::ArgumentConflict => {
            let others = list(error, ContextKind::PriorArg);
            match others.first() {
                Some(other) if *other == argument => {
                    format!("`{option}` is given several times; give it once")
                }
                None => format!("`{option}` cannot be used with the other options"),
                Some(_) => {
                    let others: Vec<&str> = others.iter().map(|other| name_of(other)).collect();
                    format!("`{option}` cannot be used with {}", quoted(&others, ", "))
                }
            }
        }
        ErrorKind::InvalidValue => {
            let known = list(error, ContextKind::ValidValue);
            let expected = quoted(&known, ", ");
            match value.is_empty() {
                true if !known.is_empty() => format!("`{option}` has no value; expected {expected}"),
                true if option.starts_with('-') => {
                    format!("`{option}` has no value; write `{}`", argument.replace(['<', '>'], ""))
                }
                true => format!("`{option}` is empty; remove it, or write a name"),
                false => {
                    let similar = suggestion(error, ContextKind::SuggestedValue);
                    format!("invalid value `{value}` for `{option}`{similar}; expected {expected}")
                }
            }
        }
        ErrorKind::ValueValidation => {
            format!("invalid value `{value}` for `{option}`{}", values::problem(error, &value, program, args))
        }
        ErrorKind::TooManyValues => format!("`{option}` has too many values; remove `{value}`"),
        ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => {
            let expected = text(error, ContextKind::ExpectedNumValues);
            let expected = expected.or_else(|| text(error, ContextKind::MinValues)).unwrap_or_default();
            let found = text(error, ContextKind::ActualNumValues).unwrap_or_default();
            format!("`{option}` has {found} values; expected {expected}")
        }
        ErrorKind::InvalidUtf8 => "an argument is not valid UTF-8; use another name".into(),
        _ => first_line(error),
    }
}

/// The reference to the help of the command that was to be run.
pub(crate) fn hint(program: &Command, args: &[OsString]) -> String {
    format!("see `{} --help`", command_of(program, args).1)
}

/// The command that was to be run, and its name, such as `fuzzion sonfin fit`.
fn command_of<'a>(program: &'a Command, args: &[OsString]) -> (&'a Command, String) {
    let (mut command, mut path) = (program, vec![program.get_name()]);
    for name in args.iter().skip(1).filter_map(|arg| arg.to_str()) {
        if let Some(inner) = command.find_subcommand(name) {
            command = inner;
            path.push(inner.get_name());
        }
    }
    (command, path.join(" "))
}

/// An argument in clap's notation, `--clusters <C>` or `<--clusters <C>|--apply <MODEL>>`, as options to choose from.
fn alternatives(argument: &str) -> String {
    match argument.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) {
        Some(group) if group.starts_with('-') => {
            quoted(&group.split('|').map(name_of).collect::<Vec<_>>(), " or ")
        }
        _ => format!("`{}`", name_of(argument)),
    }
}

/// The name of an argument in clap's notation: `--clusters` of `--clusters <C>`, `DATA` of `<DATA>`.
fn name_of(argument: &str) -> &str {
    match argument.strip_prefix(['<', '[']) {
        Some(name) => name.trim_end_matches(['.', '>', ']']),
        None => argument.split([' ', '[', '=']).next().unwrap_or(argument),
    }
}

fn suggestion(error: &Error, kind: ContextKind) -> String {
    match &list(error, kind)[..] {
        [] => String::new(),
        similar => format!(" (did you mean {}?)", quoted(similar, " or ")),
    }
}

fn quoted(names: &[impl AsRef<str>], separator: &str) -> String {
    names.iter().map(|name| format!("`{}`", name.as_ref())).collect::<Vec<_>>().join(separator)
}

fn text(error: &Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn list(error: &Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::Strings(texts)) => texts.clone(),
        Some(ContextValue::String(text)) => vec![text.clone()],
        _ => Vec::new(),
    }
}

fn first_line(error: &Error) -> String {
    let text = error.render().to_string();
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}
