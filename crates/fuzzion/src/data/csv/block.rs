//! Parallel parsing of a block of whole records.

use super::field::{field, record_end, skip_blank_lines, skip_spaces};
use super::layout::{ColumnRole, CsvLayout, unclosed_quote};
use super::number::{DecimalMark, is_missing, parse_leading_number, parse_number};
use super::records::RecordText;
use crate::data::error::{DataError, Result};
use crate::data::tables::{Labels, Scalar};
use crate::device::Cpu;
use memchr::{memchr, memchr_iter};
use rayon::prelude::*;
use std::ops::Range;
use std::path::Path;

/// Bytes per parallel chunk; small in tests, so that short inputs have several chunks.
const CHUNK_BYTES: usize = if cfg!(test) { 1024 } else { 64 * 1024 };
/// Maximum number of characters of an invalid field in a message.
const MAX_SHOWN_CHARS: usize = 40;

/// Parsed rows.
#[derive(Clone, Debug)]
pub(crate) struct ParsedRows<T> {
    pub(crate) rows: usize,
    pub(crate) values: Vec<T>,
    pub(crate) labels: Vec<Labels>,
    /// The text of the rows, if it is kept.
    pub(crate) records: Option<RecordText>,
}

/// Number of rows, labels and text of a chunk; its values are already in place.
struct ChunkRows {
    rows: usize,
    labels: Vec<Labels>,
    records: Option<RecordText>,
}

impl<T: Scalar> ParsedRows<T> {
    pub(crate) fn empty(layout: &CsvLayout) -> Self {
        let records = layout.keeps_records.then(RecordText::default);
        ParsedRows { rows: 0, values: Vec::new(), labels: layout.labels.clone(), records }
    }
}

/// A parse error and its byte offset.
struct ParseError {
    at: usize,
    kind: ParseErrorKind,
}

enum ParseErrorKind {
    NotUtf8 { column: usize },
    NotANumber { column: usize, text: String },
    Ragged { found: usize },
    UnclosedQuote,
}

/// Parses `text`, which consists of whole records and starts at line `line` of the file, and appends its rows to
/// `rows`; returns the number of lines.
pub(crate) fn parse_block<T: Scalar>(
    rows: &mut ParsedRows<T>,
    text: &[u8],
    quotes: bool,
    line: u64,
    layout: &CsvLayout,
    path: &Path,
    cpu: &Cpu,
) -> Result<u64> {
    let chunks = chunks(text, quotes, layout);
    // A record has at least one line, and one byte per field: an upper bound for the number of values of a chunk.
    let lines = cpu.map_chunks(chunks.len(), 1, |i| lines(&text[chunks[i.start].clone()]));
    let (width, before) = (layout.names.len(), rows.values.len());
    let bound = |(lines, chunk): (&usize, &Range<usize>)| {
        width * (*lines).min(chunk.len() / layout.roles.len().max(1) + 1)
    };
    let bounds: Vec<usize> = lines.iter().zip(&chunks).map(bound).collect();
    rows.values.resize(before + bounds.iter().sum::<usize>(), T::MISSING);
    let mut rest = &mut rows.values[before..];
    let mut slices = Vec::with_capacity(chunks.len());
    for bound in &bounds {
        let (slice, after) = rest.split_at_mut(*bound);
        slices.push(slice);
        rest = after;
    }
    let parse = |(slice, chunk): (&mut [T], &Range<usize>)| {
        parse_chunk(slice, &text[chunk.clone()], layout)
            .map_err(|error| ParseError { at: error.at + chunk.start, ..error })
    };
    let parts: Vec<_> = cpu.run(|| slices.into_par_iter().zip(&chunks).map(parse).collect());

    let (mut from, mut to) = (before, before);
    for (part, bound) in parts.into_iter().zip(&bounds) {
        // Reports the first error in the file, independent of the thread order.
        let part = part.map_err(|error| error.into_error(text, line, layout, path))?;
        if from != to {
            rows.values.copy_within(from..from + part.rows * width, to); // closes the gap left by blank lines
        }
        (from, to) = (from + bound, to + part.rows * width);
        rows.rows += part.rows;
        rows.labels.iter_mut().zip(&part.labels).for_each(|(to, from)| to.append(from));
        if let (Some(to), Some(from)) = (&mut rows.records, &part.records) {
            to.append(from);
        }
    }
    rows.values.truncate(to);
    let open = usize::from(!text.is_empty() && !text.ends_with(b"\n"));
    Ok((lines.iter().sum::<usize>() - open) as u64)
}

