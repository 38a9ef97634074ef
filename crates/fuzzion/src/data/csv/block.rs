//! A block of whole lines, parsed in parallel.

use super::field::{after, field, record_end, skip_blank_lines};
use super::layout::{Cell, Layout};
use super::number::{leading_number, whole_number};
use crate::data::labels::Labels;
use crate::data::scalar::Scalar;
use crate::device::Cpu;
use crate::error::{Error, Result};
use memchr::{memchr, memchr_iter};
use std::ops::Range;
use std::path::Path;

/// Bytes parsed by one thread at a time; few under test, so that small texts have several chunks.
const CHUNK: usize = if cfg!(test) { 1024 } else { 256 * 1024 };
/// The most characters of a bad cell that a message shows.
const SHOWN: usize = 40;

/// The rows of a piece of text.
#[derive(Clone, Debug)]
pub(crate) struct Rows<T> {
    pub(crate) rows: usize,
    pub(crate) values: Vec<T>,
    pub(crate) labels: Vec<Labels>,
}

/// The rows of a chunk and its lines.
struct Part<T> {
    rows: Rows<T>,
    lines: u64,
}

impl<T: Scalar> Rows<T> {
    pub(crate) fn empty(layout: &Layout) -> Self {
        Rows { rows: 0, values: Vec::new(), labels: layout.labels.clone() }
    }

    pub(crate) fn append(&mut self, other: &Rows<T>) {
        self.rows += other.rows;
        self.values.extend_from_slice(&other.values);
        self.labels.iter_mut().zip(&other.labels).for_each(|(to, from)| to.append(from));
    }
}

/// What is wrong, and at which byte.
struct Fault {
    at: usize,
    kind: FaultKind,
}

enum FaultKind {
    NotANumber { column: usize, text: String },
    Ragged { found: usize },
    Quote,
}

/// Parses `text`, which begins with a record (line `line` of its file) and ends with one, onto the end of `rows`,
/// and says how many lines it has.
pub(crate) fn parse_block<T: Scalar>(
    rows: &mut Rows<T>,
    text: &[u8],
    quotes: bool,
    line: u64,
    layout: &Layout,
    path: &Path,
    cpu: &Cpu,
) -> Result<u64> {
    let chunks = chunks(text, quotes, layout);
    let parts = cpu.map_chunks(chunks.len(), 1, |i| {
        let range = chunks[i.start].clone();
        parse_chunk::<T>(&text[range.clone()], layout)
            .map_err(|fault| Fault { at: fault.at + range.start, ..fault })
    });
    // The first fault in the file is the one reported, whichever thread came first.
    let mut lines = 0;
    for part in parts {
        let part = part.map_err(|fault| fault.error(text, line, layout, path))?;
        rows.append(&part.rows);
        lines += part.lines;
    }
    Ok(lines)
}

/// Whole records of about [`CHUNK`] bytes, at places that depend on the text alone.
fn chunks(text: &[u8], quotes: bool, layout: &Layout) -> Vec<Range<usize>> {
    let mut chunks = Vec::with_capacity(text.len() / CHUNK + 1);
    let mut start = 0;
    while start < text.len() {
        let aim = start + CHUNK;
        let end = if aim >= text.len() {
            None
        } else if quotes {
            record_end(text, start, aim, layout.separator)
        } else {
            memchr(b'\n', &text[aim..]).map(|n| aim + n + 1)
        };
        let end = end.unwrap_or(text.len());
        chunks.push(start..end);
        start = end;
    }
    chunks
}

fn parse_chunk<T: Scalar>(text: &[u8], layout: &Layout) -> Result<Part<T>, Fault> {
    let mut rows = Rows::empty(layout);
    // A number and its separator take at least two bytes; most take more, and the rest is given back.
    rows.values.reserve_exact(text.len() / 8);
    let mut at = skip_blank_lines(text, 0, layout.separator);
    while at < text.len() {
        let next = match plain_row(&mut rows.values, text, at, layout) {
            Some(next) => next,
            None => row(&mut rows, text, at, layout)?,
        };
        rows.rows += 1;
        at = if text.get(next).is_some_and(|b| *b > b' ') {
            next
        } else {
            skip_blank_lines(text, next, layout.separator)
        };
    }
    Ok(Part { rows, lines: memchr_iter(b'\n', text).count() as u64 })
}

/// A row of nothing but plain decimal numbers, onto the end of `values`; `None` for any other row, which leaves
/// `values` as they were.
#[inline(always)]
fn plain_row<T: Scalar>(values: &mut Vec<T>, text: &[u8], mut at: usize, layout: &Layout) -> Option<usize> {
    if !layout.plain {
        return None;
    }
    let (before, columns) = (values.len(), layout.cells.len());
    for column in 1..=columns {
        while text.get(at) == Some(&b' ') {
            at += 1;
        }
        let number = leading_number::<T>(text, at).filter(|(_, end)| {
            text.get(*end).is_none_or(|b| layout.separator.is(*b) || *b == b'\n' || *b == b'\r')
        });
        let (next, last) = number.map_or((at, true), |(_, end)| after(text, end, layout.separator));
        let Some((value, _)) = number.filter(|_| last == (column == columns)) else {
            values.truncate(before);
            return None;
        };
        values.push(value);
        at = next;
    }
    Some(at)
}

/// Any row, field by field.
fn row<T: Scalar>(rows: &mut Rows<T>, text: &[u8], start: usize, layout: &Layout) -> Result<usize, Fault> {
    let before = rows.values.len();
    rows.values.resize(before + layout.names.len(), T::MISSING);
    let (mut at, mut column) = (start, 0);
    loop {
        let field = field(text, at, layout.separator);
        if field.open {
            return Err(Fault { at, kind: FaultKind::Quote });
        }
        match layout.cells.get(column) {
            Some(Cell::Number(place)) => match whole_number(&field.text) {
                Some(value) => rows.values[before + place] = value,
                // A line cut short or run together is the likelier cause than a bad number in it.
                None if fields(text, start, layout) == layout.cells.len() => {
                    let text = String::from_utf8_lossy(&field.text).chars().take(SHOWN).collect();
                    return Err(Fault { at, kind: FaultKind::NotANumber { column, text } });
                }
                None => {}
            },
            Some(Cell::Text(place)) => rows.labels[*place].push(&field.text),
            Some(Cell::Skip) | None => {}
        }
        (at, column) = (field.next, column + 1);
        if field.last {
            break;
        }
    }
    if column != layout.cells.len() {
        return Err(Fault { at: start, kind: FaultKind::Ragged { found: column } });
    }
    Ok(at)
}

/// How many fields the record at `at` has.
fn fields(text: &[u8], mut at: usize, layout: &Layout) -> usize {
    let mut count = 0;
    loop {
        let field = field(text, at, layout.separator);
        (at, count) = (field.next, count + 1);
        if field.last {
            return count;
        }
    }
}

impl Fault {
    fn error(self, text: &[u8], line: u64, layout: &Layout, path: &Path) -> Error {
        let line = line + memchr_iter(b'\n', &text[..self.at]).count() as u64;
        let path = path.to_path_buf();
        match self.kind {
            FaultKind::NotANumber { column, text } => Error::NotANumber {
                path,
                line,
                column: column + 1,
                name: layout.file_names[column].clone(),
                text,
            },
            FaultKind::Ragged { found } => Error::Ragged { path, line, found, expected: layout.cells.len() },
            FaultKind::Quote => Error::Malformed {
                path,
                format: "CSV",
                reason: format!(
                    "the quote that opens a field in line {line} is never closed; close or double it"
                ),
            },
        }
    }
}
