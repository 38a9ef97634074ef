//! Arguments that a command does not expect, and what to write instead.

use clap::{Arg, Command};
use std::borrow::Cow;
use std::ffi::OsString;

/// Number of letters in common that make a word a misspelled command.
const SIMILAR: usize = 4;
/// Extensions of tables.
const TABLES: [&str; 8] = [".csv", ".tsv", ".txt", ".dat", ".data", ".gz", ".npy", ".parquet"];

/// The message for an unknown option; `--clusters` with only one hyphen is read as several options of one letter.
pub(super) fn option(option: &str, suggestion: &str, command: &Command, args: &[OsString]) -> String {
    let name = |arg: &OsString| Some(arg.to_str()?.strip_prefix('-')?.split('=').next()?.to_owned());
    match args.iter().filter_map(name).find(|name| long(command, &format!("--{name}")).is_some()) {
        Some(name) => format!("unknown option `-{name}`; write `--{name}`"),
        None => format!("unknown option `{option}`{suggestion}"),
    }
}

/// The message for a word after the arguments of a command that has subcommands.
pub(super) fn word(word: &str, program: &Command, args: &[OsString]) -> String {
    let texts: Vec<Cow<str>> = args.iter().skip(1).map(|arg| arg.to_string_lossy()).collect();
    let mut before = texts.iter().take_while(|text| *text != word);
    let (mut command, mut path) = (program, program.get_name().to_owned());
    // The names of commands at the beginning, and the first argument after them.
    let first = loop {
        let Some(text) = before.next() else { return argument(word, command, args) };
        let Some(inner) = command.find_subcommand(text.as_ref()) else { break text };
        command = inner;
        path = format!("{path} {text}");
    };
    let is_command = |text: &&str| command.find_subcommand(text).is_some();
    if let Some(inner) = before.map(AsRef::as_ref).chain([word]).find(is_command) {
        let name = command.get_name();
        return format!("options of `{name}` cannot precede `{inner}`; begin with `{path} {inner}`");
    }
    let common = |name: &str| first.chars().zip(name.chars()).take_while(|(a, b)| a == b).count();
    let similar = command.get_subcommands().map(Command::get_name).find(|name| common(name) >= SIMILAR);
    match similar {
        Some(name) => format!(
            "unexpected argument `{word}` after the table `{first}` (did you mean the command `{path} {name}`?)"
        ),
        None => argument(word, command, args),
    }
}

/// The message for a surplus argument of `command`.
pub(super) fn argument(argument: &str, command: &Command, args: &[OsString]) -> String {
    let advice = advice(argument, command, args).map_or_else(String::new, |advice| format!("; {advice}"));
    format!("unexpected argument `{argument}`{advice}")
}

/// What to write instead of a surplus argument.
fn advice(argument: &str, command: &Command, args: &[OsString]) -> Option<String> {
    let at = args.iter().position(|arg| arg == argument)?;
    let text = |index: usize| args.get(index).map(|arg| arg.to_string_lossy());
    let (last, next) = (text(at.checked_sub(1)?)?, text(at + 1));
    if long(command, &last).is_some_and(Arg::is_require_equals_set) {
        return Some(format!("write `{last}={argument}`"));
    }
    if let Some(option) = at.checked_sub(2).and_then(text)
        && let Some(arg) = long(command, &option)
        && arg.get_action().takes_values()
    {
        if let ("=", Some(value)) = (argument, &next) {
            return Some(format!("write `{option} {last}={value}` without blanks"));
        }
        let is_list = |name: &str| name.contains(",…");
        if arg.get_value_names().is_some_and(|names| names.iter().any(|name| is_list(name))) {
            let example = format!("{option} {},{argument}", last.trim_end_matches(','));
            return Some(format!("separate values by commas without blanks, as in `{example}`"));
        }
    }
    let is_last = next.is_none_or(|next| next.starts_with('-'));
    if is_last && long(command, "--data").is_some() && TABLES.iter().any(|end| argument.ends_with(end)) {
        return Some(format!("give the table with `--data {argument}`"));
    }
    match command.get_name() {
        "calc" => Some("put the formula in quotes, such as `'2 * 3'`".into()),
        "tour" => Some(format!("give the folder with `--out {argument}`")),
        _ => None,
    }
}

/// The option of `command` with this name, such as `--data`.
fn long<'a>(command: &'a Command, option: &str) -> Option<&'a Arg> {
    let name = option.strip_prefix("--").filter(|name| !name.is_empty())?;
    command.get_arguments().find(|arg| arg.get_long() == Some(name))
}
