//! One block of rows through a routine.

use super::super::sampled::Sampled;
use super::super::step::{Slot, Step};
use super::direct::{self, LANES, Lanes, Scratch};
use super::{Job, MAX_BLOCK, Number, PADDING, Prepared, Ready, Routines};
use crate::device::Simd;
use crate::device::math::Real;
use crate::sets::expression::Expression;

/// Rows above which a formula is evaluated column by column.
const COLUMNS_ABOVE: usize = 8;

/// The numbers of a block of rows, one vector per place of a routine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace<T> {
    /// What the outputs were in the row before.
    pub(crate) previous: Vec<f64>,
    /// The inputs first.
    places: Vec<Vec<T>>,
    inputs: usize,
    scratch: Scratch<T>,
}

impl<T: Number> Workspace<T> {
    /// Room for blocks of `block` rows of either routine.
    pub(crate) fn new(routines: &Routines<T>, inputs: usize, outputs: usize, block: usize) -> Self {
        let all = || std::iter::once(&routines.guarded).chain(&routines.clean);
        let places = all().map(|prepared| prepared.routine.places).max().unwrap_or(0);
        let mut scratch = Scratch::default();
        for (step, _) in all().flat_map(|prepared| &prepared.routine.steps) {
            scratch.reserve(step);
        }
        let column = || vec![<T as Real>::ZERO; block];
        Workspace {
            previous: vec![f64::NAN; outputs],
            places: (0..places.max(inputs)).map(|_| column()).collect(),
            inputs,
            scratch,
        }
    }

    /// The columns of the rows to come, input after input.
    pub(crate) fn inputs(&mut self) -> &mut [Vec<T>] {
        &mut self.places[..self.inputs]
    }

    /// More places, where a plan of other rules needs them.
    pub(crate) fn fit(&mut self, routines: &Routines<T>) {
        let all = std::iter::once(&routines.guarded).chain(&routines.clean);
        let places = all.map(|prepared| prepared.routine.places).max().unwrap_or(0);
        let block = self.places.first().map_or(PADDING, Vec::len);
        while self.places.len() < places {
            self.places.push(vec![<T as Real>::ZERO; block]);
        }
    }

    /// The results of the last run, in the order of the routine's.
    pub(crate) fn result(&self, prepared: &Prepared<T>, result: usize) -> &[T] {
        &self.places[prepared.routine.results[result]]
    }

