//! The `fit` methods of [`FuzzyCMeans`].

use super::context::Fit;
use super::prepare::check_settings;
use crate::clustering::dispatch::{backend_for, prefers_cpu};
use crate::clustering::error::{ClusteringError, Result};
use crate::clustering::model::Partition;
use crate::clustering::rows::batches::RowBatches;
use crate::clustering::rows::parts::table_in;
use crate::clustering::rows::source::RowSource;
use crate::clustering::settings::{FuzzyCMeans, InitialCenters};
use crate::data::{Samples, Table, TableReader};
use crate::device::Device;

impl FuzzyCMeans {
    /// Clusters the rows of `samples`; computes in their precision.
    ///
    /// ```
    /// use fuzzion::{Device, Samples, clustering::FuzzyCMeans};
    /// let samples = Samples::new(1, &[1.0, 2.0, 6.0])?.with_weights(&[1.0, 2.0, 1.0])?;
    /// let partition = FuzzyCMeans::new(1).fit(samples, &Device::cpu()?)?;
    /// assert_eq!(*partition.centers.to_f64(), [2.75]); // the weighted mean
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`](crate::SettingError::OutOfRange), [`ClusteringError::TooFewRows`],
    /// [`DataError::NotFinite`](crate::data::DataError::NotFinite), [`ClusteringError::Shape`],
    /// [`ClusteringError::InitialNotFinite`], [`ClusteringError::NoColumns`], [`ClusteringError::ConstantColumn`],
    /// [`ClusteringError::SingularCovariance`], [`SettingError::Conflict`](crate::SettingError::Conflict),
    /// [`DataError::SampleWeight`](crate::data::DataError::SampleWeight) if all weights are 0,
    /// [`DeviceError::NotOnGpu`](crate::device::DeviceError::NotOnGpu) and [`ClusteringError::Interrupted`].
    pub fn fit<'a>(&self, samples: impl Into<Samples<'a>>, device: &Device) -> Result<Partition> {
        self.fit_one(RowSource::memory(&samples.into())?, device)
    }

    /// Like [`FuzzyCMeans::fit`], from a table that may exceed memory; the partition is bit-identical. The column named
    /// `weights` contains the sample weights and is not clustered.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("rows.csv");
    /// # std::fs::write(&path, "x,count\n1,1\n2,2\n6,1\n").unwrap();
    /// use fuzzion::{Device, clustering::FuzzyCMeans, data::ReadTable};
    /// let mut reader = ReadTable::new().open(&path)?; // x,count: 1,1 2,2 6,1
    /// let partition = FuzzyCMeans::new(1).fit_reader(&mut reader, Some("count"), &Device::cpu()?)?;
    /// assert_eq!(partition.centers.column("x")?, [2.75]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`FuzzyCMeans::fit`], read errors, and
    /// [`DataError::UnknownColumn`](crate::data::DataError::UnknownColumn).
    pub fn fit_reader(
        &self,
        samples: &mut TableReader,
        weights: Option<&str>,
        device: &Device,
    ) -> Result<Partition> {
        self.fit_one(RowSource::Batches(RowBatches::new(samples, weights)?), device)
    }

    /// For the device `best`, the device that fits this number of clusters to `samples` faster: the CPU or a GPU; otherwise
    /// `device`. Use it to place the samples in the memory of the device.
    ///
    /// ```
    /// use fuzzion::{Device, Samples, clustering::FuzzyCMeans};
    /// let samples = Samples::new(1, &[0.0, 0.1, 9.9, 10.0])?;
    /// assert_eq!(FuzzyCMeans::new(2).device_for(&samples, &Device::best()?).to_string(), "cpu");
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn device_for(&self, samples: &Samples<'_>, device: &Device) -> Device {
        let restarts = self.restarts(samples.rows() as u64, samples.columns(), self.clusters);
        device.resolve(prefers_cpu(samples, self.clusters.saturating_mul(restarts), device))
    }

    fn fit_one(&self, source: RowSource<'_>, device: &Device) -> Result<Partition> {
        let mut partitions = self.fit_all(&[self.clusters], source, device)?;
        Ok(partitions.pop().expect("invariant: there is one partition per number of clusters"))
    }

    /// Fits each number of clusters; all fits share the passes over the rows.
    fn fit_all(&self, clusters: &[usize], source: RowSource<'_>, device: &Device) -> Result<Vec<Partition>> {
        check_settings(self, clusters, u64::MAX)?;
        if source.names().is_empty() {
            return Err(ClusteringError::NoColumns);
        }
        let columns = (source.names().to_vec(), source.precision());
        let restarts = |clusters: &usize| match source.known_rows() {
            Some(rows) => clusters.saturating_mul(self.restarts(rows, columns.0.len(), *clusters)),
            None => *clusters, // many rows
        };
        let runs = clusters.iter().map(restarts).fold(0, usize::saturating_add);
        let mut rows = backend_for(source, runs, device)?;
        rows.start_fit(self, clusters);
        Fit::prepare(self, clusters, &mut *rows, columns, device)?.partitions(&mut *rows)
    }

