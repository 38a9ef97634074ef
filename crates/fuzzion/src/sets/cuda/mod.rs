//! Kernel launches.
#![allow(unsafe_code)] // kernel launches

pub(crate) use super::source;

use super::Set;
use crate::data::{Precision, Scalar};
use crate::device::cuda::{Buffer, Chunked, Element, Kernel, Program, StreamInput, StreamOutput};
use crate::device::error::Result;
use crate::device::{Cuda, zeros_in_huge_pages};
use crate::progress::Progress;
#[cfg(test)]
pub(crate) use crate::sets::tests::emulated::LAUNCHING_TESTS;
use std::marker::PhantomData;

/// μ(x) of every x, streamed through the GPU in chunks.
pub fn memberships<T: Element + Scalar>(cuda: &Cuda, set: &Set, x: &[T]) -> Result<Vec<T>> {
    let kernel = Memberships::<T>::new(cuda, set)?;
    let mut out = zeros_in_huge_pages(x.len());
    let work =
        Chunked::new(x.len()).input(StreamInput::copied(x, 1)).output(StreamOutput::copied(&mut out, 1));
    cuda.stream_chunks(work, &Progress::none(), |rows, inputs, outputs| {
        kernel.launch(cuda, inputs.buffer(0)?, outputs.buffer_mut(0)?, rows.len())
    })?;
    Ok(out)
}

/// The kernel `memberships` of one set, for values of type `T`.
pub struct Memberships<T> {
    kernel: Kernel,
    value_type: PhantomData<T>,
}

impl<T: Element + Scalar> Memberships<T> {
    pub fn new(cuda: &Cuda, set: &Set) -> Result<Self> {
        let kernel = cuda.kernel(&source::memberships(set, T::PRECISION), "memberships")?;
        Ok(Memberships { kernel, value_type: PhantomData })
    }

    /// Launches the kernel for the first `n` values.
    pub fn launch(&self, cuda: &Cuda, x: &Buffer<T>, out: &mut Buffer<T>, n: usize) -> Result<()> {
        assert!(x.len() >= n && out.len() >= n);
        let grid = cuda.grid_for_packets::<T>(n);
        // SAFETY: the arguments match memberships(x, out, n), compiled for T, which accesses only the first n values of
        // both buffers; the assertion checks their lengths.
        unsafe { self.kernel.launch().input(x).output(out).value(n as i64).run(cuda.stream(), grid) }
    }
}

/// Runs the norm or hedge kernel `name` on slices; `program` returns its source for a precision.
pub fn elementwise<T: Element + Scalar>(
    cuda: &Cuda,
    program: impl Fn(Precision) -> Program,
    name: &str,
    inputs: &[&[T]],
) -> Result<Vec<T>> {
    let n = inputs.iter().map(|input| input.len()).min().expect("invariant: every kernel has an input");
    let kernel = cuda.kernel(&program(T::PRECISION), name)?;
    let buffers = inputs.iter().map(|input| cuda.upload(input)).collect::<Result<Vec<_>>>()?;
    let mut output = cuda.zeros(n)?;
    let launch = buffers.iter().fold(kernel.launch(), |launch, input| launch.input(input));
    // SAFETY: these kernels take their inputs, their output and n, and access only the first n values of each; n is the
    // length of the shortest input and of the output.
    unsafe { launch.output(&mut output).value(n as i64).run(cuda.stream(), cuda.grid_for(n)) }?;
    cuda.download(&output)
}
