//! What the columns of a text table are, decided once from its beginning.

use super::dialect::{Separator, has_header, records};
use super::field::skip_blank_lines;
use super::number::{Mark, is_missing, is_number};
use crate::data::labels::Labels;
use crate::data::read::ReadTable;
use crate::data::table::{MAX_COLUMNS, numbered_names, unknown_column};
use crate::error::{Error, Result};
use memchr::memchr_iter;
use std::collections::HashSet;
use std::path::Path;

/// What becomes of a column of the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell {
    /// It is this column of numbers in the table.
    Number(usize),
    /// It is this label column.
    Text(usize),
    /// It is left out.
    Skip,
}

/// The columns of a text table.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) separator: Separator,
    /// What stands before decimals.
    pub(crate) mark: Mark,
    /// Whether the first record names the columns.
    pub(crate) header: bool,
    /// The names of all columns of the file.
    pub(crate) file_names: Vec<String>,
    /// What becomes of each of them.
    pub(crate) cells: Vec<Cell>,
    /// The names of the columns of numbers, in the order of the table.
    pub(crate) names: Vec<String>,
    /// The label columns, without rows.
    pub(crate) labels: Vec<Labels>,
    /// The separator, where the columns of numbers are all the file's columns in its order: the common, fast case.
    pub(crate) plain: Option<u8>,
}

impl Layout {
    /// The layout of the text at `path` that begins with `sample`, read as `settings` say.
    pub(crate) fn of(sample: &[u8], settings: &ReadTable<'_>, path: &Path) -> Result<Layout> {
        let tabs = is_tsv(path);
        let separator = settings
            .separator
            .or_else(|| tabs.then_some(Separator::Tab))
            .unwrap_or_else(|| Separator::of(sample));
        let records = records(sample, separator);
        let mark = match settings.decimal_comma {
            Some(true) => Mark::Comma,
            None if matches!(separator, Separator::Semicolon | Separator::Tab) => {
                Mark::of(records.iter().flatten().map(Vec::as_slice))
            }
            _ => Mark::Point,
        };
        let header = settings.header.unwrap_or_else(|| has_header(&records, mark));
        let width = records.first().map_or(0, Vec::len);
        if width > MAX_COLUMNS {
            let reason = format!(
                "it has more than {MAX_COLUMNS} columns; turn it on its side, or name the right separator"
            );
            return Err(Error::Malformed { path: path.to_path_buf(), format: "CSV", reason });
        }
        let file_names = match records.first() {
            Some(first) if header => distinct_names(first).map_err(|column| {
                let start = skip_blank_lines(sample, 0, separator);
                let line = memchr_iter(b'\n', &sample[..start]).count() as u64 + 1;
                Error::NotUtf8 { path: path.to_path_buf(), line, column: column + 1 }
            })?,
            _ => numbered_names(width),
        };
        // One slip among numbers makes no column of text: it is an error, wherever in the file it stands.
        let is_text = |column: usize| {
            let fields = records.iter().skip(usize::from(header)).filter_map(|record| record.get(column));
            let present = fields.filter(|field| !is_missing(field));
            let (texts, all) =
                present.fold((0, 0), |(n, all), field| (n + usize::from(!is_number(field, mark)), all + 1));
            texts * 2 > all
        };
        let labelled = |column: usize| {
            let named = settings.labels.contains(&file_names[column]);
            named || settings.all_text || settings.keep_text && is_text(column)
        };

        let place = |name: &String| {
            file_names.iter().position(|n| n == name).ok_or_else(|| unknown_column(name, &file_names))
        };
        settings.labels.iter().try_for_each(|name| place(name).map(drop))?;
        let picked: Vec<usize> = match &settings.columns {
            None => (0..width).collect(),
            Some(names) => {
                let mut picked = names.iter().map(place).collect::<Result<Vec<_>>>()?;
                let labels = settings.labels.iter().filter(|name| !names.contains(name));
                picked.extend(labels.map(place).collect::<Result<Vec<_>>>()?);
                let mut seen = HashSet::new();
                picked.retain(|column| seen.insert(*column));
                picked
            }
        };

        let mut layout = Layout {
            separator,
            mark,
            header,
            cells: vec![Cell::Skip; width],
            names: Vec::new(),
            labels: Vec::new(),
            plain: None,
            file_names: Vec::new(),
        };
        for column in picked {
            let name = file_names[column].clone();
            if labelled(column) {
                layout.cells[column] = Cell::Text(layout.labels.len());
                layout.labels.push(Labels::empty(name, layout.names.len()));
            } else {
                layout.cells[column] = Cell::Number(layout.names.len());
                layout.names.push(name);
            }
        }
        let plain = layout.cells.iter().enumerate().all(|(i, cell)| *cell == Cell::Number(i));
        layout.plain = (plain && mark == Mark::Point).then(|| separator.byte());
        layout.file_names = file_names;
        Ok(layout)
    }
}

/// Whether the name says that tabs separate the fields.
fn is_tsv(path: &Path) -> bool {
    let name = path.to_string_lossy().to_ascii_lowercase();
    name.strip_suffix(".gz").unwrap_or(&name).ends_with(".tsv")
}

/// The names in a header: an empty one is called by its place, and one that was there before gets a number; `Err` is
/// the place of one that is not UTF-8.
fn distinct_names(header: &[Vec<u8>]) -> Result<Vec<String>, usize> {
    let mut seen = HashSet::new();
    let mut names = Vec::with_capacity(header.len());
    for (i, field) in header.iter().enumerate() {
        let text = std::str::from_utf8(field).map_err(|_| i)?.trim().to_owned();
        let base = if text.is_empty() { format!("c{}", i + 1) } else { text };
        let mut name = base.clone();
        let mut copy = 1;
        while !seen.insert(name.clone()) {
            copy += 1;
            name = format!("{base}.{copy}");
        }
        names.push(name);
    }
    Ok(names)
}
