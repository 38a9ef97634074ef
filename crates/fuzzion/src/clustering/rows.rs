//! What the algorithm asks of a back end.

use super::prototypes::Prototypes;
use super::sums::{Sums, Want};
use super::survey::{Ask, Survey};
use crate::error::Result;

/// All rows of a problem, wherever they lie and whatever computes on them.
pub(super) trait Rows {
    /// Count, means and spread of the rows; refuses values that are not finite.
    fn survey(&mut self, ask: Ask) -> Result<Survey>;
    /// One fused pass over all rows: prototypes in, sums out.
    fn sweep(&mut self, prototypes: &Prototypes, want: Want) -> Result<Sums>;
    /// The rows with these numbers (ascending), one after the other, and their weights.
    fn gather(&mut self, rows: &[u64]) -> Result<(Vec<f64>, Vec<f64>)>;
    /// The largest |u − u′| between the memberships of two prototypes.
    fn change(&mut self, before: &Prototypes, after: &Prototypes) -> Result<f64>;
}
