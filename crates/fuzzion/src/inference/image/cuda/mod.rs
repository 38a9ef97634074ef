//! Window operators on a GPU: one kernel for the fast path, two for the general path.
#![allow(unsafe_code)] // launches

mod resident;
mod source;
#[cfg(test)]
pub(crate) mod testing;

pub use resident::CudaPixels;
pub(crate) use resident::GpuImages;

use super::cpu::last_output;
use super::fast_path::FastPath;
use super::operator::{FastPixel, Operator};
use super::window::gray;
use crate::data::Images;
use crate::device::cuda::multiple::{GpuPart, run_parts, split_rows};
use crate::device::cuda::{Buffer, Chunked, Element, Grid, Kernel, Program, StreamInput, StreamOutput};
use crate::device::error::{DeviceError, Result};
use crate::device::{Cuda, copy_non_temporal};
#[cfg(test)]
pub(crate) use crate::inference::image::tests::cuda::LAUNCHING_TESTS;
use crate::inference::plan::stages::Stages;
use crate::progress::Progress;
use std::sync::Arc;

/// Threads per block.
const THREADS: u32 = 128;
/// Rows per thread: many for many planes, so that few rows are read twice, and few for single planes, so that all
/// multiprocessors are used.
const LONG_RUN: usize = 16;
const SHORT_RUN: usize = 2;
/// Minimum number of threads for long runs, enough to occupy the GPU.
const MIN_LONG_RUN_THREADS: usize = 1 << 17;
/// Pixels per pass through both stages, so that the intermediate values stay in the GPU's cache.
const STAGE_PIXELS: usize = 1 << 20;
/// Threads per block in both stages.
const STAGE_THREADS: u32 = 256;
/// Index of the opacity channel.
const OPACITY: usize = 3;

/// An operator on a GPU for planes of one size.
pub struct PlaneKernels<P> {
    width: usize,
    height: usize,
    kernel: OperatorKernels<P>,
    limits: LaunchLimits,
}

/// Numbers of threads and pixels that determine how an operator is launched.
struct LaunchLimits {
    min_long_run_threads: usize,
    stage_pixels: usize,
}

const LIMITS: LaunchLimits =
    LaunchLimits { min_long_run_threads: MIN_LONG_RUN_THREADS, stage_pixels: STAGE_PIXELS };

enum OperatorKernels<P> {
    /// Table lookup; `center_only` if the table is over the center pixel.
    LookUp {
        kernel: Kernel,
        table: Buffer<P>,
        center_only: bool,
    },
    Compass {
        short: Kernel,
        long: Kernel,
        table: Buffer<P>,
    },
    Stages {
        first: Kernel,
        second: Kernel,
        intermediates: usize,
    },
}

impl<P: FastPixel + Element> PlaneKernels<P> {
    pub fn new(cuda: &Cuda, operator: &Operator, width: usize, height: usize) -> Result<Self> {
        let border = operator.border;
        let look_up = |program, table: &[P], center_only: bool| -> Result<OperatorKernels<P>> {
            let kernel = cuda.kernel(&program, "look_up")?;
            Ok(OperatorKernels::LookUp { kernel, table: cuda.upload(table)?, center_only })
        };
        let kernel = match operator.fast::<P>() {
            Some(FastPath::OneInput { tap, table }) => {
                look_up(source::one_input::<P>(*tap, border), table, tap.is_center())?
            }
            Some(FastPath::Sums { pattern, table }) => {
                let compass = |run| source::compass(pattern, table.len(), border, width, run);
                match (compass(SHORT_RUN), compass(LONG_RUN)) {
                    (Some(short), Some(long)) => {
                        cuda.prefetch(vec![short.clone(), long.clone()]);
                        OperatorKernels::Compass {
                            table: cuda.upload(table)?,
                            short: cuda.kernel(&short, "compass")?,
                            long: cuda.kernel(&long, "compass")?,
                        }
                    }
                    _ => look_up(source::sums(pattern, border), table, false)?,
                }
            }
            None => {
                let stages = stages_of(operator);
                let [first, second] = source::two_stages::<P>(&stages, &operator.window.taps, border);
                cuda.prefetch(vec![first.clone(), second.clone()]);
                OperatorKernels::Stages {
                    first: cuda.kernel(&first, "fire_rules")?,
                    second: cuda.kernel(&second, "aggregate_and_defuzzify")?,
                    intermediates: stages.intermediates.len(),
                }
            }
        };
        Ok(PlaneKernels { width, height, kernel, limits: LIMITS })
    }

