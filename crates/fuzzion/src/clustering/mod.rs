//! Clusters with soft borders: fuzzy c-means and its kin, in one pass over the rows per step.
//!
//! N rows xᵢ with weights ωᵢ are described by C centers vₖ and memberships uₖᵢ, which minimise
//!
//! J = Σₖᵢ ωᵢ uₖᵢᵐ dₖᵢ, Σₖ uₖᵢ = 1, with the fuzzifier m > 1  (1)
//!
//! by taking in turns
//!
//! uₖᵢ = 1 / Σⱼ (dₖᵢ / dⱼᵢ)^(1/(m−1))  (2)
//!
//! vₖ = Σᵢ ωᵢ uₖᵢᵐ xᵢ / Σᵢ ωᵢ uₖᵢᵐ  (3)
//!
//! A row that coincides with s centers has membership 1/s in each of them and 0 elsewhere (equation 2 has no value
//! there). No constant is added anywhere, so that a partition moves and grows with its data. The squared distances are
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
//! for the metrics Euclidean, diagonal, Mahalanobis, Gustafson-Kessel (p columns) and Gath-Geva. Variants put other
//! degrees in the place of uᵐ: hard c-means 1 for the nearest center; noise clustering equation (2) with one more
//! distance δ²; possibilistic c-means minimises Σ ωt^m d + Σₖ ηₖ Σᵢ ω(1 − t)^m by
//!
//! tₖᵢ = 1 / (1 + (dₖᵢ/ηₖ)^(1/(m−1))), ηₖ = Σᵢ ωᵢ uₖᵢᵐ dₖᵢ / Σᵢ ωᵢ uₖᵢᵐ of a fuzzy fit before  (9)
//!
//! and possibilistic-fuzzy c-means uses
//!
//! a·uₖᵢᵐ + b·tₖᵢ^η, tₖᵢ = 1 / (1 + (b·dₖᵢ/γₖ)^(1/(η−1))), γₖ as ηₖ above  (10)
//!
//! Sources: J. C. Bezdek, *Pattern Recognition with Fuzzy Objective Function Algorithms*, 1981; D. E. Gustafson,
//! W. C. Kessel, "Fuzzy clustering with a fuzzy covariance matrix", 1979; I. Gath, A. B. Geva, "Unsupervised optimal
//! fuzzy clustering", 1989; R. N. Dave, "Characterization and detection of noise in clustering", 1991; R. Krishnapuram,
//! J. M. Keller, "A possibilistic approach to clustering", 1993; N. R. Pal and others, "A possibilistic fuzzy c-means
//! clustering algorithm", 2005; D. T. Anderson, R. H. Luke, J. M. Keller, "Speedup of fuzzy clustering through stream
//! processing on graphics processing units", 2008.

mod algorithm;
pub(crate) mod bench;
mod cpu;
mod fit;
mod indices;
mod linear;
mod metric;
mod model;
mod partition;
mod pieces;
mod prepare;
mod prototypes;
mod report;
mod rows;
mod save;
pub(crate) mod selftest;
mod settings;
mod silhouette;
mod solver;
mod space;
mod starts;
mod sums;
mod survey;
mod textbook;

pub use indices::Indices;
pub use model::FuzzyCMeans;
pub use partition::{Partition, TopMemberships};
pub use report::{Report, Stop, Warning};
pub use settings::{Criterion, Metric, Missing, Start, Variant};
pub use sums::{Statistics, Sums};

#[cfg(test)]
mod tests;
