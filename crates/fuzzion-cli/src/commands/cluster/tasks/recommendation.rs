//! Recommended number of clusters of a sweep.

use crate::commands::cluster::summary::INDICES;
use crate::format::count_of;
use fuzzion::clustering::Partition;
use std::fmt;

/// Positions in [`INDICES`] of those that do not favor few clusters: mpc, xb, fs and fhv.
const VOTING: [usize; 4] = [2, 3, 4, 5];
/// The index that decides if the others disagree: xb.
const DECIDING: usize = 3;
/// Indices that often improve with every additional cluster: fs and fhv.
const DECREASING: [usize; 2] = [4, 5];

/// The number of clusters that most of the indices prefer.
pub(super) struct Recommendation {
    pub(super) clusters: usize,
    /// The indices that prefer it.
    by: Vec<&'static str>,
    /// The other indices, with the numbers of clusters that they prefer.
    others: Vec<(&'static str, usize)>,
    /// Whether it is the largest number of clusters that was compared.
    is_largest: bool,
}

impl Recommendation {
    /// The recommendation, given the best number of clusters by each index; `None` if the indices are not defined, or if only one
    /// number of clusters was compared.
    pub(super) fn new(partitions: &[Partition], best: &[Option<usize>; 6]) -> Option<Self> {
        let largest = partitions.last().filter(|_| partitions.len() > 1)?.clusters();
        let has_warning = |clusters: usize| {
            partitions.iter().any(|p| p.clusters() == clusters && !p.report.warnings.is_empty())
        };
        let votes: Vec<(usize, usize)> =
            VOTING.into_iter().filter_map(|index| Some((index, best[index]?))).collect();
        let counts = |(index, clusters): &(usize, usize)| {
            let is_end_of_range = DECREASING.contains(index) && *clusters == largest;
            !is_end_of_range && !has_warning(*clusters)
        };
        let valid: Vec<&(usize, usize)> = votes.iter().filter(|vote| counts(vote)).collect();
        let support = |clusters: usize| {
            let number = valid.iter().filter(|(_, other)| *other == clusters).count();
            (number, best[DECIDING] == Some(clusters), std::cmp::Reverse(clusters))
        };
        let clusters =
            valid.iter().map(|(_, clusters)| *clusters).max_by_key(|clusters| support(*clusters))?;
        let (by, others): (Vec<_>, Vec<_>) = votes.iter().partition(|(_, vote)| *vote == clusters);
        let name = |index: usize| INDICES[index].0;
        Some(Recommendation {
            clusters,
            by: by.into_iter().map(|(index, _)| name(index)).collect(),
            others: others.into_iter().map(|(index, vote)| (name(index), vote)).collect(),
            is_largest: clusters == largest,
        })
    }
}

impl fmt::Display for Recommendation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clusters = count_of(self.clusters as u64, "cluster");
        write!(f, "recommended: {clusters}, the best number by {}", self.by.join(", "))?;
        if !self.others.is_empty() {
            let others: Vec<String> =
                self.others.iter().map(|(name, clusters)| format!("{name} prefers {clusters}")).collect();
            write!(f, "; {}", others.join(", "))?;
        }
        if self.is_largest {
            write!(f, "; also compare more clusters, because this is the largest number of the sweep")?;
        }
        Ok(())
    }
}
