//! Tables.

use super::labels::Labels;
use super::row_values::RowValues;
use super::samples::Samples;
use super::scalar::{Precision, Scalar};
use super::storage::{Storage, TypedStorage, Values, numbered_names};
use crate::data::error::{DataError, Result};
use std::borrow::Cow;
use std::ops::Range;

/// Maximum number of columns of a table file; a file with more is probably transposed.
pub(crate) const MAX_COLUMNS: usize = 1_000_000;

/// Rows × named numeric columns, all `f32` or all `f64` in row-major order, with optional label columns.
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
    store: TypedStorage,
    labels: Vec<Labels>,
}

/// Tables are equal if their names, labels and values are equal; a missing value is not equal to any value.
impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        self.rows == other.rows
            && self.names == other.names
            && self.labels == other.labels
            && self.values() == other.values()
    }
}

impl Table {
    /// A table with columns `names` and row-major `values`.
    ///
    /// ```
    /// use fuzzion::Table;
    /// assert_eq!(Table::new(["x", "y"], vec![1.0f32, 2.0, 3.0, 4.0])?.rows(), 2);
    /// assert!(Table::new(["x", "y"], vec![1.0, 2.0, 3.0]).is_err()); // the second row is incomplete
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::TableShape`] if there is no column or the last row is incomplete.
    pub fn new<T: Scalar>(
        names: impl IntoIterator<Item = impl Into<String>>,
        values: Vec<T>,
    ) -> Result<Self> {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        Table::from_storage(names, Storage::Owned(values))
    }

    /// Like [`Table::new`], with columns `c1`, `c2`, ….
    ///
    /// ```
    /// let table = fuzzion::Table::unnamed(2, vec![1.0, 2.0])?;
    /// assert_eq!(table.names(), ["c1", "c2"]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::TableShape`], as for [`Table::new`].
    pub fn unnamed<T: Scalar>(columns: usize, values: Vec<T>) -> Result<Self> {
        Table::new(numbered_names(columns), values)
    }

    pub(crate) fn from_storage<T: Scalar>(names: Vec<String>, values: Storage<T>) -> Result<Self> {
        let (len, columns) = (values.as_slice().len(), names.len());
        if columns == 0 || !len.is_multiple_of(columns) {
            return Err(DataError::TableShape { values: len, columns });
        }
        Ok(Table { rows: len / columns, names, store: T::store(values), labels: Vec::new() })
    }

    /// A table that may have no numeric columns; the caller must check the lengths.
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

