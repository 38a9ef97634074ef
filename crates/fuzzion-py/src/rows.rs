//! Conversion of arrays from and to Python.

use crate::cuda::{CudaRows, GpuRows};
use fuzzion::data::Precision;
use fuzzion::{Device, Result, Samples, Table};
use numpy::ndarray::{ArrayD, IxDyn};
use numpy::{
    Element, IntoPyArray, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Rows of a NumPy array, or of an array in GPU memory.
pub(crate) enum Rows<'py> {
    F32(PyReadonlyArray2<'py, f32>),
    F64(PyReadonlyArray2<'py, f64>),
    Cuda(CudaRows),
}

/// Not derived, because the derived implementation formats an error for each type that does not match, which takes longer
/// than a prediction of few rows.
impl<'a, 'py> FromPyObject<'a, 'py> for Rows<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(array) = object.cast::<PyArray2<f64>>() {
            return Ok(Rows::F64(array.try_readonly()?));
        }
        match object.cast::<PyArray2<f32>>() {
            Ok(array) => Ok(Rows::F32(array.try_readonly()?)),
            Err(_) => object.extract().map(Rows::Cuda),
        }
    }
}

/// Borrowed rows, which can be sent to another thread, with their column names and weights.
pub(crate) struct BorrowedRows<'a> {
    values: BorrowedValues<'a>,
    columns: usize,
    names: Option<Vec<String>>,
    weights: Option<&'a [f64]>,
}

enum BorrowedValues<'a> {
    F32(&'a [f32]),
    F64(&'a [f64]),
    Cuda(CudaRows),
}

impl Rows<'_> {
    /// Borrows the values, which must be contiguous.
    pub(crate) fn borrow<'a>(
        &'a self,
        names: Option<Vec<String>>,
        weights: Option<&'a PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<BorrowedRows<'a>> {
        let (values, columns) = match self {
            Rows::F32(array) => (BorrowedValues::F32(array.as_slice()?), array.shape()[1]),
            Rows::F64(array) => (BorrowedValues::F64(array.as_slice()?), array.shape()[1]),
            Rows::Cuda(rows) => (BorrowedValues::Cuda(rows.clone()), rows.columns),
        };
        let weights = weights.map(|weights| weights.as_slice()).transpose()?;
        Ok(BorrowedRows { values, columns, names, weights })
    }
}

impl BorrowedRows<'_> {
    /// Precision of the values.
    pub(crate) fn precision(&self) -> Precision {
        match &self.values {
            BorrowedValues::F32(_) => Precision::F32,
            BorrowedValues::F64(_) => Precision::F64,
            BorrowedValues::Cuda(rows) => rows.precision(),
        }
    }

    /// Number of values.
    pub(crate) fn values(&self) -> usize {
        match &self.values {
            BorrowedValues::F32(values) => values.len(),
            BorrowedValues::F64(values) => values.len(),
            BorrowedValues::Cuda(rows) => rows.rows * rows.columns,
        }
    }

    /// Calls `work` with the rows as samples.
    pub(crate) fn with_samples<T>(
        &self,
        device: &Device,
        work: impl FnOnce(Samples<'_>) -> Result<T>,
    ) -> Result<T> {
        let gpu: GpuRows<'_>;
        let mut samples = match &self.values {
            BorrowedValues::F32(values) => Samples::new(self.columns, *values)?,
            BorrowedValues::F64(values) => Samples::new(self.columns, *values)?,
            BorrowedValues::Cuda(rows) => {
                gpu = rows.open(device)?;
                gpu.samples()
            }
        };
        if let Some(names) = &self.names {
            samples = samples.with_names(names.clone())?;
        }
        if let Some(weights) = self.weights {
            samples = samples.with_weights(weights)?;
        }
        work(samples)
    }
}

/// A NumPy array of this shape, without a copy.
pub(crate) fn array<'py, T: Element>(
    py: Python<'py>,
    shape: &[usize],
    values: Vec<T>,
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let array = ArrayD::from_shape_vec(IxDyn(shape), values);
    Ok(array.map_err(|error| PyValueError::new_err(error.to_string()))?.into_pyarray(py))
}

/// The numeric columns of a table as a NumPy array of the same precision.
pub(crate) fn table_array(py: Python<'_>, table: Table) -> PyResult<Bound<'_, PyAny>> {
    let shape = [table.rows(), table.columns()];
    Ok(match table.precision() {
        Precision::F32 => array(py, &shape, table.into_f32())?.into_any(),
        Precision::F64 => array(py, &shape, table.into_f64())?.into_any(),
    })
}