    /// Processes the first `count` planes.
    pub fn launch(&self, cuda: &Cuda, x: &Buffer<P>, out: &mut Buffer<P>, count: usize) -> Result<()> {
        let pixels = count * self.width * self.height;
        assert!(x.len() >= pixels && out.len() >= pixels);
        let (width, height) = (kernel_size::<i32>(self.width)?, kernel_size::<i32>(self.height)?);
        let stream = cuda.stream();
        match &self.kernel {
            OperatorKernels::LookUp { kernel, table, center_only } => {
                let launch = kernel.launch().input(x).input(table).output(out);
                let launch = launch.value(pixels as i64).value(width).value(height);
                // SAFETY: the arguments match look_up(planes, table, out, n, width, height), compiled for this pixel type;
                // it reads and writes n pixels, and the table has an entry for every index that a window can produce.
                unsafe {
                    launch.run(
                        stream,
                        if *center_only { cuda.grid_for_packets::<P>(pixels) } else { cuda.grid_for(pixels) },
                    )
                }
            }
            OperatorKernels::Compass { short, long, table } => {
                let threads = |run: usize| threads_of(self.width, self.height, run) * count;
                let (kernel, run) = match threads(LONG_RUN) >= self.limits.min_long_run_threads {
                    true => (long, LONG_RUN),
                    false => (short, SHORT_RUN),
                };
                let grid = Grid::new(kernel_size(threads(run).div_ceil(THREADS as usize))?, THREADS);
                let launch = kernel.launch().input(x).input(table).output(out);
                let launch = launch.value(count as i64).value(width).value(height);
                // SAFETY: the arguments match compass(planes, entries, out, n, width, height); there is one thread per
                // group and run of rows of the n planes, which are within x and out; the table has ENTRIES entries.
                unsafe { launch.run(stream, grid) }
            }
            OperatorKernels::Stages { first, second, intermediates } => {
                let max_pixels = self.limits.stage_pixels.min(pixels);
                let mut strengths = cuda.alloc::<f64>(max_pixels * intermediates.max(&1))?;
                for start in (0..pixels).step_by(max_pixels.max(1)) {
                    let n = max_pixels.min(pixels - start);
                    let grid = Grid::new(n.div_ceil(STAGE_THREADS as usize) as u32, STAGE_THREADS);
                    let launch = first.launch().input(x).output(&mut strengths).value(start as i64);
                    let launch = launch.value(n as i64).value(width).value(height);
                    // SAFETY: the arguments match fire_rules(planes, strengths, first, n, width, height); it reads the
                    // windows of n pixels of x and writes n × `intermediates` values.
                    unsafe { launch.run(stream, grid) }?;
                    let launch = second.launch().input(&strengths).input(x).output(out);
                    let launch = launch.value(start as i64).value(n as i64);
                    // SAFETY: the arguments match aggregate_and_defuzzify(strengths, planes, out, first, n), for the same pixels.
                    unsafe { launch.run(stream, grid) }?;
                }
                Ok(())
            }
        }
    }
}

/// The programs of an operator on planes of the given width.
pub(crate) fn operator_programs<P: FastPixel>(operator: &Operator, width: usize) -> Vec<Program> {
    let border = operator.border;
    match operator.fast::<P>() {
        Some(FastPath::OneInput { tap, .. }) => vec![source::one_input::<P>(*tap, border)],
        Some(FastPath::Sums { pattern, table }) => {
            let compass = |run| source::compass(pattern, table.len(), border, width, run);
            match (compass(SHORT_RUN), compass(LONG_RUN)) {
                (Some(short), Some(long)) => vec![short, long],
                _ => vec![source::sums(pattern, border)],
            }
        }
        None => source::two_stages::<P>(&stages_of(operator), &operator.window.taps, border).into(),
    }
}

/// A size in the integer type of a kernel argument or grid.
fn kernel_size<T: TryFrom<usize>>(size: usize) -> Result<T> {
    T::try_from(size).map_err(|_| DeviceError::NotOnGpu { what: "an image of this size" })
}

