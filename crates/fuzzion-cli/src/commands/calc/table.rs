//! Evaluates a formula for every row of a table.

use super::aggregate::{Aggregate, Aggregated};
use super::args::Calc;
use super::encoding::Encoding;
use super::single::Evaluated;
use super::task::{Task, with_place};
use crate::commands::common::chunks::{Chunk, ChunkRows, chunks_of};
use crate::console::{Bar, Console, Stage};
use crate::format::{count_of, display_path, format_rate, json_number};
use clap::ValueEnum as _;
use fuzzion::data::{DataError, Labels, TableReader, TableWriter, pipeline};
use fuzzion::inference::InferenceError;
use fuzzion::{Device, Error, Result, Table};
use serde_json::json;
use std::path::Path;
use std::time::Instant;

/// Rows per chunk.
const CHUNK_ROWS: usize = 1 << 16;

/// Minimum number of rows for which the summary contains a rate.
const MIN_ROWS_OF_RATE: u64 = 10_000;

/// The value of a missing number.
const MISSING: &str = "[-inf, inf]";

/// Row counts for the summary.
#[derive(Default)]
struct CalcSummary {
    rows: u64,
    /// Number of rows with a missing variable.
    missing: u64,
}

impl CalcSummary {
    /// The line about rows with missing values; empty if there are none.
    fn missing_text(&self) -> String {
        if self.missing == 0 {
            return String::new();
        }
        let rows = count_of(self.missing, "row");
        format!("missing values in {rows} were treated as {MISSING}\n")
    }
}

impl Calc {
    /// Evaluates the formula for every row of `data` and prints the summary.
    pub(super) fn run_table<A: Encoding>(
        &self,
        data: &Path,
        device: &Device,
        bar: &Bar,
        console: &Console,
    ) -> Result<()> {
        let task = Task::new(self)?;
        let started = Instant::now();
        let out = self.out.as_deref().unwrap_or(Path::new("-"));
        let reader = self.open(data, device, bar)?;
        let mut writer = TableWriter::create(out)?.device(device);
        let is_constant = task.unbound().next().is_none();
        let results = |chunk: &Table, result: A| {
            self.check_column_names(chunk, data)?;
            Ok(Some(self.with_results(chunk, &result, is_constant)?))
        };
        let write = |output: &mut Chunk| output.write(&mut writer);
        let summary = self.evaluate_rows::<A>(&task, (data, reader), (device, bar), results, write)?;
        writer.finish()?;
        let seconds = started.elapsed().as_secs_f64();
        let rate = summary.rows as f64 / seconds;
        if console.json() {
            let json = json!({
                "expression": self.formula,
                "data": data.to_string_lossy(),
                "out": out.to_string_lossy(),
                "rows": summary.rows,
                "with_missing_values": summary.missing,
                "cuts": self.cuts,
                "encoding": A::NAME,
                "precision": A::PRECISION,
                "method": self.method.to_string(),
                "seconds": seconds,
                "rows_per_second": json_number(rate),
            });
            return console.print_summary_of_files(&json.to_string(), device);
        }
        if out == Path::new("-") {
            return Ok(());
        }
        let shown_rate = format_rate(summary.rows, MIN_ROWS_OF_RATE, "rows", seconds);
        let mut text = format!(
            "{}: {}; wrote {}{}\n",
            display_path(data),
            count_of(summary.rows, "row"),
            display_path(out),
            shown_rate.map_or_else(String::new, |rate| format!(" ({rate} including I/O)"))
        );
        text.push_str(&summary.missing_text());
        console.print_summary_of_files(&text, device)
    }

