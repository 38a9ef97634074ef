//! Tables: reading in chunks, compressed or after writing gives the same values as reading at once.

use super::{Input, Outcome, all_same, ensure, must};
use crate::mutate::gzip;
use fuzzion::Table;
use fuzzion::data::{DataError, Labels, Precision, ReadTable, Separator};
use fuzzion::internals::Random;
use std::fs;

/// Random settings, most of them the default.
fn settings(input: &Input<'_>, random: &mut Random) -> ReadTable {
    let mut read = ReadTable::new();
    read.device = Some(input.device.clone());
    let bits = random.bits();
    let is = |shift: u32| (bits >> shift) & 7 == 0;
    read.header = is(0).then_some(is(3));
    read.decimal_comma = is(6).then_some(is(9));
    read.precision = is(12).then_some(Precision::F32);
    let separators =
        [Separator::Comma, Separator::Semicolon, Separator::Tab, Separator::Pipe, Separator::Whitespace];
    read.separator = is(15).then_some(separators[(bits >> 18) as usize % separators.len()]);
    read.keep_text = is(24);
    read.all_text = is(27);
    read.keep_records = is(30);
    read
}

/// Reads a table in chunks.
fn read_chunks(read: &ReadTable, input: &Input<'_>, rows: usize) -> Result<Vec<Table>, DataError> {
    let mut reader = read.open(input.path)?;
    let mut chunks = Vec::new();
    while let Some(chunk) = reader.next(rows)? {
        chunks.push(chunk);
    }
    Ok(chunks)
}

fn labels(tables: &[&Table]) -> Vec<Vec<String>> {
    let columns = tables.first().map_or(0, |table| table.labels().len());
    let texts =
        |column: usize| tables.iter().flat_map(move |table| table.labels()[column].iter().map(str::to_owned));
    (0..columns).map(|column| texts(column).collect()).collect()
}

pub(crate) fn check(input: &Input<'_>, random: &mut Random) -> Result<Outcome, String> {
    let read = settings(input, random);
    let rows = 1 + random.bits() as usize % 50;
    let chunks = read_chunks(&read, input, rows);
    let table = match read.read(input.path) {
        Ok(table) => table,
        Err(error) => {
            let empty = matches!(error, DataError::NoData { .. })
                && matches!(&chunks, Ok(chunks) if chunks.is_empty());
            // The decoder finds some damage of a Parquet page only if it decodes more values at once.
            let is_parquet = input.path.extension().is_some_and(|extension| extension == "parquet");
            ensure(chunks.is_err() || empty || is_parquet, || {
                format!("reading in chunks succeeds, but at once: {error}")
            })?;
            return Outcome::rejected(error);
        }
    };
    let chunks = must("reading at once succeeds, but in chunks", chunks)?;
    let values: Vec<f64> = chunks.iter().flat_map(|chunk| chunk.to_f64().into_owned()).collect();
    ensure(all_same(&values, &table.to_f64()), || format!("chunks of {rows} rows have other values"))?;
    ensure(labels(&chunks.iter().collect::<Vec<_>>()) == labels(&[&table]), || {
        format!("chunks of {rows} rows have other labels")
    })?;
    if random.bits().is_multiple_of(4) {
        check_written(&table, input)?;
    }
    Ok(Outcome::Accepted)
}

/// A CSV file that is written has the same values when it is read.
fn check_written(table: &Table, input: &Input<'_>) -> Result<(), String> {
    let path = input.path.with_file_name("written.csv");
    must("cannot write CSV", table.write(&path))?;
    if table.columns() == 0 {
        return Ok(()); // labels only; numbers among them are read as numbers
    }
    let has_zero_byte =
        |label: &Labels| label.name().contains('\0') || label.iter().any(|text| text.contains('\0'));
    if table.labels().iter().any(has_zero_byte) {
        return Ok(()); // a file with zero bytes is not text
    }
    let read = ReadTable::new().precision(table.precision()).header(true).columns(table.names().to_vec());
    // CSV files cannot contain all names.
    let is_plain = |name: &String| !name.contains(char::is_control) && name.trim() == name;
    let unique = table.names().iter().all(is_plain)
        && table.names().iter().collect::<std::collections::HashSet<_>>().len() == table.columns();
    if unique {
        let again = must("cannot read the written CSV", read.read(&path))?;
        ensure(all_same(&again.to_f64(), &table.to_f64()), || {
            "the values differ after writing CSV and reading it".into()
        })?;
    }
    Ok(())
}

/// A compressed table has the same values, or the same error.
pub(crate) fn check_gzip(input: &Input<'_>, _: &mut Random) -> Result<Outcome, String> {
    let path = input.path.with_file_name("input.csv.gz");
    let compressed = gzip(input.bytes).and_then(|bytes| fs::write(&path, bytes));
    compressed.map_err(|error| format!("cannot write a compressed file: {error}"))?;
    let mut read = ReadTable::new();
    read.device = Some(input.device.clone());
    match (read.read(input.path), read.read(&path)) {
        (Ok(plain), Ok(compressed)) => {
            ensure(all_same(&plain.to_f64(), &compressed.to_f64()), || {
                "compressed, the table has other values".into()
            })?;
            Ok(Outcome::Accepted)
        }
        (Err(plain), Err(compressed)) => {
            let [plain, compressed] = [plain, compressed].map(|error| fuzzion::Error::from(error).message());
            let expected = plain.replace("input.csv", "input.csv.gz");
            ensure(expected == compressed, || {
                format!("compressed, the message is `{compressed}`, not `{expected}`")
            })?;
            Ok(Outcome::Rejected(compressed))
        }
        (Ok(_), Err(error)) => Err(format!("compressed, the table cannot be read: {error}")),
        (Err(error), Ok(_)) => Err(format!("compressed, the table can be read, but not otherwise: {error}")),
    }
}
