//! Layout of the columns of a CSV file, detected from its first lines.

use super::dialect::{detect_separator, has_header, has_unclosed_quote, records};
use super::field::skip_blank_lines;
use super::number::{DecimalMark, is_missing, is_number};
use super::separator::Separator;
use crate::data::error::{DataError, Result};
use crate::data::read::ReadTable;
use crate::data::tables::{Labels, MAX_COLUMNS, numbered_names, unknown_column};
use memchr::{memchr, memchr_iter};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// Use of a column of the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ColumnRole {
    /// Numeric column of the table with this index.
    Number(usize),
    /// Label column of the table with this index.
    Label(usize),
    /// Not read.
    Skip,
}

/// Columns of a CSV file.
#[derive(Clone, Debug)]
pub(crate) struct CsvLayout {
    pub(crate) separator: Separator,
    /// Decimal point or decimal comma.
    pub(crate) decimal_mark: DecimalMark,
    /// Whether the first record is a header.
    pub(crate) header: bool,
    /// Names of all columns of the file.
    pub(crate) file_names: Vec<String>,
    /// Role of each column of the file.
    pub(crate) roles: Vec<ColumnRole>,
    /// Names of the numeric columns, in table order.
    pub(crate) names: Vec<String>,
    /// Label columns without rows.
    pub(crate) labels: Vec<Labels>,
    /// The separator, if all columns are numeric and in file order with decimal points, which enables the fast path.
    pub(crate) fast_separator: Option<u8>,
    /// Whether the text of the rows is kept.
    pub(crate) keeps_records: bool,
}

impl CsvLayout {
    /// Detects the layout of the file at `path`, which starts with `sample`.
    pub(crate) fn detect(sample: &[u8], settings: &ReadTable, path: &Path) -> Result<CsvLayout> {
        let tabs = is_tsv(path) && !has_numbers_without_tabs(sample);
        let separator = settings
            .separator
            .or_else(|| tabs.then_some(Separator::Tab))
            .unwrap_or_else(|| detect_separator(sample));
        let records = records(sample, separator);
        let decimal_mark = match settings.decimal_comma {
            Some(true) => DecimalMark::Comma,
            None if matches!(separator, Separator::Semicolon | Separator::Tab) => {
                DecimalMark::detect(records.iter().flatten().map(Vec::as_slice))
            }
            _ => DecimalMark::Point,
        };
        let header = settings.header.unwrap_or_else(|| has_header(&records, decimal_mark));
        let columns = records.first().map_or(0, Vec::len);
        if columns > MAX_COLUMNS {
            let reason = format!(
                "the table has more than {MAX_COLUMNS} columns; transpose it, or specify the correct separator"
            );
            return Err(DataError::Malformed { path: path.to_path_buf(), format: "CSV", reason });
        }
        let first_line = || {
            let start = skip_blank_lines(sample, 0, separator);
            memchr_iter(b'\n', &sample[..start]).count() as u64 + 1
        };
        if header && has_unclosed_quote(sample, separator) {
            return Err(unclosed_quote(path, first_line()));
        }
        let file_names = match records.first() {
            Some(first) if header => distinct_names(first).map_err(|column| DataError::NotUtf8 {
                path: path.to_path_buf(),
                line: first_line(),
                column: column + 1,
            })?,
            _ => numbered_names(columns),
        };
        // A text column has mostly text: a single invalid number is an error, not a reason to read labels.
        let is_text = |column: usize| {
            let fields = records.iter().skip(usize::from(header)).filter_map(|record| record.get(column));
            let present = fields.filter(|field| !is_missing(field));
            let (texts, all) = present
                .fold((0, 0), |(n, all), field| (n + usize::from(!is_number(field, decimal_mark)), all + 1));
            texts * 2 > all
        };
        let is_label = |column: usize| {
            let named = settings.labels.contains(&file_names[column]);
            named || settings.all_text || settings.keep_text && is_text(column)
        };

        let indices: HashMap<&String, usize> = file_names.iter().zip(0..).collect(); // names are distinct
        let index_of =
            |name: &String| indices.get(name).copied().ok_or_else(|| unknown_column(name, &file_names));
        settings.labels.iter().try_for_each(|name| index_of(name).map(drop))?;
        let selected: Vec<usize> = match settings.selected_columns(&file_names) {
            None => (0..columns).collect(),
            Some(names) => {
                let mut selected = names.iter().map(index_of).collect::<Result<Vec<_>>>()?;
                let labels = settings.labels.iter().filter(|name| !names.contains(name));
                selected.extend(labels.map(index_of).collect::<Result<Vec<_>>>()?);
                let mut seen = HashSet::new();
                selected.retain(|column| seen.insert(*column));
                selected
            }
        };

        let mut layout = CsvLayout {
            separator,
            decimal_mark,
            header,
            roles: vec![ColumnRole::Skip; columns],
            names: Vec::new(),
            labels: Vec::new(),
            fast_separator: None,
            file_names: Vec::new(),
            keeps_records: settings.keep_records,
        };
        for column in selected {
            let name = file_names[column].clone();
            if is_label(column) {
                layout.roles[column] = ColumnRole::Label(layout.labels.len());
                layout.labels.push(Labels::empty(name, layout.names.len()));
            } else {
                layout.roles[column] = ColumnRole::Number(layout.names.len());
                layout.names.push(name);
            }
        }
        let plain = layout.roles.iter().enumerate().all(|(i, role)| *role == ColumnRole::Number(i));
        layout.fast_separator = (plain && decimal_mark == DecimalMark::Point).then(|| separator.byte());
        layout.file_names = file_names;
        Ok(layout)
    }
}

