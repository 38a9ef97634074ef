//! Cluster prototypes, the input of a sweep: centers, metrics and the membership rule.

pub(super) mod adaptive;
pub(crate) mod space;

use crate::clustering::prototypes::space::Space;
use crate::data::encoded;
use serde::{Deserialize, Serialize};

/// Prototypes of all clusters, in the internal coordinates of their [`Space`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prototypes {
    pub(super) space: Space,
    /// Clusters × columns.
    pub centers: Vec<f64>,
    /// Metrics of the individual clusters, if adaptive.
    #[serde(rename = "shapes")]
    pub(super) cluster_metrics: Option<ClusterMetrics>,
    pub(super) rule: MembershipRule,
}

/// Metric of each cluster: d = ‖R(x − v)‖² with R lower triangular.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ClusterMetrics {
    /// R, clusters × columns × columns.
    #[serde(rename = "maps")]
    pub(super) factors: Vec<f64>,
    /// ½ ln det F − ln α of each cluster; added to d/2 by [`MembershipRule::Gaussian`].
    pub(super) offsets: Vec<f64>,
    /// Covariances F, clusters × columns × columns.
    pub(super) covariances: Vec<f64>,
}

/// Rule that converts the squared distances of a row, in internal units, to memberships.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MembershipRule {
    /// Equation (2).
    Fuzzy { fuzzifier: f64 },
    /// Equation (2) with the exponential distance of Equation (8).
    Gaussian { fuzzifier: f64 },
    /// Membership 1 in the nearest cluster; ties go to the first.
    Hard,
    /// Equation (2) with an additional cluster at a constant squared distance from every row.
    Noise { fuzzifier: f64, distance: f64 },
    /// Equation (9).
    Possibilistic { fuzzifier: f64, widths: Vec<f64> },
    /// Equation (10).
    Mixed { fuzzifier: f64, typicality_fuzzifier: f64, membership: f64, typicality: f64, widths: Vec<f64> },
}

encoded! { Prototypes { space, centers, cluster_metrics, rule } }
encoded! { ClusterMetrics { factors, offsets, covariances } }
encoded! {
    enum MembershipRule {
        0 => Fuzzy { fuzzifier },
        1 => Gaussian { fuzzifier },
        2 => Hard {},
        3 => Noise { fuzzifier, distance },
        4 => Possibilistic { fuzzifier, widths },
        5 => Mixed { fuzzifier, typicality_fuzzifier, membership, typicality, widths },
    }
}

impl MembershipRule {
    /// m; 1 for hard clusters.
    pub(super) fn fuzzifier(&self) -> f64 {
        match self {
            MembershipRule::Fuzzy { fuzzifier }
            | MembershipRule::Gaussian { fuzzifier }
            | MembershipRule::Noise { fuzzifier, .. }
            | MembershipRule::Possibilistic { fuzzifier, .. }
            | MembershipRule::Mixed { fuzzifier, .. } => *fuzzifier,
            MembershipRule::Hard => 1.0,
        }
    }
}

/// Exponent 1/(m−1) of r, for the fuzzifiers that need no logarithm and for all others; the values match the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Power {
    Any = 0,
    One = 1,
    Half = 2,
    Two = 3,
    Four = 4,
}

impl Power {
    pub(super) fn of(fuzzifier: f64) -> Self {
        match fuzzifier {
            2.0 => Power::One,
            3.0 => Power::Half,
            1.5 => Power::Two,
            1.25 => Power::Four,
            _ => Power::Any,
        }
    }
}

impl Prototypes {
    pub fn new(space: Space, centers: Vec<f64>, rule: MembershipRule) -> Self {
        Prototypes { space, centers, cluster_metrics: None, rule }
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

    /// Factor that converts the internal objective to the units of the data.
    pub(super) fn objective_unit(&self) -> f64 {
        match self.rule {
            // √det F is proportional to the volume.
            MembershipRule::Gaussian { .. } => self.space.scale.iter().map(|s| 1.0 / s).product(),
            _ => self.space.unit,
        }
    }
}
