//! The fitted model.

pub(super) mod indices;
pub(super) mod report;
mod save;
mod silhouette;

use crate::clustering::dispatch::{backend_for, compute_memberships};
use crate::clustering::error::{ClusteringError, Result};
use crate::clustering::model::report::ClusteringReport;
use crate::clustering::numerics::linear::squared_distance;
use crate::clustering::prototypes::{MembershipRule, Prototypes};
use crate::clustering::rows::output::MembershipOutput;
use crate::clustering::rows::slice::RowSlice;
use crate::clustering::rows::source::RowSource;
use crate::clustering::rows::sums::{RequestedSums, Sums};
use crate::clustering::rows::weights::checked_weight_sum;
use crate::data::{Precision, Table};
use crate::device::Device;

/// Fitted clusters; returned by [`FuzzyCMeans::fit`](super::FuzzyCMeans::fit).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Partition {
    /// Centers V, one row per cluster with the columns of the data, in double precision.
    pub centers: Table,
    /// Covariance F of each cluster, columns × columns (Gustafson-Kessel and Gath-Geva only).
    pub covariances: Option<Vec<Vec<f64>>>,
    /// Σᵢ uₖᵢ of each cluster.
    pub weights: Vec<f64>,
    /// Convergence and quality of the fit.
    pub report: ClusteringReport,
    pub(super) prototypes: Prototypes,
}

/// Largest memberships of every row, in descending order.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TopMemberships {
    /// Number of memberships per row.
    pub top: usize,
    /// Cluster indices, row by row, from 0.
    pub clusters: Vec<u32>,
    /// Memberships, row by row.
    pub memberships: Vec<f64>,
}

impl Partition {
    pub(super) fn new(
        names: Vec<String>,
        prototypes: Prototypes,
        weights: Vec<f64>,
        report: ClusteringReport,
    ) -> Result<Self> {
        let n = prototypes.columns();
        let centers: Vec<f64> = (0..prototypes.clusters())
            .flat_map(|k| prototypes.space.to_external(prototypes.center(k)))
            .collect();
        let covariances = prototypes.cluster_metrics.as_ref().map(|metrics| {
            metrics
                .covariances
                .chunks_exact(n * n)
                .map(|f| prototypes.space.covariance_to_external(f))
                .collect()
        });
        Ok(Partition { centers: Table::new(names, centers)?, covariances, weights, report, prototypes })
    }

    /// Number of clusters.
    pub fn clusters(&self) -> usize {
        self.prototypes.clusters()
    }

    /// Returns the memberships of every row, one column per cluster (`cluster1`, `cluster2`, …), in the precision of
    /// `samples`.
    ///
    /// Each row sums to 1, except that noise clustering omits the membership in the noise cluster and possibilistic
    /// clustering returns typicalities, Equation (9).
    ///
    /// # Errors
    /// [`ClusteringError::Shape`], [`DataError::NotFinite`](crate::data::DataError::NotFinite) and [`DeviceError::NotOnGpu`](crate::device::DeviceError::NotOnGpu).
    pub fn memberships(&self, samples: &Table, device: &Device) -> Result<Table> {
        self.membership_table(&self.prototypes, samples, device)
    }

    /// Returns the typicalities of every row, Equation (9) or (10), in the layout of [`Partition::memberships`]. A
    /// typicality measures how well a row fits a cluster, independently of the other clusters.
    ///
    /// # Errors
    /// Those of [`Partition::memberships`], and [`ClusteringError::NoTypicalities`] for all but the possibilistic variants.
    pub fn typicalities(&self, samples: &Table, device: &Device) -> Result<Table> {
        match &self.prototypes.rule {
            MembershipRule::Possibilistic { .. } => self.memberships(samples, device),
            MembershipRule::Mixed { typicality_fuzzifier, typicality, widths, .. } => {
                // Equation (10) is Equation (9) with the widths γ/b.
                let widths = widths.iter().map(|width| width / typicality).collect();
                let rule = MembershipRule::Possibilistic { fuzzifier: *typicality_fuzzifier, widths };
                self.membership_table(&Prototypes { rule, ..self.prototypes.clone() }, samples, device)
            }
            _ => Err(ClusteringError::NoTypicalities),
        }
    }

