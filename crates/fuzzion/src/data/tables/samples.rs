//! Borrowed rows.

#[cfg(feature = "cuda")]
use super::cuda::{GpuRows, GpuView};
use super::labels::Labels;
use super::row_values::RowValues;
use super::scalar::{Precision, Scalar};
use super::storage::{Values, numbered_names};
use super::unknown::unknown_column;
use crate::data::error::{DataError, Result};
use crate::device::{Cpu, Device, DeviceError};
use std::borrow::Cow;
use std::ops::Range;

/// Rows per parallel chunk when a whole table is checked or summarized.
pub(crate) const ROWS_PER_CHUNK: usize = 16_384;

/// A borrowed view of rows × columns, with column names and optional sample weights and label columns.
///
/// Every operation on many rows takes `impl Into<Samples>`, so a `&Table` can be passed directly; slices are wrapped
/// without a copy. Rows in GPU memory are passed as [`&DeviceSamples`](super::DeviceSamples). If they are only there,
/// the first access to their values copies all of them to host memory.
///
/// ```
/// use fuzzion::{Device, Samples, clustering::FuzzyCMeans};
/// let values = [0.0f32, 0.1, 0.2, 9.8, 9.9, 10.0]; // one column
/// let weights = [1.0, 1.0, 1.0, 1.0, 1.0, 3.0];
/// let samples = Samples::new(1, &values)?.with_weights(&weights)?;
/// let partition = FuzzyCMeans::new(2).fit(samples, &Device::cpu()?)?;
/// assert!(partition.centers.to_f64().iter().any(|center| (center - 9.94).abs() < 0.01));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Samples<'a> {
    names: Cow<'a, [String]>,
    rows: usize,
    values: RowValues<'a>,
    weights: Option<&'a [f64]>,
    labels: &'a [Labels],
    /// The rows that contain these ones, in GPU memory, and the index of the first of these rows among them.
    #[cfg(feature = "cuda")]
    gpu: Option<(&'a [GpuRows], usize)>,
}

impl<'a> Samples<'a> {
    /// Row-major values with `columns` columns named `c1`, `c2`, ….
    ///
    /// ```
    /// use fuzzion::Samples;
    /// let samples = Samples::new(2, &[1.0, 2.0, 3.0, 4.0])?;
    /// assert_eq!((samples.rows(), samples.columns()), (2, 2));
    /// assert_eq!(samples.column("c2")?, [2.0, 4.0]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::TableShape`] if there is no column or the last row is incomplete.
    pub fn new(columns: usize, values: impl Into<Values<'a>>) -> Result<Self> {
        let values = values.into();
        if columns == 0 || !values.len().is_multiple_of(columns) {
            return Err(DataError::TableShape { values: values.len(), columns });
        }
        let names = numbered_names(columns).into();
        Ok(Samples {
            names,
            rows: values.len() / columns,
            values: RowValues::Host(values),
            weights: None,
            labels: &[],
            #[cfg(feature = "cuda")]
            gpu: None,
        })
    }

    /// A view of the parts of a table, which may have no numeric columns; the caller must check the lengths.
    pub(super) fn from_parts(
        names: &'a [String],
        rows: usize,
        values: RowValues<'a>,
        labels: &'a [Labels],
    ) -> Self {
        debug_assert_eq!(values.len(), rows * names.len());
        Samples {
            names: names.into(),
            rows,
            values,
            weights: None,
            labels,
            #[cfg(feature = "cuda")]
            gpu: None,
        }
    }

    /// Sets the column names.
    ///
    /// ```
    /// use fuzzion::Samples;
    /// let samples = Samples::new(2, &[1.0, 2.0])?.with_names(vec!["x".to_owned(), "y".to_owned()])?;
    /// assert_eq!(samples.column("y")?, [2.0]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::TableShape`] unless there is one name per column.
    pub fn with_names(self, names: impl Into<Cow<'a, [String]>>) -> Result<Self> {
        let names = names.into();
        if names.len() != self.columns() {
            return Err(DataError::TableShape { values: self.values.len(), columns: names.len() });
        }
        Ok(Samples { names, ..self })
    }

