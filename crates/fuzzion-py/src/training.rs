//! Training rows of learned models.

use crate::error::exception;
use fuzzion::Table;
use fuzzion::data::Labels;
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Targets of a fit: numbers, rows × targets, or the class of each row and the names of the classes.
#[derive(FromPyObject)]
pub(crate) enum Targets<'py> {
    Numbers(PyReadonlyArray2<'py, f64>),
    Classes(PyReadonlyArray1<'py, i64>, Vec<String>),
}

/// A table of inputs and targets; `names` are those of the inputs.
pub(crate) fn training_table(
    names: &[String],
    inputs: &PyReadonlyArray2<'_, f64>,
    target_names: &[String],
    targets: &Targets<'_>,
) -> PyResult<Table> {
    let columns = inputs.shape()[1];
    let inputs = inputs.as_slice()?;
    let table = match targets {
        Targets::Numbers(targets) => {
            let (rows, width) = (targets.shape()[0], targets.shape()[1]);
            let targets = targets.as_slice()?;
            let values = (0..rows).flat_map(|row| {
                let inputs = inputs[row * columns..].iter().take(columns);
                inputs.chain(&targets[row * width..][..width]).copied()
            });
            Table::new(names.iter().chain(target_names).cloned(), values.collect::<Vec<f64>>())
        }
        Targets::Classes(codes, classes) => {
            let name = |code: &i64| {
                let class = usize::try_from(*code).ok().and_then(|code| classes.get(code));
                class.ok_or_else(|| PyValueError::new_err(format!("there is no class {code}")))
            };
            let labels = codes.as_slice()?.iter().map(name).collect::<PyResult<Vec<_>>>()?;
            let table = Table::new(names.iter().cloned(), inputs.to_vec());
            table.and_then(|table| table.with_labels(Labels::new(target_names.concat(), labels)))
        }
    };
    table.map_err(exception)
}
