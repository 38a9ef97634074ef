//! The routines of a plan and the kernels of its floating-point type.

use super::block::{MAX_BLOCK, PADDING};
use super::linear_terms::{self, LinearTerms};
use super::sampled::{self, SampleTable};
use super::weighted;
use crate::data::Precision;
use crate::device::Simd;
use crate::device::math::Real;
use crate::inference::plan::centroid::{CentroidTables, TableLookup};
use crate::inference::plan::compiled::{CompiledOutput, Steps};
use crate::inference::plan::routine::Routine;
use crate::inference::plan::sampled::Sampled;
use crate::inference::plan::step::{Slot, Step, Term, WeightedResult};
use crate::sets::SetNumber;

/// Memory for the values of a block: slightly more than the L1 cache, which is faster than shorter blocks.
const BLOCK_BYTES: usize = 48 << 10;

/// A plan's routines in the plan's precision.
#[derive(Clone, Debug)]
pub enum Engine {
    F32(Routines<f32>),
    F64(Routines<f64>),
}

/// Routines for arbitrary rows and for rows with finite inputs.
#[derive(Clone, Debug)]
pub struct Routines<T> {
    pub(crate) general: PreparedRoutine<T>,
    pub(crate) finite: Option<PreparedRoutine<T>>,
}

impl Engine {
    pub(crate) fn new(precision: Precision, general: &Steps, finite: Option<&Steps>) -> Self {
        match precision {
            Precision::F32 => Engine::F32(Routines::new(general, finite, outputs_of)),
            Precision::F64 => Engine::F64(Routines::new(general, finite, outputs_of)),
        }
    }

    pub(crate) fn precision(&self) -> Precision {
        match self {
            Engine::F32(_) => Precision::F32,
            Engine::F64(_) => Precision::F64,
        }
    }
}

/// Number of inputs; every input has a step.
fn inputs_of(steps: &Steps) -> usize {
    steps.steps.iter().filter(|step| matches!(step, Step::Input { .. })).count()
}

/// Slots of the outputs: one value each, followed by a mask for outputs that may keep their previous value.
pub(crate) fn outputs_of(steps: &Steps) -> Vec<Slot> {
    let of_output = |output: &CompiledOutput| match *output {
        CompiledOutput::Value(slot) => vec![slot],
        CompiledOutput::LockPrevious(lock) => vec![lock.value, lock.missing],
    };
    steps.outputs.iter().flat_map(of_output).collect()
}

impl<T: PlanScalar> Routines<T> {
    /// Maximum number of buffers of the two routines.
    pub(super) fn max_buffers(&self) -> usize {
        let general = self.general.routine.buffers;
        self.finite.as_ref().map_or(general, |finite| general.max(finite.routine.buffers))
    }

    /// Routines that compute the results selected by `results`.
    pub(crate) fn new(
        general: &Steps,
        finite: Option<&Steps>,
        results: impl Fn(&Steps) -> Vec<Slot>,
    ) -> Self {
        let prepare = |steps: &Steps, finite: bool| {
            let slots: Vec<Slot> =
                results(steps).into_iter().chain(steps.fallback_flags.iter().copied()).collect();
            let mut prepared =
                PreparedRoutine::new(Routine::new(&steps.steps, &slots, inputs_of(steps)), finite);
            prepared.fallback_flags =
                prepared.routine.results.split_off(slots.len() - steps.fallback_flags.len());
            prepared
        };
        Routines { general: prepare(general, false), finite: finite.map(|finite| prepare(finite, true)) }
    }
}

/// A routine with the constants of its steps converted to a precision.
#[derive(Clone, Debug)]
pub(crate) struct PreparedRoutine<T> {
    pub(crate) routine: Routine,
    /// Buffers that contain NaN in rows that require the general routine.
    pub(super) fallback_flags: Vec<Slot>,
    /// Precomputed data of the steps that have any.
    pub(super) prepared_steps: Vec<Option<PreparedStep<T>>>,
    /// Rows per block.
    pub(crate) block: usize,
}