    /// Sets the sample weights, one per row.
    ///
    /// ```
    /// use fuzzion::Samples;
    /// let samples = Samples::new(1, &[5.0, 6.0])?;
    /// assert_eq!(samples.clone().with_weights(&[1.0, 0.5])?.weights(), Some(&[1.0, 0.5][..]));
    /// assert!(samples.with_weights(&[1.0]).is_err()); // one weight for two rows
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::SampleWeight`] unless there is one finite, nonnegative weight per row.
    pub fn with_weights(self, weights: &'a [f64]) -> Result<Self> {
        let invalid = weights.iter().position(|weight| !(weight.is_finite() && *weight >= 0.0));
        let missing = (weights.len() != self.rows).then_some(weights.len().min(self.rows));
        match invalid.or(missing) {
            Some(row) => {
                let value = weights.get(row).copied().unwrap_or(f64::NAN);
                Err(DataError::SampleWeight { row: row as u64 + 1, value })
            }
            None => Ok(Samples { weights: Some(weights), ..self }),
        }
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

    /// Sample weights, one per row.
    pub fn weights(&self) -> Option<&'a [f64]> {
        self.weights
    }

    /// Label columns.
    pub fn labels(&self) -> &'a [Labels] {
        self.labels
    }

    /// Precision of the values.
    pub fn precision(&self) -> Precision {
        self.values.precision()
    }

    /// All values, in row-major order.
    ///
    /// # Panics
    /// If the rows are only in GPU memory and cannot be copied; [`Samples::to_host`] returns an error instead.
    #[allow(clippy::panic)]
    pub fn values(&self) -> Values<'a> {
        self.values.to_host().unwrap_or_else(|error| panic!("cannot copy rows from GPU memory: {error}"))
    }

    /// The same rows with their values in host memory. This copies rows that are only in GPU memory.
    ///
    /// # Errors
    /// Errors of the GPU.
    pub fn to_host(&self) -> Result<Self> {
        Ok(Samples { values: RowValues::Host(self.values.to_host()?), ..self.clone() })
    }

    /// All values in single precision; borrowed if they already are.
    ///
    /// ```
    /// use fuzzion::Samples;
    /// assert_eq!(*Samples::new(1, &[0.5, 2.0])?.to_f32(), [0.5f32, 2.0]); // converted from double precision
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn to_f32(&self) -> Cow<'a, [f32]> {
        f32::view(self.values())
    }

    /// All values in double precision; borrowed if they already are.
    pub fn to_f64(&self) -> Cow<'a, [f64]> {
        f64::view(self.values())
    }

    /// Values of the rows in `rows`; rows beyond the end are omitted.
    ///
    /// ```
    /// use fuzzion::{Samples, data::Values};
    /// let samples = Samples::new(2, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    /// assert_eq!(samples.slice(1..9), Values::F64(&[3.0, 4.0, 5.0, 6.0]));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn slice(&self, rows: Range<usize>) -> Values<'a> {
        self.values().slice(self.value_range(rows))
    }

    /// Indices of the values of the rows in `rows`.
    fn value_range(&self, rows: Range<usize>) -> Range<usize> {
        let end = rows.end.min(self.rows);
        rows.start.min(end) * self.columns()..end * self.columns()
    }

    /// The rows in `rows`, with their names and weights but without label columns; rows beyond the end are omitted.
    ///
    /// ```
    /// use fuzzion::{Samples, data::Values};
    /// let samples = Samples::new(1, &[1.0, 2.0, 3.0])?.with_weights(&[0.5, 1.0, 2.0])?;
    /// let part = samples.part(1..9);
    /// assert_eq!((part.values(), part.weights()), (Values::F64(&[2.0, 3.0]), Some(&[1.0, 2.0][..])));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    #[must_use]
    pub fn part(&self, rows: Range<usize>) -> Self {
        let end = rows.end.min(self.rows);
        let rows = rows.start.min(end)..end;
        Samples {
            names: self.names.clone(),
            rows: rows.len(),
            values: self.values.slice(self.value_range(rows.clone())),
            weights: self.weights.map(|weights| &weights[rows.clone()]),
            labels: &[],
            #[cfg(feature = "cuda")]
            gpu: self.gpu.map(|(all, first)| (all, first + rows.start)),
        }
    }

    /// Values of one row; empty if the row does not exist.
    pub fn row(&self, row: usize) -> Values<'a> {
        self.slice(row..row.saturating_add(1))
    }

    /// A single value; `None` if the row or column does not exist.
    ///
    /// ```
    /// use fuzzion::{Samples, data::Values};
    /// let samples = Samples::new(2, &[1.0, 2.0, 3.0, 4.0])?;
    /// assert_eq!(samples.row(1), Values::F64(&[3.0, 4.0]));
    /// assert_eq!((samples.get(1, 1), samples.get(1, 2)), (Some(4.0), None));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn get(&self, row: usize, column: usize) -> Option<f64> {
        if column >= self.columns() { None } else { self.row(row).get(column) }
    }

    /// Index of the numeric column `name`.
    ///
    /// # Errors
    /// [`DataError::UnknownColumn`] if there is no such numeric column.
    pub fn column_index(&self, name: &str) -> Result<usize> {
        self.names.iter().position(|n| n == name).ok_or_else(|| self.unknown_column(name))
    }

    /// Values of the numeric column `name`.
    ///
    /// ```
    /// use fuzzion::Samples;
    /// let samples = Samples::new(2, &[1.0, 2.0, 3.0, 4.0])?;
    /// assert_eq!(samples.column("c2")?, [2.0, 4.0]);
    /// assert!(samples.column("c3").is_err());
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::UnknownColumn`] if there is no such numeric column.
    pub fn column(&self, name: &str) -> Result<Vec<f64>> {
        let (column, columns) = (self.column_index(name)?, self.columns());
        Ok(match self.values() {
            Values::F32(v) => v.iter().skip(column).step_by(columns).map(|x| f64::from(*x)).collect(),
            Values::F64(v) => v.iter().skip(column).step_by(columns).copied().collect(),
        })
    }

    /// The label column `name`.
    ///
    /// ```
    /// use fuzzion::{Table, data::Labels};
    /// let table = Table::new(["height"], vec![12.0])?.with_labels(Labels::new("kind", ["oak"]))?;
    /// assert_eq!(table.samples().label("kind")?.get(0), Some("oak"));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::UnknownColumn`] if there is no such label column.
    pub fn label(&self, name: &str) -> Result<&'a Labels> {
        self.labels.iter().find(|labels| labels.name() == name).ok_or_else(|| {
            unknown_column(name, &self.labels.iter().map(|l| l.name().to_owned()).collect::<Vec<_>>())
        })
    }

    fn unknown_column(&self, name: &str) -> DataError {
        let labels = self.labels.iter().map(|labels| labels.name().to_owned()).filter(|label| label != name);
        unknown_column(name, &self.names.iter().cloned().chain(labels).collect::<Vec<_>>())
    }

    /// Fails if a value is missing or infinite.
    ///
    /// ```
    /// use fuzzion::Samples;
    /// let error = Samples::new(2, &[1.0, 2.0, 3.0, f64::NAN])?.require_finite().unwrap_err();
    /// assert!(error.to_string().starts_with("row 2, column `c2` is missing (NaN)"));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::NotFinite`] with the row and column of the first such value.
    pub fn require_finite(&self) -> Result<()> {
        self.require_finite_on(&Cpu::new()?)
    }

    /// Like [`Samples::require_finite`], with the threads of `cpu`.
    pub(crate) fn require_finite_on(&self, cpu: &Cpu) -> Result<()> {
        let columns = self.columns().max(1);
        let first = cpu.map_chunks(self.rows, ROWS_PER_CHUNK, |rows| {
            let start = rows.start * columns;
            let index = match self.slice(rows) {
                Values::F32(values) => values.iter().position(|x| !x.is_finite()),
                Values::F64(values) => values.iter().position(|x| !x.is_finite()),
            };
            index.map(|index| start + index)
        });
        let Some(index) = first.into_iter().flatten().next() else { return Ok(()) };
        let (row, column) = (index / columns, index % columns);
        Err(DataError::NotFinite {
            row: row as u64 + 1,
            column: column + 1,
            name: self.names[column].clone(),
            value: self.values().get(index).expect("invariant: the value was found at this index"),
        })
    }
}

