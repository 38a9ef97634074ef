//! Equations (2) and (3) sample by sample, for outputs that centroid tables do not cover.

use super::super::sampled::{Sampled, SampledSet};
use super::super::step::Slot;
use crate::device::math::Real;
use crate::device::{Vector, simd, vectors};
use crate::inference::Defuzzifier;
use crate::sets::{SNorm, TNorm};

/// Rows processed together at each sample.
pub(crate) const LANES: usize = 16;

/// Sample positions and precomputed memberships of one output in a precision.
#[derive(Clone, Debug)]
pub(crate) struct SampleTable<T> {
    pub(crate) y: Vec<T>,
    /// Memberships of each set at the samples; empty if they depend on the row.
    pub(crate) sets: Vec<Vec<T>>,
}

impl<T: Real> SampleTable<T> {
    pub(crate) fn new(sampled: &Sampled) -> Self {
        let of = |values: &[f64]| values.iter().map(|x| T::cast(*x)).collect();
        let set = |set: &SampledSet| match set {
            SampledSet::Fixed(memberships) => of(memberships),
            _ => Vec::new(),
        };
        SampleTable { y: of(&sampled.y), sets: sampled.sets.iter().map(set).collect() }
    }
}

/// Buffers for the memberships of [`LANES`] rows at every sample.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch<T> {
    pub(crate) aggregated: Vec<[T; LANES]>,
    pub(crate) implied: Vec<[T; LANES]>,
    /// Values of a formula's variables.
    pub(crate) arguments: Vec<f64>,
}

vectors! {
    pub(super) fn centroid_f32(
        buffers: &[Vec<f32>], sampled: &Sampled, samples: &SampleTable<f32>, strengths: &[Slot], out: &mut [f32],
    ) = centroid::<f32>;
}
vectors! {
    pub(super) fn centroid_f64(
        buffers: &[Vec<f64>], sampled: &Sampled, samples: &SampleTable<f64>, strengths: &[Slot], out: &mut [f64],
    ) = centroid::<f64>;
}

/// Whether [`centroid`] supports this output.
pub(super) fn has_fast_centroid(sampled: &Sampled) -> bool {
    let implied = sampled.implied_by(TNorm::Minimum) || sampled.implied_by(TNorm::AlgebraicProduct);
    let centroid = matches!(sampled.defuzzifier, Defuzzifier::Centroid { .. });
    let few = sampled.terms.len() <= MAX_TERMS;
    centroid
        && implied
        && few
        && sampled.aggregation == SNorm::Maximum
        && sampled.fixed_memberships().is_some()
}

/// Maximum number of strengths that stay in registers or on the stack.
const MAX_TERMS: usize = 32;

/// Centroid for maximum aggregation with minimum or product implication; all memberships stay in registers.
#[inline(always)]
fn centroid<T: Real, V: Vector<T, L>, const FMA: bool, const L: usize>(
    buffers: &[Vec<T>],
    sampled: &Sampled,
    samples: &SampleTable<T>,
    strengths: &[Slot],
    out: &mut [T],
) {
    let product = sampled.implied_by(TNorm::AlgebraicProduct);
    let (out, _) = out.as_chunks_mut::<L>();
    for (i, out) in out.iter_mut().enumerate() {
        let mut w = [V::splat(T::ZERO); MAX_TERMS];
        for (w, slot) in w.iter_mut().zip(strengths) {
            *w = V::load(&buffers[*slot].as_chunks::<L>().0[i]);
        }
        let (mut area, mut moment) = (V::splat(T::ZERO), V::splat(T::ZERO));
        for (s, y) in samples.y.iter().enumerate() {
            let mut highest = V::splat(T::ZERO);
            for ((set, _), w) in sampled.terms.iter().zip(&w) {
                let m = V::splat(samples.sets[*set][s]);
                highest = highest.simd_max(if product { m * *w } else { m.simd_min(*w) });
            }
            area = area + highest;
            moment = highest.mul_add(V::splat(*y), moment);
        }
        (moment / area).store(out);
    }
}