/// Precomputed data of a defuzzification step in a precision.
#[derive(Clone, Debug)]
pub(super) enum PreparedStep<T> {
    /// Centroid by table lookup.
    CentroidTables { lookups: Vec<TableLookup<T>>, center: T },
    /// Centroid over samples, computed in registers.
    Centroid(SampleTable<T>),
    /// Any defuzzifier over samples.
    Sampled(SampleTable<T>),
    /// Weighted average or sum with linear consequents.
    LinearTerms(LinearTerms<T>),
}

impl<T: PlanScalar> PreparedRoutine<T> {
    /// `finite`: whether the routine runs only on rows with finite inputs.
    pub(crate) fn new(routine: Routine, finite: bool) -> Self {
        let prepare = |(step, _): &(Step, Slot)| match step {
            Step::Defuzzify { sampled, .. } => Some(PreparedStep::new(sampled)),
            Step::Weighted { terms, .. } => LinearTerms::new(terms, finite).map(PreparedStep::LinearTerms),
            _ => None,
        };
        let prepared_steps = routine.steps.iter().map(prepare).collect();
        let rows = BLOCK_BYTES / (routine.buffers.max(1) * size_of::<T>());
        let block = (rows / PADDING * PADDING).clamp(4 * PADDING, MAX_BLOCK);
        PreparedRoutine { routine, fallback_flags: Vec::new(), prepared_steps, block }
    }
}

impl<T: PlanScalar> PreparedStep<T> {
    fn new(sampled: &Sampled) -> Self {
        if let Some(tables) = CentroidTables::new(sampled) {
            let lookups = tables.tables.iter().map(TableLookup::new).collect();
            return PreparedStep::CentroidTables { lookups, center: T::cast(tables.center) };
        }
        match sampled::has_fast_centroid(sampled) {
            true => PreparedStep::Centroid(SampleTable::new(sampled)),
            false => PreparedStep::Sampled(SampleTable::new(sampled)),
        }
    }
}

/// Defines [`PlanScalar`] and implements it with the kernels of each precision.
macro_rules! plan_scalar {
    ($(fn $name:ident($($arg:ident: $type:ty),*) = $single:path, $double:path;)+) => {
        /// A floating-point type of a plan and its kernels.
        pub trait PlanScalar: Real + SetNumber + Default {
            $(fn $name(simd: Simd, $($arg: $type),*);)+
            /// The engine's routines, or `None` if it has another precision.
            fn routines(engine: &Engine) -> Option<&Routines<Self>>;
        }

        impl PlanScalar for f32 {
            $(fn $name(simd: Simd, $($arg: $type),*) { $single(simd, $($arg),*) })+
            fn routines(engine: &Engine) -> Option<&Routines<Self>> {
                if let Engine::F32(routines) = engine { Some(routines) } else { None }
            }
        }

        impl PlanScalar for f64 {
            $(fn $name(simd: Simd, $($arg: $type),*) { $double(simd, $($arg),*) })+
            fn routines(engine: &Engine) -> Option<&Routines<Self>> {
                if let Engine::F64(routines) = engine { Some(routines) } else { None }
            }
        }
    };
}

plan_scalar! {
    fn linear_terms(
        buffers: &[Vec<Self>], terms: &LinearTerms<Self>, form: WeightedResult, min_weight: f64, out: &mut [Self]
    ) = linear_terms::linear_terms_f32, linear_terms::linear_terms_f64;
    fn linear(
        buffers: &[Vec<Self>], coefficients: &[f64], constant: f64, inputs: &[Slot], out: &mut [Self]
    ) = weighted::linear_f32, weighted::linear_f64;
    fn weighted(
        buffers: &[Vec<Self>], terms: &[Term], form: WeightedResult, min_weight: f64, out: &mut [Self]
    ) = weighted::weighted_f32, weighted::weighted_f64;
    fn centroid(
        buffers: &[Vec<Self>], sampled: &Sampled, samples: &SampleTable<Self>, strengths: &[Slot], out: &mut [Self]
    ) = sampled::centroid_f32, sampled::centroid_f64;
}
