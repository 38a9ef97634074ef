//! A formula for every row of a table.

use super::{Calc, Encoding, Task, placed};
use crate::commands::words::{counted, number, shown};
use crate::console::{Console, with_prefix};
use fuzzion::data::{Labels, TableWriter};
use fuzzion::{Device, Error, Progress, Result, Table};
use serde_json::json;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Instant;

/// Rows that are read, calculated and written at a time.
const PIECE: usize = 1 << 16;

/// Nothing is known of a missing number.
const MISSING: &str = "[-inf, inf]";

/// What is said at the end.
#[derive(Default)]
struct Told {
    rows: u64,
    /// Rows in which a variable is missing.
    missing: u64,
}

impl Calc {
    /// Piece by piece, so that a table of any size takes little memory beside its distinct texts.
    pub(super) fn rows<A: Encoding>(
        &self,
        data: &Path,
        device: &Device,
        progress: Progress<'_>,
        console: &Console,
    ) -> Result<()> {
        let task = self.task()?;
        let begun = Instant::now();
        let out = self.out.as_deref().unwrap_or(Path::new("-"));
        let told = match self.all::<A>(&task, data, out, device, progress) {
            // A reader that has gone (`fuzzion calc … | head`) has seen what it wanted.
            Err(Error::File { cause, .. })
                if out == Path::new("-") && cause.kind() == ErrorKind::BrokenPipe =>
            {
                return Ok(());
            }
            told => told?,
        };
        let seconds = begun.elapsed().as_secs_f64();
        let rate = told.rows as f64 / seconds;
        if console.json() {
            return console.say_json(&json!({
                "expression": self.formula,
                "data": data.to_string_lossy(),
                "out": out.to_string_lossy(),
                "rows": told.rows,
                "with_missing_values": told.missing,
                "cuts": self.cuts,
                "encoding": A::NAME,
                "precision": A::PRECISION,
                "method": self.method.to_string(),
                "device": device.to_string(),
                "seconds": seconds,
                "rows_per_second": number(rate),
            }));
        }
        if out == Path::new("-") {
            return Ok(());
        }
        let mut text = format!(
            "{}: {}, written to {} ({}rows/s with reading and writing)\n",
            shown(data),
            counted(told.rows, "row"),
            shown(out),
            with_prefix(rate)
        );
        if told.missing > 0 {
            let rows = counted(told.missing, "row");
            text.push_str(&format!("a value is missing in {rows}, of whose results little is known\n"));
        }
        console.say(&text)
    }

    fn all<A: Encoding>(
        &self,
        task: &Task,
        data: &Path,
        out: &Path,
        device: &Device,
        progress: Progress<'_>,
    ) -> Result<Told> {
        let names: Vec<&str> = task.unbound().collect();
        // A text is taken as it is written: its numbers may be fuzzy, and decimal ones are enclosed.
        let settings = self.text.settings(device, progress).keep_text(true).all_text(true);
        let unknown = |error| match error {
            Error::UnknownColumn { name, known } if names.contains(&name.as_str()) => {
                let problem = format!("{} has no column `{name}`; those there are: {known}", shown(data));
                task.expr.error_at(&name, problem)
            }
            other => other,
        };
        let constants = task.columns::<A>()?;
        let mut reader = settings.open(data)?;
        let mut writer = TableWriter::create(out)?;
        let mut told = Told::default();
        while let Some(piece) = reader.next(PIECE)? {
            self.require_new_names(&piece, data)?;
            let texts: Vec<Vec<String>> =
                names.iter().map(|name| self.column(&piece, name).map_err(unknown)).collect::<Result<_>>()?;
            let read = |(name, texts): (&&'_ str, &Vec<String>)| {
                let place = |row: usize| place(data, &piece, told.rows as usize + row, name);
                let known = texts.iter().map(|text| if text.is_empty() { MISSING } else { text });
                let texts: Vec<&str> = known.collect();
                A::parse(task.cuts, &texts).map_err(|error| placed(error, place))
            };
            let columns: Vec<A> = names.iter().zip(&texts).map(read).collect::<Result<_>>()?;
            let varying = names.iter().copied().zip(&columns);
            let all: Vec<(&str, &A)> =
                constants.iter().map(|(name, column)| (*name, column)).chain(varying).collect();
            let result = A::apply(task, &all, device, Progress::none())?;
            writer.write(&self.with_results(&piece, &result, names.is_empty())?)?;
            let missing = |row: &usize| texts.iter().any(|column| column[*row].is_empty());
            told.missing += (0..piece.rows()).filter(missing).count() as u64;
            told.rows += piece.rows() as u64;
        }
        if told.rows == 0 {
            return Err(Error::NoData { path: data.to_path_buf(), what: "rows" });
        }
        writer.finish()?;
        Ok(told)
    }