/// Number of lines, including a last line without a line end.
fn lines(text: &[u8]) -> usize {
    memchr_iter(b'\n', text).count() + usize::from(!text.ends_with(b"\n"))
}

/// Splits `text` into chunks of whole records of about [`CHUNK_BYTES`] bytes.
fn chunks(text: &[u8], quotes: bool, layout: &CsvLayout) -> Vec<Range<usize>> {
    let mut chunks = Vec::with_capacity(text.len() / CHUNK_BYTES + 1);
    let mut start = 0;
    while start < text.len() {
        let target = start + CHUNK_BYTES;
        let end = if target >= text.len() {
            None
        } else if quotes {
            record_end(text, start, target, layout.separator)
        } else {
            memchr(b'\n', &text[target..]).map(|n| target + n + 1)
        };
        let end = end.unwrap_or(text.len());
        chunks.push(start..end);
        start = end;
    }
    chunks
}

/// Parses `text` into `slice`, which has space for the maximum number of rows.
fn parse_chunk<T: Scalar>(slice: &mut [T], text: &[u8], layout: &CsvLayout) -> Result<ChunkRows, ParseError> {
    let records = layout.keeps_records.then(RecordText::default);
    let (mut part, width) =
        (ChunkRows { rows: 0, labels: layout.labels.clone(), records }, layout.names.len());
    // In a single column, a blank line is a missing value.
    let single = layout.roles.len() == 1;
    let mut at = if single { 0 } else { skip_blank_lines(text, 0, layout.separator) };
    while at < text.len() {
        let Some(cells) = slice.get_mut(part.rows * width..(part.rows + 1) * width) else {
            // More rows than the bound: a record has too few fields.
            return Err(ParseError {
                at,
                kind: ParseErrorKind::Ragged { found: count_fields(text, at, layout) },
            });
        };
        let next = match parse_fast_row(cells, text, at, layout) {
            Some(next) => next,
            None => parse_row(cells, &mut part.labels, text, at, layout)?,
        };
        if let Some(records) = &mut part.records {
            records.push(&text[at..next], layout.separator);
        }
        part.rows += 1;
        at = if single || text.get(next).is_some_and(|b| *b > b' ') {
            next
        } else {
            skip_blank_lines(text, next, layout.separator)
        };
    }
    Ok(part)
}

/// Parses a row of plain decimal numbers and returns the offset of the next row; `None` for any other row.
#[inline(always)]
fn parse_fast_row<T: Scalar>(
    cells: &mut [T],
    text: &[u8],
    mut at: usize,
    layout: &CsvLayout,
) -> Option<usize> {
    let separator = layout.fast_separator?;
    let (last, others) = cells.split_last_mut()?;
    for cell in others {
        at = skip_spaces(text, at);
        let (value, end) = parse_leading_number::<T>(text, at)?;
        if text.get(end) != Some(&separator) {
            return None;
        }
        *cell = value;
        at = end + 1;
    }
    let (value, end) = parse_leading_number::<T>(text, skip_spaces(text, at))?;
    *last = value;
    match text.get(end) {
        None => Some(end),
        Some(b'\n') => Some(end + 1),
        Some(b'\r') if text.get(end + 1).is_none_or(|b| *b == b'\n') => Some((end + 2).min(text.len())),
        Some(_) => None,
    }
}

