//! Memberships of rows in memory, on the host or on the GPU.

use super::membership_kernel::MembershipKernel;
use super::original::{Original, OriginalRows, Preparation};
use super::real::KernelReal;
use crate::clustering::error::Result;
use crate::clustering::prototypes::Prototypes;
use crate::clustering::rows::output::MembershipOutput;
use crate::data::{DeviceSamples, GpuScalar, GpuValues, Samples, Values};
use crate::device::Cuda;
use crate::device::cuda::{Buffer, ChunkBuffers, Chunked, StreamInput, StreamOutput};
use crate::progress::Progress;
use std::ops::Range;

/// Bytes of the rows of a chunk that is not transferred, and of a transferred array.
const MAX_ROW_BYTES: usize = 64 << 20;
const MAX_TRANSFER_BYTES: usize = 8 << 20;

/// Rows in their original coordinates.
#[derive(Clone, Copy)]
enum Rows<'a, T> {
    Host(&'a [T]),
    /// An array in GPU memory, and the index of the first row in it.
    Gpu(&'a Buffer<T>, usize),
}

/// Fails if a value of rows in GPU memory is missing or infinite.
pub(in crate::clustering) fn require_finite(samples: &Samples<'_>, cuda: &Cuda) -> Result<()> {
    match Original::new(cuda, samples)?.first_invalid()? {
        Some(invalid) => Err(invalid.error(samples.names()).into()),
        None => Ok(()),
    }
}

/// Computes the memberships of the rows of `samples`, in the precision of the samples.
pub(in crate::clustering) fn memberships(
    samples: &Samples<'_>,
    cuda: &Cuda,
    prototypes: &Prototypes,
    out: MembershipOutput<'_>,
    progress: &Progress,
) -> Result<()> {
    let count = samples.rows();
    if let Some(view) = samples.gpu_view() {
        return match view.values {
            GpuValues::F32(x) => stream(cuda, Rows::Gpu(x, view.first), count, prototypes, out, progress),
            GpuValues::F64(x) => stream(cuda, Rows::Gpu(x, view.first), count, prototypes, out, progress),
        };
    }
    match samples.values() {
        Values::F32(x) => stream(cuda, Rows::Host(x), count, prototypes, out, progress),
        Values::F64(x) => stream(cuda, Rows::Host(x), count, prototypes, out, progress),
    }
}

/// Computes the memberships of rows in GPU memory; they stay there.
pub(in crate::clustering) fn memberships_in_gpu_memory(
    samples: &Samples<'_>,
    cuda: &Cuda,
    prototypes: &Prototypes,
    names: Vec<String>,
) -> Result<DeviceSamples<'static>> {
    fn compute<T: KernelReal + GpuScalar>(
        rows: &OriginalRows<'_, T>,
        cuda: &Cuda,
        prototypes: &Prototypes,
        names: Vec<String>,
    ) -> Result<DeviceSamples<'static>> {
        let mut out = cuda.alloc(rows.count() * prototypes.clusters())?;
        let prepared = rows.prepare(&prototypes.space)?;
        MembershipKernel::<T>::new(cuda, prototypes)?.memberships(&prepared, 0..rows.count(), &mut out)?;
        // Other libraries and GPUs opened separately do not wait for this stream.
        cuda.stream().synchronize()?;
        Ok(DeviceSamples::on_gpu(names, out, cuda))
    }
    match Original::new(cuda, samples)? {
        Original::Single(rows) => compute(&rows, cuda, prototypes, names),
        Original::Double(rows) => compute(&rows, cuda, prototypes, names),
    }
}

