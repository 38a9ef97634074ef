//! Outputs at many points: `api/infer`, `api/surface` and `api/compare`.

use super::document::{Document, Model};
use super::variables::number;
use super::{ApiError, ApiResult, Context, body};
use crate::http::{Request, Response};
use fuzzion::data::Precision;
use fuzzion::inference::{InferOptions, Plan};
use fuzzion::{Device, Samples};
use serde::Deserialize;
use serde_json::{Value, json};

/// Maximum number of points along an axis.
const MAX_POINTS: usize = 501;
/// Maximum number of values of one request.
const MAX_VALUES: usize = 10_000_000;

/// An output and whether a rule for it fired, at points row by row, starting with the lowest y.
pub(super) struct GridValues {
    pub(super) values: Vec<f64>,
    pub(super) fired: Vec<f64>,
}

/// An axis of a grid.
#[derive(Clone, Copy, Deserialize)]
pub(super) struct Axis {
    pub(super) input: usize,
    pub(super) range: (f64, f64),
}

impl Axis {
    /// `n` points including both ends.
    fn points(self, n: usize) -> impl Iterator<Item = f64> {
        let (lower, upper) = self.range;
        let step = (upper - lower) / (n - 1) as f64;
        (0..n).map(move |i| if i + 1 == n { upper } else { lower + step * i as f64 })
    }
}

/// A grid of points over one or two inputs.
#[derive(Clone, Deserialize)]
pub(super) struct Grid {
    pub(super) output: usize,
    pub(super) x: Axis,
    #[serde(default)]
    pub(super) y: Option<Axis>,
    /// Number of points along each axis.
    pub(super) n: usize,
    /// Values of the other inputs.
    pub(super) at: Vec<Value>,
}

impl Grid {
    /// The rows of inputs.
    fn rows(&self, inputs: usize) -> Result<Vec<f64>, ApiError> {
        let axes = [Some(self.x), self.y];
        let is_valid = |axis: &Axis| axis.input < inputs && (axis.range.1 - axis.range.0).is_finite();
        if !axes.iter().flatten().all(is_valid) {
            return Err(ApiError::new(
                "an axis is not a finite range of an input; choose an input of the system",
            ));
        }
        if !(2..=MAX_POINTS).contains(&self.n) {
            return Err(ApiError::new(format!("a grid has from 2 to {MAX_POINTS} points along an axis")));
        }
        let mut row: Vec<f64> = (0..inputs).map(|i| self.at.get(i).and_then(number).unwrap_or(0.0)).collect();
        let ys: Vec<Option<f64>> =
            self.y.map_or_else(|| vec![None], |y| y.points(self.n).map(Some).collect());
        let mut rows = Vec::with_capacity(self.n * ys.len() * inputs);
        for y in ys {
            for x in self.x.points(self.n) {
                row[self.x.input] = x;
                if let (Some(axis), Some(y)) = (self.y, y) {
                    row[axis.input] = y;
                }
                rows.extend(&row);
            }
        }
        Ok(rows)
    }

    /// Evaluates a system on the grid.
    pub(super) fn values(&self, document: &Document, device: &Device) -> Result<GridValues, ApiError> {
        let system = document.model.lower();
        if self.output >= system.outputs.len() {
            return Err(ApiError::new("the system has no such output; choose an output of the system"));
        }
        let rows = self.rows(system.inputs.len())?;
        infer_rows(document, &rows, self.output, device)
    }
}

/// One output of each row, independently of the other rows.
pub(super) fn infer_rows(
    document: &Document,
    rows: &[f64],
    output: usize,
    device: &Device,
) -> Result<GridValues, ApiError> {
    let width = document.model.lower().inputs.len();
    let column =
        |values: &[f64], columns: usize| values.iter().skip(output).step_by(columns).copied().collect();
    match &document.model {
        Model::Interval(system) => {
            let tables = system.compile(document.dialect)?.infer(Samples::new(width, rows)?, device)?;
            let columns = tables.outputs.columns();
            let values: Vec<f64> = column(&tables.outputs.to_f64(), columns);
            // The plan reports no firing; without it, there is no defuzzified value.
            let fired = values.iter().map(|value| f64::from(u8::from(!value.is_nan()))).collect();
            Ok(GridValues { values, fired })
        }
        Model::Type1(system) => {
            let plan = system.compile(document.dialect, Precision::F64)?;
            if system.outputs.iter().any(|output| output.lock_previous) {
                return infer_separately(&plan, rows, output);
            }
            let tables =
                plan.infer_with(Samples::new(width, rows)?, InferOptions::default().fired(true), device)?;
            let columns = tables.outputs.columns();
            let fired =
                tables.fired.as_ref().map(|fired| column(&fired.to_f64(), columns)).unwrap_or_default();
            Ok(GridValues { values: column(&tables.outputs.to_f64(), columns), fired })
        }
    }
}

