//! The fitted model.

pub(super) mod indices;
pub(super) mod report;
mod save;
mod silhouette;

use crate::clustering::algorithm::objective;
use crate::clustering::dispatch::{
    backend_for, compute_memberships, memberships_in_gpu_memory, require_finite,
};
use crate::clustering::error::{ClusteringError, Result};
use crate::clustering::model::report::ClusteringReport;
use crate::clustering::numerics::linear::squared_distance;
use crate::clustering::prototypes::{MembershipRule, Prototypes};
use crate::clustering::rows::output::MembershipOutput;
use crate::clustering::rows::source::RowSource;
use crate::clustering::rows::sums::{RequestedSums, Sums};
use crate::data::{DeviceSamples, Precision, Samples, Table};
use crate::device::Device;

/// Fitted clusters; returned by [`FuzzyCMeans::fit`](super::FuzzyCMeans::fit).
///
/// ```
/// use fuzzion::{Device, Table, clustering::FuzzyCMeans};
/// let rows = Table::new(["x"], vec![0.0, 2.0])?;
/// let partition = FuzzyCMeans::new(1).fit(&rows, &Device::cpu()?)?;
/// assert_eq!(partition.centers.column("x")?, [1.0]);
/// assert_eq!(partition.weights, [2.0]); // both rows have membership 1
/// # Ok::<(), fuzzion::Error>(())
/// ```
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

