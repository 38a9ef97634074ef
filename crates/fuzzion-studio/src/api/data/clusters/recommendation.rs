//! Recommended number of clusters, by the same rule as `fuzzion cluster --sweep`.

use fuzzion::clustering::{Indices, Partition};
use std::cmp::Reverse;
use std::fmt;

/// Identifier and name of each index, and whether higher values are better.
pub(super) const INDICES: [(&str, &str, bool); 6] = [
    ("pc", "partition coefficient", true),
    ("pe", "partition entropy", false),
    ("mpc", "modified partition coefficient", true),
    ("xb", "Xie-Beni", false),
    ("fs", "Fukuyama-Sugeno", false),
    ("fhv", "fuzzy hypervolume", false),
];
/// Positions in [`INDICES`] of those that do not favor few clusters.
const VOTING: [usize; 4] = [2, 3, 4, 5];
/// The index that decides if the others disagree.
const DECIDING: usize = 3;
/// Indices that often improve with every additional cluster.
const DECREASING: [usize; 2] = [4, 5];

/// The values of [`INDICES`], in the same order.
pub(super) fn index_values(indices: &Indices) -> [Option<f64>; 6] {
    [
        Some(indices.partition_coefficient),
        Some(indices.partition_entropy),
        indices.modified_partition_coefficient,
        indices.xie_beni,
        Some(indices.fukuyama_sugeno),
        indices.fuzzy_hypervolume,
    ]
}

/// The number of clusters that most of the indices prefer.
pub(super) struct Recommendation {
    pub(super) clusters: usize,
    /// Names of the indices that prefer it.
    by: Vec<&'static str>,
    /// Names of the other indices, with the numbers of clusters that they prefer.
    others: Vec<(&'static str, usize)>,
    /// Whether it is the largest number of clusters that was compared.
    is_largest: bool,
}

impl Recommendation {
    /// `None` if only one number of clusters was compared, or no index is defined.
    pub(super) fn new(partitions: &[Partition]) -> Option<Self> {
        let largest = partitions.last().filter(|_| partitions.len() > 1)?.clusters();
        let votes: Vec<(usize, usize)> =
            VOTING.into_iter().filter_map(|index| Some((index, best(partitions, index)?))).collect();
        let has_warning = |clusters: usize| {
            partitions.iter().any(|p| p.clusters() == clusters && !p.report.warnings.is_empty())
        };
        let counts = |(index, clusters): &(usize, usize)| {
            let is_end_of_range = DECREASING.contains(index) && *clusters == largest;
            !is_end_of_range && !has_warning(*clusters)
        };
        let valid: Vec<usize> = votes.iter().filter(|vote| counts(vote)).map(|vote| vote.1).collect();
        let decided = best(partitions, DECIDING);
        let support = |clusters: usize| {
            let number = valid.iter().filter(|other| **other == clusters).count();
            (number, decided == Some(clusters), Reverse(clusters))
        };
        let clusters = valid.iter().copied().max_by_key(|clusters| support(*clusters))?;
        let (by, others): (Vec<_>, Vec<_>) = votes.iter().partition(|(_, vote)| *vote == clusters);
        let name = |index: usize| INDICES[index].1;
        Some(Recommendation {
            clusters,
            by: by.into_iter().map(|(index, _)| name(index)).collect(),
            others: others.into_iter().map(|(index, vote)| (name(index), vote)).collect(),
            is_largest: clusters == largest,
        })
    }
}

/// The best number of clusters by an index; the smaller one of equal ones, because fewer clusters are simpler.
fn best(partitions: &[Partition], index: usize) -> Option<usize> {
    let sign = if INDICES[index].2 { 1.0 } else { -1.0 };
    let scores = partitions
        .iter()
        .filter_map(|p| Some((p.clusters(), sign * index_values(&p.report.indices)[index]?)));
    let best = scores.fold(None, |best: Option<(usize, f64)>, next| match best {
        Some(best) if best.1 >= next.1 => Some(best),
        _ => Some(next),
    });
    best.map(|(clusters, _)| clusters)
}

impl fmt::Display for Recommendation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.clusters == 1 { "" } else { "s" };
        write!(
            f,
            "Recommended: {} cluster{plural}, the best number by {}",
            self.clusters,
            self.by.join(", ")
        )?;
        if !self.others.is_empty() {
            let others = self.others.iter().map(|(name, clusters)| format!("{name} prefers {clusters}"));
            write!(f, "; {}", others.collect::<Vec<_>>().join(", "))?;
        }
        if self.is_largest {
            write!(f, "; also compare more clusters, because this is the largest number that was compared")?;
        }
        write!(f, ".")
    }
}
