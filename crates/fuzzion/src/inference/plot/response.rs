//! Plots of an output as a function of one or two inputs.

use super::sets::plot_range;
use crate::data::Precision;
use crate::device::Device;
use crate::inference::error::{InferenceError, Result};
use crate::inference::explain::format_short;
use crate::inference::{Dialect, System};
use crate::macros::setters;
use crate::plot::{Chart, ColorMap};
use crate::progress::Progress;
use serde::{Deserialize, Serialize};

/// Rows between two progress reports.
const REPORT_INTERVAL: usize = 256;
/// Maximum number of points along an input.
const MAX_POINTS: usize = 4096;

/// An output as a function of one input (curve) or two inputs (surface); the other inputs are constant.
///
/// ```
/// use fuzzion::inference::{Output, System, Variable, plot::Response};
/// use fuzzion::{Device, sets::Set};
/// let doubled = System::new("doubled")
///     .input(Variable::new("x", 0.0, 1.0))
///     .output(Output::new("y", 0.0, 2.0).set("twice", Set::linear(&[2.0], 0.0)?))
///     .rule("if x is any then y is twice")?;
/// assert_eq!(Response::curve(0, 0).points(3).values(&doubled, &Device::cpu()?)?, [0.0, 1.0, 2.0]);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Response {
    /// Index of the output.
    pub output: usize,
    /// Index of the input on the horizontal axis.
    pub x: usize,
    /// Index of the input on the vertical axis; `None` for a curve.
    #[serde(default)]
    pub y: Option<usize>,
    /// Values of the constant inputs, by input index; the default is the midpoint of the range.
    #[serde(default)]
    pub fixed_inputs: Vec<Option<f64>>,
    /// Number of points along each input; by default 201 for a curve and 81 for a surface.
    pub points: usize,
    /// Dialect used for inference.
    #[serde(default)]
    pub dialect: Dialect,
}

setters! {
    Response {
        fixed_inputs: Vec<Option<f64>>,
        points: usize,
        dialect: Dialect,
    }
}

impl Response {
    /// Creates a curve of an output over one input.
    pub fn curve(output: usize, x: usize) -> Self {
        Response { output, x, y: None, fixed_inputs: Vec::new(), points: 201, dialect: Dialect::default() }
    }

    /// Creates a surface of an output over two inputs.
    ///
    /// ```
    /// use fuzzion::inference::{Output, System, Variable, plot::Response};
    /// use fuzzion::{Device, sets::Set};
    /// let sum = System::new("sum")
    ///     .input(Variable::new("a", 0.0, 2.0))
    ///     .input(Variable::new("b", 0.0, 20.0))
    ///     .output(Output::new("y", 0.0, 22.0).set("sum", Set::linear(&[1.0, 1.0], 0.0)?))
    ///     .rule("if a is any then y is sum")?;
    /// let values = Response::surface(0, 0, 1).points(2).values(&sum, &Device::cpu()?)?;
    /// assert_eq!(values, [5.5, 6.5, 15.5, 16.5]); // a: 0.5, 1.5; b: 5, 15
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn surface(output: usize, x: usize, y: usize) -> Self {
        Response { output, x, y: Some(y), fixed_inputs: Vec::new(), points: 81, dialect: Dialect::default() }
    }

    /// Values of input `i`: for a curve including both ends of the range, for a surface the centers of equal cells.
    /// Empty if the system has no such input.
    pub fn input_values(&self, system: &System, i: usize) -> Vec<f64> {
        let Some(variable) = system.inputs.get(i) else { return Vec::new() };
        let (lower, upper) = plot_range(variable);
        let (n, shift) =
            if self.y.is_some() { (self.points, 0.5) } else { (self.points.saturating_sub(1), 0.0) };
        let step = (upper - lower) / n.max(1) as f64;
        (0..self.points).map(|i| lower + step * (i as f64 + shift)).collect()
    }

