//! Equations (2) and (3) sample by sample, for what tables of levels do not hold.

use super::super::sampled::{Sampled, SampledSet};
use super::super::step::Slot;
use crate::device::math::Real;
use crate::device::{Vector, simd, vectors};
use crate::inference::defuzzifier::Defuzzifier;
use crate::sets::{SNorm, TNorm};

/// Rows that go through the samples together.
pub(crate) const LANES: usize = 16;

/// Fixed memberships of one output in a precision.
#[derive(Clone, Debug)]
pub(crate) struct Samples<T> {
    pub(crate) y: Vec<T>,
    /// For each set; empty for one that depends on the row.
    pub(crate) sets: Vec<Vec<T>>,
}

impl<T: Real> Samples<T> {
    pub(crate) fn new(sampled: &Sampled) -> Self {
        let of = |values: &[f64]| values.iter().map(|x| T::of(*x)).collect();
        let set = |set: &SampledSet| match set {
            SampledSet::Fixed(memberships) => of(memberships),
            _ => Vec::new(),
        };
        Samples { y: of(&sampled.y), sets: sampled.sets.iter().map(set).collect() }
    }
}

/// Room for the memberships of [`LANES`] rows at every sample.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch<T> {
    pub(crate) aggregated: Vec<[T; LANES]>,
    pub(crate) implied: Vec<[T; LANES]>,
    /// The values of a formula's variables.
    pub(crate) arguments: Vec<f64>,
}

vectors! {
    pub(super) fn centroid_f32(
        places: &[Vec<f32>], sampled: &Sampled, samples: &Samples<f32>, strengths: &[Slot], out: &mut [f32],
    ) = centroid::<f32>;
}
vectors! {
    pub(super) fn centroid_f64(
        places: &[Vec<f64>], sampled: &Sampled, samples: &Samples<f64>, strengths: &[Slot], out: &mut [f64],
    ) = centroid::<f64>;
}

/// Whether [`centroid`] takes this output.
pub(super) fn has_fast_centroid(sampled: &Sampled) -> bool {
    let implied = sampled.implied_by(TNorm::Minimum) || sampled.implied_by(TNorm::AlgebraicProduct);
    let centroid = matches!(sampled.defuzzifier, Defuzzifier::Centroid { .. });
    let few = sampled.terms.len() <= MAX_TERMS;
    centroid && implied && few && sampled.aggregation == SNorm::Maximum && sampled.fixed().is_some()
}

/// The most strengths that are held in registers or next to them.
const MAX_TERMS: usize = 32;

/// The centroid with maximum, and minimum or product: no membership leaves the registers.
#[inline(always)]
fn centroid<T: Real, V: Vector<T, L>, const FMA: bool, const L: usize>(
    places: &[Vec<T>],
    sampled: &Sampled,
    samples: &Samples<T>,
    strengths: &[Slot],
    out: &mut [T],
) {
    let product = sampled.implied_by(TNorm::AlgebraicProduct);
    let (out, _) = out.as_chunks_mut::<L>();
    for (i, out) in out.iter_mut().enumerate() {
        let mut w = [V::splat(T::ZERO); MAX_TERMS];
        for (w, slot) in w.iter_mut().zip(strengths) {
            *w = V::load(&places[*slot].as_chunks::<L>().0[i]);
        }
        let (mut area, mut moment) = (V::splat(T::ZERO), V::splat(T::ZERO));
        for (s, y) in samples.y.iter().enumerate() {
            let mut highest = V::splat(T::ZERO);
            for ((set, _), w) in sampled.terms.iter().zip(&w) {
                let m = V::splat(samples.sets[*set][s]);
                highest = highest.most(if product { m * *w } else { m.least(*w) });
            }
            area = area + highest;
            moment = highest.mul_add(V::splat(*y), moment);
        }
        (moment / area).store(out);
    }
}

simd! {
    pub(super) fn aggregate_f32(sampled: &Sampled, samples: &Samples<f32>, lanes: &Lanes<'_, f32>, scratch: &mut Scratch<f32>) =
        aggregate_f32_body;
}
simd! {
    pub(super) fn aggregate_f64(sampled: &Sampled, samples: &Samples<f64>, lanes: &Lanes<'_, f64>, scratch: &mut Scratch<f64>) =
        aggregate_f64_body;
}

#[inline(always)]
fn aggregate_f32_body<const FMA: bool>(
    sampled: &Sampled,
    samples: &Samples<f32>,
    lanes: &Lanes<'_, f32>,
    scratch: &mut Scratch<f32>,
) {
    aggregate::<f32>(sampled, samples, lanes, scratch);
}

#[inline(always)]
fn aggregate_f64_body<const FMA: bool>(
    sampled: &Sampled,
    samples: &Samples<f64>,
    lanes: &Lanes<'_, f64>,
    scratch: &mut Scratch<f64>,
) {
    aggregate::<f64>(sampled, samples, lanes, scratch);
}

/// Some rows of a block: the strengths of every term, and what formulas read.
pub(crate) struct Lanes<'a, T> {
    pub(crate) places: &'a [Vec<T>],
    pub(crate) strengths: &'a [Slot],
    pub(crate) rows: &'a [Slot],
    /// The first of them.
    pub(crate) first: usize,
}

impl<T: Real> Lanes<'_, T> {
    #[inline(always)]
    fn at(&self, slot: Slot) -> [T; LANES] {
        std::array::from_fn(|lane| self.places[slot][self.first + lane])
    }
}

