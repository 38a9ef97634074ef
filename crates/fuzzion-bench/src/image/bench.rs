//! Image benchmarks of `fuzzion bench`: frames in memory, one or many per call.

use crate::device::{Ceilings, Measurement, MinimumWork, median_host_seconds, median_seconds};
use fuzzion::data::Pixels;
use fuzzion::device::Cuda;
use fuzzion::inference::image::{Execution, Operator};
use fuzzion::internals::Random;
use fuzzion::internals::device::{Processor, zeros_in_huge_pages};
use fuzzion::internals::image::PlaneKernels;
use fuzzion::{Device, Images, Progress, Result};

/// The five sizes of Luke et al. (2008) and current screen sizes.
const SIZES: [(usize, usize); 7] =
    [(320, 240), (640, 480), (960, 720), (1280, 960), (1280, 1024), (1920, 1080), (3840, 2160)];
/// Size for the comparison of operators.
const REFERENCE_SIZE: (usize, usize) = (640, 480);
/// Frames per call in batch measurements.
const BATCH: usize = 16;
/// Minimum number of pixels per timed run of the fast path.
const MIN_PIXELS: usize = 1 << 20;

/// Pixels per GPU launch in batch measurements: more than fit in its cache.
const CUDA_PIXELS: usize = 1 << 28;
/// Pixels per streamed run: enough to amortize the first and last chunks, whose transfers do not overlap.
const STREAMED_PIXELS: usize = 1 << 30;
/// Launches per timed run with one frame per launch.
const LAUNCHES: usize = 256;

/// Frames per GPU launch for a frame size.
fn batch_of((width, height): (usize, usize)) -> usize {
    CUDA_PIXELS / (width * height)
}

pub(crate) fn bench(device: &Device, progress: &Progress) -> Result<Vec<Measurement>> {
    let ceilings = Ceilings::measure(device, progress)?;
    let mut bench = Bench { device, ceilings, progress, measurements: Vec::new() };
    let edges = Operator::named("fire-edges")?;
    if let Processor::Cuda(cuda) = device.processor(false) {
        for size in SIZES {
            bench.resident("fire-edges", &edges, size, 1, cuda)?;
            bench.resident("fire-edges", &edges, size, batch_of(size), cuda)?;
        }
        bench.streamed("fire-edges", &edges, REFERENCE_SIZE)?;
        bench.resident(
            "fire-edges",
            &edges.execution(Execution::General),
            REFERENCE_SIZE,
            batch_of(REFERENCE_SIZE),
            cuda,
        )?;
        for name in ["fire-denoise", "smooth", "contrast"] {
            bench.resident(name, &Operator::named(name)?, REFERENCE_SIZE, batch_of(REFERENCE_SIZE), cuda)?;
        }
        return Ok(bench.measurements);
    }
    for size in SIZES {
        bench.frames("fire-edges", &edges, size, 1)?;
        bench.frames("fire-edges", &edges, size, BATCH)?;
    }
    bench.frames("fire-edges", &edges.execution(Execution::General), REFERENCE_SIZE, 1)?;
    for name in ["fire-denoise", "smooth", "contrast"] {
        bench.frames(name, &Operator::named(name)?, REFERENCE_SIZE, 1)?;
    }
    Ok(bench.measurements)
}

struct Bench<'a> {
    device: &'a Device,
    ceilings: Ceilings,
    progress: &'a Progress,
    measurements: Vec<Measurement>,
}

impl Bench<'_> {
    fn frames(&mut self, name: &str, operator: &Operator, size: (usize, usize), frames: usize) -> Result<()> {
        let (width, height) = size;
        let images = test_image(width, height, frames)?;
        let execution = operator.execution_for(8);
        let pixels = width * height * frames;
        let calls = if execution == Execution::Fast { MIN_PIXELS.div_ceil(pixels) } else { 1 };
        let mut out = images.clone();
        let seconds = median_host_seconds(self.progress, || {
            Ok((0..calls).try_for_each(|_| operator.apply_into(&images, &mut out, self.device))?)
        })?;
        let name = format!("image/{name}/{execution}/{width}x{height}/{frames}");
        self.record(name, seconds / calls as f64, size, frames);
        Ok(())
    }

    fn record(&mut self, name: String, seconds: f64, (width, height): (usize, usize), frames: usize) {
        let floor = MinimumWork { bytes: (2 * width * height * frames) as f64, ..MinimumWork::default() };
        let amount = (frames as f64, "frames/s");
        self.measurements.push(Measurement::new(name, self.device, seconds, amount, floor, &self.ceilings));
    }

    /// Frames in GPU memory.
    fn resident(
        &mut self,
        name: &str,
        operator: &Operator,
        size: (usize, usize),
        frames: usize,
        cuda: &Cuda,
    ) -> Result<()> {
        let (width, height) = size;
        let planes = PlaneKernels::<u8>::new(cuda, operator, width, height)?;
        let Pixels::U8(pixels) = repeated(size, frames)?.into_pixels() else {
            unreachable!("invariant: the test image has 8 bits")
        };
        let (x, mut out) = (cuda.upload(&pixels)?, cuda.zeros::<u8>(pixels.len())?);
        let launches = if frames == 1 { LAUNCHES } else { 1 };
        let seconds = median_seconds(&Processor::Cuda(cuda), self.progress, || {
            Ok((0..launches).try_for_each(|_| planes.launch(cuda, &x, &mut out, frames))?)
        })?;
        let name = format!("image/{name}/{}/{width}x{height}/{frames}", operator.execution_for(8));
        self.record(name, seconds / launches as f64, size, frames);
        Ok(())
    }

    /// Frames streamed from and to host memory.
    fn streamed(&mut self, name: &str, operator: &Operator, size: (usize, usize)) -> Result<()> {
        let (width, height) = size;
        let frames = STREAMED_PIXELS / (width * height);
        let images = repeated(size, frames)?;
        let mut out = repeated(size, frames)?;
        let seconds = median_host_seconds(self.progress, || {
            Ok(operator.apply_into(&images, &mut out, self.device)?)
        })?;
        let name = format!("image/{name}/{}/{width}x{height}/{frames}/from-host", operator.execution_for(8));
        self.record(name, seconds, size, frames);
        Ok(())
    }
}

/// A gradient with noise and a bright square, so that lookups cover the tables.
fn test_image(width: usize, height: usize, frames: usize) -> Result<Images> {
    let mut random = Random::new(1);
    let mut pixel = |i: usize| {
        let (x, y) = (i % width, i / width % height);
        let square = (width / 3..width / 2).contains(&x) && (height / 3..height / 2).contains(&y);
        (128.0 * x as f64 / width as f64 + random.between(0.0, 40.0) + if square { 80.0 } else { 0.0 }) as u8
    };
    Ok(Images::new(width, height, 1, Pixels::U8((0..width * height * frames).map(&mut pixel).collect()))?)
}

/// One image repeated for all frames, in huge pages so that page faults do not affect the transfer rate.
fn repeated((width, height): (usize, usize), frames: usize) -> Result<Images> {
    let mut pixels = zeros_in_huge_pages::<u8>(width * height * frames);
    let Pixels::U8(frame) = test_image(width, height, 1)?.into_pixels() else {
        unreachable!("invariant: the test image has 8 bits")
    };
    pixels.chunks_exact_mut(frame.len()).for_each(|to| to.copy_from_slice(&frame));
    Ok(Images::new(width, height, 1, Pixels::U8(pixels))?)
}
