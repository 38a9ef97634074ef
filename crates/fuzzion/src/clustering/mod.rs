//! Fuzzy c-means and its variants, with one pass over the rows per iteration.
//!
//! N rows xᵢ with weights ωᵢ are described by C centers vₖ and memberships uₖᵢ that minimize
//!
//! J = Σₖᵢ ωᵢ uₖᵢᵐ dₖᵢ, Σₖ uₖᵢ = 1, with the fuzzifier m > 1  (1)
//!
//! by alternating
//!
//! uₖᵢ = 1 / Σⱼ (dₖᵢ / dⱼᵢ)^(1/(m−1))  (2)
//!
//! vₖ = Σᵢ ωᵢ uₖᵢᵐ xᵢ / Σᵢ ωᵢ uₖᵢᵐ  (3)
//!
//! A row that coincides with s centers has membership 1/s in each of them and 0 elsewhere (Equation (2) is undefined
//! there). No constant is added to a distance, so partitions are shift- and scale-equivariant. The squared distances
//! are
//!
//! dₖᵢ = ‖xᵢ − vₖ‖²  (4)
//!
//! dₖᵢ = Σⱼ (xᵢⱼ − vₖⱼ)² / σⱼ²  (5)
//!
//! dₖᵢ = (xᵢ − vₖ)ᵀ S⁻¹ (xᵢ − vₖ)  (6)
//!
//! dₖᵢ = (xᵢ − vₖ)ᵀ (ρₖ det Fₖ)^(1/p) Fₖ⁻¹ (xᵢ − vₖ), Fₖ = Σᵢ ωᵢ uₖᵢᵐ (xᵢ − vₖ)(xᵢ − vₖ)ᵀ / Σᵢ ωᵢ uₖᵢᵐ  (7)
//!
//! dₖᵢ = √det Fₖ / αₖ · exp(½ (xᵢ − vₖ)ᵀ Fₖ⁻¹ (xᵢ − vₖ)), αₖ = Σᵢ ωᵢ uₖᵢ / Σᵢ ωᵢ  (8)
//!
//! for the Euclidean, diagonal, Mahalanobis, Gustafson-Kessel (p columns) and Gath-Geva metrics. The variants replace
//! uᵐ by other degrees: hard c-means by 1 for the nearest center and 0 elsewhere; noise clustering by Equation (2)
//! with an additional distance δ²; possibilistic c-means minimizes Σ ωt^m d + Σₖ ηₖ Σᵢ ω(1 − t)^m by
//!
//! tₖᵢ = 1 / (1 + (dₖᵢ/ηₖ)^(1/(m−1))), ηₖ = Σᵢ ωᵢ uₖᵢᵐ dₖᵢ / Σᵢ ωᵢ uₖᵢᵐ of a preceding fuzzy fit  (9)
//!
//! and possibilistic-fuzzy c-means uses
//!
//! a·uₖᵢᵐ + b·tₖᵢ^η, tₖᵢ = 1 / (1 + (b·dₖᵢ/γₖ)^(1/(η−1))), γₖ = ηₖ of Equation (9)  (10)
//!
//! Sources: J. C. Bezdek, *Pattern Recognition with Fuzzy Objective Function Algorithms*, 1981; D. E. Gustafson,
//! W. C. Kessel, "Fuzzy clustering with a fuzzy covariance matrix", 1979; I. Gath, A. B. Geva, "Unsupervised optimal
//! fuzzy clustering", 1989; R. N. Dave, "Characterization and detection of noise in clustering", 1991; R. Krishnapuram,
//! J. M. Keller, "A possibilistic approach to clustering", 1993; N. R. Pal et al., "A possibilistic fuzzy c-means
//! clustering algorithm", 2005; D. T. Anderson, R. H. Luke, J. M. Keller, "Speedup of fuzzy clustering through stream
//! processing on graphics processing units", 2008.

mod algorithm;
pub(crate) mod cpu;
#[cfg(feature = "cuda")]
pub(crate) mod cuda;
mod dispatch;
mod distributed;
pub(crate) mod error;
mod fit;
mod model;
mod numerics;
pub(crate) mod prototypes;
#[cfg(any(test, feature = "internals"))]
pub(crate) mod reference;
pub(crate) mod rows;
mod settings;

pub use crate::stop::Stop;
pub use distributed::{ClusteringState, ClusteringStatistics, DistributedFit};
pub use error::ClusteringError;
pub use model::indices::Indices;
pub use model::report::{ClusteringReport, ClusteringWarning};
pub use model::{Partition, TopMemberships};
pub use rows::sums::{QualitySums, Sums};
pub use settings::{Criterion, FuzzyCMeans, InitialCenters, Metric, MissingValues, Variant};

#[cfg(test)]
pub(crate) mod tests;
