//! A fit with everything the summary and the page need.

use super::args::Tune;
use super::rows::Rows;
use fuzzion::tuning::TunedSystem;
use fuzzion::tuning::inspect::{InputImportance, RuleReport, RuleSupport};

/// A tuned system with reports about its rules and inputs.
pub(super) struct Fitted<'a> {
    pub(super) args: &'a Tune,
    pub(super) rows: &'a Rows,
    pub(super) tuned: TunedSystem,
    pub(super) rules: Vec<RuleReport>,
    /// Empty if they are not printed.
    pub(super) supports: Vec<RuleSupport>,
    pub(super) importance: Vec<InputImportance>,
    /// Empty if it was not computed.
    pub(super) stability: Vec<f64>,
    /// Indices of the validation rows.
    pub(super) held_out: Vec<usize>,
    /// One line each about merging and pruning.
    pub(super) simplifications: Vec<String>,
}
