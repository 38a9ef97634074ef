//! Window operators on a GPU: planes of pixels through one kernel, or through two where nothing was derived.
#![allow(unsafe_code)] // launches

#[cfg(test)]
pub(crate) mod testing;
mod text;

use super::cpu::last_output;
use super::derive::Fast;
use super::model::{Derived, Operator};
use super::pixel::grey;
use crate::data::Images;
use crate::device::cuda::{Buffer, Chunked, Element, Grid, Input, Kernel, Output};
use crate::device::{Cuda, copy_past_caches};
use crate::error::Result;
use crate::inference::plan::stages::Stages;
use crate::progress::Progress;

/// Threads of a block.
const THREADS: u32 = 128;
/// Rows that a thread goes down: many where there are many planes, so that few are read twice, and few where one plane
/// would leave multiprocessors without work.
const LONG_RUN: usize = 16;
const SHORT_RUN: usize = 2;
/// Threads that keep a GPU busy, which decides between both.
const BUSY: usize = 1 << 17;
/// Pixels that go through both stages together: what lies between them stays in the GPU's cache.
const STAGE_PIXELS: usize = 1 << 20;
/// Pixels of a thread in either stage.
const STAGE_THREADS: u32 = 256;
/// Opacity is the last of four channels.
const OPACITY: usize = 3;

/// An operator on a GPU, for planes of one size.
pub(crate) struct Planes<P> {
    width: usize,
    height: usize,
    kernel: Kernels<P>,
}

enum Kernels<P> {
    /// `itself`: whether the table is over the pixel alone.
    LookUp {
        kernel: Kernel,
        table: Buffer<P>,
        itself: bool,
    },
    Compass {
        short: Kernel,
        long: Kernel,
        table: Buffer<P>,
    },
    Stages {
        first: Kernel,
        second: Kernel,
        crossing: usize,
    },
}

impl<P: Derived + Element> Planes<P> {
    pub(crate) fn new(cuda: &Cuda, operator: &Operator, width: usize, height: usize) -> Result<Self> {
        let border = operator.border;
        let look_up = |program, table: &[P], itself: bool| -> Result<Kernels<P>> {
            let kernel = cuda.kernel(&program, "look_up")?;
            Ok(Kernels::LookUp { kernel, table: cuda.upload(table)?, itself })
        };
        let kernel = match operator.fast::<P>() {
            Some(Fast::Table { tap, table }) => {
                look_up(text::of_one::<P>(*tap, border), table, tap.is_center())?
            }
            Some(Fast::Sums { pattern, table }) => {
                let compass = |run| text::of_compass(pattern, table.len(), border, width, run);
                match (compass(SHORT_RUN), compass(LONG_RUN)) {
                    (Some(short), Some(long)) => Kernels::Compass {
                        short: cuda.kernel(&short, "compass")?,
                        long: cuda.kernel(&long, "compass")?,
                        table: cuda.upload(table)?,
                    },
                    _ => look_up(text::of_sums(pattern, border), table, false)?,
                }
            }
            None => {
                let stages = stages_of(operator);
                let [first, second] = text::of_stages::<P>(&stages, &operator.window.taps, border);
                Kernels::Stages {
                    first: cuda.kernel(&first, "fire_rules")?,
                    second: cuda.kernel(&second, "conclude")?,
                    crossing: stages.crossing.len(),
                }
            }
        };
        Ok(Planes { width, height, kernel })
    }