    /// Fits each number of clusters, in order. Each partition is bit-identical to that of a separate
    /// [`FuzzyCMeans::fit`]; all fits share the passes over the rows. [`FuzzyCMeans::clusters`] is ignored.
    ///
    /// ```
    /// use fuzzion::{Device, Samples, clustering::FuzzyCMeans};
    /// let samples = Samples::new(1, &[0.0, 0.1, 9.9, 10.0])?;
    /// let partitions = FuzzyCMeans::new(1).sweep(1..=3, samples, &Device::cpu()?)?;
    /// assert_eq!(partitions[2].clusters(), 3);
    /// assert!(partitions[1].report.objective < partitions[0].report.objective);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`FuzzyCMeans::fit`].
    pub fn sweep<'a>(
        &self,
        clusters: impl IntoIterator<Item = usize>,
        samples: impl Into<Samples<'a>>,
        device: &Device,
    ) -> Result<Vec<Partition>> {
        let clusters: Vec<usize> = clusters.into_iter().collect();
        self.fit_all(&clusters, RowSource::memory(&samples.into())?, device)
    }

    /// Like [`FuzzyCMeans::sweep`], from a table that may exceed memory; `weights` as in [`FuzzyCMeans::fit_reader`].
    ///
    /// # Errors
    /// Those of [`FuzzyCMeans::fit_reader`].
    pub fn sweep_reader(
        &self,
        clusters: impl IntoIterator<Item = usize>,
        samples: &mut TableReader,
        weights: Option<&str>,
        device: &Device,
    ) -> Result<Vec<Partition>> {
        let clusters: Vec<usize> = clusters.into_iter().collect();
        self.fit_all(&clusters, RowSource::Batches(RowBatches::new(samples, weights)?), device)
    }

    /// Clusters the next batch of a stream. Previous batches are represented by their centers, weighted by their summed
    /// memberships; `None` starts a new stream.
    ///
    /// ```
    /// use fuzzion::{Device, Samples, clustering::FuzzyCMeans};
    /// let (settings, device) = (FuzzyCMeans::new(1), Device::cpu()?);
    /// let first = settings.partial_fit(None, Samples::new(1, &[1.0, 3.0])?, &device)?;
    /// let both = settings.partial_fit(Some(first), Samples::new(1, &[8.0])?, &device)?;
    /// assert!((both.centers.to_f64()[0] - 4.0).abs() < 1e-12); // (2 · 2 + 8) / 3
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// Source: P. Hore, L. O. Hall, D. B. Goldgof, "Single pass fuzzy c means", 2007.
    ///
    /// # Errors
    /// Those of [`FuzzyCMeans::fit`], and [`ClusteringError::Shape`] if the number of columns differs.
    pub fn partial_fit<'a>(
        &self,
        previous: Option<Partition>,
        batch: impl Into<Samples<'a>>,
        device: &Device,
    ) -> Result<Partition> {
        match previous {
            Some(previous) => self.fit_with(previous, &batch.into(), device),
            None => self.fit(batch, device),
        }
    }

    /// Clusters a batch together with the centers of the previous batches.
    fn fit_with(&self, previous: Partition, batch: &Samples<'_>, device: &Device) -> Result<Partition> {
        previous.require_columns(batch)?;
        let mut values = previous.centers.to_f64().into_owned();
        values.extend(batch.to_f64().iter());
        let mut weights = previous.weights;
        match batch.weights() {
            Some(batch) => weights.extend(batch),
            None => weights.resize(weights.len() + batch.rows(), 1.0),
        }
        let all = table_in(batch.precision(), batch.names(), values)?;
        let settings = self.clone().initial_centers(InitialCenters::Centers(previous.centers));
        settings.fit(all.samples().with_weights(&weights)?, device)
    }

    /// Clusters the gray levels of an 8-bit image with `histogram[b]` pixels of level b. The result is that of fitting
    /// all pixels, at the cost of at most 256 weighted rows.
    ///
    /// ```
    /// use fuzzion::{Device, clustering::FuzzyCMeans};
    /// let mut histogram = [0; 256];
    /// (histogram[10], histogram[20]) = (1, 3);
    /// let partition = FuzzyCMeans::new(1).fit_histogram(&histogram, &Device::cpu()?)?;
    /// assert_eq!(*partition.centers.to_f64(), [17.5]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`FuzzyCMeans::fit`].
    pub fn fit_histogram(&self, histogram: &[u64; 256], device: &Device) -> Result<Partition> {
        let levels: Vec<usize> = (0..256).filter(|b| histogram[*b] > 0).collect();
        let values: Vec<f64> = levels.iter().map(|b| *b as f64).collect();
        let weights: Vec<f64> = levels.iter().map(|b| histogram[*b] as f64).collect();
        self.fit(Table::new(["brightness"], values)?.samples().with_weights(&weights)?, device)
    }
}
