//! The text of rows, to copy it to another file.

use super::field::field;
use super::layout::CsvLayout;
use super::number::{DecimalMark, is_missing};
use super::separator::Separator;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// The text of rows as it is in a text file; see [`TableReader::records`](crate::data::TableReader::records).
#[derive(Clone, Debug)]
pub struct Records {
    pub(super) format: Arc<RecordFormat>,
    text: RecordText,
}

/// The format of the records of a file.
#[derive(Debug)]
pub(super) struct RecordFormat {
    pub(super) separator: Separator,
    pub(super) decimal_mark: DecimalMark,
    /// Names of all columns of the file.
    names: Vec<String>,
    /// The text of the header, or of the names if the file has none.
    pub(super) header: Vec<u8>,
}

impl RecordFormat {
    /// The format of a file whose header has the text `header`; empty if it has none.
    pub(super) fn new(layout: &CsvLayout, header: &[u8]) -> Self {
        let (separator, decimal_mark) = (layout.separator, layout.decimal_mark);
        let mut header = without_line_end(header, separator).to_vec();
        if header.is_empty() {
            for (i, name) in layout.file_names.iter().enumerate() {
                header.extend((i > 0).then(|| separator.byte()));
                push_text(&mut header, name.as_bytes(), separator.byte());
            }
        }
        RecordFormat { separator, decimal_mark, names: layout.file_names.clone(), header }
    }
}

/// The text of records without line ends.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecordText {
    text: Vec<u8>,
    /// The end of each record in `text`.
    ends: Vec<usize>,
}

impl RecordText {
    /// Adds a record, which may have a line end.
    pub(super) fn push(&mut self, record: &[u8], separator: Separator) {
        self.text.extend_from_slice(without_line_end(record, separator));
        self.ends.push(self.text.len());
    }

    /// Appends the records of `other`.
    pub(super) fn append(&mut self, other: &RecordText) {
        let start = self.text.len();
        self.text.extend_from_slice(&other.text);
        self.ends.extend(other.ends.iter().map(|end| start + end));
    }

    /// Removes all records.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    /// The records of a range of rows.
    pub(super) fn slice(&self, rows: Range<usize>) -> RecordText {
        let start = self.start(rows.start);
        let ends: Vec<usize> = self.ends[rows].iter().map(|end| end - start).collect();
        let length = ends.last().copied().unwrap_or(0);
        RecordText { text: self.text[start..start + length].to_vec(), ends }
    }

    fn start(&self, row: usize) -> usize {
        if row == 0 { 0 } else { self.ends[row - 1] }
    }
}

impl Records {
    pub(super) fn new(format: Arc<RecordFormat>, text: RecordText) -> Self {
        Records { format, text }
    }

    /// The separator for the records in the file at `path`: that of its extension, but a semicolon instead of a comma if the
    /// records have semicolons or decimal commas; their own for other extensions.
    pub(crate) fn separator_for(&self, path: &Path) -> u8 {
        let name = path.to_string_lossy().to_ascii_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        let separator = match self.format.separator {
            _ if name.ends_with(".tsv") => Separator::Tab,
            Separator::Semicolon => Separator::Semicolon,
            found if self.has_decimal_comma() && (found == Separator::Comma || name.ends_with(".csv")) => {
                Separator::Semicolon
            }
            _ if name.ends_with(".csv") => Separator::Comma,
            found => found,
        };
        separator.byte()
    }

    /// Appends the header with this separator to `text`.
    pub(super) fn push_header(&self, text: &mut Vec<u8>, separator: u8) {
        push_record(text, &self.format.header, self.format.separator, separator);
    }

    /// Appends the text of a row with this separator to `text`.
    pub(super) fn push_row(&self, text: &mut Vec<u8>, row: usize, separator: u8) {
        push_record(text, self.text(row), self.format.separator, separator);
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.text.ends.len()
    }

    /// Names of all columns of the file, whether or not they were read.
    pub fn names(&self) -> &[String] {
        &self.format.names
    }

    /// Whether numbers have a decimal comma.
    pub fn has_decimal_comma(&self) -> bool {
        self.format.decimal_mark == DecimalMark::Comma
    }

    /// Size of the text in bytes.
    pub fn bytes(&self) -> usize {
        self.text.text.len()
    }

    /// Appends the rows of `other`, which are from the same file.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("x.csv");
    /// # std::fs::write(&path, "x\n1\n2\n").unwrap();
    /// use fuzzion::data::ReadTable;
    /// let mut reader = ReadTable::new().keep_records(true).open(&path)?; // two rows
    /// reader.next(1)?;
    /// let mut records = reader.records().expect("a text file has records");
    /// reader.next(1)?;
    /// records.append(&reader.records().expect("a text file has records"));
    /// assert_eq!(records.rows(), 2);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn append(&mut self, other: &Records) {
        self.text.append(&other.text);
    }

    /// The records of a range of rows.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("x.csv");
    /// # std::fs::write(&path, "x\n1\n2\n").unwrap();
    /// use fuzzion::data::ReadTable;
    /// let mut reader = ReadTable::new().keep_records(true).open(&path)?; // two rows
    /// reader.next(2)?;
    /// let records = reader.records().expect("a text file has records");
    /// assert_eq!(records.part(1..2).text(0), b"2");
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there are fewer rows.
    #[must_use]
    pub fn part(&self, rows: Range<usize>) -> Records {
        Records { format: self.format.clone(), text: self.text.slice(rows) }
    }

    /// The text of a row without its line end.
    ///
    /// # Panics
    /// If the row does not exist.
    pub fn text(&self, row: usize) -> &[u8] {
        &self.text.text[self.text.start(row)..self.text.ends[row]]
    }
}

/// A record without its line end and, with whitespace as the separator, without spaces before it.
fn without_line_end(record: &[u8], separator: Separator) -> &[u8] {
    let record = record.strip_suffix(b"\n").unwrap_or(record);
    let record = record.strip_suffix(b"\r").unwrap_or(record);
    if separator == Separator::Whitespace { record.trim_ascii_end() } else { record }
}

/// Appends a record whose fields are separated by `from`, with another separator. The text of its fields is not changed, but
/// quoted if necessary.
fn push_record(text: &mut Vec<u8>, record: &[u8], from: Separator, separator: u8) {
    if from.byte() == separator {
        return text.extend_from_slice(record);
    }
    let mut at = 0;
    loop {
        let field = field(record, at, from);
        let written = match from {
            Separator::Whitespace => record[at..field.next].trim_ascii(),
            _ if field.last => &record[at..],
            _ => &record[at..field.next - 1],
        };
        match field.quoted || !written.contains(&separator) {
            true => text.extend_from_slice(written),
            false => push_text(text, written, separator),
        }
        if field.last {
            return;
        }
        text.push(separator);
        at = field.next;
    }
}

/// Appends a field, quoted if necessary.
pub(super) fn push_text(text: &mut Vec<u8>, field: &[u8], separator: u8) {
    // A text such as `NA` is quoted, so that it is not read as missing.
    let unquoted = !is_missing(field)
        && field.trim_ascii().len() == field.len()
        && !field.iter().any(|b| *b == separator || matches!(b, b'"' | b'\n' | b'\r'));
    if unquoted {
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