simd! {
    pub(super) fn aggregate<T: Real>(sampled: &Sampled, samples: &SampleTable<T>, lanes: &Lanes<'_, T>, scratch: &mut Scratch<T>) =
        aggregate_body;
}

/// Some rows of a block: the strengths of every term and the values that row-dependent sets read.
pub(crate) struct Lanes<'a, T> {
    pub(crate) buffers: &'a [Vec<T>],
    pub(crate) strengths: &'a [Slot],
    pub(crate) row_values: &'a [Slot],
    /// First row.
    pub(crate) first: usize,
}

impl<T: Real> Lanes<'_, T> {
    #[inline(always)]
    fn at(&self, slot: Slot) -> [T; LANES] {
        std::array::from_fn(|lane| self.buffers[slot][self.first + lane])
    }
}

/// Equation (2) at every sample, for [`LANES`] rows.
#[inline(always)]
fn aggregate_body<T: Real, const FMA: bool>(
    sampled: &Sampled,
    samples: &SampleTable<T>,
    lanes: &Lanes<'_, T>,
    scratch: &mut Scratch<T>,
) {
    let Scratch { aggregated, implied, arguments } = scratch;
    aggregated.clear();
    aggregated.resize(samples.y.len(), [T::ZERO; LANES]);
    implied.clear();
    implied.resize(samples.y.len(), [T::ZERO; LANES]);
    for (term, (set, implication)) in sampled.terms.iter().enumerate() {
        let w = lanes.at(lanes.strengths[term]);
        memberships(sampled, *set, samples, lanes, arguments, implied);
        if sampled.ignores_unfired(*set) {
            for implied in implied.iter_mut() {
                for (m, w) in implied.iter_mut().zip(&w) {
                    *m = if *w == T::ZERO { T::ZERO } else { *m };
                }
            }
        }
        macro_rules! imply {
            ($norm:expr) => {
                for implied in implied.iter_mut() {
                    for (m, w) in implied.iter_mut().zip(&w) {
                        *m = $norm.apply_real(*w, *m);
                    }
                }
            };
        }
        match implication {
            TNorm::Minimum => imply!(TNorm::Minimum),
            TNorm::AlgebraicProduct => imply!(TNorm::AlgebraicProduct),
            TNorm::BoundedDifference => imply!(TNorm::BoundedDifference),
            TNorm::DrasticProduct => imply!(TNorm::DrasticProduct),
            TNorm::EinsteinProduct => imply!(TNorm::EinsteinProduct),
            TNorm::HamacherProduct => imply!(TNorm::HamacherProduct),
            TNorm::NilpotentMinimum => imply!(TNorm::NilpotentMinimum),
        }
        macro_rules! aggregate_with {
            ($norm:expr) => {
                for (sum, implied) in aggregated.iter_mut().zip(implied.iter()) {
                    for (sum, m) in sum.iter_mut().zip(implied) {
                        *sum = $norm.apply_real(*sum, *m);
                    }
                }
            };
        }
        match sampled.aggregation {
            SNorm::Maximum => aggregate_with!(SNorm::Maximum),
            SNorm::AlgebraicSum => aggregate_with!(SNorm::AlgebraicSum),
            SNorm::BoundedSum => aggregate_with!(SNorm::BoundedSum),
            SNorm::DrasticSum => aggregate_with!(SNorm::DrasticSum),
            SNorm::EinsteinSum => aggregate_with!(SNorm::EinsteinSum),
            SNorm::HamacherSum => aggregate_with!(SNorm::HamacherSum),
            SNorm::NilpotentMaximum => aggregate_with!(SNorm::NilpotentMaximum),
            SNorm::NormalizedSum => aggregate_with!(SNorm::NormalizedSum),
            SNorm::UnboundedSum => aggregate_with!(SNorm::UnboundedSum),
        }
    }
}

