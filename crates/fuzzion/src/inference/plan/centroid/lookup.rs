//! Lookup of the piece that applies to a level.

use super::table::CentroidTable;
use crate::device::math::Real;

/// Maximum number of buckets of a table's search index.
const MAX_BUCKETS: usize = 1024;

/// A centroid table in single or double precision, with a search index for the piece that applies to a level.
#[derive(Clone, Debug)]
pub(crate) struct TableLookup<T> {
    pub(crate) terms: Vec<usize>,
    /// In ascending order, padded with the largest number because the search may read past the end.
    pub(crate) knots: Vec<T>,
    pub(crate) lines: Vec<[T; 4]>,
    pub(crate) curves: Vec<[T; 8]>,
    /// Number of knots before each bucket.
    pub(crate) knots_before: Vec<u32>,
    /// The bucket of a level is ⌊level·scale⌋.
    pub(crate) scale: T,
    /// Number of binary search steps within a bucket.
    pub(crate) search_steps: u32,
}

impl<T: Real> TableLookup<T> {
    pub(crate) fn new(table: &CentroidTable) -> Self {
        // A knot that rounds to 0 in this precision must stay above a strength of 0, which has no area.
        let above_zero = |knot: T| if knot > T::ZERO { knot } else { T::cast(f64::from(f32::MIN_POSITIVE)) };
        let mut knots: Vec<T> = table.knots.iter().map(|knot| above_zero(T::cast(*knot))).collect();
        let highest = knots.last().map_or(T::ONE, |knot| *knot);
        let buckets = (2 * knots.len()).next_power_of_two().min(MAX_BUCKETS);
        let scale = T::cast((buckets - 1) as f64) / highest;
        let scale = if scale < T::MAX { scale } else { T::ZERO }; // the highest knot is almost 0
        let mut knots_before = vec![0u32; buckets];
        for knot in &knots {
            let bucket = bucket(*knot, scale, buckets);
            knots_before[bucket + 1..].iter_mut().for_each(|n| *n += 1);
        }
        let last = knots.len() as u32;
        let ends = knots_before[1..].iter().copied().chain([last]);
        let max_knots = knots_before.iter().zip(ends).map(|(from, to)| to - from).max();
        let max_knots = max_knots.expect("invariant: there is at least one bucket");
        let search_steps = u32::BITS - max_knots.leading_zeros();
        knots.extend(std::iter::repeat_n(T::MAX, 1 << search_steps));
        let lines = table.lines.iter().map(|line| line.map(T::cast)).collect();
        let curves = table.curves.iter().map(|curve| curve.map(T::cast)).collect();
        TableLookup { terms: table.terms.clone(), knots, lines, curves, knots_before, scale, search_steps }
    }

    /// Bucket of a nonnegative level.
    #[inline(always)]
    pub(crate) fn bucket(&self, level: T) -> u32 {
        (level * self.scale).trunc_to_u32().min(self.knots_before.len() as u32 - 1)
    }

    /// Index of the piece for a level in that bucket, which is the number of knots at or below the level.
    #[inline(always)]
    pub(crate) fn piece(&self, level: T, bucket: u32) -> usize {
        let mut piece = self.knots_before[bucket as usize] as usize;
        for half in (0..self.search_steps).rev() {
            // Branch-free, since a branch would be mispredicted half of the time.
            let reached = self.knots[piece + (1 << half) - 1] <= level;
            piece += usize::from(reached) << half;
        }
        piece
    }
}

/// Bucket of a nonnegative level; the last one for all levels beyond it.
#[inline(always)]
fn bucket<T: Real>(level: T, scale: T, buckets: usize) -> usize {
    ((level * scale).trunc_to_u32() as usize).min(buckets - 1)
}
