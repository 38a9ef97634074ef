//! Reading what was learned: rules in words, how much each of them matters, and smaller systems that say the same.
//!
//! With φₖ the share of rule k in what a row's output is, equation (1) of [`tuning`](super), over N rows
//!
//! support of a rule = Σᵢ φₖ(xᵢ) / N, and its coverage = the share of rows with φₖ(xᵢ) ≥ 0.1 (1)
//!
//! Sets over one input are near-equal by how much they have in common, over 201 places from end to end of the range:
//!
//! similarity = Σ min(μ, ν) / Σ max(μ, ν) (2)
//!
//! The importance of an input is how much the error grows when its column is shuffled:
//!
//! importance = RMSE with the column shuffled − RMSE, for classes the loss of accuracy (3)
//!
//! Source of (3): L. Breiman, *Random forests*, 2001.

mod importance;
mod rules;
mod simplify;
mod support;

pub use importance::Importance;
pub use rules::rules;
pub use simplify::{merge_sets, prune_rules};
pub use support::{Support, support};
