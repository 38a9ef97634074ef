//! `api/data/save`: results as a table in the start folder.

use super::source::Snapshot;
use super::tables::{OpenTable, Outputs};
use crate::api::{ApiError, ApiResult, Context, body};
use crate::http::{Request, Response};
use fuzzion::Table;
use fuzzion::data::{Format, Precision};
use serde::Deserialize;
use serde_json::json;
use std::path::Path;

#[derive(Deserialize)]
struct SaveRequest {
    table: u64,
    path: String,
    what: Results,
    /// Whether an existing file may be replaced.
    #[serde(default)]
    replace: bool,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Results {
    /// One column per output.
    Outputs,
    /// The cluster of the largest membership, from 1, and one column of memberships per cluster.
    Clusters,
}

/// Saves results; the response is `{"saved": path}`, or `{"exists": true}`.
pub(crate) fn save(context: &Context, request: &Request) -> ApiResult {
    let request: SaveRequest = body(request)?;
    let snapshot = Snapshot::new(context.tables.find(request.table)?);
    let path = request.path.trim();
    if Format::from_path(Path::new(path)) != Some(Format::Csv) {
        return Err(ApiError::new(format!(
            "`{path}` must end in `.csv`, `.tsv` or `.csv.gz`; change the name"
        )));
    }
    if context.folder.exists(path)? && !request.replace {
        return Ok(Response::json(&json!({ "exists": true })));
    }
    let table = match request.what {
        Results::Outputs => outputs(snapshot.outputs()?)?,
        Results::Clusters => {
            let clusters = snapshot.clusters()?;
            snapshot.table.require_space(clusters.partition().clusters(), "memberships")?;
            let memberships = clusters.all_memberships(&snapshot.table, &context.device)?;
            labeled(&snapshot.table, &clusters.labels, &memberships)?
        }
    };
    context.folder.write_table(path, &table)?;
    Ok(Response::json(&json!({ "saved": path })))
}

/// The outputs in the precision in which they were computed, so that their texts are as short as possible.
fn outputs(outputs: &Outputs) -> Result<Table, ApiError> {
    let names = outputs.columns.iter().map(|column| column.name.clone());
    let rows = outputs.columns.first().map_or(0, |column| column.values.len());
    let values = (0..rows).flat_map(|row| outputs.columns.iter().map(move |column| column.values[row]));
    Ok(match outputs.precision {
        Precision::F32 => Table::new(names, values.map(|x| x as f32).collect::<Vec<f32>>())?,
        Precision::F64 => Table::new(names, values.collect::<Vec<f64>>())?,
    })
}

/// The clusters, from 1 as in all results that users see, and the memberships.
fn labeled(table: &OpenTable, labels: &[f64], memberships: &Table) -> Result<Table, ApiError> {
    let (width, values) = (memberships.columns(), memberships.to_f64());
    let mut rows = Vec::with_capacity(table.rows * (width + 1));
    for (label, memberships) in labels.iter().zip(values.chunks_exact(width)) {
        rows.push(label + 1.0);
        rows.extend_from_slice(memberships);
    }
    let names = ["cluster"].into_iter().map(str::to_owned).chain(memberships.names().iter().cloned());
    Ok(Table::new(names, rows)?)
}
