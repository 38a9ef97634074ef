//! Writing CSV; numbers have the shortest digits that read back bit-identically.

use super::layout::distinct_name;
use super::records::{Records, push_text};
use crate::data::error::Result;
use crate::data::tables::{Labels, Scalar, Table, Values};
use crate::device::Cpu;
use std::ops::Range;

/// Rows formatted by one parallel task.
const ROWS_PER_TASK: usize = 4096;
/// Tasks that run before their text is written.
const TASKS_PER_GROUP: usize = 64;

/// Format of the rows of a table.
#[derive(Clone, Copy)]
pub(crate) struct RowFormat<'a> {
    pub(crate) separator: u8,
    /// The text before each row, with its decimal mark.
    pub(crate) records: Option<&'a Records>,
}

/// Formats `table` with a header and passes the text to `write`.
pub(crate) fn write_csv(
    table: &Table,
    separator: u8,
    cpu: &Cpu,
    mut write: impl FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let format = RowFormat { separator, records: None };
    write(&header(table, format))?;
    write_rows(table, format, cpu, write)
}

/// Formats the rows of `table` without a header and passes the text to `write`.
pub(crate) fn write_rows(
    table: &Table,
    format: RowFormat<'_>,
    cpu: &Cpu,
    mut write: impl FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let group = ROWS_PER_TASK * TASKS_PER_GROUP;
    for start in (0..table.rows()).step_by(group) {
        let rows = group.min(table.rows() - start);
        let texts = cpu.map_chunks(rows, ROWS_PER_TASK, |part| {
            let range = start + part.start..start + part.end;
            match table.slice(range.clone()) {
                Values::F32(values) => format_rows(values, table, range, format),
                Values::F64(values) => format_rows(values, table, range, format),
            }
        });
        texts.iter().try_for_each(|text| write(text))?;
    }
    Ok(())
}

/// Header line of `table`.
pub(crate) fn header(table: &Table, format: RowFormat<'_>) -> Vec<u8> {
    let (mut line, separator) = (Vec::new(), format.separator);
    if let Some(records) = format.records {
        records.push_header(&mut line, separator);
        line.push(separator);
    }
    let mut known: Vec<String> = format.records.map_or_else(Vec::new, |records| records.names().to_vec());
    for column in columns(table) {
        let name = match column {
            Column::Number(index) => &table.names()[index],
            Column::Label(labels) => labels.name(),
        };
        let name = if format.records.is_some() { distinct_name(name, &known) } else { name.to_owned() };
        push_text(&mut line, name.as_bytes(), separator);
        line.push(separator);
        known.push(name);
    }
    end_line(&mut line);
    line
}

enum Column<'a> {
    Number(usize),
    Label(&'a Labels),
}

/// All columns in file order.
fn columns(table: &Table) -> Vec<Column<'_>> {
    let mut columns = Vec::new();
    let mut labels = table.labels().iter().peekable();
    for index in 0..table.columns() {
        while let Some(column) = labels.next_if(|column| column.columns_before <= index) {
            columns.push(Column::Label(column));
        }
        columns.push(Column::Number(index));
    }
    columns.extend(labels.map(Column::Label));
    columns
}

fn format_rows<T: Scalar + zmij::Float>(
    values: &[T],
    table: &Table,
    rows: Range<usize>,
    format: RowFormat<'_>,
) -> Vec<u8> {
    let (columns, width, separator) = (columns(table), table.columns(), format.separator);
    let decimal_comma = format.records.is_some_and(Records::has_decimal_comma);
    let mut text = Vec::with_capacity(values.len() * 12);
    let mut digits = zmij::Buffer::new();
    for (i, row) in rows.enumerate() {
        if let Some(records) = format.records {
            records.push_row(&mut text, row, separator);
            text.push(separator);
        }
        for column in &columns {
            match column {
                Column::Number(index) => {
                    let start = text.len();
                    push_number(&mut text, values[i * width + index], &mut digits);
                    if decimal_comma {
                        text[start..].iter_mut().filter(|b| **b == b'.').for_each(|b| *b = b',');
                    }
                }
                Column::Label(labels) => match labels.get(row) {
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

/// Replaces the separator after the last field with a newline.
fn end_line(text: &mut Vec<u8>) {
    text.pop();
    text.push(b'\n');
}

/// A missing value is written as `NaN`, because an empty field of a single column would be a blank line.
fn push_number<T: Scalar + zmij::Float>(text: &mut Vec<u8>, value: T, digits: &mut zmij::Buffer) {
    let number = digits.format(value);
    text.extend_from_slice(number.strip_suffix(".0").unwrap_or(number).as_bytes());
}
