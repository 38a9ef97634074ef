//! A fitted model: what it knows, and what it says about rows.

use super::cpu::Memory;
use super::model::processor;
use super::prototypes::Prototypes;
use super::report::Report;
use super::rows::Rows;
use super::sums::{Sums, Want};
use crate::data::{Precision, Table};
use crate::device::Device;
use crate::error::{Error, Result};

/// Clusters found in data; made by [`FuzzyCMeans::fit`](super::FuzzyCMeans::fit).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Partition {
    /// V, one row per cluster, columns as the data's, in double precision.
    pub centers: Table,
    /// F of each cluster, columns × columns, where the metric has them (Gustafson-Kessel, Gath-Geva).
    pub covariances: Option<Vec<Vec<f64>>>,
    /// Σᵢ uₖᵢ of each cluster.
    pub weights: Vec<f64>,
    /// How the fit went.
    pub report: Report,
    pub(super) prototypes: Prototypes,
}

/// The largest memberships of every row, largest first.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TopMemberships {
    /// How many there are of each row.
    pub top: usize,
    /// Their clusters, row after row, from 0.
    pub clusters: Vec<u32>,
    /// The memberships, row after row.
    pub memberships: Vec<f64>,
}

impl Partition {
    pub(super) fn new(
        names: Vec<String>,
        prototypes: Prototypes,
        weights: Vec<f64>,
        report: Report,
    ) -> Result<Self> {
        let n = prototypes.columns();
        let centers: Vec<f64> =
            (0..prototypes.clusters()).flat_map(|k| prototypes.space.leave(prototypes.center(k))).collect();
        let covariances = prototypes.shapes.as_ref().map(|shapes| {
            shapes.covariances.chunks_exact(n * n).map(|f| prototypes.space.leave_covariance(f)).collect()
        });
        Ok(Partition { centers: Table::new(names, centers)?, covariances, weights, report, prototypes })
    }

    /// How many clusters there are.
    pub fn clusters(&self) -> usize {
        self.prototypes.clusters()
    }

    /// The memberships of every row, one column per cluster (`cluster1`, `cluster2`, …), in the precision of `samples`.
    ///
    /// # Errors
    /// [`Error::ClusteringShape`], [`Error::NotFinite`] and [`Error::NotOnGpu`].
    pub fn memberships(&self, samples: &Table, device: &Device) -> Result<Table> {
        let rows = self.rows(samples, device)?;
        let clusters = self.clusters();
        let names: Vec<String> = (1..=clusters).map(|k| format!("cluster{k}")).collect();
        if samples.precision() == Precision::F32 {
            let mut out = vec![0.0f32; samples.rows() * clusters];
            self.fill(&rows, &mut out, |u| u as f32);
            Table::new(names, out)
        } else {
            let mut out = vec![0.0f64; samples.rows() * clusters];
            self.fill(&rows, &mut out, |u| u);
            Table::new(names, out)
        }
    }

    fn fill<T: Send>(&self, rows: &Memory<'_>, out: &mut [T], round: impl Fn(f64) -> T + Send + Sync) {
        let clusters = self.clusters();
        rows.memberships(&self.prototypes, out, clusters, |out, membership| {
            for (row, out) in out.chunks_exact_mut(clusters).enumerate() {
                out.iter_mut().enumerate().for_each(|(k, out)| *out = round(membership(row, k)));
            }
        });
    }

    /// The `top` largest memberships of every row, which take rows × `top` memory whatever the number of clusters.
    ///
    /// # Errors
    /// As [`Partition::memberships`].
    pub fn top_memberships(&self, samples: &Table, top: usize, device: &Device) -> Result<TopMemberships> {
        let rows = self.rows(samples, device)?;
        let (clusters, top) = (self.clusters(), top.clamp(1, self.clusters()));
        let mut out = vec![(0u32, 0.0f64); samples.rows() * top];
        rows.memberships(&self.prototypes, &mut out, top, |out, membership| {
            let mut all = Vec::with_capacity(clusters);
            for (row, out) in out.chunks_exact_mut(top).enumerate() {
                all.clear();
                all.extend((0..clusters).map(|k| (k as u32, membership(row, k))));
                all.sort_by(|a: &(u32, f64), b| b.1.total_cmp(&a.1)); // stable: the first of equals stays first
                out.copy_from_slice(&all[..top]);
            }
        });
        let (clusters, memberships) = out.into_iter().unzip();
        Ok(TopMemberships { top, clusters, memberships })
    }

