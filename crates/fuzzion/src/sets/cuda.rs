//! Launches of the room's kernels.
#![allow(unsafe_code)] // launches

use super::Set;
use super::device;
use crate::data::{Precision, Scalar};
use crate::device::Cuda;
use crate::device::cuda::{Buffer, Chunked, Element, Input, Kernel, Output, Program, zeros_in_large_pages};
use crate::error::Result;
use crate::progress::Progress;
use std::marker::PhantomData;

/// μ(x) of every x, sent through the GPU in chunks.
pub(super) fn memberships<T: Element + Scalar>(cuda: &Cuda, set: &Set, x: &[T]) -> Result<Vec<T>> {
    let kernel = Memberships::<T>::new(cuda, set)?;
    let mut out = zeros_in_large_pages(x.len());
    let work = Chunked::new(x.len()).input(Input::copied(x, 1)).output(Output::copied(&mut out, 1));
    cuda.stream_chunks(work, Progress::none(), |rows, inputs, outputs| {
        kernel.launch(cuda, inputs.buffer(0)?, outputs.buffer_mut(0)?, rows.len())
    })?;
    Ok(out)
}

/// The kernel `memberships` of one set, for numbers of type `T`.
pub(super) struct Memberships<T> {
    kernel: Kernel,
    number: PhantomData<T>,
}

impl<T: Element + Scalar> Memberships<T> {
    pub(super) fn new(cuda: &Cuda, set: &Set) -> Result<Self> {
        let kernel = cuda.kernel(&device::memberships(set, T::PRECISION), "memberships")?;
        Ok(Memberships { kernel, number: PhantomData })
    }

    /// One launch over the first `n` numbers.
    pub(super) fn launch(&self, cuda: &Cuda, x: &Buffer<T>, out: &mut Buffer<T>, n: usize) -> Result<()> {
        assert!(x.len() >= n && out.len() >= n);
        let grid = cuda.grid_for_packets::<T>(n);
        // SAFETY: arguments as in memberships(x, out, n), compiled for T, which touches the first n numbers of both.
        unsafe { self.kernel.launch().input(x).output(out).value(n as i64).run(cuda.stream(), grid) }
    }
}

/// The norm or hedge kernel `name` over whole slices at once; `program` gives its text for a precision.
pub(super) fn elementwise<T: Element + Scalar>(
    cuda: &Cuda,
    program: impl Fn(Precision) -> Program,
    name: &str,
    inputs: &[&[T]],
) -> Result<Vec<T>> {
    let n = inputs.iter().map(|input| input.len()).min().unwrap_or(0);
    let kernel = cuda.kernel(&program(T::PRECISION), name)?;
    let buffers = inputs.iter().map(|input| cuda.upload(input)).collect::<Result<Vec<_>>>()?;
    let mut output = cuda.zeros(n)?;
    let launch = buffers.iter().fold(kernel.launch(), |launch, input| launch.input(input));
    // SAFETY: these kernels take their inputs, their output and n, and touch the first n numbers of each.
    unsafe { launch.output(&mut output).value(n as i64).run(cuda.stream(), cuda.grid_for(n)) }?;
    cuda.download(&output)
}
