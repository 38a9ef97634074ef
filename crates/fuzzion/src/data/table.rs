//! Rows × named columns of numbers.

use super::labels::Labels;
use super::mapped::Mapped;
use super::scalar::{Precision, Scalar};
use crate::device::Cpu;
use crate::error::{Error, Result};
use std::borrow::Cow;
use std::ops::Range;

/// Rows looked at together when a whole table is checked or summed up.
pub(crate) const ROWS_PER_CHUNK: usize = 16_384;

/// The most columns of a table read from a file: each has a name, and a file that lies on its side has too many.
pub(crate) const MAX_COLUMNS: usize = 1_000_000;

/// Rows × named columns of numbers, all `f32` or all `f64`, one row after the other; label columns of text may
/// stand beside them.
///
/// ```
/// use fuzzion::Table;
/// let table = Table::new(["height", "weight"], vec![1.80, 75.0, 1.65, 60.0])?;
/// assert_eq!((table.rows(), table.columns()), (2, 2));
/// assert_eq!(table.column("weight")?, [75.0, 60.0]);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    names: Vec<String>,
    rows: usize,
    store: Store,
    labels: Vec<Labels>,
}

/// The numbers of some rows, one row after the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Values<'a> {
    /// Single precision.
    F32(&'a [f32]),
    /// Double precision.
    F64(&'a [f64]),
}

/// Where a table keeps its numbers.
#[derive(Clone, Debug)]
pub enum Store {
    F32(Storage<f32>),
    F64(Storage<f64>),
}

/// Numbers in memory of our own or in a mapped file.
#[derive(Clone, Debug)]
pub enum Storage<T> {
    Owned(Vec<T>),
    Mapped(Mapped<T>),
}

impl<T: Scalar> Storage<T> {
    fn as_slice(&self) -> &[T] {
        match self {
            Storage::Owned(values) => values,
            Storage::Mapped(values) => values.as_slice(),
        }
    }
}

/// Two tables are equal when their names, labels and numbers are; a missing value equals no other.
impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        self.rows == other.rows
            && self.names == other.names
            && self.labels == other.labels
            && self.values() == other.values()
    }
}

impl Table {
    /// A table of columns called `names`, filled row by row by `values`.
    ///
    /// # Errors
    /// [`Error::TableShape`] when there is no column or the last row is not full.
    pub fn new<T: Scalar>(
        names: impl IntoIterator<Item = impl Into<String>>,
        values: Vec<T>,
    ) -> Result<Self> {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        Table::from_storage(names, Storage::Owned(values))
    }

    /// As [`Table::new`], with columns called `c1`, `c2`, ….
    ///
    /// # Errors
    /// [`Error::TableShape`] as there.
    pub fn unnamed<T: Scalar>(columns: usize, values: Vec<T>) -> Result<Self> {
        Table::new(numbered_names(columns), values)
    }

    pub(crate) fn from_storage<T: Scalar>(names: Vec<String>, values: Storage<T>) -> Result<Self> {
        let (len, columns) = (values.as_slice().len(), names.len());
        if columns == 0 || !len.is_multiple_of(columns) {
            return Err(Error::TableShape { values: len, columns });
        }
        Ok(Table { rows: len / columns, names, store: T::store(values), labels: Vec::new() })
    }

    /// A table that may have label columns only; the callers inside this module have checked the lengths.
    pub(crate) fn from_parts<T: Scalar>(
        names: Vec<String>,
        rows: usize,
        values: Vec<T>,
        labels: Vec<Labels>,
    ) -> Self {
        debug_assert_eq!(values.len(), rows * names.len());
        debug_assert!(labels.iter().all(|column| column.rows() == rows));
        Table { names, rows, store: T::store(Storage::Owned(values)), labels }
    }

    /// The same table with one more label column.
    ///
    /// # Errors
    /// [`Error::LabelRows`] when there is not one label for each row.
    pub fn with_labels(mut self, labels: Labels) -> Result<Self> {
        labels.require_rows(self.rows)?;
        self.labels.push(labels);
        Ok(self)
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many columns of numbers there are.
    pub fn columns(&self) -> usize {
        self.names.len()
    }

    /// The names of the columns of numbers.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The label columns.
    pub fn labels(&self) -> &[Labels] {
        &self.labels
    }

    /// How precisely the numbers are held.
    pub fn precision(&self) -> Precision {
        match self.store {
            Store::F32(_) => Precision::F32,
            Store::F64(_) => Precision::F64,
        }
    }

    /// All numbers, one row after the other.
    pub fn values(&self) -> Values<'_> {
        match &self.store {
            Store::F32(values) => Values::F32(values.as_slice()),
            Store::F64(values) => Values::F64(values.as_slice()),
        }
    }