/// Memberships of a set at every sample, for each lane.
#[inline(always)]
fn memberships<T: Real>(
    sampled: &Sampled,
    set: usize,
    samples: &SampleTable<T>,
    lanes: &Lanes<'_, T>,
    arguments: &mut Vec<f64>,
    out: &mut [[T; LANES]],
) {
    let maybe_negated = |m: T, negated: bool| if negated { T::ONE - m } else { m };
    match &sampled.sets[set] {
        SampledSet::Fixed(_) => {
            for (out, m) in out.iter_mut().zip(&samples.sets[set]) {
                *out = [*m; LANES];
            }
        }
        SampledSet::RowConstant { index, negated } => {
            let m = lanes.at(lanes.row_values[*index]).map(|m| maybe_negated(m, *negated));
            out.fill(m);
        }
        SampledSet::Formula { expression, arguments: indices, negated } => {
            for (out, y) in out.iter_mut().zip(&sampled.y) {
                for (lane, out) in out.iter_mut().enumerate() {
                    arguments.clear();
                    arguments.extend(indices.iter().map(|index| match index {
                        None => *y,
                        Some(index) => lanes.buffers[lanes.row_values[*index]][lanes.first + lane].to_f64(),
                    }));
                    *out = maybe_negated(T::cast(expression.evaluate(arguments)), *negated);
                }
            }
        }
    }
}

/// Defuzzified value of one lane's memberships; NaN if there is none.
pub(super) fn defuzzify<T: Real>(sampled: &Sampled, y: &[T], aggregated: &[[T; LANES]], lane: usize) -> T {
    let m = || aggregated.iter().map(move |m| m[lane]);
    let pairs = || y.iter().copied().zip(m());
    let highest = m().reduce(|a, b| SNorm::Maximum.apply_real(a, b)).unwrap_or(T::NAN);
    let maxima = || pairs().filter(move |(_, m)| *m > T::ZERO && *m == highest).map(|(y, _)| y);
    match sampled.defuzzifier {
        Defuzzifier::Bisector { .. } if sampled.matlab => matlab_bisector(pairs),
        Defuzzifier::Bisector { .. } => bisector(pairs),
        Defuzzifier::SmallestOfMaximum { .. } if sampled.matlab => {
            maxima().reduce(|a, b| if b.abs() < a.abs() { b } else { a }).unwrap_or(T::NAN)
        }
        Defuzzifier::LargestOfMaximum { .. } if sampled.matlab => {
            maxima().reduce(|a, b| if b.abs() > a.abs() { b } else { a }).unwrap_or(T::NAN)
        }
        Defuzzifier::SmallestOfMaximum { .. } => maxima().next().unwrap_or(T::NAN),
        Defuzzifier::LargestOfMaximum { .. } => maxima().last().unwrap_or(T::NAN),
        Defuzzifier::MeanOfMaximum { .. } => mean(maxima()),
        _ => {
            let (moment, area) = pairs().fold((T::ZERO, T::ZERO), |(t, a), (y, m)| (t + y * m, a + m));
            moment / area
        }
    }
}

fn mean<T: Real>(values: impl Iterator<Item = T>) -> T {
    let (sum, n) = values.fold((T::ZERO, T::ZERO), |(sum, n), value| (sum + value, n + T::ONE));
    sum / n
}

/// Mean of the samples where the cumulative area is closest to half of the total area.
fn bisector<T: Real, I: Iterator<Item = (T, T)>>(pairs: impl Fn() -> I) -> T {
    let areas = || {
        pairs().scan(T::ZERO, |area, (y, m)| {
            *area = *area + if m.is_nan() { T::ZERO } else { m };
            Some((y, *area))
        })
    };
    let total = areas().last().map_or(T::NAN, |(_, area)| area);
    let distance = |area: T| (area / total - T::HALF).abs();
    let best = areas().map(|(_, area)| distance(area)).fold(T::INFINITY, |a, b| b.simd_min(a));
    mean(areas().filter(|(_, area)| distance(*area) == best).map(|(y, _)| y))
}

/// First sample where the cumulative area reaches half of the total area.
fn matlab_bisector<T: Real, I: Iterator<Item = (T, T)>>(pairs: impl Fn() -> I) -> T {
    let half = pairs().fold(T::ZERO, |area, (_, m)| area + m) * T::HALF;
    let mut area = T::ZERO;
    let reached = pairs().find(|(_, m)| {
        area = area + *m;
        area >= half
    });
    reached.filter(|_| half > T::ZERO).map_or(T::NAN, |(y, _)| y)
}
