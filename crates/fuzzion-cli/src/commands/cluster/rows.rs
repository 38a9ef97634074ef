//! The rows of a table: in memory if they fit, otherwise read again for every pass.

use super::placed::{PlacedRows, PlacedValues, RowText, STREAM_ROWS, rewind};
use crate::commands::common::chunks::require_text;
use crate::commands::common::names::names;
use crate::format::{count_of, display_path, ellipsize, format_number};
use fuzzion::clustering::{ClusteringError, FuzzyCMeans, MissingValues};
use fuzzion::data::{DataError, Precision, ReadTable, TableReader};
use fuzzion::{Device, Error, Result, Samples, Table};
use std::path::{Path, PathBuf};

/// Default memory limit in gigabytes if the memory of the machine is unknown or small.
const MIN_DEFAULT_MEMORY: f64 = 1.0;
/// Typical upper bound of the compression ratio of text files.
const GZIP_RATIO: u64 = 6;
/// Memory of rows of text while they are read, in multiples of their values: the buffer grows by doubling.
const GROWTH: f64 = 3.0;

/// Options about the rows and columns of a table.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Data")]
pub(super) struct RowArgs {
    /// Columns to cluster [default: all numeric columns]
    #[arg(long, value_name = "COL,…", value_delimiter = ',')]
    pub(super) columns: Option<Vec<String>>,
    /// Column of sample weights; it is not clustered
    #[arg(long, value_name = "COL")]
    pub(super) weights: Option<String>,
    /// Scale the columns to unit variance for the distances, like `--metric diagonal`; centers keep the original units. No
    /// effect on the other metrics, which do not depend on the units
    #[arg(long)]
    pub(super) standardize: bool,
    /// Handling of missing values: error, or partial (distances over the columns present in a row)
    #[arg(long, default_value_t, value_name = "POLICY")]
    #[arg(value_parser = names::<MissingValues>(MissingValues::ALL.map(|value| value.name())), hide_possible_values = true)]
    pub(super) missing: MissingValues,
    /// Memory limit for reading the data in gigabytes; a larger file is read again in every iteration, unless it fits into the
    /// memory of the GPU, and a larger pipe is an error [default: half of the memory of this machine]
    #[arg(long, value_name = "GB", value_parser = gigabytes)]
    memory: Option<f64>,
}

impl RowArgs {
    /// The error message for weights that are also clustered.
    pub(super) fn usage_error(&self) -> Option<String> {
        let weights =
            self.weights.as_ref().filter(|name| self.columns.iter().flatten().any(|c| c == *name))?;
        Some(format!("the weights `{}` are also in `--columns`; use another column", ellipsize(weights)))
    }

    /// The memory limit in gigabytes.
    pub(super) fn memory(&self) -> f64 {
        self.memory.unwrap_or_else(|| (physical_memory() as f64 / 2e9).max(MIN_DEFAULT_MEMORY))
    }
}

/// The rows to cluster.
pub(super) struct TableRows {
    /// Names of the clustered columns.
    pub(super) names: Vec<String>,
    /// Names of the text columns, which are ignored.
    pub(super) ignored: Vec<String>,
    /// Name of the column of sample weights.
    weights: Option<String>,
    storage: Storage,
    /// The text of the rows, if it is copied to the outputs.
    records: Option<RowText>,
}

enum Storage {
    Memory { table: Table, weights: Option<Vec<f64>> },
    Stream { reader: TableReader, at_start: bool },
}

