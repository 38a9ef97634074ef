//! Warning about columns of different scales.

use super::job::Job;
use super::rows::TableRows;
use crate::format::{ellipsize, format_number};
use fuzzion::Result;

/// Ratio of the ranges of two columns above which the wider one dominates the distances.
const MAX_RATIO: f64 = 10.0;

/// The warning if the ranges of the columns differ by more than a factor of ten and the metric depends on them.
pub(super) fn warning(job: &Job<'_>, rows: &mut TableRows) -> Result<Option<String>> {
    if job.args.rows.standardize || job.args.cluster.is_scale_invariant() {
        return Ok(None);
    }
    let ranges = rows.ranges()?;
    // A constant column does not influence the distances.
    let columns = || rows.names.iter().zip(&ranges).filter(|(_, range)| **range > 0.0);
    let by_range = |a: &(&String, &f64), b: &(&String, &f64)| a.1.total_cmp(b.1);
    let (Some(narrow), Some(wide)) = (columns().min_by(by_range), columns().max_by(by_range)) else {
        return Ok(None);
    };
    let ratio = wide.1 / narrow.1;
    let rounded: f64 = format!("{ratio:.1e}").parse().unwrap_or(ratio);
    Ok((ratio > MAX_RATIO).then(|| {
        let [wide, narrow] = [wide, narrow].map(|(name, _)| ellipsize(name));
        format!(
            "the range of `{wide}` is {} times that of `{narrow}`, so that `{wide}` dominates the distances; use \
             `--standardize` unless both have the same unit",
            format_number(rounded)
        )
    }))
}
