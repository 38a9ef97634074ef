//! `api/data/run`: the outputs of a system for all rows.

use super::column::Column;
use super::json_number;
use super::tables::{OpenTable, Outputs};
use crate::api::document::{Document, Model};
use crate::api::jobs::{Job, lock};
use crate::api::{ApiError, ApiResult, Context, body};
use crate::http::Request;
use fuzzion::data::{Precision, Summary};
use fuzzion::inference::InferOptions;
use fuzzion::{Device, Samples};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// Rows between two progress events.
const CHUNK_ROWS: usize = 1 << 14;

#[derive(Deserialize)]
struct RunRequest {
    table: u64,
    system: Value,
    /// The column of each input.
    columns: Vec<usize>,
}

/// Starts a job that computes the outputs and keeps them with the table; its result summarizes them.
pub(crate) fn run(context: &Context, request: &Request) -> ApiResult {
    let request: RunRequest = body(request)?;
    let table = context.tables.find(request.table)?;
    let document = Document::read(&request.system)?;
    let (inputs, found) = (&document.model.lower().inputs, request.columns.len());
    if inputs.is_empty() || found != inputs.len() {
        let inputs = inputs.len();
        return Err(ApiError::new(format!(
            "the system has {inputs} inputs, but {found} columns are chosen; choose a column for each input"
        )));
    }
    for (input, column) in inputs.iter().zip(&request.columns) {
        table.numbers(*column, &format!("The input `{}`", input.name))?;
    }
    table.require_space(document.model.lower().outputs.len(), "outputs")?;
    let device = context.device.clone();
    context.jobs.start(move |job| {
        let run = infer(&document, &table, &request.columns, job, &device)?;
        let (summary, outputs) = (run.summary(&table), run.into_outputs());
        *lock(&table.outputs) = Some(Arc::new(outputs));
        Ok(summary)
    })
}

/// The outputs of all rows.
struct Run {
    names: Vec<String>,
    /// Column by column.
    values: Vec<Vec<f64>>,
    /// For each output, the number of rows in which no rule fired; empty if it is unknown.
    unfired: Vec<u64>,
    precision: Precision,
}

impl Run {
    fn new(document: &Document, precision: Precision) -> Self {
        let outputs = &document.model.lower().outputs;
        let names: Vec<String> = outputs.iter().map(|output| output.variable.name.clone()).collect();
        Run { values: vec![Vec::new(); names.len()], names, unfired: Vec::new(), precision }
    }

    fn add(&mut self, outputs: &[f64]) {
        let width = self.values.len();
        for (i, column) in self.values.iter_mut().enumerate() {
            column.extend(outputs.iter().skip(i).step_by(width));
        }
    }

    fn summary(&self, table: &OpenTable) -> Value {
        let outputs: Vec<Value> = (self.names.iter().zip(&self.values).enumerate())
            .map(|(i, (name, values))| {
                let summary = Summary::of(values.iter().copied());
                let number = |x: f64| if summary.count > 0 { json_number(x) } else { Value::Null };
                json!({
                    "name": name,
                    "min": number(summary.min),
                    "mean": number(summary.mean),
                    "max": number(summary.max),
                    "missing": summary.missing,
                    "without_rule": self.unfired.get(i),
                })
            })
            .collect();
        json!({ "rows": table.rows, "outputs": outputs })
    }

    fn into_outputs(self) -> Outputs {
        let columns = self.names.into_iter().zip(self.values);
        Outputs {
            columns: columns.map(|(name, values)| Column::numbers(name, values)).collect(),
            precision: self.precision,
        }
    }
}

/// Computes as `fuzzion infer` does.
fn infer(
    document: &Document,
    table: &OpenTable,
    columns: &[usize],
    job: &Arc<Job>,
    device: &Device,
) -> Result<Run, ApiError> {
    let system = document.model.lower();
    let names: Vec<String> = system.inputs.iter().map(|input| input.name.clone()).collect();
    let rows = |start: usize, end: usize| table.gather(columns, start, end);
    match &document.model {
        Model::Interval(system) => {
            let plan = system.compile(document.dialect)?;
            let values = rows(0, table.rows);
            let tables = plan.infer(samples(&names, &values)?, &job.watch(device))?;
            let mut run = Run::new(document, tables.outputs.precision());
            run.add(&tables.outputs.to_f64());
            Ok(run)
        }
        Model::Type1(system) => {
            let plan = system.compile(document.dialect, table.precision)?;
            let device = plan.device_for(table.rows as u64, device);
            let mut run = Run::new(document, plan.precision());
            run.unfired = vec![0; run.names.len()];
            let (mut previous, mut results) = (vec![f64::NAN; run.names.len()], None);
            let options = InferOptions::default().fired(true);
            for start in (0..table.rows).step_by(CHUNK_ROWS) {
                job.report(start, table.rows)?;
                let values = rows(start, table.rows.min(start + CHUNK_ROWS));
                let samples = samples(&names, &values)?;
                plan.infer_after_into(samples, options, &device, &mut previous, &mut results)?;
                let Some(tables) = &results else { continue };
                run.add(&tables.outputs.to_f64());
                let fired = tables.fired.as_ref().map(|fired| fired.to_f64()).unwrap_or_default();
                for (i, unfired) in run.unfired.iter_mut().enumerate() {
                    let column = fired.iter().skip(i).step_by(run.names.len());
                    *unfired += column.filter(|fired| **fired == 0.0).count() as u64;
                }
            }
            Ok(run)
        }
    }
}

/// Rows of the inputs.
fn samples<'a>(names: &'a [String], values: &'a [f64]) -> Result<Samples<'a>, ApiError> {
    Ok(Samples::new(names.len(), values)?.with_names(names)?)
}
