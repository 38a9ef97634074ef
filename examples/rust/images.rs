//! Fuzzy systems on every pixel: edges, and removal of salt-and-pepper noise.
//!
//! `cargo run --release -p fuzzion-examples --example images`

use fuzzion::data::Pixels;
use fuzzion::inference::image::{DEFAULT_SPREAD, DEFAULT_THRESHOLD, Operator};
use fuzzion::{Device, Images, Result};

const SIZE: usize = 96;

pub fn main() -> Result<()> {
    let device = Device::best()?;
    // A bright square on a dark background; `Images::read` reads PNG, JPEG, PGM and PPM files.
    let bright = |i: usize| (24..72).contains(&(i % SIZE)) && (24..72).contains(&(i / SIZE));
    let square: Vec<u8> = (0..SIZE * SIZE).map(|i| if bright(i) { 200 } else { 60 }).collect();
    let image = Images::new(SIZE, SIZE, 1, Pixels::U8(square.clone()))?;

    let edges = Operator::edges(DEFAULT_THRESHOLD, DEFAULT_SPREAD)?.apply(&image, &device)?;
    let Pixels::U8(lines) = edges.pixels() else { unreachable!("the result has the depth of the image") };
    println!("{} of {} pixels are on lines", lines.iter().filter(|pixel| **pixel < 200).count(), lines.len());
    assert!(lines[48 * SIZE + 48] == 255 && lines[48 * SIZE + 24] < 200); // inside, and on the edge

    // Every 31st pixel becomes black or white.
    let mut noisy = square.clone();
    noisy.iter_mut().step_by(31).enumerate().for_each(|(i, pixel)| *pixel = if i % 2 == 0 { 0 } else { 255 });
    let noisy = Images::new(SIZE, SIZE, 1, Pixels::U8(noisy))?;
    let clean = Operator::named("fire-denoise")?.apply(&noisy, &device)?; // a built-in system; or your own: `Operator::new`
    let error = |images: &Images| match images.pixels() {
        Pixels::U8(pixels) => {
            pixels.iter().zip(&square).map(|(a, b)| f64::from(a.abs_diff(*b))).sum::<f64>()
                / square.len() as f64
        }
        Pixels::U16(_) => unreachable!("the images have 8 bits"),
    };
    println!("mean error: {:.2} before, {:.2} after", error(&noisy), error(&clean));
    assert!(error(&clean) < error(&noisy) / 5.0);
    Ok(())
}
