//! Writing text tables: the shortest digits that read back to the same bits.

use super::number::is_missing;
use crate::data::labels::Labels;
use crate::data::scalar::Scalar;
use crate::data::table::{Table, Values};
use crate::device::Cpu;
use crate::error::Result;
use std::ops::Range;

/// Rows turned into text by one thread at a time.
const ROWS: usize = 4096;
/// Chunks of rows held as text together.
const CHUNKS: usize = 64;

/// Hands the text of `table`, header first, to `put`, piece by piece.
pub(crate) fn write_csv(
    table: &Table,
    separator: u8,
    cpu: &Cpu,
    mut put: impl FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    put(&header(table, separator))?;
    write_lines(table, separator, cpu, put)
}

/// Hands the lines of `table` to `put`, without a header.
pub(crate) fn write_lines(
    table: &Table,
    separator: u8,
    cpu: &Cpu,
    mut put: impl FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let group = ROWS * CHUNKS;
    for start in (0..table.rows()).step_by(group) {
        let rows = group.min(table.rows() - start);
        let texts = cpu.map_chunks(rows, ROWS, |part| {
            let range = start + part.start..start + part.end;
            match table.slice(range.clone()) {
                Values::F32(values) => lines(values, table, range, separator),
                Values::F64(values) => lines(values, table, range, separator),
            }
        });
        texts.iter().try_for_each(|text| put(text))?;
    }
    Ok(())
}

/// The line that names the columns of `table`.
pub(crate) fn header(table: &Table, separator: u8) -> Vec<u8> {
    let mut line = Vec::new();
    for column in columns(table) {
        let name = match column {
            Column::Number(place) => &table.names()[place],
            Column::Text(labels) => labels.name(),
        };
        push_text(&mut line, name.as_bytes(), separator);
        line.push(separator);
    }
    end_line(&mut line);
    line
}

enum Column<'a> {
    Number(usize),
    Text(&'a Labels),
}

/// All columns in the order of the file they came from.
fn columns(table: &Table) -> Vec<Column<'_>> {
    let mut columns = Vec::new();
    let mut labels = table.labels().iter().peekable();
    for place in 0..table.columns() {
        while let Some(column) = labels.next_if(|column| column.before <= place) {
            columns.push(Column::Text(column));
        }
        columns.push(Column::Number(place));
    }
    columns.extend(labels.map(Column::Text));
    columns
}

fn lines<T: Scalar + zmij::Float>(values: &[T], table: &Table, rows: Range<usize>, separator: u8) -> Vec<u8> {
    let (columns, width) = (columns(table), table.columns());
    let mut text = Vec::with_capacity(values.len() * 12);
    let mut digits = zmij::Buffer::new();
    for (i, row) in rows.enumerate() {
        for column in &columns {
            match column {
                Column::Number(place) => push_number(&mut text, values[i * width + place], &mut digits),
                Column::Text(labels) => match labels.get(row) {
                    Some(label) => push_text(&mut text, label.as_bytes(), separator),
                    None => text.extend_from_slice(b"NA"),
                },
            }
            text.push(separator);
        }
        end_line(&mut text);
    }
    text
}

/// Turns the separator after the last field into the end of the line.
fn end_line(text: &mut Vec<u8>) {
    text.pop();
    text.push(b'\n');
}

/// A missing value is written `NaN`: an empty field would make a line of one column vanish.
fn push_number<T: Scalar + zmij::Float>(text: &mut Vec<u8>, value: T, digits: &mut zmij::Buffer) {
    let number = digits.format(value);
    text.extend_from_slice(number.strip_suffix(".0").unwrap_or(number).as_bytes());
}

fn push_text(text: &mut Vec<u8>, field: &[u8], separator: u8) {
    // Quotes keep the text `NA` from being read as a missing one.
    let plain = !is_missing(field)
        && field.trim_ascii().len() == field.len()
        && !field.iter().any(|b| *b == separator || matches!(b, b'"' | b'\n' | b'\r'));
    if plain {
        return text.extend_from_slice(field);
    }
    text.push(b'"');
    for byte in field {
        if *byte == b'"' {
            text.push(b'"');
        }
        text.push(*byte);
    }
    text.push(b'"');
}
