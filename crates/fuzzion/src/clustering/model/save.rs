//! Lossless JSON serialization of partitions.

use super::report::ClusteringReport;
use crate::clustering::error::Result;
use crate::clustering::model::Partition;
use crate::clustering::prototypes::{MembershipRule, Prototypes};
use crate::data::ModelFormat;
use crate::data::output::write_file;
use crate::macros::serialized_as;
use serde::{Deserialize, Serialize};
use std::path::Path;

const FORMAT: ModelFormat = ModelFormat {
    name: "fuzzion partition",
    version: 1,
    model: "a clustering model",
    text: "partition",
    writer: "fuzzion cluster --model",
};

/// Serialized form of a [`Partition`].
#[derive(Serialize, Deserialize)]
struct SavedPartition {
    format: String,
    version: u32,
    columns: Vec<String>,
    weights: Vec<f64>,
    prototypes: Prototypes,
    report: ClusteringReport,
}

impl From<Partition> for SavedPartition {
    fn from(partition: Partition) -> Self {
        SavedPartition {
            format: FORMAT.name.into(),
            version: FORMAT.version,
            columns: partition.centers.names().to_vec(),
            weights: partition.weights,
            prototypes: partition.prototypes,
            report: partition.report,
        }
    }
}

impl TryFrom<SavedPartition> for Partition {
    type Error = &'static str;

    fn try_from(saved: SavedPartition) -> Result<Self, Self::Error> {
        if !saved.is_consistent() {
            return Err("inconsistent sizes or invalid values");
        }
        Ok(Partition::new(saved.columns, saved.prototypes, saved.weights, saved.report))
    }
}

serialized_as! { Partition as SavedPartition }

impl Partition {
    /// Serializes the partition to JSON, in the form of its `Serialize` implementation.
    ///
    /// ```
    /// use fuzzion::{Device, Samples, clustering::{FuzzyCMeans, Partition}};
    /// let partition = FuzzyCMeans::new(1).fit(Samples::new(1, &[0.0, 2.0])?, &Device::cpu()?)?;
    /// assert_eq!(Partition::from_json(&partition.to_json()?)?, partition);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::Malformed`](crate::data::DataError::Malformed) if a value is not finite, which JSON cannot represent.
    pub fn to_json(&self) -> Result<String> {
        Ok(FORMAT.to_json_pretty(self)?)
    }

    /// Parses a partition from JSON.
    ///
    /// # Errors
    /// [`DataError::Malformed`](crate::data::DataError::Malformed).
    pub fn from_json(text: &str) -> Result<Self> {
        Ok(FORMAT.read_json(text)?)
    }

    /// Writes the partition to `path`. The file is replaced atomically: an interrupted write leaves the old file intact.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("partition.json");
    /// use fuzzion::{Device, Samples, clustering::{FuzzyCMeans, Partition}};
    /// let partition = FuzzyCMeans::new(1).fit(Samples::new(1, &[0.0, 2.0])?, &Device::cpu()?)?;
    /// partition.save(&path)?;
    /// assert_eq!(Partition::load(&path)?, partition);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::File`](crate::data::DataError::File), and those of [`Partition::to_json`].
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        Ok(write_file(path, self.to_json()?.as_bytes())?)
    }

    /// Reads a partition from `path`.
    ///
    /// # Errors
    /// [`DataError::File`](crate::data::DataError::File) and [`DataError::Malformed`](crate::data::DataError::Malformed).
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        Ok(FORMAT.load(path.as_ref())?)
    }
}

impl SavedPartition {
    /// Whether all lengths match the numbers of clusters and columns and all parameters are in range.
    fn is_consistent(&self) -> bool {
        let (n, clusters) = (self.columns.len(), self.weights.len());
        let Prototypes { space, centers, cluster_metrics, rule } = &self.prototypes;
        let square = clusters * n * n;
        let whitening = match (&space.whitening, &space.whitening_inverse) {
            (Some(matrix), Some(inverse)) => matrix.len() == n * n && inverse.len() == n * n,
            (None, None) => true,
            _ => false,
        };
        let metrics = cluster_metrics.as_ref().is_none_or(|s| {
            s.factors.len() == square && s.covariances.len() == square && s.offsets.len() == clusters
        });
        let widths = match rule {
            MembershipRule::Possibilistic { widths, .. } | MembershipRule::Mixed { widths, .. } => {
                widths.len() == clusters
            }
            MembershipRule::Gaussian { .. } => self.prototypes.cluster_metrics.is_some(),
            MembershipRule::Fuzzy { .. } | MembershipRule::Hard | MembershipRule::Noise { .. } => true,
        };
        FORMAT.check(&self.format, self.version).is_ok()
            && n > 0
            && clusters > 0
            && space.shift.len() == n
            && space.scale.len() == n
            && space.scale.iter().all(|scale| *scale > 0.0)
            && centers.len() == clusters * n
            && self.report.sizes.len() == clusters
            && (matches!(rule, MembershipRule::Hard) || rule.fuzzifier() > 1.0)
            && whitening
            && metrics
            && widths
    }
}
