//! A block of whole lines, parsed in parallel.

use super::field::{field, record_end, skip_blank_lines, skip_spaces};
use super::layout::{Cell, Layout};
use super::number::{Mark, is_missing, leading_number, whole_number};
use crate::data::labels::Labels;
use crate::data::scalar::Scalar;
use crate::device::Cpu;
use crate::error::{Error, Result};
use memchr::{memchr, memchr_iter};
use rayon::prelude::*;
use std::ops::Range;
use std::path::Path;

/// Bytes parsed by one thread at a time; few under test, so that small texts have several chunks.
const CHUNK: usize = if cfg!(test) { 1024 } else { 64 * 1024 };
/// The most characters of a bad cell that a message shows.
const SHOWN: usize = 40;

/// The rows of a piece of text.
#[derive(Clone, Debug)]
pub(crate) struct Rows<T> {
    pub(crate) rows: usize,
    pub(crate) values: Vec<T>,
    pub(crate) labels: Vec<Labels>,
}

/// What a chunk holds beside its numbers, which lie in their place already.
struct Part {
    rows: usize,
    labels: Vec<Labels>,
}

impl<T: Scalar> Rows<T> {
    pub(crate) fn empty(layout: &Layout) -> Self {
        Rows { rows: 0, values: Vec::new(), labels: layout.labels.clone() }
    }
}

/// What is wrong, and at which byte.
struct Fault {
    at: usize,
    kind: FaultKind,
}

enum FaultKind {
    NotUtf8 { column: usize },
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
    // A record takes at least one line, and a byte for each of its fields: this says how much room the numbers of a
    // chunk need at most.
    let lines = cpu.map_chunks(chunks.len(), 1, |i| lines(&text[chunks[i.start].clone()]));
    let (width, before) = (layout.names.len(), rows.values.len());
    let bound = |(lines, chunk): (&usize, &Range<usize>)| {
        width * (*lines).min(chunk.len() / layout.cells.len().max(1) + 1)
    };
    let bounds: Vec<usize> = lines.iter().zip(&chunks).map(bound).collect();
    rows.values.resize(before + bounds.iter().sum::<usize>(), T::MISSING);
    let mut rest = &mut rows.values[before..];
    let mut rooms = Vec::with_capacity(chunks.len());
    for bound in &bounds {
        let (room, after) = rest.split_at_mut(*bound);
        rooms.push(room);
        rest = after;
    }
    let parse = |(room, chunk): (&mut [T], &Range<usize>)| {
        parse_chunk(room, &text[chunk.clone()], layout)
            .map_err(|fault| Fault { at: fault.at + chunk.start, ..fault })
    };
    let parts: Vec<_> = cpu.run(|| rooms.into_par_iter().zip(&chunks).map(parse).collect());

    let (mut from, mut to) = (before, before);
    for (part, bound) in parts.into_iter().zip(&bounds) {
        // The first fault in the file is the one reported, whichever thread came first.
        let part = part.map_err(|fault| fault.error(text, line, layout, path))?;
        if from != to {
            rows.values.copy_within(from..from + part.rows * width, to); // blank lines left a gap before it
        }
        (from, to) = (from + bound, to + part.rows * width);
        rows.rows += part.rows;
        rows.labels.iter_mut().zip(&part.labels).for_each(|(to, from)| to.append(from));
    }
    rows.values.truncate(to);
    let open = usize::from(!text.is_empty() && !text.ends_with(b"\n"));
    Ok((lines.iter().sum::<usize>() - open) as u64)
}

/// The lines of `text`, the last one without an end included.
fn lines(text: &[u8]) -> usize {
    memchr_iter(b'\n', text).count() + usize::from(!text.ends_with(b"\n"))
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

/// Parses `text` into `room`, which has place for as many rows as `text` can hold.
fn parse_chunk<T: Scalar>(room: &mut [T], text: &[u8], layout: &Layout) -> Result<Part, Fault> {
    let (mut part, width) = (Part { rows: 0, labels: layout.labels.clone() }, layout.names.len());
    // Where there is one column, a blank line is a missing value of it.
    let single = layout.cells.len() == 1;
    let mut at = if single { 0 } else { skip_blank_lines(text, 0, layout.separator) };
    while at < text.len() {
        let Some(cells) = room.get_mut(part.rows * width..(part.rows + 1) * width) else {
            // More rows than bytes for all their fields.
            return Err(Fault { at, kind: FaultKind::Ragged { found: fields(text, at, layout) } });
        };
        let next = match plain_row(cells, text, at, layout) {
            Some(next) => next,
            None => row(cells, &mut part.labels, text, at, layout)?,
        };
        part.rows += 1;
        at = if single || text.get(next).is_some_and(|b| *b > b' ') {
            next
        } else {
            skip_blank_lines(text, next, layout.separator)
        };
    }
    Ok(part)
}

/// A row of nothing but plain decimal numbers, and where the next one begins; `None` for any other row.
#[inline(always)]
fn plain_row<T: Scalar>(cells: &mut [T], text: &[u8], mut at: usize, layout: &Layout) -> Option<usize> {
    let separator = layout.plain?;
    let (last, others) = cells.split_last_mut()?;
    for cell in others {
        at = skip_spaces(text, at);
        let (value, end) = leading_number::<T>(text, at)?;
        if text.get(end) != Some(&separator) {
            return None;
        }
        *cell = value;
        at = end + 1;
    }
    let (value, end) = leading_number::<T>(text, skip_spaces(text, at))?;
    *last = value;
    match text.get(end) {
        None => Some(end),
        Some(b'\n') => Some(end + 1),
        Some(b'\r') if text.get(end + 1).is_none_or(|b| *b == b'\n') => Some((end + 2).min(text.len())),
        Some(_) => None,
    }
}

/// Any row, field by field, and where the next one begins.
fn row<T: Scalar>(
    cells: &mut [T],
    labels: &mut [Labels],
    text: &[u8],
    start: usize,
    layout: &Layout,
) -> Result<usize, Fault> {
    let (mut at, mut column) = (start, 0);
    loop {
        let field = field(text, at, layout.separator);
        if field.open {
            return Err(Fault { at, kind: FaultKind::Quote });
        }
        match layout.cells.get(column) {
            Some(Cell::Number(place)) => match whole_number(&field.text, layout.mark) {
                Some(value) => cells[*place] = value,
                // A line cut short or run together is the likelier cause than a bad number in it.
                None if fields(text, start, layout) == layout.cells.len() => {
                    let text = shown(&field.text);
                    return Err(Fault { at, kind: FaultKind::NotANumber { column, text } });
                }
                None => {}
            },
            Some(Cell::Text(place)) if !field.quoted && is_missing(&field.text) => labels[*place].push(""),
            Some(Cell::Text(place)) => match std::str::from_utf8(&field.text) {
                Ok(text) => labels[*place].push(text),
                Err(_) => return Err(Fault { at, kind: FaultKind::NotUtf8 { column } }),
            },
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

/// The beginning of a bad cell, with a sign where something is left out.
fn shown(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let cut = if text.chars().nth(SHOWN).is_some() { "…" } else { "" };
    text.chars().take(SHOWN).collect::<String>() + cut
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
            FaultKind::NotUtf8 { column } => Error::NotUtf8 { path, line, column: column + 1 },
            FaultKind::NotANumber { column, text } => Error::NotANumber {
                path,
                line,
                column: column + 1,
                name: layout.file_names[column].clone(),
                text,
                number: match layout.mark {
                    Mark::Point => "`-1.5e3` with a decimal point",
                    Mark::Comma => "`-1,5e3` with a decimal comma, as others here",
                },
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
