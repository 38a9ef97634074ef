//! General execution: runs the compiled system over blocks of pixels.

use crate::device::Simd;
use crate::inference::Plan;
use crate::inference::image::window::{Pixel, Tap, Window, WindowRows, round_to_pixel, to_brightness};
use crate::inference::plan::cpu::{Routines, Workspace};
use crate::inference::plan::step::Slot;
use crate::inference::plan::{CompiledOutput, Steps};

/// Slot of the last output.
pub(crate) fn last_output(steps: &Steps) -> Slot {
    match steps.outputs.last().expect("invariant: `System::check` requires an output") {
        CompiledOutput::Value(slot) => *slot,
        CompiledOutput::LockPrevious(lock) => lock.value,
    }
}

/// Routines that compute only the last output of a plan.
pub(crate) fn routines_of(plan: &Plan) -> Routines<f64> {
    Routines::new(plan.general_steps(), plan.finite_steps(), |steps| vec![last_output(steps)])
}

/// Evaluates the last output of a plan with one input, for each of the values.
pub(crate) fn evaluate(plan: &Plan, values: &[f64]) -> Vec<f64> {
    let routines = routines_of(plan);
    let mut general = GeneralKernel::new(&routines, 1);
    let mut outputs = Vec::with_capacity(values.len());
    for values in values.chunks(general.block) {
        for column in general.workspace.inputs() {
            column[..values.len()].copy_from_slice(values);
        }
        outputs.extend_from_slice(general.run(Simd::detect(), values.len()));
    }
    outputs
}

/// Buffers for a block of pixels.
pub(crate) struct GeneralKernel<'a> {
    routines: &'a Routines<f64>,
    workspace: Workspace<f64>,
    block: usize,
}

impl<'a> GeneralKernel<'a> {
    pub(crate) fn new(routines: &'a Routines<f64>, inputs: usize) -> Self {
        let block = routines.general.block;
        GeneralKernel { routines, workspace: Workspace::new(routines, inputs, 1, block), block }
    }

    fn run(&mut self, simd: Simd, count: usize) -> &[f64] {
        let prepared = self.workspace.run_best(self.routines, simd, count);
        &self.workspace.result(prepared, 0)[..count]
    }

    /// Computes the center row of `rows`.
    pub(crate) fn row<P: Pixel>(&mut self, simd: Simd, window: &Window, rows: &WindowRows<P>, out: &mut [P]) {
        let centers = rows.at(0, 0);
        for (i, out) in out.chunks_mut(self.block).enumerate() {
            let first = i * self.block;
            let centers = &centers[first..first + out.len()];
            for (column, tap) in self.workspace.inputs().iter_mut().zip(&window.taps) {
                let read = &rows.at(tap.dx, tap.dy)[first..first + out.len()];
                fill(tap, read, centers, &mut column[..out.len()]);
            }
            let values = self.run(simd, out.len());
            for ((out, v), c) in out.iter_mut().zip(values).zip(centers) {
                *out = round_to_pixel(*v).unwrap_or(*c);
            }
        }
    }
}

/// Fills an input's column for a block of pixels.
fn fill<P: Pixel>(tap: &Tap, read: &[P], centers: &[P], column: &mut [f64]) {
    let value = |pixel: &P| pixel.value() as i32;
    if tap.difference {
        let pairs = read.iter().zip(centers);
        column.iter_mut().zip(pairs).for_each(|(x, (n, c))| *x = to_brightness::<P>(value(n) - value(c)));
    } else {
        column.iter_mut().zip(read).for_each(|(x, n)| *x = to_brightness::<P>(value(n)));
    }
}