/// The error of a quoted field without a closing quote.
pub(super) fn unclosed_quote(path: &Path, line: u64) -> DataError {
    let reason =
        format!("the quoted field in line {line} is not closed; add the closing quote, or double the quote");
    DataError::Malformed { path: path.to_path_buf(), format: "CSV", reason }
}

/// Whether the extension is `.tsv` or `.tsv.gz`.
fn is_tsv(path: &Path) -> bool {
    let name = path.to_string_lossy().to_ascii_lowercase();
    name.strip_suffix(".gz").unwrap_or(&name).ends_with(".tsv")
}

/// Whether `sample` has no tab, but numbers that another character separates.
fn has_numbers_without_tabs(sample: &[u8]) -> bool {
    let has_numbers = |separator| {
        let records = records(sample, separator);
        let last = records.last().filter(|record| record.len() > 1);
        last.is_some_and(|last| last.iter().any(|f| !is_missing(f) && is_number(f, DecimalMark::Point)))
    };
    memchr(b'\t', sample).is_none() && has_numbers(detect_separator(sample))
}

/// Unique names from a header: an empty name becomes `c1`, `c2`, … by its position, and duplicates get the suffix `.2`,
/// `.3`, …; `Err` is the index of a name that is not UTF-8.
fn distinct_names(header: &[Vec<u8>]) -> Result<Vec<String>, usize> {
    let mut seen = HashSet::new();
    let mut copies = HashMap::new(); // number of columns with a name
    let mut names = Vec::with_capacity(header.len());
    for (i, field) in header.iter().enumerate() {
        let text = std::str::from_utf8(field).map_err(|_| i)?.trim().to_owned();
        let original = if text.is_empty() { format!("c{}", i + 1) } else { text };
        let mut name = original.clone();
        let copy = copies.entry(original.clone()).or_insert(1);
        while !seen.insert(name.clone()) {
            *copy += 1;
            name = format!("{original}.{copy}");
        }
        names.push(name);
    }
    Ok(names)
}

/// `name`, with the suffix `.2`, `.3`, … if it is `known`.
pub(super) fn distinct_name(name: &str, known: &[String]) -> String {
    let is_new = |name: &String| !known.contains(name);
    let copies = (2..).map(|copy| format!("{name}.{copy}"));
    std::iter::once(name.to_owned()).chain(copies).find(is_new).expect("invariant: names are not limited")
}