    /// Evaluates the formula for every row of `data`, combines the results and prints them.
    pub(super) fn run_aggregate<A: Encoding>(
        &self,
        data: &Path,
        aggregate: Aggregate,
        (device, bar): (&Device, &Bar),
        console: &Console,
    ) -> Result<()> {
        let task = Task::new(self)?;
        task.require_column(self)?;
        let reader = self.open(data, device, bar)?;
        let mut aggregated = Aggregated::<A>::new(aggregate);
        let add = |chunk: &Table, result: A| {
            aggregated.add(&result, chunk.rows(), &task, device)?;
            Ok(None)
        };
        let summary = self.evaluate_rows::<A>(&task, (data, reader), (device, bar), add, |_| Ok(()))?;
        let result = aggregated.finish(summary.rows, &task, device)?;
        let evaluated = Evaluated::new(task, result, None);
        if console.json() {
            let mut json = evaluated.json(self);
            json["data"] = json!(data.to_string_lossy());
            json["aggregate"] = json!(aggregate.to_possible_value().map(|value| value.get_name().to_owned()));
            json["rows"] = json!(summary.rows);
            json["with_missing_values"] = json!(summary.missing);
            return console.print_json(&json);
        }
        let text = evaluated.text(console.quiet());
        if console.quiet() {
            return console.print(&text);
        }
        let (data, rows) = (display_path(data), count_of(summary.rows, "row"));
        console.print(&format!("{data}: {rows}\n\n{text}{}", summary.missing_text()))
    }

    /// Opens the table. Columns are read as text, because they may contain fuzzy numbers, and decimal numbers must be enclosed.
    fn open(&self, data: &Path, device: &Device, bar: &Bar) -> Result<TableReader> {
        let settings = self.text.settings(&bar.watch(device)).keep_text(true).all_text(true);
        bar.stages().begin(Stage::Read);
        let reader = settings.open(data)?;
        bar.stages().end();
        Ok(reader)
    }

    /// Evaluates the rows of `reader` chunk by chunk, so that memory use does not depend on their number. `results` receives
    /// the rows and the results of a chunk and returns the table for `write`, if any.
    fn evaluate_rows<A: Encoding>(
        &self,
        task: &Task,
        (data, reader): (&Path, TableReader),
        (device, bar): (&Device, &Bar),
        mut results: impl FnMut(&Table, A) -> Result<Option<Table>>,
        write: impl FnMut(&mut Chunk) -> Result<()> + Send,
    ) -> Result<CalcSummary> {
        let names: Vec<&str> = task.unbound().collect();
        let unknown = |error: Error| match error {
            Error::Data(DataError::UnknownColumn { ref name, .. }) if names.contains(&name.as_str()) => {
                task.expr.error_at(name, format!("{}: {error}", display_path(data))).into()
            }
            other => other,
        };
        let constants = task.constants::<A>()?;
        let mut summary = CalcSummary::default();
        let calculate = |chunk: &mut Chunk, output: &mut Chunk| {
            let chunk = chunk.rows();
            let texts: Vec<Vec<String>> =
                names.iter().map(|name| self.column(chunk, name).map_err(unknown)).collect::<Result<_>>()?;
            let read = |(name, texts): (&&'_ str, &Vec<String>)| {
                let location = |row: usize| location(data, chunk, summary.rows as usize + row, name);
                let texts: Vec<&str> =
                    texts.iter().map(|text| if text.is_empty() { MISSING } else { text }).collect();
                A::parse(task.cuts, &texts).map_err(|error| with_place(error, location))
            };
            let columns: Vec<A> = names.iter().zip(&texts).map(read).collect::<Result<_>>()?;
            let varying = names.iter().copied().zip(&columns);
            let all: Vec<(&str, &A)> =
                constants.iter().map(|(name, column)| (*name, column)).chain(varying).collect();
            let result = task.apply(&all, device)?;
            output.table = results(chunk, result)?;
            let missing = |row: &usize| texts.iter().any(|column| column[*row].is_empty());
            summary.missing += (0..chunk.rows()).filter(missing).count() as u64;
            summary.rows += chunk.rows() as u64;
            Ok(())
        };
        let times = pipeline(chunks_of(reader, ChunkRows::Exactly(CHUNK_ROWS)), calculate, write)?;
        bar.stages().add(times);
        bar.begin(Stage::Write, "writing");
        if summary.rows == 0 {
            return Err(Error::Data(DataError::NoData { path: data.to_path_buf(), what: "rows" }));
        }
        Ok(summary)
    }

