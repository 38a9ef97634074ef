//! Launches of the room's kernels.
#![allow(unsafe_code)] // launches

use super::Set;
use super::device;
use crate::data::Precision;
use crate::device::Cuda;
use crate::device::cuda::{Buffer, Chunked, Element, Kernel, Program};
use crate::error::Result;
use crate::progress::Progress;

/// μ(x) of every x, sent through the GPU in chunks; `T` is the float of `precision`.
pub(super) fn memberships<T: Element>(
    cuda: &Cuda,
    set: &Set,
    precision: Precision,
    x: &[T],
) -> Result<Vec<T>> {
    let kernel = cuda.kernel(&device::memberships(set, precision), "memberships")?;
    let mut out = Vec::with_capacity(x.len());
    cuda.stream_chunks(
        Chunked::new::<T, T>(x.len(), 1, 1),
        Progress::none(),
        |rows, numbers| {
            numbers.copy_from_slice(&x[rows]);
            Ok(())
        },
        |rows, input: &Buffer<T>, output: &mut Buffer<T>| launch(cuda, &kernel, input, output, rows.len()),
        |_, numbers| {
            out.extend_from_slice(numbers);
            Ok(())
        },
    )?;
    Ok(out)
}

/// One launch of `memberships` over the first `n` numbers.
pub(super) fn launch<T: Element>(
    cuda: &Cuda,
    kernel: &Kernel,
    x: &Buffer<T>,
    out: &mut Buffer<T>,
    n: usize,
) -> Result<()> {
    debug_assert!(x.len() >= n && out.len() >= n);
    let grid = cuda.grid_for_packets::<T>(n);
    // SAFETY: arguments as in memberships(x, out, n), which touches the first n numbers of both.
    unsafe { kernel.launch().input(x).output(out).value(n as i64).run(cuda.stream(), grid) }
}

/// The norm or hedge kernel `name` of `program` over whole slices at once.
pub(super) fn elementwise<T: Element>(
    cuda: &Cuda,
    program: &Program,
    name: &str,
    inputs: &[&[T]],
) -> Result<Vec<T>> {
    let n = inputs.iter().map(|input| input.len()).min().unwrap_or(0);
    let kernel = cuda.kernel(program, name)?;
    let buffers = inputs.iter().map(|input| cuda.upload(input)).collect::<Result<Vec<_>>>()?;
    let mut output = cuda.zeros(n)?;
    let launch = buffers.iter().fold(kernel.launch(), |launch, input| launch.input(input));
    // SAFETY: these kernels take their inputs, their output and n, and touch the first n numbers of each.
    unsafe { launch.output(&mut output).value(n as i64).run(cuda.stream(), cuda.grid_for(n)) }?;
    cuda.download(&output)
}
