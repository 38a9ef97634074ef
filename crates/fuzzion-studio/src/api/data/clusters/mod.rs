//! `api/data/cluster` and `api/data/clusters`: fuzzy clusters of the rows.

mod axes;
mod recommendation;

use super::json_number;
use super::tables::OpenTable;
use crate::api::jobs::lock;
use crate::api::{ApiError, ApiResult, Context, body};
use crate::http::{Request, Response};
use axes::Axes;
use fuzzion::clustering::{FuzzyCMeans, Metric, MissingValues, Partition, Stop};
use fuzzion::{Device, Table};
use recommendation::{INDICES, Recommendation, index_values};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::sync::Arc;

/// Maximum number of clusters.
const MAX_CLUSTERS: usize = 50;
/// Maximum number of clustered columns.
const MAX_COLUMNS: usize = 100;

/// Fitted clusters of a table, one partition for each number of clusters, and the memberships in one of them.
#[derive(Clone)]
pub(in crate::api) struct Clusters {
    /// The clustered columns.
    columns: Vec<usize>,
    partitions: Arc<Vec<Partition>>,
    /// The partition whose memberships these are.
    shown: usize,
    /// The cluster of the largest membership of each row, from 0.
    pub(super) labels: Vec<f64>,
    /// The largest membership of each row.
    pub(super) memberships: Vec<f64>,
    axes: Option<Arc<Axes>>,
}

#[derive(Deserialize)]
struct ClusterRequest {
    table: u64,
    columns: Vec<usize>,
    /// The numbers of clusters, from the smallest to the largest.
    clusters: (usize, usize),
    fuzzifier: f64,
    /// Name of the metric.
    metric: String,
    /// Whether Euclidean distances are those of columns scaled to unit variance.
    #[serde(default)]
    standardize: bool,
    /// Name of the handling of missing values.
    #[serde(default)]
    missing: Option<String>,
}

impl ClusterRequest {
    fn settings(&self) -> Result<FuzzyCMeans, ApiError> {
        let setting = |error: fuzzion::SettingError| ApiError::from(fuzzion::Error::from(error));
        let metric = match self.metric.parse().map_err(setting)? {
            Metric::Euclidean if self.standardize => Metric::Diagonal { variances: None },
            metric => metric,
        };
        let missing =
            self.missing.as_deref().map_or(Ok(MissingValues::Error), str::parse).map_err(setting)?;
        Ok(FuzzyCMeans::new(self.clusters.0).fuzzifier(self.fuzzifier).metric(metric).missing(missing))
    }
}

/// Starts a job that fits the clusters and keeps them with the table; its result describes them.
pub(crate) fn cluster(context: &Context, request: &Request) -> ApiResult {
    let request: ClusterRequest = body(request)?;
    let table = context.tables.find(request.table)?;
    let (from, to) = request.clusters;
    if from == 0 || from > to || to > MAX_CLUSTERS {
        return Err(ApiError::new(format!("the number of clusters must be from 1 to {MAX_CLUSTERS}")));
    }
    let columns = &request.columns;
    if columns.is_empty() || columns.len() > MAX_COLUMNS {
        return Err(ApiError::new(format!("choose from 1 to {MAX_COLUMNS} columns to cluster")));
    }
    if columns.iter().collect::<HashSet<_>>().len() < columns.len() {
        return Err(ApiError::new("a column is chosen twice; choose it once"));
    }
    for column in columns {
        table.numbers(*column, "Clustering")?;
    }
    let (settings, device) = (request.settings()?, context.device.clone());
    context.jobs.start(move |job| {
        let rows = rows(&table, &request.columns)?;
        let watched = job.watch(&device);
        let fitted = settings.sweep(from..=to, &rows, &watched);
        let partitions = fitted.map_err(fuzzion::Error::from)?;
        let recommendation = Recommendation::new(&partitions);
        let shown = recommendation.as_ref().map_or(0, |r| r.clusters.saturating_sub(from));
        let is_scaled = !matches!(settings.metric, Metric::Euclidean);
        let axes = Axes::new(&rows, is_scaled).map(Arc::new);
        let found = Clusters::new(request.columns, Arc::new(partitions), shown, axes, &rows, &watched)?;
        let description = found.describe(&table, recommendation.as_ref());
        *lock(&table.clusters) = Some(Arc::new(found));
        Ok(description)
    })
}

#[derive(Deserialize)]
struct ShowRequest {
    table: u64,
    /// Number of clusters.
    clusters: usize,
}