/// Streams the rows to the GPU if they are on the host, and the memberships back.
fn stream<T: KernelReal>(
    cuda: &Cuda,
    rows: Rows<'_, T>,
    count: usize,
    prototypes: &Prototypes,
    out: MembershipOutput<'_>,
    progress: &Progress,
) -> Result<()> {
    const SAME_PRECISION: &str = "invariant: memberships have the precision of the rows";
    let (columns, clusters) = (prototypes.columns(), prototypes.clusters());
    let kernel = MembershipKernel::<T>::new(cuda, prototypes)?;
    let preparation = Preparation::<T>::new(cuda, &prototypes.space)?;
    let chunk_rows = chunk_rows::<T>(&rows, columns.max(clusters), out.width(clusters)).min(count.max(1));
    let mut prepared = cuda.alloc::<T>(chunk_rows * columns)?;
    // Only some memberships are transferred for `Top` and `Labels`.
    let is_reduced = matches!(out, MembershipOutput::Top(..) | MembershipOutput::Labels(_));
    let mut memberships = cuda.alloc::<T>(if is_reduced { chunk_rows * clusters } else { 0 })?;
    // The largest memberships and their clusters are transferred separately.
    let top_values = if let MembershipOutput::Top(_, out) = &out { out.len() } else { 0 };
    let (mut indices, mut largest) = (vec![0u32; top_values], vec![T::default(); top_values]);
    let mut work = Chunked::new(count).chunk_rows(chunk_rows);
    if let Rows::Host(values) = rows {
        work = work.input(StreamInput::copied(values, columns));
    }
    let prepare = |chunk: Range<usize>, inputs: &ChunkBuffers, prepared: &mut Buffer<T>| match rows {
        Rows::Host(_) => preparation.run(inputs.buffer(0)?, 0..chunk.len(), prepared),
        Rows::Gpu(array, first) => preparation.run(array, first + chunk.start..first + chunk.end, prepared),
    };
    let all: &mut [T] = match out {
        MembershipOutput::Single(out) => bytemuck::try_cast_slice_mut(out).expect(SAME_PRECISION),
        MembershipOutput::Double(out) => bytemuck::try_cast_slice_mut(out).expect(SAME_PRECISION),
        MembershipOutput::Labels(out) => {
            let mut largest = cuda.alloc::<T>(chunk_rows)?; // not needed
            let work = work.output(StreamOutput::copied(out, 1));
            return Ok(cuda.stream_chunks(work, progress, |chunk, inputs, outputs| {
                prepare(chunk.clone(), inputs, &mut prepared)?;
                kernel.memberships(&prepared, 0..chunk.len(), &mut memberships)?;
                kernel.top(&mut memberships, chunk.len(), 1, outputs.buffer_mut(0)?, &mut largest)
            })?);
        }
        MembershipOutput::Top(top, out) => {
            let work = work.output(StreamOutput::copied(&mut indices, top));
            let work = work.output(StreamOutput::copied(&mut largest, top));
            cuda.stream_chunks(work, progress, |chunk, inputs, outputs| {
                prepare(chunk.clone(), inputs, &mut prepared)?;
                kernel.memberships(&prepared, 0..chunk.len(), &mut memberships)?;
                let (indices, largest) = outputs.first_two_mut()?;
                kernel.top(&mut memberships, chunk.len(), top, indices, largest)
            })?;
            let pairs = indices.into_iter().zip(largest);
            out.iter_mut().zip(pairs).for_each(|(out, (index, u))| *out = (index, u.to_f64()));
            return Ok(());
        }
    };
    let work = work.output(StreamOutput::copied(all, clusters));
    Ok(cuda.stream_chunks(work, progress, |chunk, inputs, outputs| {
        prepare(chunk.clone(), inputs, &mut prepared)?;
        kernel.memberships(&prepared, 0..chunk.len(), outputs.buffer_mut(0)?)
    })?)
}

/// Number of rows per chunk with `values` values per row on the GPU and `width` values of output.
fn chunk_rows<T>(rows: &Rows<'_, T>, values: usize, width: usize) -> usize {
    let max_row_bytes = if matches!(rows, Rows::Host(_)) { MAX_TRANSFER_BYTES } else { MAX_ROW_BYTES };
    let by_input = max_row_bytes / (values * size_of::<T>());
    by_input.min(MAX_TRANSFER_BYTES / (width * size_of::<T>())).max(1)
}
