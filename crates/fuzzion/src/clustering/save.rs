//! A partition as JSON, and back to the bit.

use super::partition::Partition;
use super::prototypes::{Prototypes, Rule};
use super::report::Report;
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

const FORMAT: &str = "fuzzion partition";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Saved {
    format: String,
    version: u32,
    columns: Vec<String>,
    weights: Vec<f64>,
    prototypes: Prototypes,
    report: Report,
}

impl Partition {
    /// The partition as JSON text.
    ///
    /// # Errors
    /// [`Error::Malformed`] where a number is not finite, which JSON cannot hold.
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
        // A number that is not finite is written as `null`, which does not come back.
        parse(&text, path).map(|_| text)
    }

    /// The partition that `text` holds.
    ///
    /// # Errors
    /// [`Error::Malformed`].
    pub fn from_json(text: &str) -> Result<Self> {
        parse(text, Path::new("partition"))
    }

    /// Writes the partition to `path`.
    ///
    /// # Errors
    /// [`Error::File`], and as [`Partition::to_json`].
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let (path, text) = (path.as_ref(), self.to_json()?);
        // Written beside its name and moved there complete.
        let mut beside = path.as_os_str().to_owned();
        beside.push(".part");
        let beside = PathBuf::from(beside);
        let refused = |cause| Error::File { doing: "write", path: path.to_path_buf(), cause };
        std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, path)).map_err(refused)
    }

    /// Reads a partition from `path`.
    ///
    /// # Errors
    /// [`Error::File`] and [`Error::Malformed`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let refused = |cause| Error::File { doing: "read", path: path.to_path_buf(), cause };
        parse(&std::fs::read_to_string(path).map_err(refused)?, path)
    }
}

fn parse(text: &str, path: &Path) -> Result<Partition> {
    let saved: Saved = serde_json::from_str(text).map_err(|e| malformed(path, e.to_string()))?;
    if !is_whole(&saved) {
        return Err(malformed(path, "its parts do not fit together; save the partition again".into()));
    }
    Partition::new(saved.columns, saved.prototypes, saved.weights, saved.report)
}

/// Whether every part has the size that the number of clusters and columns asks for, and numbers mean something.
fn is_whole(saved: &Saved) -> bool {
    let (n, clusters) = (saved.columns.len(), saved.weights.len());
    let Prototypes { space, centers, shapes, rule } = &saved.prototypes;
    let square = clusters * n * n;
    let maps = match (&space.map, &space.back) {
        (Some(map), Some(back)) => map.len() == n * n && back.len() == n * n,
        (None, None) => true,
        _ => false,
    };
    let shapes = shapes.as_ref().is_none_or(|s| {
        s.maps.len() == square && s.covariances.len() == square && s.offsets.len() == clusters
    });
    let widths = match rule {
        Rule::Possibilistic { widths, .. } | Rule::Mixed { widths, .. } => widths.len() == clusters,
        Rule::Gaussian { .. } => saved.prototypes.shapes.is_some(),
        Rule::Fuzzy { .. } | Rule::Hard | Rule::Noise { .. } => true,
    };
    saved.format == FORMAT
        && saved.version == VERSION
        && n > 0
        && clusters > 0
        && space.shift.len() == n
        && space.scale.len() == n
        && space.scale.iter().all(|scale| *scale > 0.0)
        && centers.len() == clusters * n
        && (matches!(rule, Rule::Hard) || rule.fuzzifier() > 1.0)
        && maps
        && shapes
        && widths
}

fn malformed(path: &Path, reason: String) -> Error {
    Error::Malformed { path: path.to_path_buf(), format: "a partition", reason }
}