/// Selects the number of clusters, among the fitted ones, whose memberships are plotted and saved.
pub(crate) fn show(context: &Context, request: &Request) -> ApiResult {
    let request: ShowRequest = body(request)?;
    let table = context.tables.find(request.table)?;
    let unknown = || ApiError::new("there is no such number of clusters; find clusters in the table first");
    let found = lock(&table.clusters).clone().ok_or_else(unknown)?;
    let shown = found.partitions.iter().position(|p| p.clusters() == request.clusters).ok_or_else(unknown)?;
    if shown != found.shown {
        let rows = rows(&table, &found.columns)?;
        let (columns, partitions) = (found.columns.clone(), found.partitions.clone());
        let found = Clusters::new(columns, partitions, shown, found.axes.clone(), &rows, &context.device)?;
        *lock(&table.clusters) = Some(Arc::new(found));
    }
    Ok(Response::json(&json!({ "clusters": request.clusters })))
}

/// The clustered columns.
fn rows(table: &OpenTable, columns: &[usize]) -> Result<Table, ApiError> {
    let names = columns.iter().map(|column| table.columns[*column].name.clone());
    Ok(Table::new(names, table.gather(columns, 0, table.rows))?)
}

impl Clusters {
    fn new(
        columns: Vec<usize>,
        partitions: Arc<Vec<Partition>>,
        shown: usize,
        axes: Option<Arc<Axes>>,
        rows: &Table,
        device: &Device,
    ) -> Result<Self, ApiError> {
        let top = partitions[shown].top_memberships(rows, 1, device).map_err(fuzzion::Error::from)?;
        let labels = top.clusters.into_iter().map(f64::from).collect();
        Ok(Clusters { columns, partitions, shown, labels, memberships: top.memberships, axes })
    }

    /// The partition that is plotted and saved.
    pub(super) fn partition(&self) -> &Partition {
        &self.partitions[self.shown]
    }

    /// The memberships of all rows in all clusters.
    pub(super) fn all_memberships(&self, table: &OpenTable, device: &Device) -> Result<Table, ApiError> {
        let memberships = self.partition().memberships(&rows(table, &self.columns)?, device);
        Ok(memberships.map_err(fuzzion::Error::from)?)
    }

    /// The rows along a principal axis.
    pub(super) fn projected(&self, table: &OpenTable, index: usize) -> Result<Vec<f64>, ApiError> {
        let axes = self.axes.as_ref().filter(|axes| index < axes.directions.len()).ok_or_else(|| {
            ApiError::new(
                "there is no such principal axis; cluster at least two columns that are not constant",
            )
        })?;
        let columns = self.columns.iter().map(|column| &table.columns[*column].values[..]);
        Ok(axes.project_columns(columns, table.rows, index))
    }

    fn describe(&self, table: &OpenTable, recommendation: Option<&Recommendation>) -> Value {
        let fits: Vec<Value> = self.partitions.iter().map(|partition| self.describe_fit(partition)).collect();
        let indices: Vec<Value> = INDICES
            .iter()
            .map(|(id, name, is_higher_better)| json!({ "id": id, "name": name, "higher": is_higher_better }))
            .collect();
        json!({
            "columns": self.columns,
            "names": self.columns.iter().map(|column| &table.columns[*column].name).collect::<Vec<_>>(),
            "indices": indices,
            "fits": fits,
            "shown": self.partition().clusters(),
            "recommended": recommendation.map(|recommendation| recommendation.clusters),
            "recommendation": recommendation.map(ToString::to_string),
            "explained": self.axes.as_ref().map(|axes| &axes.explained),
        })
    }

    fn describe_fit(&self, partition: &Partition) -> Value {
        let (report, centers) = (&partition.report, partition.centers.to_f64());
        let centers = centers.chunks_exact(self.columns.len());
        let project = |center: &[f64]| {
            let axes = self.axes.as_ref().map_or(0, |axes| axes.directions.len());
            (0..axes).filter_map(|i| Some(self.axes.as_ref()?.project(center, i))).collect::<Vec<f64>>()
        };
        let indices = INDICES.iter().zip(index_values(&report.indices));
        let indices: serde_json::Map<String, Value> = indices
            .map(|((id, ..), value)| ((*id).to_owned(), value.map_or(Value::Null, json_number)))
            .collect();
        json!({
            "clusters": partition.clusters(),
            "objective": json_number(report.objective),
            "iterations": report.iterations,
            "converged": report.stop == Stop::Converged,
            "sizes": report.sizes,
            "warnings": report.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "indices": indices,
            "axes": centers.clone().map(project).collect::<Vec<_>>(),
            "centers": centers.map(<[f64]>::to_vec).collect::<Vec<_>>(),
        })
    }
}
