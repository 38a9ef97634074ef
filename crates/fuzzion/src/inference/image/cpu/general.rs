//! The compiled system itself, block of pixels by block of pixels.

use crate::device::Simd;
use crate::inference::Plan;
use crate::inference::image::pixel::{Pixel, rounded, seen};
use crate::inference::image::rows::Rows;
use crate::inference::image::window::{Tap, Window};
use crate::inference::plan::cpu::{Routines, Workspace};
use crate::inference::plan::step::Slot;
use crate::inference::plan::{Finish, Steps};

/// The last output's number, of none where there is no output, which the check does not let pass.
pub(crate) fn last_output(steps: &Steps) -> Vec<Slot> {
    let number = |finish: &Finish| match finish {
        Finish::Done(slot) => *slot,
        Finish::Carried(carried) => carried.value,
    };
    steps.outputs.last().map(number).into_iter().collect()
}

/// What gives the last output of a plan alone.
pub(crate) fn routines_of(plan: &Plan) -> Routines<f64> {
    Routines::new(plan.guarded(), plan.clean(), last_output)
}

/// The last output of a plan of one input, for every value of it.
pub(crate) fn evaluate(plan: &Plan, values: &[f64]) -> Vec<f64> {
    let routines = routines_of(plan);
    let mut general = General::new(&routines, 1);
    let mut outputs = Vec::with_capacity(values.len());
    for values in values.chunks(general.block) {
        for column in general.workspace.inputs() {
            column[..values.len()].copy_from_slice(values);
        }
        outputs.extend_from_slice(general.run(Simd::detect(), values.len()));
    }
    outputs
}

/// Room for a block of pixels.
pub(crate) struct General<'a> {
    routines: &'a Routines<f64>,
    workspace: Workspace<f64>,
    block: usize,
}

impl<'a> General<'a> {
    pub(crate) fn new(routines: &'a Routines<f64>, inputs: usize) -> Self {
        let block = routines.guarded.block;
        General { routines, workspace: Workspace::new(routines, inputs, 1, block), block }
    }

    fn run(&mut self, simd: Simd, count: usize) -> &[f64] {
        let prepared = self.workspace.run_best(self.routines, simd, count);
        &self.workspace.result(prepared, 0)[..count]
    }

    /// The new pixels of the row in the middle of `rows`.
    pub(crate) fn row<P: Pixel>(&mut self, simd: Simd, window: &Window, rows: &Rows<P>, out: &mut [P]) {
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
                *out = rounded(*v).unwrap_or(*c);
            }
        }
    }
}

/// What an input sees of each pixel of a block.
fn fill<P: Pixel>(tap: &Tap, read: &[P], centers: &[P], column: &mut [f64]) {
    let number = |pixel: &P| pixel.number() as i32;
    if tap.difference {
        let pairs = read.iter().zip(centers);
        column.iter_mut().zip(pairs).for_each(|(x, (n, c))| *x = seen::<P>(number(n) - number(c)));
    } else {
        column.iter_mut().zip(read).for_each(|(x, n)| *x = seen::<P>(number(n)));
    }
}
