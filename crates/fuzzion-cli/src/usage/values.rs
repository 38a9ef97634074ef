//! Values that the parser of an option rejects.

use super::command_of;
use clap::Command;
use clap::error::Error;
use std::error::Error as _;
use std::ffi::OsString;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

/// Number of letters that a similar name has in common with a value.
const SIMILAR: usize = 3;

/// What is wrong with `value`, to be written after its option: a similar name, and the values that are expected.
pub(super) fn problem(error: &Error, value: &str, program: &Command, args: &[OsString]) -> String {
    let Some(cause) = error.source() else { return "; expected another value".into() };
    if let Some(cause) = cause.downcast_ref::<ParseIntError>() {
        return format!("; {}", expected_integer(cause, value, program, args));
    }
    if cause.is::<ParseFloatError>() {
        return "; expected a number".into();
    }
    let message = cause.to_string();
    match message.strip_prefix("unknown ").and_then(|rest| rest.split_once("; expected ")) {
        Some((_, known)) => expected_name(value, known),
        None => format!("; {}", integer_range(&message).unwrap_or(message)),
    }
}

fn expected_integer(cause: &ParseIntError, value: &str, program: &Command, args: &[OsString]) -> String {
    let (command, _) = command_of(program, args);
    let has_sweep = command.get_arguments().any(|arg| arg.get_long() == Some("sweep"));
    match (range_of(value, program, args), cause.kind()) {
        (Some(range), _) => range,
        (None, IntErrorKind::PosOverflow) => format!("expected an integer of at most {}", usize::MAX),
        _ if has_sweep && value.contains("..") => {
            format!("expected a nonnegative integer; use `--sweep {value}` to compare several numbers")
        }
        _ => "expected a nonnegative integer".into(),
    }
}

/// The range of the option with this value, if it has one: clap reports it for an integer outside of it.
fn range_of(value: &str, program: &Command, args: &[OsString]) -> Option<String> {
    [0, i64::MAX].iter().find_map(|integer| {
        let replaced = |arg: &OsString| {
            let text = arg.to_str().unwrap_or_default();
            match text.strip_suffix(value) {
                Some("") => integer.to_string().into(),
                Some(option) if option.ends_with('=') => format!("{option}{integer}").into(),
                _ => arg.clone(),
            }
        };
        let error = program.clone().try_get_matches_from(args.iter().map(replaced)).err()?;
        integer_range(&error.source()?.to_string())
    })
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

/// The expected names of a list such as `direct, vertex or affine`, and one that is similar to `value`.
fn expected_name(value: &str, known: &str) -> String {
    let names: Vec<&str> = known.split(", ").flat_map(|part| part.split(" or ")).collect();
    let letters = |text: &str| text.to_lowercase().replace(|c: char| !c.is_alphanumeric(), "");
    let is_name = |text: &str| !text.contains(' ');
    let value = letters(value);
    let is_similar = |name: &&&str| {
        let name = letters(name);
        value.len() >= SIMILAR && (name.starts_with(&value) || value.starts_with(&name))
    };
    let similar = names.iter().filter(|name| is_name(name)).find(is_similar);
    let similar = similar.map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"));
    let quoted = |text: &str| if is_name(text) { format!("`{text}`") } else { text.to_owned() };
    let parts = known.split(", ").map(|part| part.split(" or ").map(quoted).collect::<Vec<_>>().join(" or "));
    format!("{similar}; expected {}", parts.collect::<Vec<_>>().join(", "))
}
