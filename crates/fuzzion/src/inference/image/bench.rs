//! The part of `fuzzion bench` for pictures: frames in memory, one a call or many.

use super::cuda::Planes;
use super::model::{Operator, Path};
use crate::data::{Images, Pixels};
use crate::device::cuda::zeros_in_large_pages;
use crate::device::measure::{Floor, Measurement, median_host_seconds, median_seconds};
use crate::device::{Ceilings, Cuda, Device, Processor};
use crate::error::Result;
use crate::progress::Progress;
use crate::random::Random;

/// The five sizes of the paper, and those of today's screens.
const SIZES: [(usize, usize); 7] =
    [(320, 240), (640, 480), (960, 720), (1280, 960), (1280, 1024), (1920, 1080), (3840, 2160)];
/// The size at which everything is compared.
const USUAL: (usize, usize) = (640, 480);
/// Frames of one call where it takes many.
const BATCH: usize = 16;
/// A timed run of the fast path sees at least so many pixels, one of the general path a frame.
const LEAST_PIXELS: usize = 1 << 20;

/// Pixels of all frames of a launch on a GPU where it takes many: past its cache.
const CUDA_PIXELS: usize = 1 << 28;
/// Those of a run from the host's memory and back: a stream is long, and its first and last chunks travel alone.
const STREAMED_PIXELS: usize = 1 << 30;
/// Launches of a timed run where each takes one frame.
const LAUNCHES: usize = 256;

/// Frames of one size that a GPU is given at once.
fn batch_of((width, height): (usize, usize)) -> usize {
    CUDA_PIXELS / (width * height)
}

pub(crate) fn bench(device: &Device, progress: Progress<'_>) -> Result<Vec<Measurement>> {
    let ceilings = Ceilings::measure(device, progress)?;
    let mut bench = Bench { device, ceilings, progress, measurements: Vec::new() };
    let edges = Operator::named("fire-edges")?;
    if let Processor::Cuda(cuda) = device.processor(false) {
        for size in SIZES {
            bench.resident("fire-edges", &edges, size, 1, cuda)?;
            bench.resident("fire-edges", &edges, size, batch_of(size), cuda)?;
        }
        bench.streamed("fire-edges", &edges, USUAL)?;
        bench.resident("fire-edges", &edges.path(Path::General), USUAL, batch_of(USUAL), cuda)?;
        for name in ["fire-denoise", "smooth", "contrast"] {
            bench.resident(name, &Operator::named(name)?, USUAL, batch_of(USUAL), cuda)?;
        }
        return Ok(bench.measurements);
    }
    for size in SIZES {
        bench.frames("fire-edges", &edges, size, 1)?;
        bench.frames("fire-edges", &edges, size, BATCH)?;
    }
    bench.frames("fire-edges", &edges.path(Path::General), USUAL, 1)?;
    for name in ["fire-denoise", "smooth", "contrast"] {
        bench.frames(name, &Operator::named(name)?, USUAL, 1)?;
    }
    Ok(bench.measurements)
}

struct Bench<'a> {
    device: &'a Device,
    ceilings: Ceilings,
    progress: Progress<'a>,
    measurements: Vec<Measurement>,
}

impl Bench<'_> {
    fn frames(&mut self, name: &str, operator: &Operator, size: (usize, usize), frames: usize) -> Result<()> {
        let (width, height) = size;
        let images = picture(width, height, frames)?;
        let path = operator.path_for(8);
        let pixels = width * height * frames;
        let calls = if path == Path::Fast { LEAST_PIXELS.div_ceil(pixels) } else { 1 };
        let mut made = images.clone();
        let seconds = median_host_seconds(self.progress, || {
            (0..calls)
                .try_for_each(|_| operator.apply_into(&images, &mut made, self.device, Progress::none()))
        })?;
        let name = format!("image/{name}/{path}/{width}x{height}/{frames}");
        self.note(name, seconds / calls as f64, size, frames);
        Ok(())
    }

    fn note(&mut self, name: String, seconds: f64, (width, height): (usize, usize), frames: usize) {
        let floor = Floor { bytes: (2 * width * height * frames) as f64, ..Floor::default() };
        let amount = (frames as f64, "frames/s");
        self.measurements.push(Measurement::new(name, self.device, seconds, amount, floor, &self.ceilings));
    }

    /// Frames that lie on the GPU and stay there.
    fn resident(
        &mut self,
        name: &str,
        operator: &Operator,
        size: (usize, usize),
        frames: usize,
        cuda: &Cuda,
    ) -> Result<()> {
        let (width, height) = size;
        let planes = Planes::<u8>::new(cuda, operator, width, height)?;
        let Pixels::U8(pixels) = repeated(size, frames)?.into_pixels() else { return Ok(()) }; // it is bytes
        let (x, mut out) = (cuda.upload(&pixels)?, cuda.zeros::<u8>(pixels.len())?);
        let launches = if frames == 1 { LAUNCHES } else { 1 };
        let seconds = median_seconds(&Processor::Cuda(cuda), self.progress, || {
            (0..launches).try_for_each(|_| planes.launch(cuda, &x, &mut out, frames))
        })?;
        let name = format!("image/{name}/{}/{width}x{height}/{frames}", operator.path_for(8));
        self.note(name, seconds / launches as f64, size, frames);
        Ok(())
    }

    /// Frames from the host's memory and back.
    fn streamed(&mut self, name: &str, operator: &Operator, size: (usize, usize)) -> Result<()> {
        let (width, height) = size;
        let frames = STREAMED_PIXELS / (width * height);
        let images = repeated(size, frames)?;
        let mut made = repeated(size, frames)?;
        let seconds = median_host_seconds(self.progress, || {
            operator.apply_into(&images, &mut made, self.device, Progress::none())
        })?;
        let name = format!("image/{name}/{}/{width}x{height}/{frames}/from-host", operator.path_for(8));
        self.note(name, seconds, size, frames);
        Ok(())
    }
}

/// A slope with a little noise and a bright square, so that tables are looked up everywhere.
fn picture(width: usize, height: usize, frames: usize) -> Result<Images> {
    let mut random = Random::new(1);
    let mut pixel = |i: usize| {
        let (x, y) = (i % width, i / width % height);
        let square = (width / 3..width / 2).contains(&x) && (height / 3..height / 2).contains(&y);
        (128.0 * x as f64 / width as f64 + random.between(0.0, 40.0) + if square { 80.0 } else { 0.0 }) as u8
    };
    Images::new(width, height, 1, Pixels::U8((0..width * height * frames).map(&mut pixel).collect()))
}

/// One picture as many frames, in pages that do not count beside the bus.
fn repeated((width, height): (usize, usize), frames: usize) -> Result<Images> {
    let mut pixels = zeros_in_large_pages::<u8>(width * height * frames);
    if let Pixels::U8(frame) = picture(width, height, 1)?.pixels() {
        pixels.chunks_exact_mut(frame.len()).for_each(|to| to.copy_from_slice(frame));
    }
    Images::new(width, height, 1, Pixels::U8(pixels))
}