/// Equation (2) at every sample of [`LANES`] rows.
#[inline(always)]
fn aggregate<T: Real>(
    sampled: &Sampled,
    samples: &Samples<T>,
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
        macro_rules! imply {
            ($norm:expr) => {
                for implied in implied.iter_mut() {
                    for (m, w) in implied.iter_mut().zip(&w) {
                        *m = $norm.of(*w, *m);
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
        macro_rules! join {
            ($norm:expr) => {
                for (sum, implied) in aggregated.iter_mut().zip(implied.iter()) {
                    for (sum, m) in sum.iter_mut().zip(implied) {
                        *sum = $norm.of(*sum, *m);
                    }
                }
            };
        }
        match sampled.aggregation {
            SNorm::Maximum => join!(SNorm::Maximum),
            SNorm::AlgebraicSum => join!(SNorm::AlgebraicSum),
            SNorm::BoundedSum => join!(SNorm::BoundedSum),
            SNorm::DrasticSum => join!(SNorm::DrasticSum),
            SNorm::EinsteinSum => join!(SNorm::EinsteinSum),
            SNorm::HamacherSum => join!(SNorm::HamacherSum),
            SNorm::NilpotentMaximum => join!(SNorm::NilpotentMaximum),
            SNorm::NormalizedSum => join!(SNorm::NormalizedSum),
            SNorm::UnboundedSum => join!(SNorm::UnboundedSum),
        }
    }
}

/// A set's memberships at every sample, for each lane.
#[inline(always)]
fn memberships<T: Real>(
    sampled: &Sampled,
    set: usize,
    samples: &Samples<T>,
    lanes: &Lanes<'_, T>,
    arguments: &mut Vec<f64>,
    out: &mut [[T; LANES]],
) {
    let turned = |m: T, negated: bool| if negated { T::ONE - m } else { m };
    match &sampled.sets[set] {
        SampledSet::Fixed(_) => {
            for (out, m) in out.iter_mut().zip(&samples.sets[set]) {
                *out = [*m; LANES];
            }
        }
        SampledSet::OfRow { row, negated } => {
            let m = lanes.at(lanes.rows[*row]).map(|m| turned(m, *negated));
            out.fill(m);
        }
        SampledSet::Formula { expression, arguments: of, negated } => {
            for (out, y) in out.iter_mut().zip(&sampled.y) {
                for (lane, out) in out.iter_mut().enumerate() {
                    arguments.clear();
                    arguments.extend(of.iter().map(|row| match row {
                        None => *y,
                        Some(row) => lanes.places[lanes.rows[*row]][lanes.first + lane].to_f64(),
                    }));
                    *out = turned(T::of(expression.evaluate(arguments)), *negated);
                }
            }
        }
    }
}

/// The number of one lane's memberships; NaN where there is none.
pub(super) fn defuzzify<T: Real>(sampled: &Sampled, y: &[T], aggregated: &[[T; LANES]], lane: usize) -> T {
    let m = || aggregated.iter().map(move |m| m[lane]);
    let pairs = || y.iter().copied().zip(m());
    let highest = m().reduce(|a, b| SNorm::Maximum.of(a, b)).unwrap_or(T::NAN);
    let tops = || pairs().filter(move |(_, m)| *m > T::ZERO && *m == highest).map(|(y, _)| y);
    match sampled.defuzzifier {
        Defuzzifier::Bisector { .. } if sampled.matlab => first_half(pairs),
        Defuzzifier::Bisector { .. } => best_halves(pairs),
        Defuzzifier::SmallestOfMaximum { .. } if sampled.matlab => {
            tops().reduce(|a, b| if b.abs() < a.abs() { b } else { a }).unwrap_or(T::NAN)
        }
        Defuzzifier::LargestOfMaximum { .. } if sampled.matlab => {
            tops().reduce(|a, b| if b.abs() > a.abs() { b } else { a }).unwrap_or(T::NAN)
        }
        Defuzzifier::SmallestOfMaximum { .. } => tops().next().unwrap_or(T::NAN),
        Defuzzifier::LargestOfMaximum { .. } => tops().last().unwrap_or(T::NAN),
        Defuzzifier::MeanOfMaximum { .. } => mean(tops()),
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

/// The mean of the samples at which the area so far is nearest to half of all.
fn best_halves<T: Real, I: Iterator<Item = (T, T)>>(pairs: impl Fn() -> I) -> T {
    let areas = || {
        pairs().scan(T::ZERO, |area, (y, m)| {
            *area = *area + if m.is_nan() { T::ZERO } else { m };
            Some((y, *area))
        })
    };
    let all = areas().last().map_or(T::NAN, |(_, area)| area);
    let off = |area: T| (area / all - T::HALF).abs();
    let best = areas().map(|(_, area)| off(area)).fold(T::INFINITY, |a, b| b.least(a));
    mean(areas().filter(|(_, area)| off(*area) == best).map(|(y, _)| y))
}

/// The first sample up to which there is at least half of the area.
fn first_half<T: Real, I: Iterator<Item = (T, T)>>(pairs: impl Fn() -> I) -> T {
    let half = pairs().fold(T::ZERO, |area, (_, m)| area + m) * T::HALF;
    let mut area = T::ZERO;
    let reached = pairs().find(|(_, m)| {
        area = area + *m;
        area >= half
    });
    reached.filter(|_| half > T::ZERO).map_or(T::NAN, |(y, _)| y)
}
