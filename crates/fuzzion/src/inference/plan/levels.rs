//! The centroid of clipped sets without looking at the samples.
//!
//! With minimum and maximum, what sets k of strengths wₖ conclude at sample s is maxₖ min(wₖ, μₖ(s)). A maximum is a
//! sum over subsets K of the sets, max = Σ ±min (plus for an odd number of sets, minus for an even one), and
//!
//! min over K of min(wₖ, μₖ(s)) = min(W, M(s)) with W = min over K of wₖ, M(s) = min over K of μₖ(s) (1)
//!
//! so that the area and the moment are sums over K of functions of the single number W:
//!
//! Σₛ min(W, M(s)) = Σ over M(s) ≤ W of M(s) + W·(how many M(s) are larger) (2)
//!
//! which is a straight line in W between neighbouring values of M: a table of lines, found by W. Sets that overlap
//! nowhere need no table, so that the usual row of triangles takes two tables less one per set, however many samples
//! there are.

use super::exact;
use super::sampled::Sampled;
use crate::device::math::Real;
use crate::inference::defuzzifier::Defuzzifier;
use crate::sets::lines::Line;
use crate::sets::{SNorm, TNorm};

/// The most tables of an output.
const MAX_TABLES: usize = 32;
/// Buckets beside which a table's knots are looked for.
const MAX_BUCKETS: usize = 1024;

/// Area and moment of an output's concluded set as sums of tables.
#[derive(Clone, Debug)]
pub(crate) struct Levels {
    pub(crate) tables: Vec<LevelTable>,
    /// What moments are taken about, which keeps digits.
    pub(crate) center: f64,
}

/// One subset of the terms.
#[derive(Clone, Debug)]
pub(crate) struct LevelTable {
    /// W is the smallest of their strengths.
    pub(crate) terms: Vec<usize>,
    /// The values of M, ascending.
    pub(crate) knots: Vec<f64>,
    /// For W with i knots at or below it line i: the area is its first number + the second·W, the moment the third + the
    /// fourth·W.
    pub(crate) lines: Vec<[f64; 4]>,
    /// Instead of lines, where the centroid is exact: with u = W − the fourth number, the area is a polynomial of u with
    /// the first three as coefficients, and the moment one with the last four.
    pub(crate) curves: Vec<[f64; 8]>,
}

impl Levels {
    /// The tables of an output where they are fewer operations than its samples.
    pub(crate) fn of(sampled: &Sampled) -> Option<Levels> {
        if !matches!(sampled.defuzzifier, Defuzzifier::Centroid { .. }) || !sampled.positive {
            return None;
        }
        if let Some(lines) = &sampled.exact {
            return Levels::exact(sampled, lines);
        }
        let memberships = sampled.fixed()?;
        let proper = |m: &&[f64]| m.iter().all(|m| m.is_finite() && *m >= 0.0);
        let (first, last) = (*sampled.y.first()?, *sampled.y.last()?);
        let center = first / 2.0 + last / 2.0;
        if !memberships.iter().all(proper) {
            return None;
        }
        let terms = memberships.len();
        let subsets: Vec<Vec<usize>> = match sampled.aggregation {
            SNorm::Maximum if sampled.implied_by(TNorm::Minimum) => overlaps(&memberships)?,
            SNorm::UnboundedSum if sampled.implied_by(TNorm::Minimum) => {
                (0..terms).map(|k| vec![k]).collect()
            }
            SNorm::UnboundedSum if sampled.implied_by(TNorm::AlgebraicProduct) => {
                let straight = |k: usize| LevelTable::straight(k, memberships[k], &sampled.y, center);
                return Some(Levels { tables: (0..terms).map(straight).collect(), center });
            }
            _ => return None,
        };
        if subsets.len() > MAX_TABLES || subsets.len() > 4 + sampled.y.len() * terms / 16 {
            return None;
        }
        let table = |subset: Vec<usize>| LevelTable::clipped(subset, &memberships, &sampled.y, center);
        Some(Levels { tables: subsets.into_iter().map(table).collect(), center })
    }
}

