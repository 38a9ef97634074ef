//! Which separator a text uses, and whether its first line is a header.

use super::field::{field, skip_blank_lines};
use super::number::{Mark, is_missing, is_number};
use crate::data::table::MAX_COLUMNS;
use crate::error::{Error, Result};
use std::str::FromStr;

/// How many records are looked at.
const RECORDS: usize = 100;

/// What stands between the fields of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separator {
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// A tab.
    Tab,
    /// `|`
    Pipe,
    /// Any number of blanks and tabs.
    Whitespace,
}

/// The order in which separators are tried: one that is rare inside fields is the surer sign.
const TRIED: [Separator; 5] =
    [Separator::Tab, Separator::Semicolon, Separator::Pipe, Separator::Comma, Separator::Whitespace];

impl Separator {
    /// The one byte that it is; a blank for blanks, which are the reader's to skip.
    pub(crate) fn byte(self) -> u8 {
        match self {
            Separator::Comma => b',',
            Separator::Semicolon => b';',
            Separator::Tab => b'\t',
            Separator::Pipe => b'|',
            Separator::Whitespace => b' ',
        }
    }

    /// Whether `byte` separates fields.
    #[inline(always)]
    pub(crate) fn is(self, byte: u8) -> bool {
        byte == self.byte() || (self == Separator::Whitespace && byte == b'\t')
    }

    /// The separator that `sample` uses.
    ///
    /// It is the first one tried that cuts every record into the same number of fields, two or more; where there
    /// is none, the first one that most records hold (the reader will then name the odd line); and where there
    /// is none again, the text is one column.
    pub(crate) fn of(sample: &[u8]) -> Separator {
        let counts = |separator| -> Vec<usize> {
            records(sample, separator).into_iter().map(|record| record.len()).collect()
        };
        let even = |c: &[usize]| c.first().is_some_and(|first| *first > 1 && c.iter().all(|n| n == first));
        let most = |c: &[usize]| c.iter().filter(|n| **n > 1).count() * 2 > c.len();
        let found = TRIED.into_iter().find(|separator| even(&counts(*separator)));
        let found = found.or_else(|| TRIED.into_iter().find(|separator| most(&counts(*separator))));
        found.unwrap_or(Separator::Comma)
    }
}

impl FromStr for Separator {
    type Err = Error;

    /// Reads `,` or `comma`, `;` or `semicolon`, `tab` or `\t`, `|` or `pipe`, and `blank`.
    fn from_str(text: &str) -> Result<Self> {
        Ok(match text {
            "," | "comma" => Separator::Comma,
            ";" | "semicolon" => Separator::Semicolon,
            "\t" | "\\t" | "tab" => Separator::Tab,
            "|" | "pipe" => Separator::Pipe,
            " " | "blank" | "space" | "whitespace" => Separator::Whitespace,
            _ => return Err(Error::UnknownSeparator(text.to_owned())),
        })
    }
}

/// The first records of `sample` as fields.
pub(crate) fn records(sample: &[u8], separator: Separator) -> Vec<Vec<Vec<u8>>> {
    let mut records = Vec::new();
    let mut at = skip_blank_lines(sample, 0, separator);
    while at < sample.len() && records.len() < RECORDS {
        let mut record = Vec::new();
        loop {
            let field = field(sample, at, separator);
            at = field.next;
            record.push(field.text.into_owned());
            if record.len() > MAX_COLUMNS {
                records.push(record); // no table is so wide: what follows is not worth the memory
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

/// Whether the first of `records` names the columns.
///
/// A column whose first field is a word above numbers speaks for a header, one that begins with a number speaks
/// against it. Where no column speaks, a first line of words alone is a header.
pub(crate) fn has_header(records: &[Vec<Vec<u8>>], mark: Mark) -> bool {
    let Some((first, rest)) = records.split_first() else { return false };
    let numeric_below = |column: usize| {
        let below = rest.iter().filter_map(|record| record.get(column)).filter(|field| !is_missing(field));
        let (numbers, all) =
            below.fold((0, 0), |(n, all), field| (n + usize::from(is_number(field, mark)), all + 1));
        numbers * 2 > all
    };
    let (mut pro, mut contra) = (0, 0);
    for (column, field) in first.iter().enumerate() {
        if is_missing(field) {
        } else if is_number(field, mark) {
            contra += 1;
        } else if numeric_below(column) {
            pro += 1;
        }
    }
    if pro + contra > 0 { pro > contra } else { first.iter().all(|field| !is_missing(field)) }
}