    /// The cells of a column as text, empty if missing. Binary numbers are written such that they are parsed exactly.
    fn column(&self, chunk: &Table, name: &str) -> Result<Vec<String>> {
        if chunk.columns() == 0 || chunk.label(name).is_ok() {
            let point = |text: &str| match text.contains(['(', '[']) {
                false if self.text.decimal_comma() => text.replacen(',', ".", 1),
                _ => text.to_owned(),
            };
            return Ok(chunk.label(name)?.iter().map(point).collect());
        }
        let exactly = |value: f64| match value {
            v if v.is_nan() => String::new(),
            v if v == f64::INFINITY => format!("[{:e}, inf]", f64::MAX),
            v if v == f64::NEG_INFINITY => format!("[-inf, {:e}]", f64::MIN),
            v => format!("cuts([{v:e}, {v:e}])"),
        };
        Ok(chunk.column(name)?.into_iter().map(exactly).collect())
    }

    /// Names of the added columns.
    fn added(&self) -> [String; 4] {
        ["", "_lower", "_upper", "_centroid"].map(|suffix| format!("{}{suffix}", self.name))
    }

    /// Fails if the table already has a column with the name of an added one.
    fn check_column_names(&self, chunk: &Table, data: &Path) -> Result<()> {
        let texts = chunk.labels().iter().map(Labels::name);
        let mut names = chunk.names().iter().map(String::as_str).chain(texts);
        match names.find(|name| self.added().iter().any(|added| added == name)) {
            None => Ok(()),
            Some(name) => Err(Error::Inference(InferenceError::InvalidSystem {
                location: display_path(data),
                problem: format!(
                    "already has a column `{name}`; choose a different name for the result with `--name`"
                ),
            })),
        }
    }

    /// The columns of `chunk`, the bounds of the support, the centroid and the result as text. `is_constant`: the result is
    /// one number for all rows.
    fn with_results<A: Encoding>(&self, chunk: &Table, result: &A, is_constant: bool) -> Result<Table> {
        let [name, lower, upper, centroid] = self.added();
        let index = |row: usize| if is_constant { 0 } else { row };
        let centroids = result.centroids();
        let (inputs, width) = (chunk.to_f64(), chunk.columns());
        let mut values = Vec::with_capacity(chunk.rows() * (width + 3));
        for row in 0..chunk.rows() {
            values.extend(&inputs[row * width..(row + 1) * width]);
            let support = result.cut(index(row), 0);
            values.extend([support.lower, support.upper]);
            values.push(centroids[index(row)].unwrap_or(f64::NAN));
        }
        let texts = (0..chunk.rows()).map(|row| result.text(index(row)));
        let names = chunk.names().iter().cloned().chain([lower, upper, centroid]);
        let table = Table::new(names, values)?;
        let labels = chunk.labels().iter().cloned();
        Ok(labels.chain([Labels::new(name, texts)]).try_fold(table, Table::with_labels)?)
    }
}

/// The file, line or row, and column of a cell; `row` counts all rows from 0.
fn location(data: &Path, chunk: &Table, row: usize, name: &str) -> String {
    let line = line_of(data, row, name, chunk.columns() + chunk.labels().len() == 1);
    let row = line.map_or_else(|| format!("row {}", row + 1), |line| format!("line {line}"));
    format!("{}, {row}, column `{name}`", display_path(data))
}

/// The line of a text file in which a row begins, if it can be determined.
fn line_of(data: &Path, row: usize, name: &str, blank_is_missing: bool) -> Option<usize> {
    let text = std::fs::read_to_string(data).ok()?; // fails for a compressed file; empty for a pipe
    let (mut rows, mut quoted) = (Vec::new(), false);
    for (i, line) in text.lines().enumerate() {
        if !quoted && (blank_is_missing || !line.trim().is_empty()) {
            rows.push((i + 1, line));
        }
        quoted ^= line.matches('"').count() % 2 == 1; // a quoted field may contain line breaks
    }
    let header = usize::from(rows.first().is_some_and(|(_, line)| line.contains(name)));
    rows.get(row + header).map(|(line, _)| *line)
}
