//! Identifiers of the exported source, derived from the names of a system.

use std::collections::HashSet;

/// Reserved words of C, C++, CUDA and Rust, and identifiers that every exported file uses.
const RESERVED: &str = include_str!("../runtime/reserved.txt");

/// Identifiers in use.
pub(in crate::inference::export) struct Identifiers {
    taken: HashSet<String>,
}

impl Identifiers {
    /// Starts with the reserved words and `taken`.
    pub(in crate::inference::export) fn new<'a>(taken: impl Iterator<Item = &'a str>) -> Self {
        Identifiers { taken: RESERVED.split_whitespace().chain(taken).map(str::to_owned).collect() }
    }

    /// A new identifier similar to `name`, with a number appended if necessary.
    pub(in crate::inference::export) fn unique(&mut self, name: &str) -> String {
        let plain = identifier(name);
        let mut name = plain.clone();
        let mut count = 1;
        while !self.taken.insert(name.clone()) {
            count += 1;
            name = format!("{plain}_{count}");
        }
        name
    }
}

/// Converts a name to lowercase letters, digits and single underscores, starting with a letter.
pub(in crate::inference::export) fn identifier(original: &str) -> String {
    let mut name = String::new();
    for c in original.chars() {
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

/// Makes text safe for a comment: it cannot end the comment, and unusual characters become `?`.
pub(in crate::inference::export) fn comment(text: &str) -> String {
    let safe = |c: char| match c {
        '\\' => '/', // a backslash at the end of a line would continue the comment
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
        .replace("??", "? ?") // `??/` is a backslash in C99
        .replace("??", "? ?") // of an odd number
}
