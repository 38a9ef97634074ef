//! Everything the program says: results on standard output, progress and complaints on standard error.

use crate::interrupt;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;

/// How the program speaks.
pub(crate) struct Console {
    json: bool,
    quiet: bool,
}

impl Console {
    pub(crate) fn new(json: bool, quiet: bool) -> Self {
        Console { json, quiet }
    }

    /// Whether results are to be JSON.
    pub(crate) fn json(&self) -> bool {
        self.json
    }

    /// Whether only the outcome is wanted.
    pub(crate) fn quiet(&self) -> bool {
        self.quiet
    }

    /// Prints a result on standard output. A reader that has gone (`fuzzion … | head`) ends the program quietly.
    pub(crate) fn say(&self, text: &str) -> fuzzion::Result<()> {
        let mut out = io::stdout().lock();
        let newline = if text.ends_with('\n') { "" } else { "\n" };
        match out
            .write_all(text.as_bytes())
            .and_then(|()| out.write_all(newline.as_bytes()))
            .and_then(|()| out.flush())
        {
            Err(cause) if cause.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
            Err(cause) => Err(fuzzion::Error::File { doing: "write", path: "standard output".into(), cause }),
            Ok(()) => Ok(()),
        }
    }

    /// Prints `value` as one JSON object.
    pub(crate) fn say_json(&self, value: &serde_json::Value) -> fuzzion::Result<()> {
        self.say(&value.to_string())
    }

    /// A bar on standard error, shown only where that is a terminal.
    pub(crate) fn bar(&self, what: &'static str) -> Bar {
        if self.quiet || !io::stderr().is_terminal() {
            return Bar(ProgressBar::hidden());
        }
        let bar = ProgressBar::new(0).with_message(what);
        let style = ProgressStyle::with_template("{msg} {wide_bar:.cyan/blue} {pos}/{len} {eta}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Bar(bar)
    }
}

/// Prints why the program fails, in one sentence.
pub(crate) fn complain(sentence: &str) {
    let _ = writeln!(io::stderr(), "fuzzion: {sentence}");
}

/// A progress bar that also carries Ctrl-C to the work.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    /// What the library's progress callback does: moves the bar, and says whether to go on.
    pub(crate) fn step(&self, done: u64, total: u64) -> ControlFlow<()> {
        self.0.set_length(total);
        self.0.set_position(done);
        interrupt::check()
    }

    /// Says what is being done now.
    pub(crate) fn rename(&self, what: String) {
        self.0.set_message(what);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A table in text: columns as wide as their widest cell, numbers to the right.
pub(crate) fn table(headers: &[&str], rows: &[Vec<String>]) -> String {
    let widths: Vec<usize> = (0..headers.len())
        .map(|c| {
            let cells = rows.iter().filter_map(|row| row.get(c)).map(|cell| cell.chars().count());
            cells.chain([headers[c].chars().count()]).max().unwrap_or(0)
        })
        .collect();
    let numeric: Vec<bool> = (0..headers.len())
        .map(|c| {
            let starts_a_number = |cell: &String| {
                cell.trim_start_matches(['-', '+']).starts_with(|ch: char| ch.is_ascii_digit())
                    || cell.is_empty()
            };
            rows.iter().filter_map(|row| row.get(c)).all(starts_a_number)
        })
        .collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let mut text = String::new();
        for (c, cell) in cells.enumerate() {
            let gap = " ".repeat(widths[c].saturating_sub(cell.chars().count()));
            let (before, after) = if numeric[c] { (gap.as_str(), "") } else { ("", gap.as_str()) };
            text.push_str(if c == 0 { "" } else { "  " });
            text.push_str(before);
            text.push_str(cell);
            text.push_str(after);
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        text
    };
    let mut text = line(&mut headers.iter().copied());
    for row in rows {
        text.push_str(&line(&mut row.iter().map(String::as_str)));
    }
    text
}

/// `value` with a prefix of thousands: 4.25 T, 12.3 G.
pub(crate) fn with_prefix(value: f64) -> String {
    const PREFIXES: [(f64, &str); 5] = [(1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    // A hair under the step, so that 999,999 reads 1.00 M and not 1000 k.
    let (scale, prefix) =
        PREFIXES.into_iter().find(|(scale, _)| value >= scale * 0.99995).unwrap_or((1.0, ""));
    let scaled = value / scale;
    let decimals = if scaled < 9.995 { 2 } else { usize::from(scaled < 99.95) };
    format!("{scaled:.decimals$} {prefix}")
}

/// A time in the unit that suits it.
pub(crate) fn seconds(value: f64) -> String {
    match value {
        v if v < 1e-3 => format!("{:.2} µs", v * 1e6),
        v if v < 1.0 => format!("{:.2} ms", v * 1e3),
        v => format!("{v:.2} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_the_prefix_that_suits_them() {
        assert_eq!(with_prefix(4.25e12), "4.25 T");
        assert_eq!(with_prefix(999_999.0), "1.00 M");
        assert_eq!(with_prefix(12.34), "12.3 ");
        assert_eq!(with_prefix(0.0), "0.00 ");
        assert_eq!(seconds(0.00213), "2.13 ms");
    }

    #[test]
    fn a_table_lines_up_words_to_the_left_and_numbers_to_the_right() {
        let rows = vec![vec!["a".to_owned(), "10".to_owned()], vec!["bcd".to_owned(), "-5".to_owned()]];
        assert_eq!(table(&["name", "n"], &rows), "name   n\na     10\nbcd   -5\n");
    }
}