impl TableRows {
    /// The rows of `reader`, which was opened at `path` with `settings` and has not been read from, restricted to the columns
    /// that `choose` selects from the first rows.
    pub(super) fn open(
        path: &Path,
        mut reader: TableReader,
        (settings, device): (&ReadTable, &Device),
        args: &RowArgs,
        choose: impl FnOnce(&Table) -> Result<Vec<String>>,
    ) -> Result<Self> {
        let no_rows = || Error::Data(DataError::NoData { path: path.to_path_buf(), what: "rows" });
        require_text(settings, &mut reader, path)?;
        let is_file = path.is_file();
        // A pipe can be read only once, so it is read completely; the first row of a file determines its columns.
        let first = match is_file {
            true => reader.next(1)?,
            false => within_limit(&mut reader, args)?.map_err(|rows| too_large(path, rows, args))?,
        };
        let first = first.ok_or_else(no_rows)?;
        let text = reader.records().map(RowText::Memory);
        if let Some(RowText::Memory(records)) = text.as_ref().filter(|_| !is_file) {
            let bytes = records.bytes() as f64 + first.rows() as f64 * bytes_per_row(&reader);
            if bytes > args.memory() * 1e9 {
                return Err(too_large(path, first.rows(), args));
            }
        }
        let ignored: Vec<String> = first.labels().iter().map(|labels| labels.name().to_owned()).collect();
        let names = choose(&first)?;
        if let Some(name) = &args.weights {
            require_numeric(&first, name)?;
        }
        if names.is_empty() {
            return Err(Error::Data(DataError::NoData { path: path.to_path_buf(), what: "numeric columns" }));
        }
        let rows = |storage| TableRows {
            names: names.clone(),
            ignored: ignored.clone(),
            weights: args.weights.clone(),
            storage,
            records: None,
        };
        if !is_file {
            let rows = rows(Storage::Stream { reader, at_start: true }).in_memory(first)?;
            return Ok(TableRows { records: text, ..rows });
        }
        let text = match settings.keep_records {
            true => Some(RowText::Stream(settings.clone().columns(names.first()).open(path)?)),
            false => None,
        };
        let rows = |storage| TableRows { records: text, ..rows(storage) };
        let mut columns = names.clone();
        columns.extend(args.weights.iter().filter(|name| !names.contains(name)).cloned());
        let settings = if columns == first.names() && ignored.is_empty() {
            settings.clone()
        } else {
            settings.clone().columns(columns)
        };
        let mut reader = settings.keep_text(false).keep_records(false).open(path)?;
        let fits = estimated_bytes(path, &reader) <= args.memory() * 1e9;
        // A memory-mapped file takes no memory while it is copied to a GPU.
        if (fits || device.has_gpu())
            && args.weights.is_none()
            && let Some(table) = reader.map()?
        {
            return rows(Storage::Stream { reader, at_start: true }).in_memory(table);
        }
        if !fits {
            return Ok(rows(Storage::Stream { reader, at_start: true }));
        }
        match within_limit(&mut reader, args)? {
            Ok(table) => {
                rows(Storage::Stream { reader, at_start: false }).in_memory(table.ok_or_else(no_rows)?)
            }
            Err(_) => Ok(rows(Storage::Stream { reader, at_start: false })),
        }
    }

    /// Replaces the reader by `table`.
    fn in_memory(mut self, table: Table) -> Result<Self> {
        let weights = self.weights.as_ref().map(|name| table.column(name)).transpose()?;
        let table = if table.names() == self.names { table } else { table.select(&self.names)? };
        self.storage = Storage::Memory { table, weights };
        Ok(self)
    }

    /// Number of rows, if known.
    pub(super) fn count(&self) -> Option<u64> {
        match &self.storage {
            Storage::Memory { table, .. } => Some(table.rows() as u64),
            Storage::Stream { reader, .. } => reader.rows(),
        }
    }

    /// Whether the rows have sample weights.
    pub(super) fn is_weighted(&self) -> bool {
        self.weights.is_some()
    }

    /// Whether the rows are read again in every pass.
    pub(super) fn is_streamed(&self) -> bool {
        matches!(self.storage, Storage::Stream { .. })
    }

    /// Name of the precision of the values.
    pub(super) fn precision(&self) -> String {
        match &self.storage {
            Storage::Memory { table, .. } => table.precision().to_string(),
            Storage::Stream { reader, .. } => reader.precision().to_string(),
        }
    }

    /// For the device `best`, the CPU or a GPU, depending on the size of a fit of `clusters` clusters.
    pub(super) fn device_for(&self, clusters: usize, device: &Device) -> Device {
        match &self.storage {
            Storage::Memory { table, .. } => FuzzyCMeans::new(clusters).device_for(&table.samples(), device),
            Storage::Stream { .. } => device.clone(),
        }
    }

    /// The difference between the largest and the smallest value of each column; of a table that is read again, in its first
    /// rows.
    pub(super) fn ranges(&mut self) -> Result<Vec<f64>> {
        let first;
        let table = match &mut self.storage {
            Storage::Memory { table, .. } => table,
            Storage::Stream { reader, at_start } => {
                rewind(reader, at_start)?;
                first = reader.next(STREAM_ROWS)?;
                let Some(table) = &first else { return Ok(Vec::new()) };
                table
            }
        };
        let range = |name: &String| {
            let values = table.column(name)?;
            let finite = || values.iter().copied().filter(|x| x.is_finite());
            Ok(finite().fold(f64::MIN, f64::max) - finite().fold(f64::MAX, f64::min))
        };
        self.names.iter().map(range).collect()
    }

    /// Copies rows in memory to the memory of `device`.
    pub(super) fn place(&mut self, device: &Device) -> Result<PlacedRows<'_>> {
        let values = match &mut self.storage {
            Storage::Memory { table, weights } => {
                PlacedValues::Memory(weighted(table, weights.as_deref())?.to_device(device)?)
            }
            Storage::Stream { reader, at_start } => PlacedValues::Stream {
                reader,
                at_start,
                weights: self.weights.as_deref(),
                names: &self.names,
            },
        };
        Ok(PlacedRows { values, records: self.records.as_mut() })
    }
}

