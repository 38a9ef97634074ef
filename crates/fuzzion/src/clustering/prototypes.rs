//! What a sweep takes in: where the clusters are, how they measure, and how distances become memberships.

use super::space::Space;
use serde::{Deserialize, Serialize};

/// The prototypes of all clusters, in the coordinates of their [`Space`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Prototypes {
    pub(super) space: Space,
    /// Clusters × columns.
    pub(super) centers: Vec<f64>,
    /// The clusters' own metrics, where they have them.
    pub(super) shapes: Option<Shapes>,
    pub(super) rule: Rule,
}

/// Each cluster's own metric: d = ‖R(x − v)‖² with R a lower triangle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Shapes {
    /// Clusters × columns × columns.
    pub(super) maps: Vec<f64>,
    /// ½ ln det F − ln α of each cluster: what [`Rule::Gaussian`] adds to d/2.
    pub(super) offsets: Vec<f64>,
    /// The covariances F, clusters × columns × columns.
    pub(super) covariances: Vec<f64>,
}

/// How the distances of a row become its memberships; squared distances are in the units of the [`Space`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Rule {
    /// Equation (2).
    Fuzzy { fuzzifier: f64 },
    /// Equation (2) with the exponential distance of equation (8).
    Gaussian { fuzzifier: f64 },
    /// The nearest center takes all; the first one of several.
    Hard,
    /// Equation (2) with one more cluster at the same squared distance from every row.
    Noise { fuzzifier: f64, distance: f64 },
    /// Equation (9).
    Possibilistic { fuzzifier: f64, widths: Vec<f64> },
    /// Equation (10).
    Mixed { fuzzifier: f64, typicality_fuzzifier: f64, membership: f64, typicality: f64, widths: Vec<f64> },
}

impl Rule {
    /// m; 1 for hard clusters.
    pub(super) fn fuzzifier(&self) -> f64 {
        match self {
            Rule::Fuzzy { fuzzifier }
            | Rule::Gaussian { fuzzifier }
            | Rule::Noise { fuzzifier, .. }
            | Rule::Possibilistic { fuzzifier, .. }
            | Rule::Mixed { fuzzifier, .. } => *fuzzifier,
            Rule::Hard => 1.0,
        }
    }
}

impl Prototypes {
    pub(super) fn new(space: Space, centers: Vec<f64>, rule: Rule) -> Self {
        Prototypes { space, centers, shapes: None, rule }
    }

    pub(super) fn columns(&self) -> usize {
        self.space.columns()
    }

    pub(super) fn clusters(&self) -> usize {
        self.centers.len() / self.columns()
    }

    pub(super) fn center(&self, cluster: usize) -> &[f64] {
        &self.centers[cluster * self.columns()..][..self.columns()]
    }

    /// What the objective here is to be multiplied by to be the user's.
    pub(super) fn objective_unit(&self) -> f64 {
        match self.rule {
            // √det F scales with the volume.
            Rule::Gaussian { .. } => self.space.scale.iter().map(|s| 1.0 / s).product(),
            _ => self.space.unit,
        }
    }
}
