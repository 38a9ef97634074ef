//! Runs a routine over one block of rows.

use super::super::sampled::Sampled;
use super::super::step::{Slot, Step};
use super::block::{MAX_BLOCK, PADDING};
use super::elementwise::{Elementwise, all_finite, any_nan, elementwise};
use super::engine::{PlanScalar, PreparedRoutine, PreparedStep, Routines};
use super::sampled::{self, LANES, Lanes, Scratch};
use super::table_centroid::table_centroid;
use crate::device::Simd;
use crate::device::math::Real;
use crate::sets::expression::Expression;

/// Formulas are evaluated column by column for more rows than this.
const COLUMNS_ABOVE: usize = 8;

/// Values of a block of rows, one column per buffer of a routine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace<T> {
    /// Outputs of the previous row.
    pub(crate) previous: Vec<f64>,
    /// One column per buffer, starting with the inputs.
    buffers: Vec<Vec<T>>,
    inputs: usize,
    scratch: Scratch<T>,
}

impl<T: PlanScalar> Workspace<T> {
    /// Buffers for blocks of `block` rows, large enough for both routines.
    pub(crate) fn new(routines: &Routines<T>, inputs: usize, outputs: usize, block: usize) -> Self {
        let all = std::iter::once(&routines.general).chain(&routines.finite);
        let mut scratch = Scratch::default();
        for (step, _) in all.flat_map(|prepared| &prepared.routine.steps) {
            scratch.reserve(step);
        }
        let column = || vec![<T as Real>::ZERO; block];
        Workspace {
            previous: vec![f64::NAN; outputs],
            buffers: (0..routines.max_buffers().max(inputs)).map(|_| column()).collect(),
            inputs,
            scratch,
        }
    }

    /// The input columns, to be filled before a run.
    pub(crate) fn inputs(&mut self) -> &mut [Vec<T>] {
        &mut self.buffers[..self.inputs]
    }

    /// Adds buffers if a plan with other rules needs more.
    pub(crate) fn resize_for(&mut self, routines: &Routines<T>) {
        let block = self.buffers.first().expect("invariant: `System::check` requires an input").len();
        while self.buffers.len() < routines.max_buffers() {
            self.buffers.push(vec![<T as Real>::ZERO; block]);
        }
    }

    /// Values of one of the routine's results after the last run.
    pub(crate) fn result(&self, prepared: &PreparedRoutine<T>, result: usize) -> &[T] {
        &self.buffers[prepared.routine.results[result]]
    }

