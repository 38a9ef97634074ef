//! Plans on a GPU: one kernel runs all steps, and rows are streamed through it.
#![allow(unsafe_code)] // launches

mod select;
pub(crate) mod source;

pub(super) use select::select_columns;

use super::compiled::Steps;
use super::step::Slot;
use crate::data::Scalar;
use crate::device::Cuda;
use crate::device::cuda::{Buffer, Chunked, Element, Grid, Kernel, Program, StreamInput, StreamOutput};
use crate::device::error::Result;
#[cfg(test)]
pub(crate) use crate::inference::tests::cuda::LAUNCHING_TESTS;
use crate::progress::Progress;
use std::marker::PhantomData;
use std::ops::Range;

/// Threads per block.
const THREADS: u32 = 256;

/// The kernel `infer` of a plan, for values of type `T`.
pub struct InferKernel<T> {
    kernel: Kernel,
    inputs: usize,
    results: usize,
    scalar: PhantomData<T>,
}

impl<T: Element + Scalar> InferKernel<T> {
    pub(crate) fn new(cuda: &Cuda, inputs: usize, steps: &Steps, results: &[Slot]) -> Result<Self> {
        let program = source::program(T::PRECISION, inputs, &steps.steps, results);
        InferKernel::of_program(cuda, &program, inputs, results.len())
    }

    /// The kernel of a program for values of type `T` with this number of inputs and results.
    pub(crate) fn of_program(cuda: &Cuda, program: &Program, inputs: usize, results: usize) -> Result<Self> {
        let kernel = cuda.kernel(program, "infer")?;
        Ok(InferKernel { kernel, inputs, results, scalar: PhantomData })
    }

    /// Launches the kernel over the first `rows` rows.
    pub fn launch(&self, cuda: &Cuda, x: &Buffer<T>, out: &mut Buffer<T>, rows: usize) -> Result<()> {
        assert!(x.len() >= rows * self.inputs && out.len() >= rows * self.results);
        // Persistent blocks stride over the rows, so that each copies its tables only once.
        let resident = self.kernel.blocks_per_multiprocessor(THREADS, 0)? * cuda.gpu().multiprocessors;
        let blocks = rows.div_ceil(THREADS as usize).clamp(1, resident.max(1) as usize);
        let grid = Grid::new(blocks as u32, THREADS); // at most `resident`
        // SAFETY: the arguments match infer(x, out, n), compiled for T and these inputs and results; it accesses only the
        // first n rows.
        unsafe { self.kernel.launch().input(x).output(out).value(rows as i64).run(cuda.stream(), grid) }
    }

    /// Streams all rows through the kernel. `fill` provides the inputs of a range of rows, `out` receives the results.
    pub fn stream(
        &self,
        cuda: &Cuda,
        rows: usize,
        progress: &Progress,
        fill: impl Fn(Range<usize>, &mut [T]) + Sync,
        out: &mut [T],
    ) -> Result<()> {
        let work = Chunked::new(rows)
            .input(StreamInput::new(self.inputs, move |rows, values| {
                fill(rows, values);
                Ok(())
            }))
            .output(StreamOutput::copied(out, self.results));
        cuda.stream_chunks(work, progress, |rows, inputs, outputs| {
            self.launch(cuda, inputs.buffer::<T>(0)?, outputs.buffer_mut::<T>(0)?, rows.len())
        })
    }
}

/// Programs of systems that together use every kind of step.
#[cfg(test)]
pub(crate) fn programs() -> crate::inference::error::Result<Vec<Program>> {
    use crate::data::Precision;
    use crate::inference::{Dialect, example_systems::assorted};
    let both = [Precision::F32, Precision::F64];
    let mut programs: Vec<Program> =
        both.into_iter().flat_map(|from| both.map(|to| select::program(from, to))).collect();
    for (_, system) in assorted()? {
        for precision in both {
            programs.push(system.compile(Dialect::Fuzzylite8, precision)?.program().clone());
        }
    }
    Ok(programs)
}
