//! The `fit` methods of [`FuzzyCMeans`].

use super::context::Fit;
use super::prepare::check_settings;
use crate::clustering::dispatch::backend_for;
use crate::clustering::error::{ClusteringError, Result};
use crate::clustering::model::Partition;
use crate::clustering::rows::batches::RowBatches;
use crate::clustering::rows::slice::RowSlice;
use crate::clustering::rows::source::RowSource;
use crate::clustering::rows::weights::check_weights;
use crate::clustering::settings::{FuzzyCMeans, InitialCenters};
use crate::data::{Precision, Table, TableReader};
use crate::device::Device;

impl FuzzyCMeans {
    /// Clusters the rows of `samples`; computes in the precision of the table.
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`](crate::base::SettingError::OutOfRange), [`ClusteringError::TooFewRows`], [`DataError::NotFinite`](crate::data::DataError::NotFinite), [`ClusteringError::Shape`],
    /// [`ClusteringError::InitialNotFinite`], [`ClusteringError::NoColumns`], [`ClusteringError::ConstantColumn`], [`ClusteringError::SingularCovariance`],
    /// [`SettingError::Conflict`](crate::base::SettingError::Conflict), [`DeviceError::NotOnGpu`](crate::device::DeviceError::NotOnGpu) and [`ClusteringError::Interrupted`].
    pub fn fit(&self, samples: &Table, device: &Device) -> Result<Partition> {
        self.fit_one(RowSource::Memory(RowSlice::new(samples, None)), device)
    }

    /// Like [`FuzzyCMeans::fit`], with sample weights.
    ///
    /// # Errors
    /// Those of [`FuzzyCMeans::fit`], and [`DataError::SampleWeight`](crate::data::DataError::SampleWeight).
    pub fn fit_weighted(&self, samples: &Table, weights: &[f64], device: &Device) -> Result<Partition> {
        check_weights(weights, samples)?;
        self.fit_one(RowSource::Memory(RowSlice::new(samples, Some(weights))), device)
    }

    /// Like [`FuzzyCMeans::fit`], from a table that may exceed memory; the partition is bit-identical.
    ///
    /// # Errors
    /// Those of [`FuzzyCMeans::fit`], and read errors.
    pub fn fit_reader(&self, samples: &mut TableReader, device: &Device) -> Result<Partition> {
        self.fit_one(RowSource::Batches(RowBatches::new(samples, None)?), device)
    }

    /// Like [`FuzzyCMeans::fit_reader`], with sample weights from the column named `weights`, which is not clustered.
    ///
    /// # Errors
    /// Those of [`FuzzyCMeans::fit_reader`], [`DataError::SampleWeight`](crate::data::DataError::SampleWeight) and [`DataError::UnknownColumn`](crate::data::DataError::UnknownColumn).
    pub fn fit_reader_weighted(
        &self,
        samples: &mut TableReader,
        weights: &str,
        device: &Device,
    ) -> Result<Partition> {
        self.fit_one(RowSource::Batches(RowBatches::new(samples, Some(weights))?), device)
    }

    fn fit_one(&self, source: RowSource<'_>, device: &Device) -> Result<Partition> {
        let mut partitions = self.fit_all(&[self.clusters], source, device)?;
        Ok(partitions.pop().expect("invariant: there is one partition per number of clusters"))
    }

    /// Fits each number of clusters; all fits share the passes over the rows.
    pub(in crate::clustering) fn fit_all(
        &self,
        clusters: &[usize],
        source: RowSource<'_>,
        device: &Device,
    ) -> Result<Vec<Partition>> {
        check_settings(self, clusters, u64::MAX)?;
        if source.names().is_empty() {
            return Err(ClusteringError::NoColumns);
        }
        let columns = (source.names().to_vec(), source.precision());
        let mut rows = backend_for(source, device)?;
        Fit::prepare(self, clusters, &mut *rows, columns, device)?.partitions(&mut *rows)
    }

    /// Fits each number of clusters, in order. Each partition is bit-identical to that of a separate
    /// [`FuzzyCMeans::fit`]; all fits share the passes over the rows.
    ///
    /// # Errors
    /// Those of [`FuzzyCMeans::fit`].
    pub fn sweep(
        &self,
        clusters: impl IntoIterator<Item = usize>,
        samples: &Table,
        device: &Device,
    ) -> Result<Vec<Partition>> {
        let clusters: Vec<usize> = clusters.into_iter().collect();
        self.fit_all(&clusters, RowSource::Memory(RowSlice::new(samples, None)), device)
    }

    /// Like [`FuzzyCMeans::sweep`], with sample weights.
    ///
    /// # Errors
    /// Those of [`FuzzyCMeans::fit_weighted`].
    pub fn sweep_weighted(
        &self,
        clusters: impl IntoIterator<Item = usize>,
        samples: &Table,
        weights: &[f64],
        device: &Device,
    ) -> Result<Vec<Partition>> {
        check_weights(weights, samples)?;
        let clusters: Vec<usize> = clusters.into_iter().collect();
        self.fit_all(&clusters, RowSource::Memory(RowSlice::new(samples, Some(weights))), device)
    }

    /// Like [`FuzzyCMeans::sweep`], from a table that may exceed memory; `weights` names an optional column of sample
    /// weights.
    ///
    /// # Errors
    /// Those of [`FuzzyCMeans::fit_reader_weighted`].
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
    /// Source: P. Hore, L. O. Hall, D. B. Goldgof, "Single pass fuzzy c means", 2007.
    ///
    /// # Errors
    /// Those of [`FuzzyCMeans::fit`], and [`ClusteringError::Shape`] if the number of columns differs.
    pub fn partial_fit(
        &self,
        previous: Option<Partition>,
        batch: &Table,
        device: &Device,
    ) -> Result<Partition> {
        let Some(previous) = previous else { return self.fit(batch, device) };
        previous.require_columns(batch)?;
        let mut values = previous.centers.to_f64().into_owned();
        values.extend(batch.to_f64().iter());
        let mut weights = previous.weights.clone();
        weights.resize(weights.len() + batch.rows(), 1.0);
        let all = match batch.precision() {
            Precision::F64 => Table::new(batch.names(), values)?,
            Precision::F32 => {
                Table::new(batch.names(), values.into_iter().map(|x| x as f32).collect::<Vec<_>>())?
            }
        };
        let initial_centers = InitialCenters::Centers(previous.centers);
        FuzzyCMeans { initial_centers, ..self.clone() }.fit_weighted(&all, &weights, device)
    }

    /// Clusters the gray levels of an 8-bit image with `histogram[b]` pixels of level b. The result is that of fitting
    /// all pixels, at the cost of at most 256 weighted rows.
    ///
    /// # Errors
    /// Those of [`FuzzyCMeans::fit`].
    pub fn fit_histogram(&self, histogram: &[u64; 256], device: &Device) -> Result<Partition> {
        let levels: Vec<usize> = (0..256).filter(|b| histogram[*b] > 0).collect();
        let values: Vec<f64> = levels.iter().map(|b| *b as f64).collect();
        let weights: Vec<f64> = levels.iter().map(|b| histogram[*b] as f64).collect();
        self.fit_weighted(&Table::new(["brightness"], values)?, &weights, device)
    }
}
