//! Inspection of tuned systems: rules as text, support of rules, importance of inputs, and simplification.
//!
//! With φₖ the normalized firing strength of rule k, Equation (1) of [`tuning`](super), over N rows
//!
//! support = Σᵢ φₖ(xᵢ) / N, coverage = fraction of rows with φₖ(xᵢ) ≥ 0.1 (1)
//!
//! The similarity of two sets of one input is evaluated at 201 points that span its range:
//!
//! similarity = Σ min(μ, ν) / Σ max(μ, ν) (2)
//!
//! The importance of an input is the increase in the error when its column is shuffled:
//!
//! importance = RMSE with the column shuffled − RMSE; for classifiers, the loss of accuracy (3)
//!
//! Source of (3): L. Breiman, *Random forests*, 2001.

mod importance;
mod rules;
mod simplify;
mod support;

pub use importance::InputImportance;
pub use rules::rules;
pub use simplify::{merge_sets, prune_rules};
pub use support::{RuleSupport, rule_support};
