//! The tables of an output.

use super::exact;
use super::table::CentroidTable;
use crate::inference::Defuzzifier;
use crate::inference::plan::sampled::Sampled;
use crate::sets::Segment;
use crate::sets::{SNorm, TNorm};

/// Maximum number of tables of an output.
const MAX_TABLES: usize = 32;

/// Area and moment of an output's aggregated set as sums of tables.
#[derive(Clone, Debug)]
pub(crate) struct CentroidTables {
    pub(crate) tables: Vec<CentroidTable>,
    /// Reference point of the moments; the middle of the range avoids cancellation.
    pub(crate) center: f64,
}

impl CentroidTables {
    /// The tables of an output, or `None` if they do not apply or need more operations than the samples.
    pub(crate) fn new(sampled: &Sampled) -> Option<CentroidTables> {
        if !matches!(sampled.defuzzifier, Defuzzifier::Centroid { .. }) || !sampled.positive {
            return None;
        }
        if let Some(lines) = &sampled.exact {
            return CentroidTables::exact(sampled, lines);
        }
        let memberships = sampled.fixed_memberships()?;
        let is_valid = |m: &&[f64]| m.iter().all(|m| m.is_finite() && *m >= 0.0);
        let (first, last) = (*sampled.y.first()?, *sampled.y.last()?);
        let center = first / 2.0 + last / 2.0;
        if !memberships.iter().all(is_valid) {
            return None;
        }
        let terms = memberships.len();
        let subsets: Vec<Vec<usize>> = match sampled.aggregation {
            SNorm::Maximum if sampled.implied_by(TNorm::Minimum) => overlaps(&memberships)?,
            SNorm::UnboundedSum if sampled.implied_by(TNorm::Minimum) => {
                (0..terms).map(|k| vec![k]).collect()
            }
            SNorm::UnboundedSum if sampled.implied_by(TNorm::AlgebraicProduct) => {
                let scaled = |k: usize| CentroidTable::scaled(k, memberships[k], &sampled.y, center);
                return Some(CentroidTables { tables: (0..terms).map(scaled).collect(), center });
            }
            _ => return None,
        };
        if subsets.len() > MAX_TABLES || subsets.len() > 4 + sampled.y.len() * terms / 16 {
            return None;
        }
        let table = |subset: Vec<usize>| CentroidTable::clipped(subset, &memberships, &sampled.y, center);
        Some(CentroidTables { tables: subsets.into_iter().map(table).collect(), center })
    }
}

impl CentroidTables {
    /// The tables of an output with piecewise linear sets.
    fn exact(sampled: &Sampled, lines: &[Vec<Segment>]) -> Option<CentroidTables> {
        let (first, last) = (lines.first()?.first()?.from, lines.first()?.last()?.to);
        let center = first / 2.0 + last / 2.0;
        let of_term = |term: &(usize, TNorm)| lines[term.0].as_slice();
        let sets: Vec<&[Segment]> = sampled.terms.iter().map(of_term).collect();
        if !sampled.implied_by(TNorm::Minimum) || sampled.aggregation != SNorm::Maximum {
            return None;
        }
        // Between adjacent end points of all lines, a set is either 0 throughout or 0 at most at an end point.
        let mut ends: Vec<f64> =
            sets.iter().flat_map(|set| set.iter().map(|line| line.from)).chain([last]).collect();
        ends.sort_by(f64::total_cmp);
        ends.dedup();
        let heights = |set: &&[Segment]| -> Vec<f64> {
            let height = |x: f64| {
                let line = set.iter().find(|line| line.from <= x && x <= line.to);
                line.map_or(0.0, |line| line.start + line.end)
            };
            ends.windows(2).map(|ends| height(ends[0] + (ends[1] - ends[0]) / 2.0)).collect()
        };
        let heights: Vec<Vec<f64>> = sets.iter().map(heights).collect();
        let subsets = overlaps(&heights.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
        let table = |subset: Vec<usize>| {
            let sets: Vec<&[Segment]> = subset.iter().map(|term| sets[*term]).collect();
            exact::table(subset, &sets, center)
        };
        Some(CentroidTables { tables: subsets.into_iter().map(table).collect(), center })
    }
}

/// Subsets of terms that overlap at a sample; `None` if there are too many.
fn overlaps(memberships: &[&[f64]]) -> Option<Vec<Vec<usize>>> {
    let samples = memberships.first().map_or(0, |m| m.len());
    let mut found: Vec<Vec<usize>> = Vec::new();
    for s in 0..samples {
        let present: Vec<usize> = (0..memberships.len()).filter(|k| memberships[*k][s] > 0.0).collect();
        if present.len() > MAX_TABLES.ilog2() as usize + 1 {
            return None;
        }
        for bits in 1..1usize << present.len() {
            let subset: Vec<usize> =
                present.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, k)| *k).collect();
            if !found.contains(&subset) {
                found.push(subset);
            }
        }
        if found.len() > MAX_TABLES {
            return None;
        }
    }
    found.sort_by_key(|subset| (subset.len(), subset.clone()));
    Some(found)
}
