//! The rows of a table: in memory where they fit, else read anew for every pass.

use fuzzion::clustering::{FuzzyCMeans, Partition};
use fuzzion::data::{ReadTable, TableReader, Values};
use fuzzion::{Device, Error, Result, Table};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Rows of a piece when all rows are gone through.
const PIECE: usize = 1 << 16;
/// What text gives when it is unpacked, at most what is usual.
const GZIP_RATIO: u64 = 6;

/// Which rows are wanted.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Data")]
pub(super) struct RowWords {
    /// The columns to cluster (default: all that hold numbers)
    #[arg(long, value_name = "COL,…", value_delimiter = ',')]
    pub(super) columns: Option<Vec<String>>,
    /// The column that says how often a row counts; it is not clustered
    #[arg(long, value_name = "COL")]
    pub(super) weights: Option<String>,
    /// Scale the columns to unit variance for the distances, as `--metric diagonal` does; centers stay in your units, and
    /// the other metrics, which are free of units, are as without
    #[arg(long)]
    pub(super) standardize: bool,
    /// What happens to missing values: error, or partial (distances over the columns that a row has)
    #[arg(long, default_value = "error", value_name = "WORD", hide_possible_values = true)]
    #[arg(value_parser = ["error", "partial"])]
    pub(super) missing: String,
    /// Gigabytes of numbers held in memory at most; a larger table is read again for every iteration
    #[arg(long, default_value_t = 1.0, value_name = "GB")]
    pub(super) memory: f64,
}

/// The rows to be clustered.
pub(super) struct Samples<'a> {
    /// The columns that are clustered.
    pub(super) names: Vec<String>,
    /// The columns of text, which are not.
    pub(super) left_out: Vec<String>,
    /// The column of weights.
    weights: Option<String>,
    rows: Rows<'a>,
}

enum Rows<'a> {
    Memory { table: Table, weights: Option<Vec<f64>> },
    Stream { reader: TableReader<'a>, fresh: bool },
}

impl<'a> Samples<'a> {
    /// The rows behind `reader`, which was opened at `path` with `settings` and has not been read from; of them the
    /// columns that `choose` picks by the names and the texts there are.
    pub(super) fn open(
        path: &Path,
        mut reader: TableReader<'a>,
        settings: &ReadTable<'a>,
        words: &RowWords,
        choose: impl FnOnce(&Table) -> Result<Vec<String>>,
    ) -> Result<Self> {
        let none = || Error::NoData { path: path.to_path_buf(), what: "rows" };
        let again = path.is_file();
        // What can be read only once is read whole; of a file the first row tells what its columns are.
        let first = reader.next(if again { 1 } else { usize::MAX })?.ok_or_else(none)?;
        let left_out: Vec<String> = first.labels().iter().map(|labels| labels.name().to_owned()).collect();
        let names = choose(&first)?;
        if let Some(name) = &words.weights {
            is_number(&first, name)?;
        }
        if names.is_empty() {
            return Err(Error::NoData { path: path.to_path_buf(), what: "columns of numbers" });
        }
        let samples = |rows| Samples {
            names: names.clone(),
            left_out: left_out.clone(),
            weights: words.weights.clone(),
            rows,
        };
        if !again {
            return samples(Rows::Stream { reader, fresh: true }).held(first);
        }
        let mut columns = names.clone();
        columns.extend(words.weights.iter().filter(|name| !names.contains(name)).cloned());
        let settings = if columns == first.names() && left_out.is_empty() {
            settings.clone()
        } else {
            settings.clone().columns(columns)
        };
        let mut reader = settings.keep_text(false).open(path)?;
        if bytes(path, &reader) as f64 > words.memory * 1e9 {
            return Ok(samples(Rows::Stream { reader, fresh: true }));
        }
        let table = reader.next(usize::MAX)?.ok_or_else(none)?;
        samples(Rows::Stream { reader, fresh: false }).held(table)
    }

    /// The same with `table` in memory.
    fn held(mut self, table: Table) -> Result<Self> {
        let weights = self.weights.as_ref().map(|name| table.column(name)).transpose()?;
        let table = if table.names() == self.names { table } else { table.select(&self.names)? };
        self.rows = Rows::Memory { table, weights };
        Ok(self)
    }

    /// How many rows there are, where that is known.
    pub(super) fn count(&self) -> Option<u64> {
        match &self.rows {
            Rows::Memory { table, .. } => Some(table.rows() as u64),
            Rows::Stream { reader, .. } => reader.rows(),
        }
    }

    /// Whether each row counts as often as a column says.
    pub(super) fn is_weighted(&self) -> bool {
        self.weights.is_some()
    }

    /// Whether the rows are read again for every pass.
    pub(super) fn is_streamed(&self) -> bool {
        matches!(self.rows, Rows::Stream { .. })
    }

    /// How precisely the numbers are held, in words.
    pub(super) fn precision(&self) -> String {
        match &self.rows {
            Rows::Memory { table, .. } => table.precision().to_string(),
            Rows::Stream { reader, .. } => reader.precision().to_string(),
        }
    }