/// Number of `compass` threads per plane.
fn threads_of(width: usize, height: usize, run: usize) -> usize {
    width.div_ceil(source::GROUP) * height.div_ceil(run)
}

fn stages_of(operator: &Operator) -> Stages {
    // Pixels are never NaN.
    let finite = operator.plan().finite_steps().filter(|steps| steps.fallback_flags.is_empty());
    let steps = finite.unwrap_or_else(|| operator.plan().general_steps());
    Stages::new(&steps.steps, last_output(steps))
}

/// Kernels of an operator, which keeps them for the next images of this size.
fn kernels_of<P: FastPixel + Element>(
    operator: &Operator,
    cuda: &Cuda,
    (width, height): (usize, usize),
) -> Result<Arc<PlaneKernels<P>>> {
    let create = || PlaneKernels::new(cuda, operator, width, height);
    operator.kernels.get_or_create(cuda, [width, height], create)
}

/// Applies the operator to all frames, which the GPUs share.
pub(crate) fn apply<P: FastPixel + Element>(
    operator: &Operator,
    images: &Images,
    pixels: &[P],
    cudas: &[Cuda],
    progress: &Progress,
    out: &mut [P],
) -> Result<()> {
    let out_len = images.width() * images.height() * operator.out_channels(images.channels());
    let parts = split_rows(cudas, images.frames(), (out, out_len));
    run_parts(parts, progress, |GpuPart { cuda, rows, out }: GpuPart<'_, P>, progress| {
        let frames = &pixels[rows.start * images.frame_len()..rows.end * images.frame_len()];
        apply_on_gpu(operator, images, frames, cuda, progress, out)
    })
}

/// Applies the operator to some of the frames of `images`.
fn apply_on_gpu<P: FastPixel + Element>(
    operator: &Operator,
    images: &Images,
    pixels: &[P],
    cuda: &Cuda,
    progress: &Progress,
    out: &mut [P],
) -> Result<()> {
    let (width, height, channels) = (images.width(), images.height(), images.channels());
    let out_channels = operator.out_channels(images.channels());
    let (plane, planes) = (width * height, out_channels.min(OPACITY));
    let kernels = kernels_of::<P>(operator, cuda, (width, height))?;
    let frames = pixels.chunks_exact(plane * channels);
    let frame = |i: usize| &pixels[i * plane * channels..][..plane * channels];
    let fill = |rows: std::ops::Range<usize>, values: &mut [P]| {
        for (i, to) in rows.zip(values.chunks_exact_mut(plane * planes)) {
            let from = frame(i).chunks_exact(channels);
            match (channels, out_channels) {
                (1, _) => to.copy_from_slice(frame(i)),
                (_, 1) => to.iter_mut().zip(from).for_each(|(to, rgb)| *to = gray(rgb[0], rgb[1], rgb[2])),
                _ => {
                    for (channel, to) in to.chunks_exact_mut(plane).enumerate() {
                        let from = frame(i).chunks_exact(channels);
                        to.iter_mut().zip(from).for_each(|(to, from)| *to = from[channel]);
                    }
                }
            }
        }
        Ok(())
    };
    let drain = |rows: std::ops::Range<usize>, values: &[P], part: &mut [P]| {
        let frames = values.chunks_exact(plane * planes).zip(part.chunks_exact_mut(plane * out_channels));
        for (i, (from, to)) in rows.zip(frames) {
            if out_channels == 1 {
                copy_non_temporal(bytemuck::cast_slice(from), bytemuck::cast_slice_mut(to));
                continue;
            }
            for (channel, from) in from.chunks_exact(plane).enumerate() {
                to.chunks_exact_mut(out_channels).zip(from).for_each(|(to, from)| to[channel] = *from);
            }
            if out_channels > OPACITY {
                let pairs = to.chunks_exact_mut(out_channels).zip(frame(i).chunks_exact(out_channels));
                pairs.for_each(|(to, from)| to[OPACITY] = from[OPACITY]);
            }
        }
        Ok(())
    };
    let work = Chunked::new(frames.len())
        .input(StreamInput::new(plane * planes, fill))
        .output(StreamOutput::new(plane * planes, out, plane * out_channels, drain));
    cuda.stream_chunks(work, progress, |rows, inputs, outputs| {
        kernels.launch(cuda, inputs.buffer::<P>(0)?, outputs.buffer_mut::<P>(0)?, rows.len() * planes)
    })
}