/// For outputs that may keep their previous value: every row is a first one.
fn infer_separately(plan: &Plan, rows: &[f64], output: usize) -> Result<GridValues, ApiError> {
    let mut state = plan.state();
    let mut values = GridValues { values: Vec::new(), fired: Vec::new() };
    for row in rows.chunks_exact(plan.system().inputs.len().max(1)) {
        state.reset();
        let value = plan.infer_row(row, &mut state)?[output];
        values.values.push(value);
        values.fired.push(f64::from(u8::from(!value.is_nan())));
    }
    Ok(values)
}

#[derive(Deserialize)]
struct SurfaceRequest {
    system: Value,
    #[serde(flatten)]
    grid: Grid,
}

/// The values of the grid, then for each of them 1 if a rule fired and 0 otherwise.
pub(super) fn surface(context: &Context, request: &Request) -> ApiResult {
    let request: SurfaceRequest = body(request)?;
    let document = Document::read(&request.system)?;
    let GridValues { mut values, fired } = request.grid.values(&document, &context.device)?;
    values.extend(fired);
    Ok(Response::float64(&values))
}

#[derive(Deserialize)]
struct CompareRequest {
    system: Value,
    /// The system that is subtracted, with the same inputs.
    other: Value,
    #[serde(flatten)]
    grid: Grid,
}

/// The mean and the largest absolute difference, the x and the y of the latter, then the differences.
pub(super) fn compare(context: &Context, request: &Request) -> ApiResult {
    let request: CompareRequest = body(request)?;
    let documents = [&request.system, &request.other].map(Document::read);
    let [first, second] = documents;
    let (first, second) =
        (first?, second.map_err(|error| ApiError::new(format!("the other system: {}", error.message)))?);
    let names = |document: &Document| {
        document.model.lower().inputs.iter().map(|input| input.name.clone()).collect::<Vec<_>>()
    };
    if names(&first) != names(&second) {
        let (names, others) = (names(&first).join(", "), names(&second).join(", "));
        return Err(ApiError::new(format!(
            "the systems have different inputs ({names} and {others}); choose a system with the same inputs"
        )));
    }
    let grid = &request.grid;
    let values = grid.values(&first, &context.device)?.values;
    let others = grid.values(&second, &context.device)?.values;
    let differences: Vec<f64> = values.iter().zip(&others).map(|(a, b)| a - b).collect();
    let (mut sum, mut count, mut largest) = (0.0, 0.0, (f64::NEG_INFINITY, 0));
    for (i, difference) in differences.iter().enumerate().filter(|(_, difference)| difference.is_finite()) {
        sum += difference.abs();
        count += 1.0;
        if difference.abs() > largest.0 {
            largest = (difference.abs(), i);
        }
    }
    let x = grid.x.points(grid.n).nth(largest.1 % grid.n).unwrap_or(f64::NAN);
    let y = grid.y.and_then(|y| y.points(grid.n).nth(largest.1 / grid.n)).unwrap_or(f64::NAN);
    // Without common values, the mean is NaN.
    let header = [sum / count, if count > 0.0 { largest.0 } else { f64::NAN }, x, y];
    Ok(Response::float64(&[&header[..], &differences].concat()))
}

#[derive(Deserialize)]
struct InferRequest {
    system: Value,
    rows: Vec<Vec<f64>>,
}

/// Outputs of rows of inputs.
pub(super) fn infer(context: &Context, request: &Request) -> ApiResult {
    let request: InferRequest = body(request)?;
    let document = Document::read(&request.system)?;
    let system = document.model.lower();
    let (inputs, outputs) = (system.inputs.len(), system.outputs.len());
    if let Some(row) = request.rows.iter().find(|row| row.len() != inputs) {
        let found = row.len();
        return Err(ApiError::new(format!("a row has {found} values, but the system has {inputs} inputs")));
    }
    let rows = request.rows.concat();
    if rows.len().max(request.rows.len() * outputs) > MAX_VALUES {
        return Err(ApiError::new(format!("the rows have more than {MAX_VALUES} values; send fewer rows")));
    }
    let values: Vec<Vec<f64>> = match &document.model {
        Model::Type1(system) => {
            let plan = system.compile(document.dialect, Precision::F64)?;
            let table = plan.infer(Samples::new(inputs, &rows[..])?, &context.device)?;
            table.to_f64().chunks(outputs).map(<[f64]>::to_vec).collect()
        }
        Model::Interval(system) => {
            let tables =
                system.compile(document.dialect)?.infer(Samples::new(inputs, &rows[..])?, &context.device)?;
            tables.outputs.to_f64().chunks(outputs).map(<[f64]>::to_vec).collect()
        }
    };
    Ok(Response::json(&json!({ "outputs": values })))
}