    /// The texts of a column, empty where they are missing; a number that is held as such is written so that it is read
    /// as exactly that.
    fn column(&self, piece: &Table, name: &str) -> Result<Vec<String>> {
        if piece.columns() == 0 || piece.label(name).is_ok() {
            let point = |text: &str| match text.contains(['(', '[']) {
                false if self.text.decimal_comma() => text.replacen(',', ".", 1),
                _ => text.to_owned(),
            };
            return Ok(piece.label(name)?.iter().map(point).collect());
        }
        let exactly = |value: f64| match value {
            v if v.is_nan() => String::new(),
            v if v == f64::INFINITY => format!("[{:e}, inf]", f64::MAX),
            v if v == f64::NEG_INFINITY => format!("[-inf, {:e}]", f64::MIN),
            v => format!("cuts([{v:e}, {v:e}])"),
        };
        Ok(piece.column(name)?.into_iter().map(exactly).collect())
    }

    /// The names of the columns that are added.
    fn added(&self) -> [String; 4] {
        ["", "_lower", "_upper", "_centroid"].map(|ending| format!("{}{ending}", self.name))
    }

    fn require_new_names(&self, piece: &Table, data: &Path) -> Result<()> {
        let texts = piece.labels().iter().map(Labels::name);
        let mut names = piece.names().iter().map(String::as_str).chain(texts);
        match names.find(|name| self.added().iter().any(|added| added == name)) {
            None => Ok(()),
            Some(name) => Err(Error::Malformed {
                path: data.into(),
                format: "the formula's columns",
                reason: format!("it has a column `{name}` already; name the results otherwise with `--name`"),
            }),
        }
    }

    /// The columns of `piece`, then the bounds of the support, the centroid and the result as text.
    fn with_results<A: Encoding>(&self, piece: &Table, result: &A, single: bool) -> Result<Table> {
        let [name, lower, upper, centroid] = self.added();
        let of_row = |row: usize| if single { 0 } else { row };
        let centroids = result.centroids();
        let (given, width) = (piece.to_f64(), piece.columns());
        let mut values = Vec::with_capacity(piece.rows() * (width + 3));
        for row in 0..piece.rows() {
            values.extend(&given[row * width..(row + 1) * width]);
            let support = result.cut(of_row(row), 0);
            values.extend([support.lower, support.upper]);
            values.push(centroids[of_row(row)].unwrap_or(f64::NAN));
        }
        let texts = (0..piece.rows()).map(|row| result.text(of_row(row)));
        let names = piece.names().iter().cloned().chain([lower, upper, centroid]);
        let table = Table::new(names, values)?;
        let labels = piece.labels().iter().cloned();
        labels.chain([Labels::new(name, texts)]).try_fold(table, Table::with_labels)
    }
}

/// Where the cell of a column in a row of all rows, counted from 0, stands.
fn place(data: &Path, piece: &Table, row: usize, name: &str) -> String {
    let line = line_of(data, row, name, piece.columns() + piece.labels().len() == 1);
    let row = line.map_or_else(|| format!("row {}", row + 1), |line| format!("line {line}"));
    format!("{}, {row}, column `{name}`", shown(data))
}

/// The line of a plain text in which a row begins; none where that cannot be told.
fn line_of(data: &Path, row: usize, name: &str, blank_is_missing: bool) -> Option<usize> {
    let text = std::fs::read_to_string(data).ok()?; // a pipe is empty by now, and a packed file no text
    let (mut rows, mut quoted) = (Vec::new(), false);
    for (i, line) in text.lines().enumerate() {
        if !quoted && (blank_is_missing || !line.trim().is_empty()) {
            rows.push((i + 1, line));
        }
        quoted ^= line.matches('"').count() % 2 == 1; // a field may hold ends of lines
    }
    let header = usize::from(rows.first().is_some_and(|(_, line)| line.contains(name)));
    rows.get(row + header).map(|(line, _)| *line)
}
