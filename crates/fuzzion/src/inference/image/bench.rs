//! The part of `fuzzion bench` for pictures: frames in memory, one a call or many.

use super::model::{Operator, Path};
use crate::data::{Images, Pixels};
use crate::device::measure::{Floor, Measurement, median_host_seconds};
use crate::device::{Ceilings, Device, Processor};
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
const LEAST_PIXELS: usize = 1 << 22;

pub(crate) fn bench(device: &Device, progress: Progress<'_>) -> Result<Vec<Measurement>> {
    let Processor::Cpu(_) = device.processor(true) else { return Ok(vec![]) }; // there are no kernels
    let ceilings = Ceilings::measure(device, progress)?;
    let mut bench = Bench { device, ceilings, progress, measurements: Vec::new() };
    let edges = Operator::named("fire-edges")?;
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
        let seconds = median_host_seconds(self.progress, || {
            (0..calls).try_for_each(|_| {
                operator
                    .apply(&images, self.device, Progress::none())
                    .map(|made| drop(std::hint::black_box(made)))
            })
        })?;
        let floor = Floor { bytes: (2 * pixels) as f64, ..Floor::default() };
        let name = format!("image/{name}/{path}/{width}x{height}/{frames}");
        let amount = (frames as f64, "frames/s");
        let seconds = seconds / calls as f64;
        self.measurements.push(Measurement::new(name, self.device, seconds, amount, floor, &self.ceilings));
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
