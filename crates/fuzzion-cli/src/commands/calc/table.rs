//! Evaluates a formula for every row of a table.

use super::aggregate::{Aggregate, Aggregated};
use super::args::Calc;
use super::encoding::Encoding;
use super::single::Evaluated;
use super::task::{Task, with_decimal_comma, with_place};
use crate::commands::common::chunks::{Chunk, ChunkRows, chunks_of};
use crate::console::{Bar, Console, Stage, print_error};
use crate::format::{count_of, display_path, format_rate, json_number};
use clap::ValueEnum as _;
use fuzzion::data::{DataError, Labels, Records, TableReader, TableWriter, pipeline};
use fuzzion::inference::InferenceError;
use fuzzion::{Device, Error, Result, Table};
use serde_json::json;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// Rows per chunk whose results are combined, and whose results are written after the text of the rows.
const CHUNK_ROWS: usize = 1 << 16;
const COPIED_ROWS: usize = 1 << 14;

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

/// The table with the variables as columns.
struct Input<'a> {
    data: &'a Path,
    reader: TableReader,
    /// Names of the columns.
    names: Vec<String>,
    is_text: bool,
    decimal_comma: bool,
}

impl Input<'_> {
    /// The error message for a value of `--let` whose name is that of a column.
    fn conflict(&self, task: &Task) -> Option<String> {
        let (name, _) = task.lets.iter().find(|(name, _)| self.names.contains(name))?;
        let data = display_path(self.data);
        Some(format!("`--let {name}` sets a column of {data}; remove it, or give the variable another name"))
    }
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
    ) -> Result<ExitCode> {
        let task = Task::new(self)?;
        let started = Instant::now();
        let out = self.out.as_deref().unwrap_or(Path::new("-"));
        let input = self.open(data, device, bar)?;
        if let Some(message) = input.conflict(&task) {
            print_error(&message);
            return Ok(ExitCode::from(2));
        }
        let mut writer = TableWriter::create(out)?.device(device);
        let is_constant = task.unbound().next().is_none();
        // The text of the rows is copied to files of text.
        let is_text = out.extension().is_none_or(|end| end != "npy" && end != "parquet");
        let (copies, decimal_comma) = (input.is_text && is_text, input.decimal_comma);
        let results = |chunk: &mut Chunk, result: A| {
            self.check_column_names(chunk.rows(), data)?;
            let inputs = (!copies).then(|| chunk.rows());
            let rows = chunk.rows().rows();
            let table = self.with_results(inputs, rows, &result, (is_constant, copies && decimal_comma))?;
            Ok(Chunk { table: Some(table), records: chunk.records.take().filter(|_| copies) })
        };
        let write = |output: &mut Chunk| output.write(&mut writer);
        let summary = self.evaluate_rows::<A>(&task, input, (device, bar), results, write)?;
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
            console.print_summary_of_files(&json.to_string(), device)?;
            return Ok(ExitCode::SUCCESS);
        }
        if out == Path::new("-") {
            return Ok(ExitCode::SUCCESS);
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
        console.print_summary_of_files(&text, device)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Evaluates the formula for every row of `data`, combines the results and prints them.
    pub(super) fn run_aggregate<A: Encoding>(
        &self,
        data: &Path,
        aggregate: Aggregate,
        (device, bar): (&Device, &Bar),
        console: &Console,
    ) -> Result<ExitCode> {
        let task = Task::new(self)?;
        task.require_column(self)?;
        let input = self.open(data, device, bar)?;
        if let Some(message) = input.conflict(&task) {
            print_error(&message);
            return Ok(ExitCode::from(2));
        }
        let mut aggregated = Aggregated::<A>::new(aggregate);
        let add = |chunk: &mut Chunk, result: A| {
            aggregated.add(&result, chunk.rows().rows(), &task, device)?;
            Ok(Chunk::default())
        };
        let summary = self.evaluate_rows::<A>(&task, input, (device, bar), add, |_| Ok(()))?;
        let result = aggregated.finish(summary.rows, &task, device)?;
        let evaluated = Evaluated::new(task, result, None);
        if console.json() {
            let mut json = evaluated.json(self);
            json["data"] = json!(data.to_string_lossy());
            json["aggregate"] = json!(aggregate.to_possible_value().map(|value| value.get_name().to_owned()));
            json["rows"] = json!(summary.rows);
            json["with_missing_values"] = json!(summary.missing);
            console.print_json(&json)?;
            return Ok(ExitCode::SUCCESS);
        }
        let text = evaluated.text(console.quiet());
        if console.quiet() {
            console.print(&text)?;
            return Ok(ExitCode::SUCCESS);
        }
        let (data, rows) = (display_path(data), count_of(summary.rows, "row"));
        console.print(&format!("{data}: {rows}\n\n{text}{}", summary.missing_text()))?;
        Ok(ExitCode::SUCCESS)
    }

    /// Opens the table. Columns are read as text, because they may contain fuzzy numbers, and decimal numbers must be enclosed.
    fn open<'a>(&self, data: &'a Path, device: &Device, bar: &Bar) -> Result<Input<'a>> {
        let settings = self.text.settings(&bar.watch(device));
        bar.stages().begin(Stage::Read);
        let mut reader = settings.keep_text(true).all_text(true).keep_records(true).open(data)?;
        bar.stages().end();
        let records = reader.records(); // without rows
        Ok(Input {
            data,
            is_text: records.is_some(),
            decimal_comma: records.as_ref().is_some_and(Records::has_decimal_comma),
            names: records.map_or_else(|| reader.names().to_vec(), |records| records.names().to_vec()),
            reader,
        })
    }

    /// Evaluates the rows of `reader` chunk by chunk, so that memory use does not depend on their number. `results` receives
    /// a chunk and its results and returns the chunk for `write`.
    fn evaluate_rows<A: Encoding>(
        &self,
        task: &Task,
        input: Input<'_>,
        (device, bar): (&Device, &Bar),
        mut results: impl FnMut(&mut Chunk, A) -> Result<Chunk>,
        write: impl FnMut(&mut Chunk) -> Result<()> + Send,
    ) -> Result<CalcSummary> {
        let Input { data, reader, decimal_comma, .. } = input;
        let names: Vec<&str> = task.unbound().collect();
        let unknown = |error: Error| match error {
            Error::Data(DataError::UnknownColumn { ref name, .. }) if names.contains(&name.as_str()) => {
                task.expr.error_at(name, format!("{}: {error}", display_path(data))).into()
            }
            other => other,
        };
        let constants = task.constants::<A>()?;
        let mut summary = CalcSummary::default();
        let calculate = |input: &mut Chunk, output: &mut Chunk| {
            let chunk = input.rows();
            let texts: Vec<Vec<String>> = names
                .iter()
                .map(|name| column(chunk, name, decimal_comma).map_err(unknown))
                .collect::<Result<_>>()?;
            let read = |(name, texts): (&&'_ str, &Vec<String>)| {
                let location = |row: usize| location(data, chunk, summary.rows as usize + row, name);
                let texts: Vec<&str> =
                    texts.iter().map(|text| if text.is_empty() { MISSING } else { text }).collect();
                let parsed = A::parse(task.cuts, &texts).map_err(|error| with_place(error, location));
                parsed.map_err(|error| if decimal_comma { error } else { with_decimal_comma(error) })
            };
            let columns: Vec<A> = names.iter().zip(&texts).map(read).collect::<Result<_>>()?;
            let varying = names.iter().copied().zip(&columns);
            let all: Vec<(&str, &A)> =
                constants.iter().map(|(name, column)| (*name, column)).chain(varying).collect();
            let result = task.apply(&all, device)?;
            let missing = |row: &usize| texts.iter().any(|column| column[*row].is_empty());
            summary.missing += (0..chunk.rows()).filter(missing).count() as u64;
            summary.rows += chunk.rows() as u64;
            *output = results(input, result)?;
            Ok(())
        };
        let rows = if self.aggregate.is_some() { CHUNK_ROWS } else { COPIED_ROWS };
        let times = pipeline(chunks_of(reader, ChunkRows::Exactly(rows)), calculate, write)?;
        bar.stages().add(times);
        bar.begin(Stage::Write, "writing");
        if summary.rows == 0 {
            return Err(Error::Data(DataError::NoData { path: data.to_path_buf(), what: "rows" }));
        }
        Ok(summary)
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

    /// The columns of `inputs` if given, the bounds of the support, the centroid and the result as text. `is_constant`: the
    /// result is one number for all rows.
    fn with_results<A: Encoding>(
        &self,
        inputs: Option<&Table>,
        rows: usize,
        result: &A,
        (is_constant, decimal_comma): (bool, bool),
    ) -> Result<Table> {
        let [name, lower, upper, centroid] = self.added();
        let index = |row: usize| if is_constant { 0 } else { row };
        let centroids = result.centroids();
        let numbers = inputs.map(Table::to_f64).unwrap_or_default();
        let width = inputs.map_or(0, Table::columns);
        let mut values = Vec::with_capacity(rows * (width + 3));
        for row in 0..rows {
            values.extend(&numbers[row * width..(row + 1) * width]);
            let support = result.cut(index(row), 0);
            values.extend([support.lower, support.upper]);
            values.push(centroids[index(row)].unwrap_or(f64::NAN));
        }
        let texts = (0..rows).map(|row| match result.text(index(row)) {
            text if decimal_comma && is_plain(&text) => text.replace('.', ","),
            text => text,
        });
        let names = inputs.map_or(&[][..], Table::names).iter().cloned();
        let table = Table::new(names.chain([lower, upper, centroid]), values)?;
        let labels = inputs.map_or(&[][..], Table::labels).iter().cloned();
        Ok(labels.chain([Labels::new(name, texts)]).try_fold(table, Table::with_labels)?)
    }
}

/// The cells of a column as text, empty if missing. Binary numbers are written such that they are parsed exactly.
fn column(chunk: &Table, name: &str, decimal_comma: bool) -> Result<Vec<String>> {
    if chunk.columns() == 0 || chunk.label(name).is_ok() {
        let point = |text: &str| match decimal_comma && is_plain(text) {
            true => text.replacen(',', ".", 1),
            false => text.to_owned(),
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

/// Whether the text of a number is not that of a fuzzy number, which contains commas.
fn is_plain(text: &str) -> bool {
    !text.contains(['(', '['])
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