    /// The first `count` planes.
    pub(crate) fn launch(&self, cuda: &Cuda, x: &Buffer<P>, out: &mut Buffer<P>, count: usize) -> Result<()> {
        let pixels = count * self.width * self.height;
        assert!(x.len() >= pixels && out.len() >= pixels);
        let (width, height) = (self.width as i32, self.height as i32); // longer sides are not read
        let stream = cuda.stream();
        match &self.kernel {
            Kernels::LookUp { kernel, table, itself } => {
                let launch = kernel.launch().input(x).input(table).output(out);
                let launch = launch.value(pixels as i64).value(width).value(height);
                // SAFETY: arguments as in look_up(planes, table, out, n, width, height), compiled for these pixels; it
                // reads and writes n pixels, and the table has an entry for all that a window of them can give.
                unsafe {
                    launch.run(
                        stream,
                        if *itself { cuda.grid_for_packets::<P>(pixels) } else { cuda.grid_for(pixels) },
                    )
                }
            }
            Kernels::Compass { short, long, table } => {
                let threads = |run: usize| threads_of(self.width, self.height, run) * count;
                let (kernel, run) = match threads(LONG_RUN) >= BUSY {
                    true => (long, LONG_RUN),
                    false => (short, SHORT_RUN),
                };
                let grid = Grid::new(threads(run).div_ceil(THREADS as usize) as u32, THREADS);
                let launch = kernel.launch().input(x).input(table).output(out);
                let launch = launch.value(count as i64).value(width).value(height);
                // SAFETY: arguments as in compass(planes, entries, out, n, width, height); a thread for each group of
                // each run of rows of the n planes, which lie within x and out; the table has all entries.
                unsafe { launch.run(stream, grid) }
            }
            Kernels::Stages { first, second, crossing } => {
                let most = STAGE_PIXELS.min(pixels);
                let mut strengths = cuda.reserve::<f64>(most * crossing.max(&1))?;
                for start in (0..pixels).step_by(most.max(1)) {
                    let n = most.min(pixels - start);
                    let grid = Grid::new(n.div_ceil(STAGE_THREADS as usize) as u32, STAGE_THREADS);
                    let launch = first.launch().input(x).output(&mut strengths).value(start as i64);
                    let launch = launch.value(n as i64).value(width).value(height);
                    // SAFETY: arguments as in fire_rules(planes, strengths, first, n, width, height): it reads the
                    // windows of n pixels of x and writes as many times the crossing numbers.
                    unsafe { launch.run(stream, grid) }?;
                    let launch = second.launch().input(&strengths).input(x).output(out);
                    let launch = launch.value(start as i64).value(n as i64);
                    // SAFETY: arguments as in conclude(strengths, planes, out, first, n), for the same pixels.
                    unsafe { launch.run(stream, grid) }?;
                }
                Ok(())
            }
        }
    }
}

/// How many threads of `compass` a plane takes.
fn threads_of(width: usize, height: usize, run: usize) -> usize {
    width.div_ceil(text::GROUP) * height.div_ceil(run)
}

fn stages_of(operator: &Operator) -> Stages {
    // What is read is never NaN.
    let clean = operator.plan().clean().filter(|steps| steps.doubts.is_empty());
    let steps = clean.unwrap_or_else(|| operator.plan().guarded());
    let result = last_output(steps).first().copied().unwrap_or(0); // the check asks for an output
    Stages::of(&steps.steps, result)
}

/// The new numbers of all frames.
pub(crate) fn apply<P: Derived + Element>(
    operator: &Operator,
    images: &Images,
    pixels: &[P],
    cuda: &Cuda,
    progress: Progress<'_>,
    out: &mut [P],
) -> Result<()> {
    let (width, height, channels) = (images.width(), images.height(), images.channels());
    let made = operator.channels_of(images);
    let (plane, planes) = (width * height, made.min(OPACITY));
    let kernels = Planes::<P>::new(cuda, operator, width, height)?;
    let frames = pixels.chunks_exact(plane * channels);
    let frame = |i: usize| &pixels[i * plane * channels..][..plane * channels];
    let fill = |rows: std::ops::Range<usize>, numbers: &mut [P]| {
        for (i, to) in rows.zip(numbers.chunks_exact_mut(plane * planes)) {
            let from = frame(i).chunks_exact(channels);
            match (channels, made) {
                (1, _) => to.copy_from_slice(frame(i)),
                (_, 1) => to.iter_mut().zip(from).for_each(|(to, rgb)| *to = grey(rgb[0], rgb[1], rgb[2])),
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
    let drain = |rows: std::ops::Range<usize>, numbers: &[P], part: &mut [P]| {
        let frames = numbers.chunks_exact(plane * planes).zip(part.chunks_exact_mut(plane * made));
        for (i, (from, to)) in rows.zip(frames) {
            if made == 1 {
                copy_past_caches(bytemuck::cast_slice(from), bytemuck::cast_slice_mut(to));
                continue;
            }
            for (channel, from) in from.chunks_exact(plane).enumerate() {
                to.chunks_exact_mut(made).zip(from).for_each(|(to, from)| to[channel] = *from);
            }
            if made > OPACITY {
                let both = to.chunks_exact_mut(made).zip(frame(i).chunks_exact(made));
                both.for_each(|(to, from)| to[OPACITY] = from[OPACITY]);
            }
        }
        Ok(())
    };
    let work = Chunked::new(frames.len()).input(Input::new(plane * planes, fill)).output(Output::new(
        plane * planes,
        out,
        plane * made,
        drain,
    ));
    cuda.stream_chunks(work, progress, |rows, inputs, outputs| {
        kernels.launch(cuda, inputs.buffer::<P>(0)?, outputs.buffer_mut::<P>(0)?, rows.len() * planes)
    })
}
