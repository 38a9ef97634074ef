//! Paths, counts and cells as text.

use std::borrow::Cow;
use std::path::Path;

/// Maximum number of characters in a cell.
const MAX_CELL_WIDTH: usize = 24;

/// A path for messages and headings: `-` is "standard input", and control characters are escaped.
pub(crate) fn display_path(path: &Path) -> String {
    if path == Path::new("-") {
        return "standard input".into();
    }
    escape_controls(&path.to_string_lossy(), &[]).into()
}

/// `text` in which control characters are escaped, except those in `kept`: names and labels from files can contain them.
pub(crate) fn escape_controls<'a>(text: &'a str, kept: &[char]) -> Cow<'a, str> {
    let is_escaped = |c: char| c.is_control() && !kept.contains(&c);
    if !text.contains(is_escaped) {
        return text.into();
    }
    let escape = |c: char| if is_escaped(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escape).collect()
}

/// A count with its noun: `1 row`, `2 rows`.
pub(crate) fn count_of(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// Names in backquotes, separated by commas.
pub(crate) fn quoted_list(names: &[impl AsRef<str>]) -> String {
    names.iter().map(|name| format!("`{}`", name.as_ref())).collect::<Vec<_>>().join(", ")
}

/// Text on one line, shortened to [`MAX_CELL_WIDTH`] characters.
pub(crate) fn ellipsize(text: &str) -> String {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if clean.chars().count() <= MAX_CELL_WIDTH {
        return clean;
    }
    clean.chars().take(MAX_CELL_WIDTH - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_shortened_to_one_line() {
        assert_eq!(ellipsize("a\nb"), "a b");
        assert_eq!(ellipsize(&"x".repeat(30)).chars().count(), MAX_CELL_WIDTH);
    }
}