impl Levels {
    /// The tables of an output whose sets are these straight lines.
    fn exact(sampled: &Sampled, lines: &[Vec<Line>]) -> Option<Levels> {
        let (first, last) = (lines.first()?.first()?.from, lines.first()?.last()?.to);
        let center = first / 2.0 + last / 2.0;
        let of_term = |term: &(usize, TNorm)| lines[term.0].as_slice();
        let sets: Vec<&[Line]> = sampled.terms.iter().map(of_term).collect();
        if !sampled.implied_by(TNorm::Minimum) || sampled.aggregation != SNorm::Maximum {
            return None;
        }
        // Between neighbouring ends of any lines a set is 0 throughout, or nowhere but at an end.
        let mut ends: Vec<f64> =
            sets.iter().flat_map(|set| set.iter().map(|line| line.from)).chain([last]).collect();
        ends.sort_by(f64::total_cmp);
        ends.dedup();
        let above = |set: &&[Line]| -> Vec<f64> {
            let height = |x: f64| {
                let line = set.iter().find(|line| line.from <= x && x <= line.to);
                line.map_or(0.0, |line| line.start + line.end)
            };
            ends.windows(2).map(|ends| height(ends[0] + (ends[1] - ends[0]) / 2.0)).collect()
        };
        let above: Vec<Vec<f64>> = sets.iter().map(above).collect();
        let subsets = overlaps(&above.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
        let table = |subset: Vec<usize>| {
            let sets: Vec<&[Line]> = subset.iter().map(|term| sets[*term]).collect();
            exact::table(subset, &sets, center)
        };
        Some(Levels { tables: subsets.into_iter().map(table).collect(), center })
    }
}

/// The subsets of terms that overlap at a sample; `None` where there are too many.
fn overlaps(memberships: &[&[f64]]) -> Option<Vec<Vec<usize>>> {
    let samples = memberships.first().map_or(0, |m| m.len());
    let mut found: Vec<Vec<usize>> = Vec::new();
    for s in 0..samples {
        let here: Vec<usize> = (0..memberships.len()).filter(|k| memberships[*k][s] > 0.0).collect();
        if here.len() > MAX_TABLES.ilog2() as usize + 1 {
            return None;
        }
        for bits in 1..1usize << here.len() {
            let subset: Vec<usize> =
                here.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, k)| *k).collect();
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

impl LevelTable {
    /// Equation (2) of a subset, with the sign it has in the sum.
    fn clipped(terms: Vec<usize>, memberships: &[&[f64]], y: &[f64], center: f64) -> LevelTable {
        let lowest = |s: usize| terms.iter().map(|k| memberships[*k][s]).fold(f64::INFINITY, f64::min);
        let mut points: Vec<(f64, f64)> = (0..y.len()).map(|s| (lowest(s), y[s] - center)).collect();
        points.retain(|(m, _)| *m > 0.0);
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let sign = if terms.len() % 2 == 1 { 1.0 } else { -1.0 };
        // What lies above W counts with W, and passes to what lies below it knot by knot.
        let mut line = [0.0, points.len() as f64, 0.0, points.iter().map(|(_, y)| y).sum::<f64>()];
        let mut lines = vec![line.map(|x| sign * x)];
        let mut knots: Vec<f64> = Vec::new();
        for (i, (m, y)) in points.iter().enumerate() {
            line = [line[0] + m, line[1] - 1.0, line[2] + m * y, line[3] - y];
            if i + 1 == points.len() {
                (line[1], line[3]) = (0.0, 0.0); // exactly: nothing is left
            }
            // Values that differ by rounding alone are one knot: the line at it differs by as little.
            match knots.last().is_some_and(|last| m - last <= 8.0 * f64::EPSILON * m) {
                true => lines[knots.len()] = line.map(|x| sign * x),
                false => {
                    knots.push(*m);
                    lines.push(line.map(|x| sign * x));
                }
            }
        }
        LevelTable { terms, knots, lines, curves: vec![] }
    }

    /// A set that is scaled instead of clipped: one line.
    fn straight(term: usize, memberships: &[f64], y: &[f64], center: f64) -> LevelTable {
        let area = memberships.iter().sum();
        let moment = memberships.iter().zip(y).map(|(m, y)| m * (y - center)).sum();
        LevelTable { terms: vec![term], knots: vec![], lines: vec![[0.0, area, 0.0, moment]], curves: vec![] }
    }
}

/// A table in a precision, with what finds the line of a level.
#[derive(Clone, Debug)]
pub(crate) struct Ruler<T> {
    pub(crate) terms: Vec<usize>,
    /// Ascending, with the largest numbers behind them for a search that looks too far.
    pub(crate) knots: Vec<T>,
    pub(crate) lines: Vec<[T; 4]>,
    pub(crate) curves: Vec<[T; 8]>,
    /// For each bucket how many knots lie before it.
    pub(crate) before: Vec<u32>,
    /// A level's bucket is level·scale.
    pub(crate) scale: T,
    /// 2 to this power is more than the knots of any bucket.
    pub(crate) halvings: u32,
}

impl<T: Real> Ruler<T> {
    pub(crate) fn new(table: &LevelTable) -> Self {
        // A knot that this precision takes for 0 must not be reached by a strength of 0, which has no area at all.
        let above_zero = |knot: T| if knot > T::ZERO { knot } else { T::of(f64::from(f32::MIN_POSITIVE)) };
        let mut knots: Vec<T> = table.knots.iter().map(|knot| above_zero(T::of(*knot))).collect();
        let highest = knots.last().map_or(T::ONE, |knot| *knot);
        let buckets = (2 * knots.len()).next_power_of_two().min(MAX_BUCKETS);
        let scale = T::of((buckets - 1) as f64) / highest;
        let scale = if scale < T::MAX { scale } else { T::ZERO }; // a highest knot that is next to nothing
        let mut before = vec![0u32; buckets];
        for knot in &knots {
            let bucket = bucket(*knot, scale, buckets);
            before[bucket + 1..].iter_mut().for_each(|n| *n += 1);
        }
        let last = knots.len() as u32;
        let ends = before[1..].iter().copied().chain([last]);
        let most = before.iter().zip(ends).map(|(from, to)| to - from).max().unwrap_or(0);
        let halvings = u32::BITS - most.leading_zeros();
        knots.extend(std::iter::repeat_n(T::MAX, 1 << halvings));
        let lines = table.lines.iter().map(|line| line.map(T::of)).collect();
        let curves = table.curves.iter().map(|curve| curve.map(T::of)).collect();
        Ruler { terms: table.terms.clone(), knots, lines, curves, before, scale, halvings }
    }

    /// The bucket of a level that is not negative.
    #[inline(always)]
    pub(crate) fn bucket(&self, level: T) -> u32 {
        (level * self.scale).whole_part().min(self.before.len() as u32 - 1)
    }

    /// How many knots lie at or below a level of that bucket.
    #[inline(always)]
    pub(crate) fn place(&self, level: T, bucket: u32) -> usize {
        let mut place = self.before[bucket as usize] as usize;
        for half in (0..self.halvings).rev() {
            // Without a branch, which would be guessed wrongly half of the time.
            let reached = self.knots[place + (1 << half) - 1] <= level;
            place += usize::from(reached) << half;
        }
        place
    }
}

/// The bucket of a level that is not negative; the last one for all beyond it.
#[inline(always)]
fn bucket<T: Real>(level: T, scale: T, buckets: usize) -> usize {
    ((level * scale).whole_part() as usize).min(buckets - 1)
}
