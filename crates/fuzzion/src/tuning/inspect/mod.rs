//! Inspection of tuned systems: reports about rules, importance of inputs, and simplification.
//!
//! With φₖ the normalized firing strength of rule k, Equation (1) of [`tuning`](super), over N rows
//!
//! support = Σᵢ φₖ(xᵢ) / N, coverage = fraction of rows with φₖ(xᵢ) ≥ 0.1 (1)
//!
//! The similarity of two sets of one input is evaluated at 201 points that span its range:
//!
//! similarity = Σ min(μ, ν) / Σ max(μ, ν) (2)
//!
//! The importance of an input is the increase in the error when its column is permuted:
//!
//! importance = RMSE with the column permuted − RMSE; for classifiers, the loss of accuracy (3)
//!
//! The conclusion of rule k is its consequent, Equation (2) of [`tuning`](super), at the *core* of the rule, the mean of
//! the rows weighted by φₖ. The error where the rule applies, and the standard errors of the conclusion and of its slopes
//! are, with Nₖ = Σᵢ φₖ(xᵢ) and the standard deviation sₖⱼ of input j weighted by φₖ,
//!
//! RMSEₖ² = Σᵢ φₖ(xᵢ)·(ŷᵢ − yᵢ)² / Nₖ, RMSEₖ/√Nₖ, RMSEₖ/(√Nₖ·sₖⱼ) (4)
//!
//! The partial dependence of the output on the inputs S is its mean over the rows, with these inputs replaced by given
//! values; Friedman's H compares that on two inputs with those on each of them, all with mean 0 over the rows:
//!
//! F_S(x_S) = Σᵢ ŷ(x_S, xᵢ without S) / N (5)
//! H² = Σᵢ (F_jk(xᵢ) − F_j(xᵢ) − F_k(xᵢ))² / Σᵢ F_jk(xᵢ)² (6)
//!
//! The similarity of two rules with the firing strengths φ and ψ over the same rows, for their
//! [stability](crate::tuning::TunedSystem::rule_stability) over resamples, is
//!
//! similarity = Σᵢ min(φ(xᵢ), ψ(xᵢ)) / Σᵢ max(φ(xᵢ), ψ(xᵢ)) (7)
//!
//! Sources: L. Breiman, *Random forests*, 2001 (Equation 3); J. H. Friedman, *Greedy function approximation*, 2001
//! (Equation 5); J. H. Friedman, B. E. Popescu, *Predictive learning via rule ensembles*, 2008 (Equation 6).

mod classification;
mod conclusion;
mod dependence;
mod importance;
#[cfg(feature = "plot")]
mod plot;
mod report;
mod rows;
mod rules;
mod simplify;
mod stability;
mod support;
mod words;

pub use classification::{CalibrationBin, ClassificationReport, RocCurve};
pub use conclusion::{RuleConclusion, RuleSlope};
pub use dependence::{InputInteraction, PartialDependence};
pub use importance::InputImportance;
pub use report::RuleReport;
pub use rules::{rules, sets};
pub use simplify::{merge_sets, prune_rules};
pub use support::{RuleSupport, rule_support};