    /// All numbers in single precision; borrowed where they are so already.
    pub fn to_f32(&self) -> Cow<'_, [f32]> {
        f32::view(self.values())
    }

    /// All numbers in double precision; borrowed where they are so already.
    pub fn to_f64(&self) -> Cow<'_, [f64]> {
        f64::view(self.values())
    }

    /// All numbers in single precision, given away: a table that owns them so hands over its memory.
    pub fn into_f32(self) -> Vec<f32> {
        match self.store {
            Store::F32(Storage::Owned(values)) => values,
            _ => self.to_f32().into_owned(),
        }
    }

    /// All numbers in double precision, given away: a table that owns them so hands over its memory.
    pub fn into_f64(self) -> Vec<f64> {
        match self.store {
            Store::F64(Storage::Owned(values)) => values,
            _ => self.to_f64().into_owned(),
        }
    }

    /// The numbers of `rows`, as many of them as there are.
    pub fn slice(&self, rows: Range<usize>) -> Values<'_> {
        let end = rows.end.min(self.rows);
        let range = rows.start.min(end) * self.columns()..end * self.columns();
        match self.values() {
            Values::F32(values) => Values::F32(&values[range]),
            Values::F64(values) => Values::F64(&values[range]),
        }
    }

    /// The numbers of one row; none where there is no such row.
    pub fn row(&self, row: usize) -> Values<'_> {
        self.slice(row..row.saturating_add(1))
    }

    /// One number, if there is such a row and such a column.
    pub fn get(&self, row: usize, column: usize) -> Option<f64> {
        if column >= self.columns() { None } else { self.row(row).get(column) }
    }

    /// The place of the column called `name`.
    ///
    /// # Errors
    /// [`Error::UnknownColumn`] when no column of numbers is called so.
    pub fn column_index(&self, name: &str) -> Result<usize> {
        self.names.iter().position(|n| n == name).ok_or_else(|| unknown_column(name, &self.names))
    }

    /// The numbers of the column called `name`.
    ///
    /// # Errors
    /// [`Error::UnknownColumn`] when no column of numbers is called so.
    pub fn column(&self, name: &str) -> Result<Vec<f64>> {
        let (column, columns) = (self.column_index(name)?, self.columns());
        Ok(match self.values() {
            Values::F32(v) => v.iter().skip(column).step_by(columns).map(|x| f64::from(*x)).collect(),
            Values::F64(v) => v.iter().skip(column).step_by(columns).copied().collect(),
        })
    }

    /// The label column called `name`.
    ///
    /// # Errors
    /// [`Error::UnknownColumn`] when no label column is called so.
    pub fn label(&self, name: &str) -> Result<&Labels> {
        self.labels.iter().find(|labels| labels.name() == name).ok_or_else(|| {
            unknown_column(name, &self.labels.iter().map(|l| l.name().to_owned()).collect::<Vec<_>>())
        })
    }

    /// A table of the columns called `names`, in this order; label columns may be among them.
    ///
    /// # Errors
    /// [`Error::UnknownColumn`] for a name that is not there, [`Error::TableShape`] if none is of numbers.
    pub fn select<S: AsRef<str>>(&self, names: impl IntoIterator<Item = S>) -> Result<Self> {
        let (mut picked, mut labels) = (Vec::new(), Vec::new());
        for name in names {
            let name = name.as_ref();
            match self.label(name) {
                Ok(column) => labels.push(column.clone().after(picked.len())),
                Err(_) => picked.push(self.column_index(name)?),
            }
        }
        let names = picked.iter().map(|column| self.names[*column].clone()).collect();
        let mut table = match self.values() {
            Values::F32(values) => Table::from_storage(names, self.pick(values, &picked)),
            Values::F64(values) => Table::from_storage(names, self.pick(values, &picked)),
        }?;
        table.labels = labels;
        Ok(table)
    }

    fn pick<T: Scalar>(&self, values: &[T], picked: &[usize]) -> Storage<T> {
        let mut out = Vec::with_capacity(self.rows * picked.len());
        for row in values.chunks_exact(self.columns().max(1)) {
            out.extend(picked.iter().map(|column| row[*column]));
        }
        Storage::Owned(out)
    }

    /// Fails at the first value that is missing or infinite.
    ///
    /// # Errors
    /// [`Error::NotFinite`] with its row and column.
    pub fn require_finite(&self) -> Result<()> {
        let columns = self.columns().max(1);
        let first = Cpu::new()?.map_chunks(self.rows, ROWS_PER_CHUNK, |rows| {
            let start = rows.start * columns;
            let place = match self.slice(rows) {
                Values::F32(values) => values.iter().position(|x| !x.is_finite()),
                Values::F64(values) => values.iter().position(|x| !x.is_finite()),
            };
            place.map(|place| start + place)
        });
        let Some(place) = first.into_iter().flatten().next() else { return Ok(()) };
        let (row, column) = (place / columns, place % columns);
        Err(Error::NotFinite {
            row: row as u64 + 1,
            column: column + 1,
            name: self.names[column].clone(),
            value: self.get(row, column).unwrap_or(f64::NAN),
        })
    }
}

impl Values<'_> {
    /// How many numbers these are.
    pub fn len(&self) -> usize {
        match self {
            Values::F32(values) => values.len(),
            Values::F64(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One of them, in double precision.
    pub fn get(&self, index: usize) -> Option<f64> {
        match self {
            Values::F32(values) => values.get(index).map(|x| f64::from(*x)),
            Values::F64(values) => values.get(index).copied(),
        }
    }
}

/// The names of columns that have none: `c1`, `c2`, ….
pub(crate) fn numbered_names(columns: usize) -> Vec<String> {
    (1..=columns).map(|i| format!("c{i}")).collect()
}

/// The error for a name that is none of `names`, of which it shows the first few.
pub(crate) fn unknown_column(name: &str, names: &[String]) -> Error {
    const SHOWN: usize = 12;
    let mut known: Vec<String> = names.iter().take(SHOWN).map(|n| format!("`{n}`")).collect();
    match names.len() {
        0 => known.push("none".into()),
        n if n > SHOWN => known.push(format!("and {} more", n - SHOWN)),
        _ => {}
    }
    Error::UnknownColumn { name: name.to_owned(), known: known.join(", ") }
}
