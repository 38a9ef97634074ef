//! A fit with everything the summary and the page need.

use super::args::Tune;
use super::rows::Rows;
use fuzzion::tuning::TunedSystem;
use fuzzion::tuning::inspect::{InputImportance, RuleSupport};

/// A tuned system with its rule supports and input importance.
pub(super) struct Fitted<'a> {
    pub(super) args: &'a Tune,
    pub(super) rows: &'a Rows,
    pub(super) tuned: TunedSystem,
    /// Empty if they are not printed.
    pub(super) supports: Vec<RuleSupport>,
    pub(super) importance: Vec<InputImportance>,
    /// One line each about merging and pruning.
    pub(super) simplifications: Vec<String>,
}
