//! Lossless JSON serialization of partitions.

use super::report::ClusteringReport;
use crate::clustering::error::{ClusteringError, Result};
use crate::clustering::model::Partition;
use crate::clustering::prototypes::{MembershipRule, Prototypes};
use crate::data::DataError;
use crate::data::output::AtomicFile;
use serde::{Deserialize, Serialize};
use std::path::Path;

const FORMAT: &str = "fuzzion partition";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Saved {
    format: String,
    version: u32,
    columns: Vec<String>,
    weights: Vec<f64>,
    prototypes: Prototypes,
    report: ClusteringReport,
}

impl Partition {
    /// Serializes the partition to JSON.
    ///
    /// # Errors
    /// [`DataError::Malformed`] if a value is not finite, which JSON cannot represent.
    pub fn to_json(&self) -> Result<String> {
        let saved = Saved {
            format: FORMAT.into(),
            version: VERSION,
            columns: self.centers.names().to_vec(),
            weights: self.weights.clone(),
            prototypes: self.prototypes.clone(),
            report: self.report.clone(),
        };
        let path = Path::new("partition");
        let text = serde_json::to_string_pretty(&saved).map_err(|e| malformed(path, e.to_string()))?;
        // A value that is not finite is written as `null`, which cannot be parsed.
        parse(&text, path).map(|_| text)
    }

    /// Parses a partition from JSON.
    ///
    /// # Errors
    /// [`DataError::Malformed`].
    pub fn from_json(text: &str) -> Result<Self> {
        parse(text, Path::new("partition"))
    }

    /// Writes the partition to `path`. The file is replaced atomically: an interrupted write leaves the old file intact.
    ///
    /// # Errors
    /// [`DataError::File`], and those of [`Partition::to_json`].
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let mut output = AtomicFile::create(path)?;
        output.write_bytes(self.to_json()?.as_bytes())?;
        Ok(output.finish()?)
    }

    /// Reads a partition from `path`.
    ///
    /// # Errors
    /// [`DataError::File`] and [`DataError::Malformed`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let file_error = |cause| DataError::File { doing: "read", path: path.to_path_buf(), cause };
        parse(&std::fs::read_to_string(path).map_err(file_error)?, path)
    }
}

fn parse(text: &str, path: &Path) -> Result<Partition> {
    let saved: Saved = serde_json::from_str(text).map_err(|e| malformed(path, e.to_string()))?;
    if !is_consistent(&saved) {
        return Err(malformed(
            path,
            "its lengths or parameters are inconsistent; save the partition again".into(),
        ));
    }
    Partition::new(saved.columns, saved.prototypes, saved.weights, saved.report)
}

/// Whether all lengths match the numbers of clusters and columns and all parameters are in range.
fn is_consistent(saved: &Saved) -> bool {
    let (n, clusters) = (saved.columns.len(), saved.weights.len());
    let Prototypes { space, centers, cluster_metrics, rule } = &saved.prototypes;
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
        MembershipRule::Gaussian { .. } => saved.prototypes.cluster_metrics.is_some(),
        MembershipRule::Fuzzy { .. } | MembershipRule::Hard | MembershipRule::Noise { .. } => true,
    };
    saved.format == FORMAT
        && saved.version == VERSION
        && n > 0
        && clusters > 0
        && space.shift.len() == n
        && space.scale.len() == n
        && space.scale.iter().all(|scale| *scale > 0.0)
        && centers.len() == clusters * n
        && (matches!(rule, MembershipRule::Hard) || rule.fuzzifier() > 1.0)
        && whitening
        && metrics
        && widths
}

fn malformed(path: &Path, reason: String) -> ClusteringError {
    DataError::Malformed { path: path.to_path_buf(), format: "a partition", reason }.into()
}
