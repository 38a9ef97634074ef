//! Data for plots.

use crate::rows::array;
use crate::system::System;
use fuzzion::inference::plot::plot_range;
use fuzzion::inference::{System as Model, Variable};
use fuzzion::sets::{Set, Shape};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// The variable with this name.
fn find<'a>(system: &'a Model, name: &str) -> Option<&'a Variable> {
    let outputs = system.outputs.iter().map(|output| &output.variable);
    system.inputs.iter().chain(outputs).find(|variable| variable.name == name)
}

/// Whether the value of a set depends on the row, so that it has no curve.
fn is_formula(set: &Set) -> bool {
    match set.shape() {
        Shape::Linear { .. } => true,
        Shape::Function { expression } => expression.variables().iter().any(|name| name != "x"),
        _ => false,
    }
}

/// The range of a variable and the memberships of its sets at `points` points of the range, in host memory. A set is a
/// dictionary with its `name` and the memberships `lower` and `upper` (equal for a type-1 set), the `value` of a constant, or
/// neither for a formula.
#[pyfunction]
pub(crate) fn set_curves<'py>(
    py: Python<'py>,
    system: &System,
    variable: &str,
    points: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let (lower, upper) = system.bounding_systems();
    let unknown = || PyValueError::new_err(format!("the system has no variable `{variable}`"));
    let known = find(lower, variable).ok_or_else(unknown)?;
    let (start, end) = plot_range(known);
    let step = (end - start) / points.saturating_sub(1).max(1) as f64;
    let xs: Vec<f64> = (0..points).map(|i| (start + step * i as f64).clamp(start, end)).collect();
    let sets = PyList::empty(py);
    for (i, named) in known.sets.iter().enumerate() {
        let item = PyDict::new(py);
        item.set_item("name", &named.name)?;
        let upper = upper.as_ref().and_then(|upper| Some(&find(upper, variable)?.sets.get(i)?.set));
        let upper = upper.unwrap_or(&named.set);
        match (named.set.shape(), upper.shape()) {
            (Shape::Constant { value: from }, Shape::Constant { value: to }) => {
                item.set_item("value", (from, to))?;
            }
            _ if !is_formula(&named.set) => {
                for (key, set) in [("lower", &named.set), ("upper", upper)] {
                    let memberships = xs.iter().map(|x| set.membership(*x)).collect();
                    item.set_item(key, array(py, &[points], memberships)?)?;
                }
            }
            _ => {}
        }
        sets.append(item)?;
    }
    let curves = PyDict::new(py);
    curves.set_item("x", array(py, &[points], xs)?)?;
    curves.set_item("sets", sets)?;
    Ok(curves)
}
