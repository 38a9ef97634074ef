//! Window operators against direct implementations of their formulas, and their invariants.

pub(super) mod cuda;
mod derived;
mod device_images;
mod laws;
mod reference;
mod settings;

use super::{Border, Execution, Operator};
use crate::data::{Images, Pixels};
use crate::device::{Cpu, Device, Simd};
use crate::random::Random;

/// Edge-case sizes: one row, one column, less and more than a vector, more than a stripe, and the size of the window.
const SIZES: [(usize, usize); 8] = [(1, 1), (1, 7), (9, 1), (3, 3), (2, 2), (33, 5), (71, 41), (5, 67)];

fn noise(width: usize, height: usize, channels: usize, seed: u64) -> Images {
    let mut random = Random::new(seed);
    let mut pixel = |_| random.between(0.0, 256.0) as u8;
    Images::new(width, height, channels, Pixels::U8((0..width * height * channels).map(&mut pixel).collect()))
        .unwrap()
}

/// A gray gradient with a disc, a bar and a line.
fn drawing(width: usize, height: usize) -> Images {
    let pixel = |i: usize| {
        let (x, y) = ((i % width) as f64 / width as f64, (i / width) as f64 / height as f64);
        let disc = (x - 0.35).hypot(y - 0.4) < 0.22;
        let bar = (0.62..0.8).contains(&x) && (0.2..0.85).contains(&y);
        let line = (y - 0.9 + 0.1 * x).abs() < 1.5 / height as f64;
        (60.0 + 70.0 * x + 40.0 * y + if disc { 80.0 } else { 0.0 } - if bar || line { 50.0 } else { 0.0 })
            as u8
    };
    Images::new(width, height, 1, Pixels::U8((0..width * height).map(pixel).collect())).unwrap()
}

/// The same image with 16 bits, including values between those of 8 bits.
fn deep(images: &Images, seed: u64) -> Images {
    let mut random = Random::new(seed);
    let pixels = bytes(images).iter().map(|b| (257.0 * f64::from(*b) + random.between(-128.0, 128.0)) as u16);
    Images::new(images.width(), images.height(), images.channels(), Pixels::U16(pixels.collect())).unwrap()
}

fn bytes(images: &Images) -> &[u8] {
    match images.pixels() {
        Pixels::U8(pixels) => pixels,
        Pixels::U16(_) => panic!("16 bits"),
    }
}

fn on(operator: &Operator, images: &Images, device: &Device) -> Images {
    operator.apply(images, device).unwrap()
}

fn run(operator: &Operator, images: &Images) -> Images {
    on(operator, images, &Device::from(Cpu::with_threads(1).unwrap()))
}

/// Result of general execution, after checking that all execution modes, SIMD levels and thread counts agree.
fn run_everywhere(operator: &Operator, images: &Images) -> Images {
    let general = run(&operator.clone().execution(Execution::General), images);
    for simd in Simd::all() {
        for threads in [1, 2] {
            let device = Device::from(Cpu::with_threads(threads).unwrap().with_simd(simd));
            for execution in [Execution::Fast, Execution::General] {
                let found = on(&operator.clone().execution(execution), images, &device);
                assert!(found == general, "{execution} {simd:?} {threads} {}", images.describe_shape());
            }
        }
    }
    general
}