    pub(super) fn fit(&mut self, settings: &FuzzyCMeans<'_>, device: &Device) -> Result<Partition> {
        match &mut self.rows {
            Rows::Memory { table, weights: None } => settings.fit(table, device),
            Rows::Memory { table, weights: Some(weights) } => settings.fit_weighted(table, weights, device),
            Rows::Stream { reader, fresh } => {
                rewound(reader, fresh)?;
                match &self.weights {
                    None => settings.fit_reader(reader, device),
                    Some(name) => settings.fit_reader_weighted(reader, name, device),
                }
            }
        }
    }

    /// A fit for each number of clusters; all share the passes over the rows.
    pub(super) fn sweep(
        &mut self,
        range: RangeInclusive<usize>,
        settings: &FuzzyCMeans<'_>,
        device: &Device,
    ) -> Result<Vec<Partition>> {
        match &mut self.rows {
            Rows::Memory { table, weights: None } => settings.sweep(range, table, device),
            Rows::Memory { table, weights: Some(weights) } => {
                settings.sweep_weighted(range, table, weights, device)
            }
            Rows::Stream { reader, fresh } => {
                rewound(reader, fresh)?;
                settings.sweep_reader(range, reader, self.weights.as_deref(), device)
            }
        }
    }

    /// Calls `work` with all rows, piece by piece.
    pub(super) fn pieces(&mut self, mut work: impl FnMut(&Table) -> Result<()>) -> Result<()> {
        let mut before = 0;
        let mut work = |piece: &Table| {
            let done = work(piece).map_err(|error| match error {
                // A row is counted from the first of the table, not of the piece.
                Error::NotFinite { row, column, name, value } => {
                    Error::NotFinite { row: row + before, column, name, value }
                }
                other => other,
            });
            before += piece.rows() as u64;
            done
        };
        match &mut self.rows {
            Rows::Memory { table, .. } => {
                for start in (0..table.rows()).step_by(PIECE) {
                    work(&match table.slice(start..start + PIECE) {
                        Values::F32(values) => Table::new(&self.names, values.to_vec()),
                        Values::F64(values) => Table::new(&self.names, values.to_vec()),
                    }?)?;
                }
            }
            Rows::Stream { reader, fresh } => {
                rewound(reader, fresh)?;
                while let Some(piece) = reader.next(PIECE)? {
                    match piece.names() == self.names {
                        true => work(&piece)?,
                        false => work(&piece.select(&self.names)?)?,
                    }
                }
            }
        }
        Ok(())
    }
}

fn rewound(reader: &mut TableReader<'_>, fresh: &mut bool) -> Result<()> {
    if !std::mem::replace(fresh, false) {
        reader.rewind()?;
    }
    Ok(())
}

/// The memory that all numbers behind `reader` take: as many bytes as the text has where nothing better is known.
fn bytes(path: &Path, reader: &TableReader<'_>) -> u64 {
    let size = if reader.precision() == fuzzion::data::Precision::F32 { 4 } else { 8 };
    if let Some(rows) = reader.rows() {
        return rows.saturating_mul(reader.columns() as u64 * size);
    }
    let length = std::fs::metadata(path).map_or(0, |about| about.len());
    let gzip = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"));
    if gzip { length.saturating_mul(GZIP_RATIO) } else { length }
}

/// Fails unless `name` is a column of numbers.
fn is_number(table: &Table, name: &str) -> Result<()> {
    if table.label(name).is_ok() {
        return Err(Error::TextColumn { name: name.to_owned() });
    }
    table.column_index(name).map(drop)
}

/// The columns that `words` ask for.
pub(super) fn wanted(first: &Table, words: &RowWords) -> Result<Vec<String>> {
    if let Some(names) = &words.columns {
        names.iter().try_for_each(|name| is_number(first, name))?;
        return Ok(names.clone());
    }
    let weights = words.weights.as_deref();
    Ok(first.names().iter().filter(|name| Some(name.as_str()) != weights).cloned().collect())
}

/// The columns that a model with the columns `model` reads: those of its names, or as many where one side has no names.
pub(super) fn matching(first: &Table, model: &[String]) -> Result<Vec<String>> {
    if model.iter().all(|name| first.names().contains(name)) {
        return Ok(model.to_vec());
    }
    let unnamed = |names: &[String]| names.iter().enumerate().all(|(i, name)| *name == format!("c{}", i + 1));
    if first.columns() == model.len() && (unnamed(model) || unnamed(first.names())) {
        return Ok(first.names().to_vec());
    }
    Err(Error::ModelColumns { model: listed(model), data: listed(first.names()) })
}

/// A few names for a sentence.
pub(super) fn listed(names: &[String]) -> String {
    const SHOWN: usize = 8;
    let mut words: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    match names.len() {
        0 => words.push("no columns of numbers".into()),
        n if n > SHOWN => words.push(format!("and {} more", n - SHOWN)),
        _ => {}
    }
    words.join(", ")
}

/// The file as a title names it.
pub(super) fn title(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    super::shown(&PathBuf::from(name))
}
