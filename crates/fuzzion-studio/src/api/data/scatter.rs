//! `api/data/scatter`: the rows as points, or counted in cells if there are many.

use super::cells::Cells;
use super::column::{Scale, widened};
use super::source::{Plotted, Snapshot, Source};
use crate::api::{ApiError, ApiResult, Context, body};
use crate::http::{Request, Response};
use serde::Deserialize;

/// Maximum number of rows that are drawn as points.
const MAX_POINTS: usize = 20_000;
/// Number of cells along an axis by default, and its maximum.
const CELLS: usize = 200;

#[derive(Deserialize)]
struct ScatterRequest {
    table: u64,
    x: Source,
    y: Source,
    #[serde(default)]
    color: Option<Source>,
    /// Number of cells along an axis.
    #[serde(default)]
    cells: Option<usize>,
}

/// Ten numbers: 0 for points or the number of cells along an axis, the number of drawn rows, the number of rows without
/// finite values, the ranges of x, y and color, and 1 if the color has categories. Then for each point or cell: x, y (points) or the
/// number of rows, 0 (cells); then the color and the membership.
pub(crate) fn scatter(context: &Context, request: &Request) -> ApiResult {
    let request: ScatterRequest = body(request)?;
    let snapshot = Snapshot::new(context.tables.find(request.table)?);
    let n = request.cells.unwrap_or(CELLS);
    if !(2..=CELLS).contains(&n) {
        return Err(ApiError::new(format!("a plot has from 2 to {CELLS} cells along an axis")));
    }
    let (x, y) = (snapshot.plotted(request.x)?, snapshot.plotted(request.y)?);
    let color = request.color.map(|color| snapshot.plotted(color)).transpose()?;
    let range = |axis: &Plotted<'_>| widened(axis.range.unwrap_or((0.0, 1.0)));
    let (x_range, y_range) = (range(&x), range(&y));
    let color_range = color.as_ref().map_or((0.0, 1.0), range);
    let is_drawn = |row: usize| x.values[row].is_finite() && y.values[row].is_finite();
    let drawn = (0..snapshot.table.rows).filter(|row| is_drawn(*row)).count();
    let categories = color.as_ref().is_some_and(|color| color.categories.is_some());
    let header = |cells: usize| {
        let counts = [cells as f64, drawn as f64, (snapshot.table.rows - drawn) as f64];
        let ranges = [x_range, y_range, color_range].map(|(lower, upper)| [lower, upper]);
        let flag = f64::from(u8::from(categories));
        counts.into_iter().chain(ranges.into_iter().flatten()).chain([flag]).collect::<Vec<f64>>()
    };
    if drawn <= MAX_POINTS {
        let rows: Vec<usize> = (0..snapshot.table.rows).filter(|row| is_drawn(*row)).collect();
        let colors = |row: &usize| color.as_ref().map_or(f64::NAN, |color| color.values[*row]);
        let membership =
            |row: &usize| color.as_ref().and_then(|color| color.memberships).map_or(1.0, |m| m[*row]);
        let mut numbers = header(0);
        numbers.extend(rows.iter().map(|row| x.values[*row]));
        numbers.extend(rows.iter().map(|row| y.values[*row]));
        numbers.extend(rows.iter().map(colors));
        numbers.extend(rows.iter().map(membership));
        return Ok(Response::float64(&numbers));
    }
    let scales = (Scale::new(x_range, n), Scale::new(y_range, n));
    let cells = Cells::new((&x.values, scales.0), (&y.values, scales.1), color.as_ref(), n);
    let numbers = [header(n), cells.counts, vec![0.0; n * n], cells.colors, cells.memberships].concat();
    Ok(Response::float64(&numbers))
}