/// Largest memberships of every row, in descending order; returned by [`Partition::top_memberships`].
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
    ) -> Self {
        let n = prototypes.columns();
        let centers: Vec<f64> = (0..prototypes.clusters())
            .flat_map(|k| prototypes.space.to_external(prototypes.center(k)))
            .collect();
        let centers = Table::new(names, centers).expect("invariant: a center has a value for each column");
        let covariances = prototypes.cluster_metrics.as_ref().map(|metrics| {
            metrics
                .covariances
                .chunks_exact(n * n)
                .map(|f| prototypes.space.covariance_to_external(f))
                .collect()
        });
        Partition { centers, covariances, weights, report, prototypes }
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
    /// ```
    /// use fuzzion::{Device, Samples, Table, clustering::{FuzzyCMeans, InitialCenters}};
    /// let device = Device::cpu()?;
    /// let centers = InitialCenters::Centers(Table::unnamed(1, vec![0.0, 3.0])?);
    /// let settings = FuzzyCMeans::new(2).initial_centers(centers).max_iterations(0);
    /// let partition = settings.fit(Samples::new(1, &[0.0, 3.0])?, &device)?;
    /// let memberships = partition.memberships(Samples::new(1, &[1.0])?, &device)?;
    /// // Equation (2) with the squared distances 1 and 4
    /// assert!((memberships.column("cluster1")?[0] - 0.8).abs() < 1e-12);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ClusteringError::Shape`], [`DataError::NotFinite`](crate::data::DataError::NotFinite) and
    /// [`DeviceError::NotOnGpu`](crate::device::DeviceError::NotOnGpu).
    pub fn memberships<'a>(&self, samples: impl Into<Samples<'a>>, device: &Device) -> Result<Table> {
        self.membership_table(&self.prototypes, &samples.into(), device)
    }

    /// Like [`Partition::memberships`], with results that stay in the memory of the device if `samples` are in the memory
    /// of one GPU; otherwise they are in host memory.
    ///
    /// ```
    /// use fuzzion::{Device, Samples, clustering::FuzzyCMeans};
    /// let device = Device::best()?;
    /// let rows = Samples::new(1, &[0.0, 1.0, 9.0, 10.0])?.to_device(&device)?;
    /// let partition = FuzzyCMeans::new(2).fit(&rows, &device)?;
    /// let memberships = partition.memberships_on_device(&rows, &device)?; // no transfer
    /// assert_eq!(memberships.to_host()?.names(), ["cluster1", "cluster2"]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Partition::memberships`].
    pub fn memberships_on_device<'a>(
        &self,
        samples: impl Into<Samples<'a>>,
        device: &Device,
    ) -> Result<DeviceSamples<'static>> {
        let samples = samples.into();
        self.check(&samples, device)?;
        let names = self.membership_names();
        match memberships_in_gpu_memory(&samples, &self.prototypes, &names, device)? {
            Some(memberships) => Ok(memberships),
            None => Ok(self.membership_table(&self.prototypes, &samples, device)?.into()),
        }
    }

    /// Names of the columns of memberships.
    fn membership_names(&self) -> Vec<String> {
        (1..=self.clusters()).map(|k| format!("cluster{k}")).collect()
    }

    /// Returns the typicalities of every row, Equation (9) or (10), in the layout of [`Partition::memberships`]. A
    /// typicality measures how well a row fits a cluster, independently of the other clusters.
    ///
    /// ```
    /// use fuzzion::{Device, Samples, Table, clustering::{FuzzyCMeans, InitialCenters, Variant}};
    /// let device = Device::cpu()?;
    /// let centers = InitialCenters::Centers(Table::unnamed(1, vec![1.0])?);
    /// let settings = FuzzyCMeans::new(1).variant(Variant::Possibilistic);
    /// let settings = settings.initial_centers(centers).max_iterations(0);
    /// let partition = settings.fit(Samples::new(1, &[0.0, 2.0])?, &device)?;
    /// let typicalities = partition.typicalities(Samples::new(1, &[1.0, 2.0])?, &device)?;
    /// // Equation (9) with the squared distances 0 and 1, and η = 1
    /// assert_eq!(typicalities.column("cluster1")?, [1.0, 0.5]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Partition::memberships`], and [`ClusteringError::NoTypicalities`] for all but the possibilistic
    /// variants.
    pub fn typicalities<'a>(&self, samples: impl Into<Samples<'a>>, device: &Device) -> Result<Table> {
        self.membership_table(&self.typicality_prototypes()?, &samples.into(), device)
    }

    /// Prototypes whose memberships are the typicalities.
    fn typicality_prototypes(&self) -> Result<Prototypes> {
        let rule = match &self.prototypes.rule {
            rule @ MembershipRule::Possibilistic { .. } => rule.clone(),
            MembershipRule::Mixed { typicality_fuzzifier, typicality, widths, .. } => {
                // Equation (10) is Equation (9) with the widths γ/b.
                let widths = widths.iter().map(|width| width / typicality).collect();
                MembershipRule::Possibilistic { fuzzifier: *typicality_fuzzifier, widths }
            }
            _ => return Err(ClusteringError::NoTypicalities),
        };
        Ok(Prototypes { rule, ..self.prototypes.clone() })
    }

    fn membership_table(
        &self,
        prototypes: &Prototypes,
        samples: &Samples<'_>,
        device: &Device,
    ) -> Result<Table> {
        self.check(samples, device)?;
        let clusters = self.clusters();
        let names = self.membership_names();
        if samples.precision() == Precision::F32 {
            let mut out = vec![0.0f32; samples.rows() * clusters];
            compute_memberships(samples, prototypes, MembershipOutput::Single(&mut out), device)?;
            Ok(Table::new(names, out)?)
        } else {
            let mut out = vec![0.0f64; samples.rows() * clusters];
            compute_memberships(samples, prototypes, MembershipOutput::Double(&mut out), device)?;
            Ok(Table::new(names, out)?)
        }
    }

    /// Returns the `top` largest memberships of every row; memory is rows × `top`, independent of the number of
    /// clusters.
    ///
    /// ```
    /// use fuzzion::{Device, Samples, Table, clustering::{FuzzyCMeans, InitialCenters}};
    /// let device = Device::cpu()?;
    /// let centers = InitialCenters::Centers(Table::unnamed(1, vec![0.0, 3.0])?);
    /// let settings = FuzzyCMeans::new(2).initial_centers(centers).max_iterations(0);
    /// let samples = Samples::new(1, &[0.0, 3.0])?;
    /// let top = settings.fit(&samples, &device)?.top_memberships(&samples, 1, &device)?;
    /// assert_eq!((top.top, top.clusters, top.memberships), (1, vec![0, 1], vec![1.0, 1.0]));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Partition::memberships`].
    pub fn top_memberships<'a>(
        &self,
        samples: impl Into<Samples<'a>>,
        top: usize,
        device: &Device,
    ) -> Result<TopMemberships> {
        self.largest_memberships(&samples.into(), top.clamp(1, self.clusters()), device)
    }

    fn largest_memberships(
        &self,
        samples: &Samples<'_>,
        top: usize,
        device: &Device,
    ) -> Result<TopMemberships> {
        self.check(samples, device)?;
        let mut out = vec![(0u32, 0.0f64); samples.rows() * top];
        compute_memberships(samples, &self.prototypes, MembershipOutput::Top(top, &mut out), device)?;
        let (clusters, memberships) = out.into_iter().unzip();
        Ok(TopMemberships { top, clusters, memberships })
    }

    /// Returns the cluster with the largest membership of each row: a column `cluster` with the row of the cluster in
    /// [`Partition::centers`], from 0; ties go to the first.
    ///
    /// ```
    /// use fuzzion::{Device, Samples, Table, clustering::{FuzzyCMeans, InitialCenters}};
    /// let device = Device::cpu()?;
    /// let samples = Samples::new(1, &[9.0, 0.0, 10.0, 1.0])?;
    /// let centers = InitialCenters::Centers(Table::unnamed(1, vec![0.0, 10.0])?);
    /// let partition = FuzzyCMeans::new(2).initial_centers(centers).fit(&samples, &device)?;
    /// assert_eq!(partition.predict(samples, &device)?.column("cluster")?, [1.0, 0.0, 1.0, 0.0]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Partition::memberships`].
    pub fn predict<'a>(&self, samples: impl Into<Samples<'a>>, device: &Device) -> Result<Table> {
        let labels = self.labels_of(&samples.into(), device)?;
        Ok(Table::new(["cluster"], labels.into_iter().map(f64::from).collect::<Vec<_>>())?)
    }

    /// Returns the index of the cluster with the largest membership of each row, from 0; ties go to the first.
    ///
    /// ```
    /// use fuzzion::{Device, Samples, Table, clustering::{FuzzyCMeans, InitialCenters}};
    /// let device = Device::cpu()?;
    /// let samples = Samples::new(1, &[9.0, 0.0, 10.0, 1.0])?;
    /// let centers = InitialCenters::Centers(Table::unnamed(1, vec![0.0, 10.0])?);
    /// let partition = FuzzyCMeans::new(2).initial_centers(centers).fit(&samples, &device)?;
    /// assert_eq!(partition.labels(samples, &device)?, [1, 0, 1, 0]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Partition::memberships`].
    pub fn labels<'a>(&self, samples: impl Into<Samples<'a>>, device: &Device) -> Result<Vec<u32>> {
        self.labels_of(&samples.into(), device)
    }

    fn labels_of(&self, samples: &Samples<'_>, device: &Device) -> Result<Vec<u32>> {
        self.check(samples, device)?;
        let mut labels = vec![0u32; samples.rows()];
        compute_memberships(samples, &self.prototypes, MembershipOutput::Labels(&mut labels), device)?;
        Ok(labels)
    }

    /// Returns J of `samples` at this partition, Equation (1), clamped to the largest finite number.
    ///
    /// ```
    /// use fuzzion::{Device, Samples, clustering::FuzzyCMeans};
    /// let device = Device::cpu()?;
    /// let partition = FuzzyCMeans::new(1).fit(Samples::new(1, &[0.0, 2.0])?, &device)?;
    /// assert_eq!(partition.objective(Samples::new(1, &[4.0])?, &device)?, 9.0); // the center is 1
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Partition::memberships`].
    pub fn objective<'a>(&self, samples: impl Into<Samples<'a>>, device: &Device) -> Result<f64> {
        Ok(objective(&self.sweep(&samples.into(), device)?, &self.prototypes))
    }

    /// Returns the sums over `samples` at this partition, to be merged with the sums of other rows and passed to
    /// [`Partition::update`].
    ///
    /// # Errors
    /// Those of [`Partition::memberships`].
    pub fn sums<'a>(&self, samples: impl Into<Samples<'a>>, device: &Device) -> Result<Sums> {
        self.sweep(&samples.into(), device)
    }

    fn sweep(&self, samples: &Samples<'_>, device: &Device) -> Result<Sums> {
        self.check(samples, device)?;
        let mut rows = backend_for(RowSource::Memory(samples), self.clusters(), device)?;
        let mut sums = rows.sweep(&[&self.prototypes], RequestedSums::default())?;
        Ok(sums.pop().expect("invariant: a sweep returns one result per set of prototypes"))
    }

    /// Performs one iteration, Equation (3), with the sums of all rows. Returns the largest shift of a center in
    /// internal coordinates, in which the spread of the data is near 1.
    ///
    /// Covariances and widths of the clusters do not change, nor does the report. See [`Sums`] for an example.
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
        *self = Partition::new(names, self.prototypes.clone(), self.weights.clone(), self.report.clone());
        Ok(largest)
    }

    /// Checks that `samples` has the same number of columns as the fitted data.
    pub(super) fn require_columns(&self, samples: &Samples<'_>) -> Result<()> {
        let (rows, columns) = (samples.rows() as u64, samples.columns());
        let expected = self.centers.columns();
        if columns == expected {
            return Ok(());
        }
        Err(ClusteringError::Shape { what: "samples", found: (rows, columns), expected: (rows, expected) })
    }

    /// Checks the number of columns, and that no value is missing unless distances skip missing values.
    fn check(&self, samples: &Samples<'_>, device: &Device) -> Result<()> {
        self.require_columns(samples)?;
        if !self.prototypes.space.partial {
            require_finite(samples, device)?;
        }
        Ok(())
    }
}
