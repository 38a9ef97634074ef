//! A synthetic test image, salt-and-pepper noise, and the peak signal-to-noise ratio (PSNR) of two images.
//!
//! PSNR = 10·log₁₀(peak² / mean of (aᵢ − bᵢ)²) decibels, with the largest possible pixel value as peak (1)
//!
//! ```
//! use fuzzion::inference::image::sample;
//! let still_life = sample::still_life(480, 320)?;
//! let mut noisy = still_life.clone();
//! sample::salt_and_pepper(&mut noisy, 0.1, 7)?;
//! assert!(sample::psnr(&still_life, &noisy)? < 20.0);
//! assert_eq!(sample::psnr(&still_life, &still_life)?, f64::INFINITY);
//! # Ok::<(), fuzzion::Error>(())
//! ```

use super::apply::StackShape;
use crate::base::SettingError;
use crate::data::DataError;
use crate::data::{Images, Pixels, PixelsMut};
use crate::inference::error::Result;
use crate::random::Random;

/// Supersampling factor in each direction, which softens edges like a lens.
const POINTS: usize = 3;
/// Vertical position where the wall meets the floor; the image has height 1.
const HORIZON: f64 = 0.64;
/// Unit vector toward the light: left, above and in front.
const LIGHT: [f64; 3] = [-0.48, -0.64, 0.6];

/// Renders a gray still life: a ball, a vase and a box in front of a wall on a tiled floor. It has soft shading, edges of
/// many contrasts, fine stripes and some noise.
///
/// ```
/// use fuzzion::inference::image::sample;
/// assert_eq!(sample::still_life(48, 32)?.pixels().len(), 48 * 32);
/// # Ok::<(), fuzzion::Error>(())
/// ```
///
/// # Errors
/// [`DataError::ImageShape`] for an empty size.
pub fn still_life(width: usize, height: usize) -> Result<Images> {
    let (scale, points) = (1.0 / height.max(1) as f64, (POINTS * POINTS) as f64);
    let middle = 0.5 * width as f64;
    let mut random = Random::new(1);
    let mut pixels = Vec::with_capacity(width.saturating_mul(height));
    for y in 0..height {
        for x in 0..width {
            let at = |i: usize, x: f64| (x + (i as f64 + 0.5) / POINTS as f64) * scale;
            let light: f64 = (0..POINTS * POINTS)
                .map(|i| brightness(at(i % POINTS, x as f64 - middle), at(i / POINTS, y as f64)))
                .sum();
            pixels.push((light / points + random.between(-2.0, 2.0)).clamp(0.0, 255.0).round() as u8);
        }
    }
    Ok(Images::new(width, height, 1, Pixels::U8(pixels))?)
}

/// Brightness at `x` from the middle and `y` from the top; objects in front are tested first.
fn brightness(x: f64, y: f64) -> f64 {
    ball(x, y).or_else(|| vase(x, y)).or_else(|| cube(x, y)).unwrap_or_else(|| {
        let shade = shadow(x, y);
        shade * if y > HORIZON { floor(x, y) } else { wall(x, y) }
    })
}

/// A ball with a highlight.
fn ball(x: f64, y: f64) -> Option<f64> {
    const RADIUS: f64 = 0.17;
    let (u, v) = ((x + 0.36) / RADIUS, (y - 0.68) / RADIUS);
    let depth = 1.0 - u * u - v * v;
    (depth >= 0.0).then(|| {
        let lit = (u * LIGHT[0] + v * LIGHT[1] + depth.sqrt() * LIGHT[2]).max(0.0);
        35.0 + 150.0 * lit + 60.0 * lit.powi(24)
    })
}

/// A round vase with stripes that become finer toward its foot.
fn vase(x: f64, y: f64) -> Option<f64> {
    let height = (y - 0.28) / 0.56;
    let radius = 0.075 + 0.05 * (height * 5.2 - 0.9).sin();
    let u = (x - 0.03) / radius;
    ((0.0..=1.0).contains(&height) && u.abs() <= 1.0).then(|| {
        let lit = (u * LIGHT[0] + (1.0 - u * u).max(0.0).sqrt() * 0.8).max(0.0);
        let stripe = if (height * (14.0 + 10.0 * height)).fract() < 0.5 { 60.0 } else { 215.0 };
        stripe * (0.35 + 0.65 * lit)
    })
}

/// A box with two visible sides and a lid.
fn cube(x: f64, y: f64) -> Option<f64> {
    let (u, slant) = (x - 0.42, 0.3 * (x - 0.42).abs());
    let (top, foot) = (0.56 - slant, 0.86 - slant);
    if u.abs() <= 0.17 && y >= top && y <= foot {
        return Some(if u < 0.0 { 168.0 } else { 82.0 });
    }
    let lid = y < top && y >= 0.56 - 2.0 * 0.3 * 0.17 + slant;
    (u.abs() <= 0.17 && lid).then_some(228.0)
}