impl<'a> Samples<'a> {
    /// Adds a copy of the rows in GPU memory.
    #[cfg(feature = "cuda")]
    pub(super) fn on_gpus(self, parts: &'a [GpuRows]) -> Self {
        Samples { gpu: Some((parts, 0)), ..self }
    }

    /// The rows in the memory of a GPU, if one contains all of them.
    #[cfg(feature = "cuda")]
    pub(crate) fn gpu_view(&self) -> Option<GpuView<'a>> {
        let (parts, first) = self.gpu?;
        parts.iter().find_map(|part| part.view(&(first..first + self.rows)))
    }

    /// Whether the rows are in the memory of one GPU.
    pub(crate) fn is_on_gpu(&self) -> bool {
        #[cfg(feature = "cuda")]
        return self.gpu_view().is_some();
        #[cfg(not(feature = "cuda"))]
        false
    }

    /// The same rows without their copy in GPU memory; values that are only there have to be copied first.
    pub(crate) fn in_host_memory(self) -> Self {
        #[cfg(feature = "cuda")]
        return Samples { gpu: None, ..self };
        #[cfg(not(feature = "cuda"))]
        self
    }

    /// Checks that rows in the memory of a GPU are processed by that GPU.
    pub(crate) fn require_device(&self, device: &Device) -> Result<(), DeviceError> {
        #[cfg(feature = "cuda")]
        if let Some((parts, _)) = self.gpu {
            let indices: Vec<usize> = parts.iter().map(GpuRows::gpu).collect();
            if !device.has_gpus(&indices) {
                let indices: Vec<String> = indices.iter().map(ToString::to_string).collect();
                let memory = format!("cuda:{}", indices.join(","));
                return Err(DeviceError::OtherDevice { what: "rows", memory, device: device.to_string() });
            }
        }
        let _ = device;
        Ok(())
    }
}

impl<'a> From<&Samples<'a>> for Samples<'a> {
    fn from(samples: &Samples<'a>) -> Self {
        samples.clone()
    }
}

/// Converts the argument of an operation that needs the rows in host memory.
pub(crate) fn host_samples<'a>(samples: impl Into<Samples<'a>>) -> Result<Samples<'a>> {
    samples.into().to_host()
}
