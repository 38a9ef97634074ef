//! Plans on the CPU: blocks of rows that stay in first-level cache, one step after the other.

mod direct;
mod elementwise;
mod planes;
mod rows;
mod run;
mod weighted;

pub use rows::Memory;
pub(crate) use run::Workspace;

use super::levels::{Levels, Ruler};
use super::routine::Routine;
use super::sampled::Sampled;
use super::step::{Slot, Step, Term, WeightedEnd};
use super::{Finish, Steps};
use crate::data::{Precision, Scalar};
use crate::device::Simd;
use crate::device::math::Real;
use crate::sets::Set;
use direct::{Lanes, Samples, Scratch};
use elementwise::{Job, Strided};
use planes::Planes;

/// The most rows of a block.
pub(crate) const MAX_BLOCK: usize = 512;
/// Blocks are a whole number of the longest vectors.
pub(crate) const PADDING: usize = 16;
/// What a block's numbers may take: first-level cache, and a little of the next, which is better than short blocks.
const BLOCK_BYTES: usize = 48 << 10;

/// A plan's routines in its precision.
#[derive(Clone, Debug)]
pub(crate) enum Engine {
    F32(Routines<f32>),
    F64(Routines<f64>),
}

/// What gives the outputs alone, for any rows and for rows of finite inputs.
#[derive(Clone, Debug)]
pub(crate) struct Routines<T> {
    pub(crate) guarded: Prepared<T>,
    pub(crate) clean: Option<Prepared<T>>,
}

impl Engine {
    pub(crate) fn new(precision: Precision, guarded: &Steps, clean: Option<&Steps>) -> Self {
        match precision {
            Precision::F32 => Engine::F32(Routines::new(guarded, clean, outputs_of)),
            Precision::F64 => Engine::F64(Routines::new(guarded, clean, outputs_of)),
        }
    }

    pub(crate) fn precision(&self) -> Precision {
        match self {
            Engine::F32(_) => Precision::F32,
            Engine::F64(_) => Precision::F64,
        }
    }
}

/// How many inputs a row has: all of them have a step.
fn inputs_of(steps: &Steps) -> usize {
    steps.steps.iter().filter(|step| matches!(step, Step::Input { .. })).count()
}

/// The numbers that outputs need: one each, and a mask for those that may keep the value of the row before.
pub(crate) fn outputs_of(steps: &Steps) -> Vec<Slot> {
    let of_output = |finish: &Finish| match *finish {
        Finish::Done(slot) => vec![slot],
        Finish::Carried(carried) => vec![carried.value, carried.missing],
    };
    steps.outputs.iter().flat_map(of_output).collect()
}

impl<T: Number> Routines<T> {
    /// How many results a row has.
    pub(crate) fn results(&self) -> usize {
        self.guarded.routine.results.len()
    }

    /// The routines for the results that `results` picks.
    pub(crate) fn new(guarded: &Steps, clean: Option<&Steps>, results: impl Fn(&Steps) -> Vec<Slot>) -> Self {
        let prepared = |steps: &Steps, finite: bool| {
            let slots: Vec<Slot> = results(steps).into_iter().chain(steps.doubts.iter().copied()).collect();
            let mut prepared = Prepared::new(Routine::new(&steps.steps, &slots, inputs_of(steps)), finite);
            prepared.doubts = prepared.routine.results.split_off(slots.len() - steps.doubts.len());
            prepared
        };
        Routines { guarded: prepared(guarded, false), clean: clean.map(|clean| prepared(clean, true)) }
    }
}

/// A routine with the numbers of its steps in a precision.
#[derive(Clone, Debug)]
pub(crate) struct Prepared<T> {
    pub(crate) routine: Routine,
    /// Places that hold NaN in rows which only the guarded routine gets right.
    doubts: Vec<Slot>,
    /// For each step whose numbers are worth preparing.
    ready: Vec<Option<Ready<T>>>,
    /// Rows of a block.
    pub(crate) block: usize,
}

/// How an output is defuzzified, with its numbers in a precision.
#[derive(Clone, Debug)]
enum Ready<T> {
    Levels { rulers: Vec<Ruler<T>>, center: T },
    Centroid(Samples<T>),
    Direct(Samples<T>),
    Planes(Planes<T>),
}

impl<T: Number> Prepared<T> {
    /// `finite`: whether it is for rows of finite inputs only.
    pub(crate) fn new(routine: Routine, finite: bool) -> Self {
        let ready = |(step, _): &(Step, Slot)| match step {
            Step::Defuzzify { sampled, .. } => Some(Ready::of(sampled)),
            Step::Weighted { terms, .. } => Planes::of(terms, finite).map(Ready::Planes),
            _ => None,
        };
        let ready = routine.steps.iter().map(ready).collect();
        let rows = BLOCK_BYTES / (routine.places.max(1) * size_of::<T>());
        let block = (rows / PADDING * PADDING).clamp(4 * PADDING, MAX_BLOCK);
        Prepared { routine, doubts: Vec::new(), ready, block }
    }
}

impl<T: Number> Ready<T> {
    fn of(sampled: &Sampled) -> Self {
        if let Some(levels) = Levels::of(sampled) {
            let rulers = levels.tables.iter().map(Ruler::new).collect();
            return Ready::Levels { rulers, center: T::of(levels.center) };
        }
        match direct::has_fast_centroid(sampled) {
            true => Ready::Centroid(Samples::new(sampled)),
            false => Ready::Direct(Samples::new(sampled)),
        }
    }
}