/// Fraction of light that reaches the wall and the floor; the three objects cast shadows to the right.
fn shadow(x: f64, y: f64) -> f64 {
    let spot = |center: f64, foot: f64, width: f64| {
        let (u, v) = ((x - center) / width, (y - foot) / 0.045);
        1.0 - 0.6 * (-(u * u + v * v)).exp()
    };
    if y > HORIZON { spot(-0.28, 0.85, 0.2) * spot(0.1, 0.845, 0.14) * spot(0.52, 0.84, 0.2) } else { 1.0 }
}

/// Tiles in perspective.
fn floor(x: f64, y: f64) -> f64 {
    let depth = 0.16 / (y - HORIZON + 0.1);
    let (column, row) = ((x * depth * 6.0).floor(), (depth * 9.0).floor());
    let tile = if (column + row).rem_euclid(2.0) < 1.0 { 96.0 } else { 142.0 };
    tile + 60.0 * (y - HORIZON)
}

/// A wall that gets darker to the right, with a framed wave pattern and a row of patches from faint to black.
fn wall(x: f64, y: f64) -> f64 {
    let plain = 196.0 - 52.0 * (x + 0.75) - 36.0 * y;
    let (u, v) = ((x + 0.42).abs() / 0.2, (y - 0.24).abs() / 0.15);
    if u <= 1.0 && v <= 1.0 {
        let inside = u <= 0.9 && v <= 0.87;
        let waves = (90.0 * (x + 0.03 * (18.0 * y).sin()) + 50.0 * y * y).sin();
        return if inside { 128.0 + 78.0 * waves * (1.0 - 0.6 * u) } else { 44.0 };
    }
    let patch = ((x - 0.2) / 0.08).floor();
    let inside = ((x - 0.2) / 0.08).fract() > 0.3 && (0.12..0.18).contains(&y);
    if (0.0..6.0).contains(&patch) && inside { plain - 8.0 * 2f64.powf(0.72 * patch) } else { plain }
}

/// Sets a random `fraction` of the pixels to black or white, reproducibly for a `seed`; opacity is unchanged.
///
/// ```
/// use fuzzion::{data::{Images, Pixels}, inference::image::sample};
/// let mut image = Images::new(2, 1, 1, Pixels::U8(vec![7, 7]))?;
/// sample::salt_and_pepper(&mut image, 1.0, 42)?;
/// let Pixels::U8(pixels) = image.pixels() else { unreachable!() };
/// assert!(pixels.iter().all(|pixel| [0, 255].contains(pixel)));
/// # Ok::<(), fuzzion::Error>(())
/// ```
///
/// # Errors
/// [`SettingError::OutOfRange`] for a fraction outside 0 to 1.
pub fn salt_and_pepper(images: &mut Images, fraction: f64, seed: u64) -> Result<()> {
    if !(0.0..=1.0).contains(&fraction) {
        let (algorithm, name, must) = ("salt and pepper", "fraction", "from 0 to 1");
        return Err(SettingError::OutOfRange { algorithm, name, value: fraction, must }.into());
    }
    let channels = images.channels();
    match images.pixels_mut() {
        PixelsMut::U8(pixels) => add_noise(pixels, channels, fraction, seed, u8::MAX),
        PixelsMut::U16(pixels) => add_noise(pixels, channels, fraction, seed, u16::MAX),
    }
    Ok(())
}

fn add_noise<T: Copy + Default>(pixels: &mut [T], channels: usize, fraction: f64, seed: u64, white: T) {
    let mut random = Random::new(seed);
    for pixel in pixels.chunks_exact_mut(channels) {
        let drawn = random.unit();
        if drawn < fraction {
            pixel[..channels.min(3)].fill(if drawn < 0.5 * fraction { T::default() } else { white });
        }
    }
}

/// Peak signal-to-noise ratio of two images in decibels, Equation (1); infinite if they are equal.
///
/// ```
/// use fuzzion::{data::{Images, Pixels}, inference::image::sample};
/// let gray = |value: u8| Images::new(1, 1, 1, Pixels::U8(vec![value]));
/// assert_eq!(sample::psnr(&gray(0)?, &gray(255)?)?, 0.0); // log 1
/// # Ok::<(), fuzzion::Error>(())
/// ```
///
/// # Errors
/// [`DataError::ImageShape`] if they differ in size, number of frames, channels or bits.
pub fn psnr(a: &Images, b: &Images) -> Result<f64> {
    let (found, must) = (StackShape::of(b), StackShape::of(a));
    if found != must {
        let (what, found, must) = ("the second image".into(), found.to_string(), must.to_string());
        return Err(DataError::ImageShape { what, found, must }.into());
    }
    let square = |a: f64, b: f64| (a - b) * (a - b);
    let squares: f64 = match (a.pixels(), b.pixels()) {
        (Pixels::U8(a), Pixels::U8(b)) => {
            a.iter().zip(b).map(|(a, b)| square((*a).into(), (*b).into())).sum()
        }
        (Pixels::U16(a), Pixels::U16(b)) => {
            a.iter().zip(b).map(|(a, b)| square((*a).into(), (*b).into())).sum()
        }
        _ => unreachable!("invariant: both images have the same bit depth"),
    };
    let peak = f64::from((1u32 << a.bits()) - 1);
    Ok(10.0 * (peak * peak * a.pixels().len() as f64 / squares).log10())
}

#[cfg(test)]
mod tests;
