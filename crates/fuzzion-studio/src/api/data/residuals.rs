//! `api/data/residuals`: the errors of an output.

use super::json_number;
use super::source::Snapshot;
use crate::api::{ApiError, ApiResult, Context, body};
use crate::http::{Request, Response};
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
struct ResidualsRequest {
    table: u64,
    output: usize,
    /// The column with the correct values.
    target: usize,
}

/// The root of the mean squared error, the mean error and the largest error, where the error is the output minus the
/// target.
pub(crate) fn residuals(context: &Context, request: &Request) -> ApiResult {
    let request: ResidualsRequest = body(request)?;
    let snapshot = Snapshot::new(context.tables.find(request.table)?);
    let target = snapshot.table.numbers(request.target, "The target")?;
    let output = snapshot.output(request.output)?;
    let errors = || {
        let errors = output.iter().zip(&target.values).map(|(y, t)| y - t).enumerate();
        errors.filter(|(_, error)| error.is_finite())
    };
    let rows = errors().count();
    let largest = errors().fold(None, |best: Option<(usize, f64)>, next| match best {
        Some(best) if best.1.abs() >= next.1.abs() => Some(best),
        _ => Some(next),
    });
    let Some((row, error)) = largest else {
        return Err(ApiError::new(format!(
            "no row has both an output and a value of `{}`; choose another target",
            target.name
        )));
    };
    // Scaled by the largest error, the squares cannot overflow.
    let scale = error.abs().max(f64::MIN_POSITIVE);
    let squares: f64 = errors().map(|(_, error)| (error / scale).powi(2)).sum();
    let mean: f64 = errors().map(|(_, error)| error / rows as f64).sum();
    Ok(Response::json(&json!({
        "rows": rows,
        "rmse": json_number(scale * (squares / rows as f64).sqrt()),
        "mean": json_number(mean),
        "largest": { "row": row + 1, "error": error, "output": output[row], "target": target.values[row] },
    })))
}