/// Parses any row field by field and returns the offset of the next row.
fn parse_row<T: Scalar>(
    cells: &mut [T],
    labels: &mut [Labels],
    text: &[u8],
    start: usize,
    layout: &CsvLayout,
) -> Result<usize, ParseError> {
    let (mut at, mut column) = (start, 0);
    loop {
        let field = field(text, at, layout.separator);
        if field.unclosed {
            return Err(ParseError { at, kind: ParseErrorKind::UnclosedQuote });
        }
        match layout.roles.get(column) {
            Some(ColumnRole::Number(index)) => match parse_number(&field.text, layout.decimal_mark) {
                Some(value) => cells[*index] = value,
                // A wrong number of fields is the more likely error and is reported below.
                None if count_fields(text, start, layout) == layout.roles.len() => {
                    let text = truncated(&field.text);
                    return Err(ParseError { at, kind: ParseErrorKind::NotANumber { column, text } });
                }
                None => {}
            },
            Some(ColumnRole::Label(index)) if !field.quoted && is_missing(&field.text) => {
                labels[*index].push("")
            }
            Some(ColumnRole::Label(index)) => match std::str::from_utf8(&field.text) {
                Ok(text) => labels[*index].push(text),
                Err(_) => return Err(ParseError { at, kind: ParseErrorKind::NotUtf8 { column } }),
            },
            Some(ColumnRole::Skip) | None => {}
        }
        (at, column) = (field.next, column + 1);
        if field.last {
            break;
        }
    }
    if column != layout.roles.len() {
        return Err(ParseError { at: start, kind: ParseErrorKind::Ragged { found: column } });
    }
    Ok(at)
}

/// The start of an invalid field, with an ellipsis if it is longer.
fn truncated(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let ellipsis = if text.chars().nth(MAX_SHOWN_CHARS).is_some() { "…" } else { "" };
    text.chars().take(MAX_SHOWN_CHARS).collect::<String>() + ellipsis
}

/// Whether a number such as `1,234,567.8` has groups of three digits.
fn has_thousands_separators(text: &str) -> bool {
    let whole = text.trim_start_matches(['-', '+']).split('.').next().unwrap_or_default();
    let mut groups = whole.split([',', '\'', ' ', '\u{a0}', '\u{202f}', '_']);
    let is_group = |group: &str| group.len() == 3 && group.bytes().all(|b| b.is_ascii_digit());
    let first = groups.next().unwrap_or_default();
    let mut groups = groups.peekable();
    (1..=3).contains(&first.len())
        && first.bytes().all(|b| b.is_ascii_digit())
        && groups.peek().is_some()
        && groups.all(is_group)
}

/// Number of fields of the record at `at`.
fn count_fields(text: &[u8], mut at: usize, layout: &CsvLayout) -> usize {
    let mut count = 0;
    loop {
        let field = field(text, at, layout.separator);
        (at, count) = (field.next, count + 1);
        if field.last {
            return count;
        }
    }
}

impl ParseError {
    fn into_error(self, text: &[u8], line: u64, layout: &CsvLayout, path: &Path) -> DataError {
        let line = line + memchr_iter(b'\n', &text[..self.at]).count() as u64;
        let path = path.to_path_buf();
        match self.kind {
            ParseErrorKind::NotUtf8 { column } => DataError::NotUtf8 { path, line, column: column + 1 },
            ParseErrorKind::NotANumber { column, text } => DataError::NotANumber {
                path,
                line,
                column: column + 1,
                name: layout.file_names[column].as_str().into(),
                number: match layout.decimal_mark {
                    DecimalMark::Point if has_thousands_separators(&text) => {
                        "`-1500.5` without thousands separators"
                    }
                    DecimalMark::Point => "`-1.5e3` with a decimal point",
                    DecimalMark::Comma => "`-1,5e3` with a decimal comma, as in the other cells",
                },
                text: text.into(),
            },
            ParseErrorKind::Ragged { found } => {
                DataError::FieldCount { path, line, found, expected: layout.roles.len() }
            }
            ParseErrorKind::UnclosedQuote => unclosed_quote(&path, line),
        }
    }
}