    /// The cluster each row belongs to most, from 0; the first of equals.
    ///
    /// # Errors
    /// As [`Partition::memberships`].
    pub fn predict(&self, samples: &Table, device: &Device) -> Result<Vec<u32>> {
        let rows = self.rows(samples, device)?;
        let clusters = self.clusters();
        let mut labels = vec![0u32; samples.rows()];
        rows.memberships(&self.prototypes, &mut labels, 1, |labels, membership| {
            for (row, label) in labels.iter_mut().enumerate() {
                let best = (1..clusters)
                    .fold(0, |best, k| if membership(row, k) > membership(row, best) { k } else { best });
                *label = best as u32;
            }
        });
        Ok(labels)
    }

    /// The sums of `samples` at this partition, to be merged with those of other rows and given to
    /// [`Partition::update`].
    ///
    /// # Errors
    /// As [`Partition::memberships`].
    pub fn sums(&self, samples: &Table, device: &Device) -> Result<Sums> {
        let mut sums = self.rows(samples, device)?.sweep(&[&self.prototypes], Want::default())?;
        let (clusters, columns) = (self.clusters(), self.centers.columns());
        let partial = self.prototypes.space.partial;
        Ok(sums.pop().unwrap_or_else(|| Sums::zero(clusters, columns, partial, Want::default())))
    }

    /// One step of the iteration, equation (3), with the sums of all rows; returns how far the farthest center moved,
    /// in the fit's coordinates, where the spread of the data is near 1.
    ///
    /// Shapes and widths of clusters stay as they are; the report still tells of the fit.
    ///
    /// # Errors
    /// [`Error::SumsShape`] for sums of another partition.
    pub fn update(&mut self, sums: &Sums) -> Result<f64> {
        let (found, expected) =
            ((sums.masses.len(), sums.columns), (self.clusters(), self.centers.columns()));
        if found != expected {
            return Err(Error::SumsShape { found, expected });
        }
        let next = sums.centers(&self.prototypes.centers);
        let moved = |(a, b): (&[f64], &[f64])| super::indices::squared_distance(a, b);
        let n = expected.1;
        let moves = self.prototypes.centers.chunks_exact(n).zip(next.chunks_exact(n)).map(moved);
        let largest = moves.fold(0.0, f64::max).sqrt();
        self.prototypes.centers = next;
        let names = self.centers.names().to_vec();
        *self = Partition::new(names, self.prototypes.clone(), self.weights.clone(), self.report.clone())?;
        Ok(largest)
    }

    pub(super) fn require_columns(&self, columns: usize) -> Result<()> {
        if columns == self.centers.columns() {
            return Ok(());
        }
        let rows = self.clusters() as u64;
        Err(Error::ClusteringShape {
            what: "samples",
            found: (rows, columns),
            expected: (rows, self.centers.columns()),
        })
    }

    fn rows<'a>(&self, samples: &'a Table, device: &'a Device) -> Result<Memory<'a>> {
        let cpu = processor(device)?;
        let expected = self.centers.columns();
        if samples.columns() != expected {
            let rows = samples.rows() as u64;
            let found = (rows, samples.columns());
            return Err(Error::ClusteringShape { what: "samples", found, expected: (rows, expected) });
        }
        if !self.prototypes.space.partial {
            samples.require_finite()?;
        }
        Ok(Memory { values: samples.values(), names: samples.names(), weights: None, cpu })
    }
}
