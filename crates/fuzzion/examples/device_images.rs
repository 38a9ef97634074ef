//! Frames in the memory of a GPU: upload, `fire-edges`, two operators in sequence, download, with the time of each step.
//!
//! `cargo run --release --example device_images -- [frames] [device]`, by default 2,000 frames of 640 × 480 pixels of 8 bits on
//! the first GPU, or on the CPU if there is none.
#![allow(clippy::print_stdout)] // prints its results

use fuzzion::data::Pixels;
use fuzzion::inference::InferenceError;
use fuzzion::inference::image::{DeviceImages, Operator};
use fuzzion::{Device, Images, Result};
use std::time::Instant;

const WIDTH: usize = 640;
const HEIGHT: usize = 480;
/// Untimed runs, which compile kernels and allocate memory, and timed runs, of which the median is printed.
const WARM_UP: usize = 2;
const RUNS: usize = 7;
/// Operations in device memory per timed run, which waits for all of them.
const OPERATIONS: usize = 10;
/// Frames that are compared with the results of the CPU.
const COMPARED: usize = 3;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let frames = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(2_000);
    let device = match arguments.next() {
        Some(name) => name.parse()?,
        None => Device::cuda(0).or_else(|_| Device::cpu())?,
    };
    println!("{frames} frames of {WIDTH} x {HEIGHT} on {device}, {} CPU threads", device.threads());
    let images = test_frames(frames)?;
    let (edges, contrast) = (Operator::named("fire-edges")?, Operator::named("contrast")?);

    let time = Timer { frames };
    time.median("upload", 1, || images.to_device(&device))?;
    let placed = images.to_device(&device)?;
    // An operation on a GPU returns before it is complete; copying a frame to host memory waits for it.
    let one = test_frames(1)?.into_device(&device)?;
    let in_device_memory = |operation: &dyn Fn() -> Result<DeviceImages<'static>, InferenceError>| {
        let result = (0..OPERATIONS).try_fold(None, |_, _| operation().map(Some));
        one.to_host().and(result)
    };
    time.median("fire-edges in device memory", OPERATIONS, || {
        in_device_memory(&|| edges.apply(&placed, &device))
    })?;
    time.median("contrast, then fire-edges, in device memory", OPERATIONS, || {
        in_device_memory(&|| edges.apply(&contrast.apply(&placed, &device)?, &device))
    })?;
    time.median("download", 1, || placed.to_host())?;
    time.median("fire-edges from and to host memory", 1, || edges.apply(&images, &device))?;
    let mut out = images.clone();
    time.median("fire-edges from and to host memory, with a reused result", 1, || {
        edges.apply_into(&images, &mut out, &device)
    })?;

    // The results are those of the CPU, in the first and last frames.
    let cpu = Device::cpu()?;
    let single = edges.apply(&placed, &device)?.to_host()?;
    let chain = edges.apply(&contrast.apply(&placed, &device)?, &device)?.to_host()?;
    for frame in (0..frames).filter(|frame| *frame < COMPARED || frames - frame <= COMPARED) {
        let Some(image) = images.frame(frame) else { continue };
        let expected = edges.apply(&image, &cpu)?;
        assert_eq!([single.frame(frame), out.frame(frame)], [Some(expected.clone()), Some(expected)]);
        assert_eq!(chain.frame(frame), Some(edges.apply(&contrast.apply(&image, &cpu)?, &cpu)?));
    }
    println!("The results equal those of the CPU.");
    Ok(())
}

/// Gradients with noise and a bright square that moves from frame to frame.
fn test_frames(frames: usize) -> Result<Images> {
    let noise: Vec<u32> = (0..WIDTH * HEIGHT).map(|i| (i as u32).wrapping_mul(2_654_435_761) >> 27).collect();
    let mut pixels = Vec::with_capacity(frames * WIDTH * HEIGHT);
    for frame in 0..frames {
        let square =
            |x: usize, y: usize| (frame % 400..frame % 400 + 100).contains(&x) && (160..240).contains(&y);
        let pixel = |(i, noise): (usize, &u32)| {
            let (x, y) = (i % WIDTH, i / WIDTH);
            (x / 5) as u8 + *noise as u8 + if square(x, y) { 80 } else { 0 }
        };
        pixels.extend(noise.iter().enumerate().map(pixel));
    }
    Ok(Images::new(WIDTH, HEIGHT, 1, Pixels::U8(pixels))?)
}

/// Prints times and rates.
struct Timer {
    frames: usize,
}

impl Timer {
    /// Prints the median time of `work`, which processes all frames `count` times.
    fn median<R>(
        &self,
        what: &str,
        count: usize,
        mut work: impl FnMut() -> Result<R, InferenceError>,
    ) -> Result<()> {
        let mut times = Vec::new();
        for run in 0..WARM_UP + RUNS {
            let start = Instant::now();
            let result = work()?;
            let time = start.elapsed();
            drop(result);
            if run >= WARM_UP {
                times.push(time);
            }
        }
        times.sort();
        let seconds = times[RUNS / 2].as_secs_f64() / count as f64;
        println!("{:>10.3} ms {:>12.0} frames/s  {what}", seconds * 1e3, self.frames as f64 / seconds);
        Ok(())
    }
}