/// The rows of `table`, with sample weights if given.
fn weighted<'a>(table: &'a Table, weights: Option<&'a [f64]>) -> Result<Samples<'a>> {
    Ok(match weights {
        Some(weights) => table.samples().with_weights(weights)?,
        None => table.samples(),
    })
}

/// All rows of `reader`; the number of rows that fit if there are more.
fn within_limit(
    reader: &mut TableReader,
    args: &RowArgs,
) -> Result<std::result::Result<Option<Table>, usize>> {
    let growth = if reader.rows().is_some() { 1.0 } else { GROWTH };
    let rows = (args.memory() * 1e9 / (growth * bytes_per_row(reader))) as usize;
    let table = reader.next(rows.saturating_add(1))?;
    Ok(if table.as_ref().is_some_and(|table| table.rows() > rows) { Err(rows) } else { Ok(table) })
}

/// The error for a pipe that exceeds the memory limit, into which `rows` rows fit.
fn too_large(path: &Path, rows: usize, args: &RowArgs) -> Error {
    let reason = format!(
        "it has more than the {} that {} into {} GB; save it to a file, which can be read again in every iteration, or \
         increase `--memory`",
        count_of(rows as u64, "row"),
        if rows == 1 { "fits" } else { "fit" },
        format_number(args.memory())
    );
    Error::Data(DataError::Malformed { path: path.to_path_buf(), format: "a table", reason })
}

/// Estimated memory of all values of `reader` in bytes; for text, the size of the uncompressed text.
fn estimated_bytes(path: &Path, reader: &TableReader) -> f64 {
    if let Some(rows) = reader.rows() {
        return rows as f64 * bytes_per_row(reader);
    }
    let length = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    let gzip = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"));
    (if gzip { length.saturating_mul(GZIP_RATIO) } else { length }) as f64
}

/// Memory of the values of a row in bytes.
fn bytes_per_row(reader: &TableReader) -> f64 {
    let size = if reader.precision() == Precision::F32 { 4 } else { 8 };
    (reader.columns().max(1) * size) as f64
}

/// Memory of this machine in bytes; 0 if unknown.
fn physical_memory() -> u64 {
    let field = |text: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:")?.trim().strip_suffix(" kB"));
        line?.parse::<u64>().ok()
    };
    std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| field(&text)).unwrap_or(0) * 1024
}

/// Fails unless `name` is a numeric column.
fn require_numeric(table: &Table, name: &str) -> Result<()> {
    if table.label(name).is_ok() {
        return Err(Error::Clustering(ClusteringError::TextColumn { name: name.to_owned() }));
    }
    Ok(table.column_index(name).map(drop)?)
}

/// The columns to cluster according to `args`.
pub(super) fn selected_columns(first: &Table, args: &RowArgs) -> Result<Vec<String>> {
    if let Some(names) = &args.columns {
        for (i, name) in names.iter().enumerate() {
            require_numeric(first, name)?;
            if names[..i].contains(name) {
                let (what, name) = ("column", name.clone());
                let problem = "is listed twice; list it once";
                return Err(Error::Data(DataError::TrainingColumn { what, name, problem }));
            }
        }
        return Ok(names.clone());
    }
    let weights = args.weights.as_deref();
    Ok(first.names().iter().filter(|name| Some(name.as_str()) != weights).cloned().collect())
}

/// The columns for a model with the columns `model`, matched by name, or by position if either side has no names.
pub(super) fn matching_columns(first: &Table, model: &[String]) -> Result<Vec<String>> {
    if model.iter().all(|name| first.names().contains(name)) {
        return Ok(model.to_vec());
    }
    let unnamed = |names: &[String]| names.iter().enumerate().all(|(i, name)| *name == format!("c{}", i + 1));
    if first.columns() == model.len() && (unnamed(model) || unnamed(first.names())) {
        return Ok(first.names().to_vec());
    }
    Err(Error::Clustering(ClusteringError::ModelColumns {
        model: quoted_names(model),
        data: quoted_names(first.names()),
    }))
}

/// The first names, quoted and separated by commas.
pub(super) fn quoted_names(names: &[String]) -> String {
    const MAX_NAMES: usize = 8;
    let mut list: Vec<String> = names.iter().take(MAX_NAMES).map(|name| format!("`{name}`")).collect();
    match names.len() {
        0 => list.push("no numeric columns".into()),
        n if n > MAX_NAMES => list.push(format!("and {} more", n - MAX_NAMES)),
        _ => {}
    }
    list.join(", ")
}

/// The file name of a path, for titles.
pub(super) fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    display_path(&PathBuf::from(name))
}

/// Parses a memory limit.
fn gigabytes(text: &str) -> std::result::Result<f64, String> {
    let limit = text.parse().ok().filter(|limit: &f64| limit.is_finite() && *limit >= 0.0);
    limit.ok_or_else(|| "expected a number of at least 0".into())
}