    /// Runs the routine for finite inputs if it exists, applies and raises no fallback flag, otherwise the general one.
    /// Returns the routine whose results the buffers now contain.
    pub(crate) fn run_best<'a>(
        &mut self,
        routines: &'a Routines<T>,
        simd: Simd,
        rows: usize,
    ) -> &'a PreparedRoutine<T> {
        let all_finite = |column: &Vec<T>| all_finite(simd, &column[..rows]);
        if let Some(finite) = &routines.finite
            && self.buffers[..self.inputs].iter().all(all_finite)
        {
            self.run(finite, simd, rows);
            let flagged = |buffer: &Slot| any_nan(simd, &self.buffers[*buffer][..rows]);
            if !finite.fallback_flags.iter().any(flagged) {
                return finite;
            }
        }
        self.run(&routines.general, simd, rows);
        &routines.general
    }

    /// Runs a routine over the first `rows` rows.
    fn run(&mut self, prepared: &PreparedRoutine<T>, simd: Simd, rows: usize) {
        debug_assert!(rows <= MAX_BLOCK);
        let padded = rows.next_multiple_of(PADDING);
        for ((step, buffer), prepared_step) in prepared.routine.steps.iter().zip(&prepared.prepared_steps) {
            // A step never reads the buffer it writes, so the buffer can be taken out while the step runs.
            let mut out = std::mem::take(&mut self.buffers[*buffer]);
            self.step(step, prepared_step.as_ref(), simd, rows, &mut out[..padded]);
            self.buffers[*buffer] = out;
        }
    }

    fn step(
        &mut self,
        step: &Step,
        prepared: Option<&PreparedStep<T>>,
        simd: Simd,
        rows: usize,
        out: &mut [T],
    ) {
        let (buffers, padded) = (&self.buffers, out.len());
        let at = |slot: Slot| &buffers[slot][..padded];
        match step {
            Step::Input { .. } => {} // its buffer is filled before the run
            Step::Previous { output } => out.fill(T::cast(self.previous[*output])),
            Step::Constant { value } => out.fill(T::cast(*value)),
            Step::Membership { set, x } => set.memberships_into(simd, at(*x), out),
            Step::Tsukamoto { set, strength } => {
                for (out, w) in out[..rows].iter_mut().zip(at(*strength)) {
                    let x = set.tsukamoto(Real::to_f64(*w));
                    *out = T::cast(x.expect("invariant: the sets of Tsukamoto steps are monotone"));
                }
            }
            Step::Linear { coefficients, constant, inputs } => {
                T::linear(simd, buffers, coefficients, *constant, inputs, out);
            }
            Step::Function { expression, arguments } => {
                function(buffers, &mut self.scratch.arguments, expression, arguments, &mut out[..rows]);
            }
            Step::Unary { op, x } => elementwise(simd, Elementwise::Unary(*op, at(*x)), out),
            Step::Binary { op, a, b } => elementwise(simd, Elementwise::Binary(*op, at(*a), at(*b)), out),
            Step::Select { mask, then, otherwise } => {
                let job = Elementwise::Select { mask: at(*mask), then: at(*then), otherwise: at(*otherwise) };
                elementwise(simd, job, out);
            }
            Step::Rank { own, strengths, firing, strongest } => {
                rank(buffers, *own, strengths, firing, *strongest, out);
            }
            Step::Weighted { terms, form, min_weight } => match prepared {
                Some(PreparedStep::LinearTerms(terms)) => {
                    T::linear_terms(simd, buffers, terms, *form, *min_weight, out)
                }
                _ => T::weighted(simd, buffers, terms, *form, *min_weight, out),
            },
            Step::Defuzzify { sampled, strengths, row_values } => match prepared {
                Some(PreparedStep::CentroidTables { lookups, center }) => {
                    table_centroid(simd, buffers, lookups, *center, strengths, &mut out[..rows]);
                }
                Some(PreparedStep::Centroid(samples)) => {
                    T::centroid(simd, buffers, sampled, samples, strengths, out)
                }
                Some(PreparedStep::Sampled(samples)) => {
                    for first in (0..rows).step_by(LANES) {
                        let lanes = Lanes { buffers, strengths, row_values, first };
                        sampled::aggregate(simd, sampled, samples, &lanes, &mut self.scratch);
                        for lane in 0..LANES.min(rows - first) {
                            let m = &self.scratch.aggregated;
                            out[first + lane] = sampled::defuzzify(sampled, &samples.y, m, lane);
                        }
                    }
                }
                _ => unreachable!("invariant: every defuzzification step is prepared"),
            },
        }
    }
}

impl<T: PlanScalar> Scratch<T> {
    /// Reserves memory for a step, so that running it does not allocate.
    fn reserve(&mut self, step: &Step) {
        let arguments = match step {
            Step::Function { arguments, .. } => arguments.len(),
            Step::Defuzzify { sampled, .. } => {
                self.aggregated.reserve(sampled.y.len());
                self.implied.reserve(sampled.y.len());
                sampled.sets.iter().map(Sampled::arguments_of).max().unwrap_or(0)
            }
            _ => 0,
        };
        self.arguments.reserve(arguments);
    }
}

/// Evaluates a formula in double precision, as formulas of sets are.
fn function<T: PlanScalar>(
    buffers: &[Vec<T>],
    values: &mut Vec<f64>,
    expression: &Expression,
    arguments: &[Slot],
    out: &mut [T],
) {
    if out.len() > COLUMNS_ABOVE {
        let column = |slot: &Slot| buffers[*slot][..out.len()].iter().map(|x| Real::to_f64(*x)).collect();
        let columns: Vec<Vec<f64>> = arguments.iter().map(column).collect();
        let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let mut results = vec![0.0; out.len()];
        expression.evaluate_block(&columns, &mut results);
        out.iter_mut().zip(results).for_each(|(out, value)| *out = T::cast(value));
        return;
    }
    for (row, out) in out.iter_mut().enumerate() {
        values.clear();
        values.extend(arguments.iter().map(|slot| Real::to_f64(buffers[*slot][row])));
        *out = T::cast(expression.evaluate(values));
    }
}

fn rank<T: PlanScalar>(
    buffers: &[Vec<T>],
    own: usize,
    strengths: &[Slot],
    firing: &[Slot],
    strongest: bool,
    out: &mut [T],
) {
    out.fill(<T as Real>::ZERO);
    for (other, (strength, fires)) in strengths.iter().zip(firing).enumerate() {
        let own_strength = &buffers[strengths[own]];
        let rows = out.iter_mut().zip(own_strength).zip(&buffers[*strength]).zip(&buffers[*fires]);
        for (((out, own_strength), other_strength), fires) in rows {
            let (ahead, behind) =
                if strongest { (other_strength, own_strength) } else { (own_strength, other_strength) };
            let before = ahead > behind || (ahead == behind && other < own);
            *out = *out + if before { *fires } else { <T as Real>::ZERO };
        }
    }
}