    /// Output at every point; for a surface row by row, starting with the lowest y.
    ///
    /// # Errors
    /// [`InferenceError::InvalidSystem`] if an index or the number of points is out of range, the errors of [`System::check`], and
    /// [`InferenceError::Interrupted`].
    pub fn values(&self, system: &System, device: &Device) -> Result<Vec<f64>> {
        self.check(system)?;
        let row: Vec<f64> = (0..system.inputs.len()).map(|i| self.fixed_value(system, i)).collect();
        let xs = self.input_values(system, self.x);
        let ys = self.y.map_or_else(|| vec![f64::NAN], |y| self.input_values(system, y));
        let mut rows = Vec::with_capacity(xs.len() * ys.len() * row.len());
        for y in &ys {
            for x in &xs {
                let start = rows.len();
                rows.extend(&row);
                rows[start + self.x] = *x;
                if let Some(i) = self.y {
                    rows[start + i] = *y;
                }
            }
        }
        infer_rows(system, &rows, self.output, self.dialect, device.progress())
    }

    /// Plots the curve, or the surface as a heat map with contour lines.
    ///
    /// # Errors
    /// Same as [`Response::values`].
    pub fn chart(&self, system: &System, device: &Device) -> Result<Chart> {
        let values = self.values(system, device)?;
        let x = &system.inputs[self.x];
        let output = &system.outputs[self.output].variable;
        let has_gaps = values.iter().any(|value| value.is_nan());
        let fixed = (0..system.inputs.len()).filter(|i| *i != self.x && Some(*i) != self.y);
        let fixed = fixed
            .map(|i| format!("{} = {}", system.inputs[i].name, format_short(self.fixed_value(system, i))));
        let gap_note = has_gaps.then(|| "blank where the output is undefined".to_owned());
        let subtitle = fixed.chain(gap_note).collect::<Vec<_>>().join(", ");
        let Some(y) = self.y.map(|y| &system.inputs[y]) else {
            let range = plot_range(x);
            return Ok(Chart::new(format!("{} over {}", output.name, x.name))
                .subtitle(subtitle)
                .x_label(&x.name)
                .y_label(&output.name)
                .x_range(range.0, range.1)
                .line("", &self.input_values(system, self.x), &values));
        };
        let has_both_signs = values.iter().any(|v| *v < 0.0) && values.iter().any(|v| *v > 0.0);
        Ok(Chart::new(format!("{} over {} and {}", output.name, x.name, y.name))
            .subtitle(subtitle)
            .x_label(&x.name)
            .y_label(&y.name)
            .value_label(&output.name)
            .color_map(if has_both_signs { ColorMap::Diverging } else { ColorMap::Sequential })
            .heat_map(&values, self.points, plot_range(x), plot_range(y))
            .contours()
            .size(640.0, 520.0))
    }

    /// Value of a constant input.
    fn fixed_value(&self, system: &System, i: usize) -> f64 {
        let (lower, upper) = plot_range(&system.inputs[i]);
        self.fixed_inputs.get(i).copied().flatten().unwrap_or(lower / 2.0 + upper / 2.0)
    }

    fn check(&self, system: &System) -> Result<()> {
        let inputs = [Some(self.x), self.y];
        let valid = inputs.into_iter().flatten().all(|i| i < system.inputs.len());
        let problem = if self.output >= system.outputs.len() {
            "refers to an output that does not exist; use an output of the system"
        } else if !valid {
            "refers to an input that does not exist; use an input of the system"
        } else if self.y == Some(self.x) {
            "uses the same input for both axes; use two different inputs, or a curve over one input"
        } else if !(2..=MAX_POINTS).contains(&self.points) {
            "must have between 2 and 4096 points along each input"
        } else {
            return Ok(());
        };
        Err(InferenceError::InvalidSystem { location: "the response".into(), problem: problem.into() })
    }
}

/// Infers one output of each row, independently of the other rows.
fn infer_rows(
    system: &System,
    rows: &[f64],
    output: usize,
    dialect: Dialect,
    progress: &Progress,
) -> Result<Vec<f64>> {
    let width = system.inputs.len().max(1);
    let total = rows.len() / width;
    let plan = system.compile(dialect, Precision::F64)?;
    let mut state = plan.state();
    let mut values = Vec::with_capacity(total);
    for (i, row) in rows.chunks_exact(width).enumerate() {
        if i % REPORT_INTERVAL == 0 {
            progress.report(i as u64, total as u64)?;
        }
        state.reset();
        values.push(plan.infer_row(row, &mut state)?[output]);
    }
    Ok(values)
}
