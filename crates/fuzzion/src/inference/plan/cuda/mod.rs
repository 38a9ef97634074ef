//! Plans on a GPU: the steps as one kernel, rows streamed through it.
#![allow(unsafe_code)] // launches

pub(crate) mod text;

use super::Steps;
use super::step::Slot;
use crate::data::Scalar;
use crate::device::Cuda;
use crate::device::cuda::{Buffer, Chunked, Element, Grid, Input, Kernel, Output};
use crate::error::Result;
use crate::progress::Progress;
use std::marker::PhantomData;
use std::ops::Range;

/// Threads of a block.
const THREADS: u32 = 256;

/// The kernel `infer` of a plan, for numbers of type `T`.
pub(crate) struct Infer<T> {
    kernel: Kernel,
    inputs: usize,
    results: usize,
    number: PhantomData<T>,
}

impl<T: Element + Scalar> Infer<T> {
    pub(crate) fn new(cuda: &Cuda, inputs: usize, steps: &Steps, results: &[Slot]) -> Result<Self> {
        let program = text::program(T::PRECISION, inputs, &steps.steps, results);
        let kernel = cuda.kernel(&program, "infer")?;
        Ok(Infer { kernel, inputs, results: results.len(), number: PhantomData })
    }

    /// One launch over the first `rows` rows.
    pub(crate) fn launch(&self, cuda: &Cuda, x: &Buffer<T>, out: &mut Buffer<T>, rows: usize) -> Result<()> {
        assert!(x.len() >= rows * self.inputs && out.len() >= rows * self.results);
        // Blocks stay and stride over the rows: each brings its tables once.
        let resident = self.kernel.blocks_per_multiprocessor(THREADS, 0)? * cuda.gpu().multiprocessors;
        let blocks = rows.div_ceil(THREADS as usize).clamp(1, resident.max(1) as usize);
        let grid = Grid::new(blocks as u32, THREADS);
        // SAFETY: arguments as in infer(x, out, n), compiled for T, these inputs and results; it touches the first n rows.
        unsafe { self.kernel.launch().input(x).output(out).value(rows as i64).run(cuda.stream(), grid) }
    }

    /// All rows: `fill` provides the inputs of some rows, one row after the other, and `out` takes the results.
    pub(crate) fn stream(
        &self,
        cuda: &Cuda,
        rows: usize,
        progress: Progress<'_>,
        fill: impl Fn(Range<usize>, &mut [T]) + Sync,
        out: &mut [T],
    ) -> Result<()> {
        let work = Chunked::new(rows)
            .input(Input::new(self.inputs, move |rows, numbers| {
                fill(rows, numbers);
                Ok(())
            }))
            .output(Output::copied(out, self.results));
        cuda.stream_chunks(work, progress, |rows, inputs, outputs| {
            self.launch(cuda, inputs.buffer::<T>(0)?, outputs.buffer_mut::<T>(0)?, rows.len())
        })
    }
}

/// The programs of systems of every kind of step.
#[cfg(test)]
pub(crate) fn programs() -> Result<Vec<crate::device::cuda::Program>> {
    use crate::data::Precision;
    use crate::inference::{Dialect, samples::assorted};
    let mut programs = Vec::new();
    for (_, system) in assorted()? {
        for precision in [Precision::F32, Precision::F64] {
            programs.push(system.compile(Dialect::Fuzzylite8, precision)?.program());
        }
    }
    Ok(programs)
}
