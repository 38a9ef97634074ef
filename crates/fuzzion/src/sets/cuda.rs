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
        |rows, input: &Buffer<T>, output: &mut Buffer<T>| launch(cuda, &kernel, &[input], output, rows.len()),
        |_, numbers| {
            out.extend_from_slice(numbers);
            Ok(())
        },
    )?;
    Ok(out)
}

/// One launch of an elementwise kernel over the first `n` numbers: the inputs, the output, n. A thread takes one
/// number, or 16 bytes of them.
pub(super) fn launch<T: Element>(
    cuda: &Cuda,
    kernel: &Kernel,
    inputs: &[&Buffer<T>],
    output: &mut Buffer<T>,
    n: usize,
) -> Result<()> {
    debug_assert!(output.len() >= n && inputs.iter().all(|input| input.len() >= n));
    let launch = inputs.iter().fold(kernel.launch(), |launch, input| launch.input(input));
    // SAFETY: every kernel of this room takes its inputs, its output and n, and touches the first n numbers of each.
    unsafe { launch.output(output).value(n as i64).run(cuda.stream(), cuda.grid_for(n)) }
}

/// The kernel `name` of `program` over whole slices at once.
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
    if n > 0 {
        launch(cuda, &kernel, &buffers.iter().collect::<Vec<_>>(), &mut output, n)?;
    }
    let mut out = cuda.download(&output)?;
    out.truncate(n);
    Ok(out)
}