/// A number that a plan computes with, and its kernels.
pub(crate) trait Number: Real + Scalar + Default {
    fn memberships(simd: Simd, set: &Set, x: &[Self], out: &mut [Self]);
    fn elementwise(simd: Simd, job: Job<'_, Self>, out: &mut [Self]);
    fn all_finite(simd: Simd, x: &[Self]) -> bool;
    fn any_nan(simd: Simd, x: &[Self]) -> bool;
    /// Every `stride`th of the numbers.
    fn column(simd: Simd, values: &[Self], stride: usize, out: &mut [Self]);
    fn planes(
        simd: Simd,
        places: &[Vec<Self>],
        planes: &Planes<Self>,
        end: WeightedEnd,
        least: f64,
        out: &mut [Self],
    );
    fn linear(
        simd: Simd,
        places: &[Vec<Self>],
        coefficients: &[f64],
        constant: f64,
        inputs: &[Slot],
        out: &mut [Self],
    );
    fn weighted(
        simd: Simd,
        places: &[Vec<Self>],
        terms: &[Term],
        end: WeightedEnd,
        least: f64,
        out: &mut [Self],
    );
    fn levels(
        simd: Simd,
        places: &[Vec<Self>],
        rulers: &[Ruler<Self>],
        center: Self,
        strengths: &[Slot],
        out: &mut [Self],
    );
    fn centroid(
        simd: Simd,
        places: &[Vec<Self>],
        sampled: &Sampled,
        samples: &Samples<Self>,
        strengths: &[Slot],
        out: &mut [Self],
    );
    fn aggregate(
        simd: Simd,
        sampled: &Sampled,
        samples: &Samples<Self>,
        lanes: &Lanes<'_, Self>,
        scratch: &mut Scratch<Self>,
    );
    /// The routines of an engine of this precision.
    fn routines(engine: &Engine) -> Option<&Routines<Self>>;
}

macro_rules! number {
    ($type:ident, $variant:ident, $memberships:ident, $elementwise:ident, $finite:ident, $any_nan:ident, $column:ident, $planes:ident, $linear:ident, $weighted:ident, $levels:ident,
     $centroid:ident, $aggregate:ident) => {
        impl Number for $type {
            fn memberships(simd: Simd, set: &Set, x: &[Self], out: &mut [Self]) {
                set.$memberships(simd, x, out);
            }
            fn elementwise(simd: Simd, job: Job<'_, Self>, out: &mut [Self]) {
                elementwise::$elementwise(simd, job, out);
            }
            fn all_finite(simd: Simd, x: &[Self]) -> bool {
                elementwise::$finite(simd, x)
            }
            fn any_nan(simd: Simd, x: &[Self]) -> bool {
                elementwise::$any_nan(simd, x)
            }
            fn column(simd: Simd, values: &[Self], stride: usize, out: &mut [Self]) {
                elementwise::$column(simd, Strided { values, stride }, out);
            }
            fn planes(
                simd: Simd,
                places: &[Vec<Self>],
                planes: &Planes<Self>,
                end: WeightedEnd,
                least: f64,
                out: &mut [Self],
            ) {
                planes::$planes(simd, places, planes, end, least, out);
            }
            fn linear(
                simd: Simd,
                places: &[Vec<Self>],
                coefficients: &[f64],
                constant: f64,
                inputs: &[Slot],
                out: &mut [Self],
            ) {
                weighted::$linear(simd, places, coefficients, constant, inputs, out);
            }
            fn weighted(
                simd: Simd,
                places: &[Vec<Self>],
                terms: &[Term],
                end: WeightedEnd,
                least: f64,
                out: &mut [Self],
            ) {
                weighted::$weighted(simd, places, terms, end, least, out);
            }
            fn levels(
                simd: Simd,
                places: &[Vec<Self>],
                rulers: &[Ruler<Self>],
                center: Self,
                strengths: &[Slot],
                out: &mut [Self],
            ) {
                weighted::$levels(simd, places, rulers, center, strengths, out);
            }
            fn centroid(
                simd: Simd,
                places: &[Vec<Self>],
                sampled: &Sampled,
                samples: &Samples<Self>,
                strengths: &[Slot],
                out: &mut [Self],
            ) {
                direct::$centroid(simd, places, sampled, samples, strengths, out);
            }
            fn aggregate(
                simd: Simd,
                sampled: &Sampled,
                samples: &Samples<Self>,
                lanes: &Lanes<'_, Self>,
                scratch: &mut Scratch<Self>,
            ) {
                direct::$aggregate(simd, sampled, samples, lanes, scratch);
            }
            fn routines(engine: &Engine) -> Option<&Routines<Self>> {
                match engine {
                    Engine::$variant(routines) => Some(routines),
                    _ => None,
                }
            }
        }
    };
}
number!(
    f32,
    F32,
    memberships_into_f32,
    elementwise_f32,
    all_finite_f32,
    any_nan_f32,
    column_f32,
    planes_f32,
    linear_f32,
    weighted_f32,
    levels_f32,
    centroid_f32,
    aggregate_f32
);
number!(
    f64,
    F64,
    memberships_into,
    elementwise_f64,
    all_finite_f64,
    any_nan_f64,
    column_f64,
    planes_f64,
    linear_f64,
    weighted_f64,
    levels_f64,
    centroid_f64,
    aggregate_f64
);