    /// Runs the clean routine where there is one and all inputs are finite, and otherwise, or where that leaves doubt,
    /// the guarded one; the routine whose results now stand here.
    pub(crate) fn run_best<'a>(
        &mut self,
        routines: &'a Routines<T>,
        simd: Simd,
        rows: usize,
    ) -> &'a Prepared<T> {
        let finite = |column: &Vec<T>| T::all_finite(simd, &column[..rows]);
        if let Some(clean) = &routines.clean
            && self.places[..self.inputs].iter().all(finite)
        {
            self.run(clean, simd, rows);
            let doubtful = |place: &Slot| T::any_nan(simd, &self.places[*place][..rows]);
            if !clean.doubts.iter().any(doubtful) {
                return clean;
            }
        }
        self.run(&routines.guarded, simd, rows);
        &routines.guarded
    }

    /// Runs a routine over the first `rows` rows.
    fn run(&mut self, prepared: &Prepared<T>, simd: Simd, rows: usize) {
        debug_assert!(rows <= MAX_BLOCK);
        let padded = rows.next_multiple_of(PADDING);
        for ((step, place), ready) in prepared.routine.steps.iter().zip(&prepared.ready) {
            // The place is none of those the step reads, so that it can be taken out while they are.
            let mut out = std::mem::take(&mut self.places[*place]);
            self.step(step, ready.as_ref(), simd, rows, &mut out[..padded]);
            self.places[*place] = out;
        }
    }

    fn step(&mut self, step: &Step, ready: Option<&Ready<T>>, simd: Simd, rows: usize, out: &mut [T]) {
        let (places, padded) = (&self.places, out.len());
        let at = |slot: Slot| &places[slot][..padded];
        match step {
            Step::Input { .. } => {} // its place is filled before
            Step::Previous { output } => out.fill(T::of(self.previous[*output])),
            Step::Number { value } => out.fill(T::of(*value)),
            Step::Membership { set, x } => T::memberships(simd, set, at(*x), out),
            Step::Tsukamoto { set, strength } => {
                for (out, w) in out[..rows].iter_mut().zip(at(*strength)) {
                    *out = T::of(set.tsukamoto(Real::to_f64(*w)).unwrap_or(f64::NAN));
                }
            }
            Step::Linear { coefficients, constant, inputs } => {
                T::linear(simd, places, coefficients, *constant, inputs, out);
            }
            Step::Function { expression, arguments } => {
                function(places, &mut self.scratch.arguments, expression, arguments, &mut out[..rows]);
            }
            Step::One { one, of } => T::elementwise(simd, Job::One(*one, at(*of)), out),
            Step::Two { two, a, b } => T::elementwise(simd, Job::Two(*two, at(*a), at(*b)), out),
            Step::Choice { mask, then, otherwise } => {
                let job = Job::Choice { mask: at(*mask), then: at(*then), otherwise: at(*otherwise) };
                T::elementwise(simd, job, out);
            }
            Step::Rank { own, strengths, firing, strongest } => {
                rank(places, *own, strengths, firing, *strongest, out);
            }
            Step::Weighted { terms, end, least } => match ready {
                Some(Ready::Planes(planes)) => T::planes(simd, places, planes, *end, *least, out),
                _ => T::weighted(simd, places, terms, *end, *least, out),
            },
            Step::Defuzzify { sampled, strengths, rows: read } => match ready {
                Some(Ready::Levels { rulers, center }) => {
                    T::levels(simd, places, rulers, *center, strengths, &mut out[..rows]);
                }
                Some(Ready::Centroid(samples)) => T::centroid(simd, places, sampled, samples, strengths, out),
                Some(Ready::Direct(samples)) => {
                    for first in (0..rows).step_by(LANES) {
                        let lanes = Lanes { places, strengths, rows: read, first };
                        T::aggregate(simd, sampled, samples, &lanes, &mut self.scratch);
                        for lane in 0..LANES.min(rows - first) {
                            let m = &self.scratch.aggregated;
                            out[first + lane] = direct::defuzzify(sampled, &samples.y, m, lane);
                        }
                    }
                }
                _ => out.fill(<T as Real>::NAN), // every such step was made ready
            },
        }
    }
}

impl<T: Number> Scratch<T> {
    /// Room for a step, so that running it takes none.
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

/// In double precision throughout, as formulas of sets are.
fn function<T: Number>(
    places: &[Vec<T>],
    values: &mut Vec<f64>,
    expression: &Expression,
    arguments: &[Slot],
    out: &mut [T],
) {
    if out.len() > COLUMNS_ABOVE {
        let column = |slot: &Slot| places[*slot][..out.len()].iter().map(|x| Real::to_f64(*x)).collect();
        let columns: Vec<Vec<f64>> = arguments.iter().map(column).collect();
        let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let mut results = vec![0.0; out.len()];
        expression.evaluate_block(&columns, &mut results);
        out.iter_mut().zip(results).for_each(|(out, value)| *out = T::of(value));
        return;
    }
    for (row, out) in out.iter_mut().enumerate() {
        values.clear();
        values.extend(arguments.iter().map(|slot| Real::to_f64(places[*slot][row])));
        *out = T::of(expression.evaluate(values));
    }
}

fn rank<T: Number>(
    places: &[Vec<T>],
    own: usize,
    strengths: &[Slot],
    firing: &[Slot],
    strongest: bool,
    out: &mut [T],
) {
    out.fill(<T as Real>::ZERO);
    for (other, (strength, fires)) in strengths.iter().zip(firing).enumerate() {
        let mine = &places[strengths[own]];
        let rows = out.iter_mut().zip(mine).zip(&places[*strength]).zip(&places[*fires]);
        for (((out, mine), theirs), fires) in rows {
            let (ahead, behind) = if strongest { (theirs, mine) } else { (mine, theirs) };
            let before = ahead > behind || (ahead == behind && other < own);
            *out = *out + if before { *fires } else { <T as Real>::ZERO };
        }
    }
}