    fn membership_table(&self, prototypes: &Prototypes, samples: &Table, device: &Device) -> Result<Table> {
        let rows = self.checked(samples)?;
        let clusters = self.clusters();
        let names: Vec<String> = (1..=clusters).map(|k| format!("cluster{k}")).collect();
        if samples.precision() == Precision::F32 {
            let mut out = vec![0.0f32; samples.rows() * clusters];
            compute_memberships(rows, prototypes, MembershipOutput::Single(&mut out), device)?;
            Ok(Table::new(names, out)?)
        } else {
            let mut out = vec![0.0f64; samples.rows() * clusters];
            compute_memberships(rows, prototypes, MembershipOutput::Double(&mut out), device)?;
            Ok(Table::new(names, out)?)
        }
    }

    /// Returns the `top` largest memberships of every row; memory is rows × `top`, independent of the number of
    /// clusters.
    ///
    /// # Errors
    /// Those of [`Partition::memberships`].
    pub fn top_memberships(&self, samples: &Table, top: usize, device: &Device) -> Result<TopMemberships> {
        let top = top.clamp(1, self.clusters());
        let mut out = vec![(0u32, 0.0f64); samples.rows() * top];
        compute_memberships(
            self.checked(samples)?,
            &self.prototypes,
            MembershipOutput::Top(top, &mut out),
            device,
        )?;
        let (clusters, memberships) = out.into_iter().unzip();
        Ok(TopMemberships { top, clusters, memberships })
    }

    /// Returns the cluster with the largest membership of each row, from 0; ties go to the first.
    ///
    /// # Errors
    /// Those of [`Partition::memberships`].
    pub fn predict(&self, samples: &Table, device: &Device) -> Result<Vec<u32>> {
        let mut labels = vec![0u32; samples.rows()];
        compute_memberships(
            self.checked(samples)?,
            &self.prototypes,
            MembershipOutput::Labels(&mut labels),
            device,
        )?;
        Ok(labels)
    }

    /// Returns the sums over `samples` at this partition, to be merged with the sums of other rows and passed to
    /// [`Partition::update`].
    ///
    /// # Errors
    /// Those of [`Partition::memberships`].
    pub fn sums(&self, samples: &Table, device: &Device) -> Result<Sums> {
        self.sums_of(self.checked(samples)?, device)
    }

    /// Like [`Partition::sums`], with sample weights.
    ///
    /// # Errors
    /// Those of [`Partition::sums`], and [`DataError::SampleWeight`](crate::data::DataError::SampleWeight).
    pub fn sums_weighted(&self, samples: &Table, weights: &[f64], device: &Device) -> Result<Sums> {
        checked_weight_sum(weights, samples.rows(), 0)?;
        self.sums_of(RowSlice { weights: Some(weights), ..self.checked(samples)? }, device)
    }

    fn sums_of(&self, samples: RowSlice<'_>, device: &Device) -> Result<Sums> {
        let requested = RequestedSums::default();
        let mut sums =
            backend_for(RowSource::Memory(samples), device)?.sweep(&[&self.prototypes], requested)?;
        Ok(sums.pop().expect("invariant: a sweep returns one result per set of prototypes"))
    }

    /// Performs one iteration, Equation (3), with the sums of all rows. Returns the largest shift of a center in
    /// internal coordinates, in which the spread of the data is near 1.
    ///
    /// Covariances and widths of the clusters do not change, nor does the report.
    ///
    /// # Errors
    /// [`ClusteringError::SumsShape`] if the sums belong to another partition.
    pub fn update(&mut self, sums: &Sums) -> Result<f64> {
        let expected = (self.clusters(), self.centers.columns());
        sums.require_shape(expected)?;
        let next = sums.centers(&self.prototypes.centers);
        let moved = |(a, b): (&[f64], &[f64])| squared_distance(a, b);
        let n = expected.1;
        let moves = self.prototypes.centers.chunks_exact(n).zip(next.chunks_exact(n)).map(moved);
        let largest = moves.fold(0.0, f64::max).sqrt();
        self.prototypes.centers = next;
        let names = self.centers.names().to_vec();
        *self = Partition::new(names, self.prototypes.clone(), self.weights.clone(), self.report.clone())?;
        Ok(largest)
    }

    /// Checks that `samples` has the same number of columns as the fitted data.
    pub(super) fn require_columns(&self, samples: &Table) -> Result<()> {
        let (rows, columns) = (samples.rows() as u64, samples.columns());
        let expected = self.centers.columns();
        if columns == expected {
            return Ok(());
        }
        Err(ClusteringError::Shape { what: "samples", found: (rows, columns), expected: (rows, expected) })
    }

    fn checked<'a>(&self, samples: &'a Table) -> Result<RowSlice<'a>> {
        self.require_columns(samples)?;
        if !self.prototypes.space.partial {
            samples.require_finite()?;
        }
        Ok(RowSlice::new(samples, None))
    }
}
