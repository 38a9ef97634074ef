//! Numbers, texts and tables as all commands show them.

use fuzzion::data::Summary;
use serde_json::{Value, json};
use std::path::Path;

/// The most characters of a text in a column.
pub(crate) const WIDTH: usize = 24;

/// A path as the heading shows it: `-` in words, control characters as escapes.
pub(crate) fn shown(path: &Path) -> String {
    if path == Path::new("-") {
        return "standard input".into();
    }
    let escape = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    path.to_string_lossy().chars().map(escape).collect()
}

pub(crate) fn counted(n: u64, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// A number in six digits at most; large and small ones with an exponent.
pub(crate) fn short(x: f64) -> String {
    digits(x, 6)
}

/// A number in `count` digits at most.
pub(crate) fn digits(x: f64, count: usize) -> String {
    let rounded = format!("{x:.*e}", count - 1).parse().unwrap_or(x);
    let plain = x == 0.0 || !x.is_finite() || (1e-4..1e9).contains(&x.abs());
    if x.is_finite() && x.fract() == 0.0 && x.abs() < 1e9 {
        format!("{x}")
    } else if plain {
        format!("{rounded}")
    } else {
        format!("{rounded:e}")
    }
}

/// Least, mean and greatest in six digits, or in as many more as keep the mean between the others.
pub(crate) fn range(s: &Summary) -> [String; 3] {
    let texts = |count| [s.min, s.mean, s.max].map(|x| digits(x, count));
    let ordered = |texts: &[String; 3]| {
        let [min, mean, max] = [0, 1, 2].map(|i: usize| texts[i].parse::<f64>().unwrap_or(f64::NAN));
        !(mean < min || mean > max)
    };
    // 17 digits tell all numbers apart; one digit more than needed shows on which side the mean lies.
    match (6..17).find(|count| ordered(&texts(*count))) {
        Some(6) => texts(6),
        count => texts(count.map_or(17, |count| count + 1)),
    }
}

/// A number as JSON; infinite ones, which JSON has not, as text, and missing ones as null.
pub(crate) fn number(x: f64) -> Value {
    if x.is_nan() {
        Value::Null
    } else if x.is_infinite() {
        json!(x.to_string())
    } else {
        json!(x)
    }
}

/// A text on one line and not too long.
pub(crate) fn clipped(text: &str) -> String {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if clean.chars().count() <= WIDTH {
        return clean;
    }
    clean.chars().take(WIDTH - 1).chain(['…']).collect()
}

/// Lines of cells, right-aligned but for the columns `left`.
pub(crate) fn aligned(lines: &[Vec<String>], left: &[usize]) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        lines.iter().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for line in lines {
        let cells = line.iter().enumerate().map(|(i, cell)| {
            let pad = " ".repeat(widths[i] - cell.chars().count());
            if left.contains(&i) { format!("{cell}{pad}") } else { format!("{pad}{cell}") }
        });
        out.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        out.push('\n');
    }
    out
}
