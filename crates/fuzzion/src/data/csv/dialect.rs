//! Detection of the separator and the header.

use super::field::{field, skip_blank_lines};
use super::number::{DecimalMark, is_missing, is_number};
use super::separator::Separator;
use crate::data::tables::MAX_COLUMNS;

/// Maximum number of records used for detection.
const MAX_RECORDS: usize = 100;

/// Candidates for detection, starting with those that are rare inside fields.
const CANDIDATES: [Separator; 5] =
    [Separator::Tab, Separator::Semicolon, Separator::Pipe, Separator::Comma, Separator::Whitespace];

/// Detects the separator of `sample`.
///
/// The result is the first candidate that splits every record into the same number of fields, at least two, preferably one
/// that does not divide quoted text; if there is none, the first candidate that occurs in most records (the reader then
/// reports the inconsistent line). Otherwise, the text has one column.
pub(crate) fn detect_separator(sample: &[u8]) -> Separator {
    let split = CANDIDATES.map(|separator| (separator, records(sample, separator)));
    let is_consistent = |records: &[Vec<Vec<u8>>]| {
        let first = records.first().map_or(0, Vec::len);
        first > 1 && records.iter().all(|record| record.len() == first)
    };
    let in_most = |records: &[Vec<Vec<u8>>]| {
        records.iter().filter(|record| record.len() > 1).count() * 2 > records.len()
    };
    let consistent = || split.iter().filter(|(_, records)| is_consistent(records));
    let found = consistent().find(|(separator, _)| keeps_quotes(sample, *separator));
    let found = found.or_else(|| consistent().next());
    let found = found.or_else(|| split.iter().find(|(_, records)| in_most(records)));
    found.map_or(Separator::Comma, |(separator, _)| *separator)
}

/// Whether no field of the first record starts with a quote, but ends elsewhere than at a closing quote.
fn keeps_quotes(sample: &[u8], separator: Separator) -> bool {
    let mut at = skip_blank_lines(sample, 0, separator);
    loop {
        let field = field(sample, at, separator);
        if field.unclosed || (!field.quoted && field.text.starts_with(b"\"")) {
            return false;
        }
        if field.last {
            return true;
        }
        at = field.next;
    }
}

/// Whether a quote in the first record is not closed.
pub(crate) fn has_unclosed_quote(sample: &[u8], separator: Separator) -> bool {
    let mut at = skip_blank_lines(sample, 0, separator);
    loop {
        let field = field(sample, at, separator);
        if field.last {
            return field.unclosed;
        }
        at = field.next;
    }
}

/// Fields of the first records of `sample`.
pub(crate) fn records(sample: &[u8], separator: Separator) -> Vec<Vec<Vec<u8>>> {
    let mut records = Vec::new();
    let mut at = skip_blank_lines(sample, 0, separator);
    while at < sample.len() && records.len() < MAX_RECORDS {
        let mut record = Vec::new();
        loop {
            let field = field(sample, at, separator);
            at = field.next;
            record.push(field.text.into_owned());
            if record.len() > MAX_COLUMNS {
                records.push(record); // too many columns: the caller reports an error
                return records;
            }
            if field.last {
                break;
            }
        }
        records.push(record);
        at = skip_blank_lines(sample, at, separator);
    }
    records
}

/// Whether the first record is a header.
///
/// Each column votes: text above numbers is a vote for a header, a number in the first record a vote against it, unless it
/// is one of several successive years. If no column votes, the first record is a header if none of its fields is missing.
pub(crate) fn has_header(records: &[Vec<Vec<u8>>], decimal_mark: DecimalMark) -> bool {
    let Some((first, rest)) = records.split_first() else { return false };
    let numeric_below = |column: usize| {
        let below = rest.iter().filter_map(|record| record.get(column)).filter(|field| !is_missing(field));
        let (numbers, all) =
            below.fold((0, 0), |(n, all), field| (n + usize::from(is_number(field, decimal_mark)), all + 1));
        numbers * 2 > all
    };
    let years = !rest.is_empty()
        && are_successive_years(first, decimal_mark)
        && !rest.iter().any(|record| are_successive_years(record, decimal_mark));
    let (mut votes_for, mut votes_against) = (0, 0);
    for (column, field) in first.iter().enumerate() {
        if is_missing(field) {
        } else if is_number(field, decimal_mark) {
            if years {
                votes_for += 1;
            } else {
                votes_against += 1;
            }
        } else if numeric_below(column) {
            votes_for += 1;
        }
    }
    if votes_for + votes_against > 0 {
        votes_for > votes_against
    } else {
        first.iter().all(|field| !is_missing(field))
    }
}

/// Whether at least two of the fields are numbers, and these are years in steps of at most ten.
fn are_successive_years(record: &[Vec<u8>], decimal_mark: DecimalMark) -> bool {
    const YEARS: std::ops::RangeInclusive<f64> = 1500.0..=2200.0;
    let numbers = record.iter().filter(|field| !is_missing(field) && is_number(field, decimal_mark));
    let year = |field: &Vec<u8>| {
        let year = std::str::from_utf8(field).ok().filter(|text| text.len() == 4)?.parse::<u16>().ok()?;
        Some(f64::from(year)).filter(|year| YEARS.contains(year))
    };
    let Some(years) = numbers.map(year).collect::<Option<Vec<f64>>>() else { return false };
    let step = |pair: &[f64]| pair[1] - pair[0];
    let mut steps = years.windows(2).map(step);
    steps.next().is_some_and(|first| (1.0..=10.0).contains(&first.abs()) && steps.all(|step| step == first))
}
