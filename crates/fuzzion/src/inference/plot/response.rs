//! An output over its inputs.

use super::sets::plotted_range;
use crate::data::Precision;
use crate::error::{Error, Result};
use crate::inference::explain::brief;
use crate::inference::{Dialect, System};
use crate::plot::{Chart, ColorMap};
use crate::progress::Progress;

/// Rows between two reports of progress.
const REPORT: usize = 256;
/// The most places along an input.
const MOST: usize = 4096;

/// An output over one input, a curve, or over two, a surface; the other inputs keep still.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The output, by its number.
    pub output: usize,
    /// The input along the horizontal axis.
    pub x: usize,
    /// The input along the vertical axis; none for a curve.
    pub y: Option<usize>,
    /// Values of the inputs that keep still, by their numbers; an input without one is in the middle of its range.
    pub at: Vec<Option<f64>>,
    /// How many places are looked at along each input; 201 for a curve and 81 for a surface unless said otherwise.
    pub points: usize,
    /// Whose numbers they are.
    pub dialect: Dialect,
}

impl Response {
    /// An output over one input.
    pub fn curve(output: usize, x: usize) -> Self {
        Response { output, x, y: None, at: Vec::new(), points: 201, dialect: Dialect::default() }
    }

    /// An output over two inputs.
    pub fn surface(output: usize, x: usize, y: usize) -> Self {
        Response { output, x, y: Some(y), at: Vec::new(), points: 81, dialect: Dialect::default() }
    }

    /// The same with other values of the inputs that keep still.
    pub fn at(mut self, at: Vec<Option<f64>>) -> Self {
        self.at = at;
        self
    }

    /// The same with another number of places.
    pub fn points(mut self, points: usize) -> Self {
        self.points = points;
        self
    }

    /// The same with the numbers of another dialect.
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }

    /// The places along input `i`: of a curve from end to end, of a surface the middles of the cells that tile the range.
    pub fn places(&self, system: &System, i: usize) -> Vec<f64> {
        let Some(variable) = system.inputs.get(i) else { return Vec::new() };
        let (lower, upper) = plotted_range(variable);
        let (n, shift) = if self.y.is_some() { (self.points, 0.5) } else { (self.points - 1, 0.0) };
        let step = (upper - lower) / n.max(1) as f64;
        (0..self.points).map(|i| lower + step * (i as f64 + shift)).collect()
    }

    /// The output at every place; of a surface row by row, the lowest y first.
    ///
    /// # Errors
    /// [`Error::System`] where there is no such output or input or too few or many places, those of
    /// [`System::check`], and [`Error::Interrupted`].
    pub fn values(&self, system: &System, progress: Progress<'_>) -> Result<Vec<f64>> {
        self.check(system)?;
        let row: Vec<f64> = (0..system.inputs.len()).map(|i| self.still(system, i)).collect();
        let xs = self.places(system, self.x);
        let ys = self.y.map_or_else(|| vec![f64::NAN], |y| self.places(system, y));
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
        infer_rows(system, &rows, self.output, self.dialect, progress)
    }

    /// The curve, or the surface as colors with lines of equal value.
    ///
    /// # Errors
    /// Those of [`Response::values`].
    pub fn chart(&self, system: &System, progress: Progress<'_>) -> Result<Chart> {
        let values = self.values(system, progress)?;
        let x = &system.inputs[self.x];
        let output = &system.outputs[self.output].variable;
        let gaps = values.iter().any(|value| value.is_nan());
        let still = (0..system.inputs.len()).filter(|i| *i != self.x && Some(*i) != self.y);
        let still = still.map(|i| format!("{} = {}", system.inputs[i].name, brief(self.still(system, i))));
        let gap = gaps.then(|| "open where no rule gives a number".to_owned());
        let subtitle = still.chain(gap).collect::<Vec<_>>().join(", ");
        let Some(y) = self.y.map(|y| &system.inputs[y]) else {
            let range = plotted_range(x);
            return Ok(Chart::new(format!("{} over {}", output.name, x.name))
                .subtitle(subtitle)
                .x_label(&x.name)
                .y_label(&output.name)
                .x_range(range.0, range.1)
                .line("", &self.places(system, self.x), &values));
        };
        let signs = values.iter().any(|v| *v < 0.0) && values.iter().any(|v| *v > 0.0);
        Ok(Chart::new(format!("{} over {} and {}", output.name, x.name, y.name))
            .subtitle(subtitle)
            .x_label(&x.name)
            .y_label(&y.name)
            .value_label(&output.name)
            .color_map(if signs { ColorMap::Diverging } else { ColorMap::Sequential })
            .heat_map(&values, self.points, plotted_range(x), plotted_range(y))
            .contours()
            .size(640.0, 520.0))
    }

    /// The value of an input that keeps still.
    fn still(&self, system: &System, i: usize) -> f64 {
        let (lower, upper) = plotted_range(&system.inputs[i]);
        self.at.get(i).copied().flatten().unwrap_or(lower / 2.0 + upper / 2.0)
    }

    fn check(&self, system: &System) -> Result<()> {
        let inputs = [Some(self.x), self.y];
        let known = inputs.into_iter().flatten().all(|i| i < system.inputs.len());
        let problem = if self.output >= system.outputs.len() {
            "is of an output that there is not; name one of the system's"
        } else if !known {
            "is over an input that there is not; name one of the system's"
        } else if self.y == Some(self.x) {
            "is over one input twice; name two inputs, or one for a curve"
        } else if !(2..=MOST).contains(&self.points) {
            "must have between 2 and 4096 places along each input"
        } else {
            return Ok(());
        };
        Err(Error::System { place: "the response".into(), problem: problem.into() })
    }
}

/// One output for rows that lie behind each other, each as if there were none before it.
fn infer_rows(
    system: &System,
    rows: &[f64],
    output: usize,
    dialect: Dialect,
    progress: Progress<'_>,
) -> Result<Vec<f64>> {
    let width = system.inputs.len().max(1);
    let total = rows.len() / width;
    let plan = system.compile(dialect, Precision::F64)?;
    let mut memory = plan.memory();
    let mut values = Vec::with_capacity(total);
    for (i, row) in rows.chunks_exact(width).enumerate() {
        if i % REPORT == 0 {
            progress.report(i as u64, total as u64)?;
        }
        memory.forget();
        values.push(plan.infer_row(row, &mut memory)?[output]);
    }
    Ok(values)
}