    /// Adds a label column.
    ///
    /// ```
    /// use fuzzion::{Table, data::Labels};
    /// let table = Table::new(["height"], vec![12.0, 8.0])?.with_labels(Labels::new("kind", ["oak", "elm"]))?;
    /// assert_eq!((table.columns(), table.labels().len()), (1, 1));
    /// assert!(table.with_labels(Labels::new("place", ["park"])).is_err()); // one label for two rows
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::LabelRows`] if the number of labels differs from the number of rows.
    pub fn with_labels(mut self, labels: Labels) -> Result<Self> {
        labels.require_rows(self.rows)?;
        self.labels.push(labels);
        Ok(self)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of numeric columns.
    pub fn columns(&self) -> usize {
        self.names.len()
    }

    /// Names of the numeric columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Label columns.
    pub fn labels(&self) -> &[Labels] {
        &self.labels
    }

    /// Precision of the values.
    pub fn precision(&self) -> Precision {
        match self.store {
            TypedStorage::F32(_) => Precision::F32,
            TypedStorage::F64(_) => Precision::F64,
        }
    }

    /// All values, in row-major order.
    ///
    /// ```
    /// use fuzzion::{Table, data::Values};
    /// assert_eq!(Table::new(["x"], vec![1.0, 2.0])?.values(), Values::F64(&[1.0, 2.0]));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn values(&self) -> Values<'_> {
        self.store.values()
    }

    /// All values in single precision; borrowed if they already are.
    ///
    /// ```
    /// let table = fuzzion::Table::new(["x"], vec![0.5, 2.0])?; // double precision
    /// assert_eq!(*table.to_f32(), [0.5f32, 2.0]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn to_f32(&self) -> Cow<'_, [f32]> {
        f32::view(self.values())
    }

    /// All values in double precision; borrowed if they already are.
    pub fn to_f64(&self) -> Cow<'_, [f64]> {
        f64::view(self.values())
    }

    /// Converts the table into its values in single precision, without a copy if it owns them.
    pub fn into_f32(self) -> Vec<f32> {
        match self.store {
            TypedStorage::F32(Storage::Owned(values)) => values,
            _ => self.to_f32().into_owned(),
        }
    }

    /// Converts the table into its values in double precision, without a copy if it owns them.
    ///
    /// ```
    /// let table = fuzzion::Table::new(["x", "y"], vec![1.0, 2.0])?;
    /// assert_eq!(table.into_f64(), [1.0, 2.0]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn into_f64(self) -> Vec<f64> {
        match self.store {
            TypedStorage::F64(Storage::Owned(values)) => values,
            _ => self.to_f64().into_owned(),
        }
    }

    /// The memory of the values, for reuse; empty if the table does not own values of this type.
    pub(crate) fn into_buffer<T: Scalar>(self) -> Vec<T> {
        T::into_owned(self.store).unwrap_or_default()
    }

    /// A view of all rows.
    ///
    /// ```
    /// let table = fuzzion::Table::new(["x"], vec![1.0, 2.0])?;
    /// let samples = table.samples().with_weights(&[1.0, 3.0])?;
    /// assert_eq!(samples.column("x")?, [1.0, 2.0]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn samples(&self) -> Samples<'_> {
        self.into()
    }

    /// Values of the rows in `rows`; rows beyond the end are omitted.
    ///
    /// ```
    /// use fuzzion::{Table, data::Values};
    /// let table = Table::new(["x", "y"], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    /// assert_eq!(table.slice(1..9), Values::F64(&[3.0, 4.0, 5.0, 6.0]));
    /// assert_eq!(table.row(0), Values::F64(&[1.0, 2.0]));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn slice(&self, rows: Range<usize>) -> Values<'_> {
        let end = rows.end.min(self.rows);
        self.values().slice(rows.start.min(end) * self.columns()..end * self.columns())
    }

    /// Values of one row; empty if the row does not exist.
    pub fn row(&self, row: usize) -> Values<'_> {
        self.slice(row..row.saturating_add(1))
    }

    /// A single value; `None` if the row or column does not exist.
    ///
    /// ```
    /// let table = fuzzion::Table::new(["x", "y"], vec![1.0, 2.0, 3.0, 4.0])?;
    /// assert_eq!((table.get(1, 0), table.get(2, 0)), (Some(3.0), None));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn get(&self, row: usize, column: usize) -> Option<f64> {
        self.samples().get(row, column)
    }

    /// Index of the numeric column `name`.
    ///
    /// ```
    /// let table = fuzzion::Table::new(["x", "y"], vec![1.0, 2.0])?;
    /// assert_eq!(table.column_index("y")?, 1);
    /// assert_eq!(table.column_index("z").unwrap_err().to_string(), "missing column `z`; available columns: `x`, `y`");
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::UnknownColumn`] if there is no such numeric column.
    pub fn column_index(&self, name: &str) -> Result<usize> {
        self.samples().column_index(name)
    }

    /// Values of the numeric column `name`.
    ///
    /// # Errors
    /// [`DataError::UnknownColumn`] if there is no such numeric column.
    pub fn column(&self, name: &str) -> Result<Vec<f64>> {
        self.samples().column(name)
    }

    /// The label column `name`.
    ///
    /// ```
    /// use fuzzion::{Table, data::Labels};
    /// let table = Table::new(["height"], vec![12.0])?.with_labels(Labels::new("kind", ["oak"]))?;
    /// assert_eq!(table.label("kind")?.get(0), Some("oak"));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::UnknownColumn`] if there is no such label column.
    pub fn label(&self, name: &str) -> Result<&Labels> {
        self.samples().label(name)
    }

    /// A table of the columns `names` in this order, which may include label columns.
    ///
    /// ```
    /// let table = fuzzion::Table::new(["x", "y", "z"], vec![1.0, 2.0, 3.0])?;
    /// assert_eq!(*table.select(["z", "x"])?.to_f64(), [3.0, 1.0]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::UnknownColumn`] for an unknown name, [`DataError::TableShape`] if no column is numeric.
    pub fn select<S: AsRef<str>>(&self, names: impl IntoIterator<Item = S>) -> Result<Self> {
        let (mut selected, mut labels) = (Vec::new(), Vec::new());
        for name in names {
            let name = name.as_ref();
            match self.label(name) {
                Ok(column) => labels.push(column.clone().with_columns_before(selected.len())),
                Err(_) => selected.push(self.column_index(name)?),
            }
        }
        let names = selected.iter().map(|column| self.names[*column].clone()).collect();
        let mut table = match self.values() {
            Values::F32(values) => Table::from_storage(names, self.select_values(values, &selected)),
            Values::F64(values) => Table::from_storage(names, self.select_values(values, &selected)),
        }?;
        table.labels = labels;
        Ok(table)
    }

    fn select_values<T: Scalar>(&self, values: &[T], selected: &[usize]) -> Storage<T> {
        let mut out = Vec::with_capacity(self.rows * selected.len());
        for row in values.chunks_exact(self.columns().max(1)) {
            out.extend(selected.iter().map(|column| row[*column]));
        }
        Storage::Owned(out)
    }

    /// Fails if a value is missing or infinite.
    ///
    /// ```
    /// let table = fuzzion::Table::new(["x"], vec![1.0, f64::INFINITY])?;
    /// assert!(table.require_finite().unwrap_err().to_string().starts_with("row 2, column `x` is inf"));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::NotFinite`] with the row and column of the first such value.
    pub fn require_finite(&self) -> Result<()> {
        self.samples().require_finite()
    }
}

impl<'a> From<&'a Table> for Samples<'a> {
    fn from(table: &'a Table) -> Self {
        Samples::from_parts(&table.names, table.rows, RowValues::Host(table.values()), &table.labels)
    }
}
