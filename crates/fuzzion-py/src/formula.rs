//! Formulas over fuzzy numbers.

use crate::device::Device;
use crate::encoding::{Encoded, Encoding, Lu, Mr};
use crate::error::exception;
use crate::number::{FuzzyNumbers, SHORT};
use crate::run::run;
use fuzzion::Result;
use fuzzion::arithmetic::{Evaluation, Expr};
use pyo3::prelude::*;

/// Variables of a formula, in the order of their first occurrence.
#[pyfunction]
pub(crate) fn formula_variables(formula: &str) -> PyResult<Vec<String>> {
    Ok(Expr::new(formula).map_err(exception)?.variables().to_vec())
}

/// Evaluates a formula over columns of the same encoding, precision and number of cuts.
#[pyfunction]
#[pyo3(signature = (formula, columns, cuts, encoding, precision, method, device, *, progress=None))]
#[allow(clippy::too_many_arguments)] // keyword arguments in Python
pub(crate) fn evaluate_formula(
    py: Python<'_>,
    formula: &str,
    columns: Vec<(String, PyRef<'_, FuzzyNumbers>)>,
    cuts: usize,
    encoding: &str,
    precision: &str,
    method: &str,
    device: &Device,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<FuzzyNumbers> {
    let expr = Expr::new(formula).map_err(exception)?;
    let method: Evaluation = method.parse().map_err(|error: fuzzion::SettingError| exception(error))?;
    let columns: Vec<(&str, &FuzzyNumbers)> =
        columns.iter().map(|(name, numbers)| (name.as_str(), &**numbers)).collect();
    let evaluate = match (encoding, precision) {
        ("lu", "f32") => evaluate::<Lu<f32>>,
        ("lu", _) => evaluate::<Lu<f64>>,
        (_, "f32") => evaluate::<Mr<f32, f32>>,
        (_, "mixed") => evaluate::<Mr<f64, f32>>,
        _ => evaluate::<Mr<f64, f64>>,
    };
    evaluate(py, &expr, &columns, cuts, method, device, progress)
}

fn evaluate<A: Encoding + Send + Sync>(
    py: Python<'_>,
    expr: &Expr,
    columns: &[(&str, &FuzzyNumbers)],
    cuts: usize,
    method: Evaluation,
    device: &Device,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<FuzzyNumbers> {
    let bounds = columns.iter().map(|(_, numbers)| numbers.bounds()).max().unwrap_or(0);
    let columns: Vec<(&str, &A)> =
        columns.iter().map(|(name, numbers)| Ok((*name, A::of(numbers)?))).collect::<PyResult<_>>()?;
    let work = |device: &fuzzion::Device| -> Result<Encoded> {
        Ok(expr.apply(&columns, cuts, method, device)?.into())
    };
    let short = progress.is_none() && method == Evaluation::Direct && bounds <= SHORT;
    match short {
        true => py.detach(|| work(&device.0)).map_err(exception),
        false => run(py, device, progress, work),
    }
    .map(FuzzyNumbers)
}
