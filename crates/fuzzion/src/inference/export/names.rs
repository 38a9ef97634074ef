//! Names of a system as identifiers of the languages.

use std::collections::HashSet;

/// Words that C, C++, CUDA or Rust keep for themselves, and those that the written text uses everywhere.
const KEPT: &str = include_str!("runtime/kept.txt");

/// The names given so far.
pub(super) struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// No name but the languages' own words and `taken`.
    pub(super) fn new<'a>(taken: impl Iterator<Item = &'a str>) -> Self {
        Names { taken: KEPT.split_whitespace().chain(taken).map(str::to_owned).collect() }
    }

    /// An identifier like `wanted` that was not given before.
    pub(super) fn give(&mut self, wanted: &str) -> String {
        let plain = identifier(wanted);
        let mut name = plain.clone();
        let mut count = 1;
        while !self.taken.insert(name.clone()) {
            count += 1;
            name = format!("{plain}_{count}");
        }
        name
    }
}

/// Letters, digits and single underscores, in lower case and with a letter in front.
pub(super) fn identifier(wanted: &str) -> String {
    let mut name = String::new();
    for c in wanted.chars() {
        match c.to_ascii_lowercase() {
            c if c.is_ascii_alphanumeric() => name.push(c),
            _ if name.is_empty() || name.ends_with('_') => {}
            _ => name.push('_'),
        }
    }
    let name = name.trim_end_matches('_');
    match name.chars().next() {
        None => "unnamed".into(),
        Some(c) if c.is_ascii_digit() => format!("n{name}"),
        Some(_) => name.into(),
    }
}

/// A text that cannot end the comment it stands in, nor deceive its reader.
pub(super) fn comment(text: &str) -> String {
    let safe = |c: char| match c {
        '\\' => '/', // at a line's end it would continue the comment
        c if c.is_alphanumeric() || c.is_ascii_graphic() || c == ' ' => c,
        c if c.is_whitespace() || c.is_control() => ' ',
        _ => '?',
    };
    text.chars()
        .map(safe)
        .collect::<String>()
        .trim_end()
        .replace("*/", "* /")
        .replace("/*", "/ *")
        .replace("??", "? ?")
}
