//! Errors of the command line in one sentence, with a reference to the help.

use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use std::error::Error as _;
use std::ffi::OsString;
use std::num::{ParseFloatError, ParseIntError};

/// The message for a command line that is not a request for help or the version, without the reference to the help.
pub(crate) fn sentence(error: &Error) -> String {
    let argument = text(error, ContextKind::InvalidArg).unwrap_or_default();
    let option = name_of(&argument);
    let value = text(error, ContextKind::InvalidValue).unwrap_or_default();
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let kind = if argument.starts_with('-') { "unknown option" } else { "unexpected argument" };
            format!("{kind} `{argument}`{}", suggestion(error, ContextKind::SuggestedArg))
        }
        ErrorKind::InvalidSubcommand => {
            let name = text(error, ContextKind::InvalidSubcommand).unwrap_or_default();
            // Names of one or two letters are similar to many commands.
            let similar = match name.len() {
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
            let expected = if known.is_empty() { "a value".into() } else { quoted(&known, ", ") };
            match value.is_empty() {
                true => format!("`{option}` has no value; expected {expected}"),
                false => {
                    let similar = suggestion(error, ContextKind::SuggestedValue);
                    format!("invalid value `{value}` for `{option}`{similar}; expected {expected}")
                }
            }
        }
        ErrorKind::ValueValidation => {
            format!("invalid value `{value}` for `{option}`; {}", invalid_value(error))
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
    let (mut command, mut path) = (program, vec![program.get_name()]);
    for name in args.iter().skip(1).filter_map(|arg| arg.to_str()) {
        if let Some(inner) = command.find_subcommand(name) {
            command = inner;
            path.push(inner.get_name());
        }
    }
    format!("see `{} --help`", path.join(" "))
}

/// The expected value, or the problem that a parser of the value reports.
fn invalid_value(error: &Error) -> String {
    let Some(cause) = error.source() else { return "expected another value".into() };
    if cause.is::<ParseIntError>() {
        "expected a nonnegative integer".into()
    } else if cause.is::<ParseFloatError>() {
        "expected a number".into()
    } else {
        integer_range(&cause.to_string()).unwrap_or_else(|| cause.to_string())
    }
}

/// The range in a message such as `0 is not in 1..=10`, which clap writes in terms of Rust.
fn integer_range(message: &str) -> Option<String> {
    let (low, high) = message.split_once(" is not in ")?.1.split_once("..")?;
    let high = high.trim_start_matches('=');
    let is_unlimited = high.parse::<u64>().ok()? >= u32::MAX.into(); // the maximum of the type
    Some(if is_unlimited {
        format!("expected an integer of at least {low}")
    } else {
        format!("expected an integer from {low} to {high}")
    })
}

/// An argument in clap's notation, `--clusters <C>` or `<--clusters <C>|--apply <MODEL>>`, as options to choose from.
fn alternatives(argument: &str) -> String {
    let group = argument.strip_prefix("<-").and_then(|rest| rest.strip_suffix('>'));
    let all = group.map_or_else(|| argument.to_owned(), |rest| format!("-{rest}"));
    let names: Vec<&str> = all.split('|').map(name_of).collect();
    quoted(&names, " or ")
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
