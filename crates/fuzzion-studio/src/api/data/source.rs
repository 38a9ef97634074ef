//! What a plot shows along an axis or as color.

use super::clusters::Clusters;
use super::column::finite_range;
use super::tables::{OpenTable, Outputs};
use crate::api::ApiError;
use crate::api::jobs::lock;
use serde::Deserialize;
use std::borrow::Cow;
use std::sync::Arc;

/// Number of categories of a text column that have a color of their own; all other texts share one more category.
pub(super) const OWN_CATEGORIES: usize = 7;

/// One value per row.
#[derive(Clone, Copy, Deserialize)]
#[serde(tag = "of", rename_all = "snake_case")]
pub(super) enum Source {
    /// A column of the table.
    Column { index: usize },
    /// An output of the system that was run.
    Output { index: usize },
    /// An output minus a column.
    Error { index: usize, target: usize },
    /// A principal axis of the clustered columns.
    Axis { index: usize },
    /// The cluster of the largest membership.
    Cluster,
}

/// The values of a source.
pub(super) struct Plotted<'a> {
    pub(super) values: Cow<'a, [f64]>,
    /// Range of an axis; `None` without finite values.
    pub(super) range: Option<(f64, f64)>,
    /// Number of categories; `None` for numbers.
    pub(super) categories: Option<usize>,
    /// The largest membership of each row, for clusters.
    pub(super) memberships: Option<&'a [f64]>,
}

impl<'a> Plotted<'a> {
    fn numbers(values: impl Into<Cow<'a, [f64]>>, range: Option<(f64, f64)>) -> Self {
        Plotted { values: values.into(), range, categories: None, memberships: None }
    }
}

/// A table and its results at one moment.
pub(super) struct Snapshot {
    pub(super) table: Arc<OpenTable>,
    outputs: Option<Arc<Outputs>>,
    clusters: Option<Arc<Clusters>>,
}

impl Snapshot {
    pub(super) fn new(table: Arc<OpenTable>) -> Self {
        let (outputs, clusters) = (lock(&table.outputs).clone(), lock(&table.clusters).clone());
        Snapshot { table, outputs, clusters }
    }

    pub(super) fn outputs(&self) -> Result<&Outputs, ApiError> {
        self.outputs.as_deref().ok_or_else(|| ApiError::new("there are no outputs; run the system first"))
    }

    pub(super) fn clusters(&self) -> Result<&Clusters, ApiError> {
        self.clusters
            .as_deref()
            .ok_or_else(|| ApiError::new("there are no clusters; find clusters in the table first"))
    }

    /// Values of an output.
    pub(super) fn output(&self, index: usize) -> Result<&[f64], ApiError> {
        let unknown = || ApiError::new("the system has no such output; choose another output");
        Ok(&self.outputs()?.columns.get(index).ok_or_else(unknown)?.values)
    }

    /// The values of a source.
    pub(super) fn plotted(&self, source: Source) -> Result<Plotted<'_>, ApiError> {
        match source {
            Source::Column { index } => {
                let column = self.table.column(index)?;
                let categories = column.texts.as_ref().map(|texts| texts.len().min(OWN_CATEGORIES + 1));
                Ok(Plotted { categories, ..Plotted::numbers(&column.values, column.range) })
            }
            Source::Output { index } => {
                let values = self.output(index)?;
                Ok(Plotted::numbers(values, self.outputs()?.columns[index].range))
            }
            Source::Error { index, target } => {
                let target = &self.table.numbers(target, "The target")?.values;
                let errors: Vec<f64> = self.output(index)?.iter().zip(target).map(|(y, t)| y - t).collect();
                let range = finite_range(&errors);
                Ok(Plotted::numbers(errors, range))
            }
            Source::Axis { index } => {
                let values = self.clusters()?.projected(&self.table, index)?;
                let range = finite_range(&values);
                Ok(Plotted::numbers(values, range))
            }
            Source::Cluster => {
                let clusters = self.clusters()?;
                let shown = Plotted::numbers(&clusters.labels, finite_range(&clusters.labels));
                Ok(Plotted {
                    categories: Some(clusters.partition().clusters()),
                    memberships: Some(&clusters.memberships),
                    ..shown
                })
            }
        }
    }
}
