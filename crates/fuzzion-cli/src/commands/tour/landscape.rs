//! A synthetic landscape image: evening sky, sun, two ridges, a lake and a meadow.

use fuzzion::data::Pixels;
use fuzzion::{Images, Result};

const WIDTH: usize = 480;
const HEIGHT: usize = 320;

type Rgb = [f64; 3];

pub(super) fn draw() -> Result<Images> {
    let mut pixels = Vec::with_capacity(3 * WIDTH * HEIGHT);
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            let (u, v) = (x as f64 / WIDTH as f64, y as f64 / HEIGHT as f64);
            let grain = 4.0 * (noise(x, y) - 0.5);
            pixels.extend(color(u, v, x, y).map(|c| (c + grain).clamp(0.0, 255.0).round() as u8));
        }
    }
    Ok(Images::new(WIDTH, HEIGHT, 3, Pixels::U8(pixels))?)
}

/// Heights of the far ridge, the near ridge, the shore and the meadow's edge at `u`, from the top.
fn heights(u: f64) -> [f64; 4] {
    let wave = |frequency: f64, phase: f64| (u * frequency + phase).sin();
    [
        0.40 - 0.07 * wave(7.0, 0.4) - 0.035 * wave(17.0, 1.0) - 0.012 * wave(43.0, 2.0),
        0.50 - 0.05 * wave(5.0, 3.6) - 0.03 * wave(13.0, 0.7) - 0.008 * wave(61.0, 1.3),
        0.58,
        0.78 + 0.05 * wave(4.0, 2.4) + 0.012 * wave(29.0, 0.2),
    ]
}

fn color(u: f64, v: f64, x: usize, y: usize) -> Rgb {
    let [far, near, shore, edge] = heights(u);
    if v > edge + 0.012 * noise(x, y / 3) {
        let depth = (v - edge) / (1.0 - edge);
        let blades = 0.75 + 0.5 * noise(x / 2, y / 5);
        return mix([126.0, 158.0, 70.0], [48.0, 92.0, 40.0], depth).map(|c| c * blades);
    }
    if v > shore {
        // The lake reflects the land above the shore, darker and with ripples.
        let ripple = 0.010 * (v * 190.0 + (u * 30.0).sin()).sin() * (v - shore) / (1.0 - shore);
        let above = shore - (v - shore) * 1.35 + ripple;
        return mix(land_or_sky(u, above, far, near), [38.0, 74.0, 112.0], 0.38);
    }
    land_or_sky(u, v, far, near)
}

fn land_or_sky(u: f64, v: f64, far: f64, near: f64) -> Rgb {
    if v > near {
        return mix([52.0, 62.0, 84.0], [38.0, 58.0, 58.0], (v - near) * 8.0);
    }
    if v > far {
        return mix([120.0, 116.0, 146.0], [150.0, 138.0, 158.0], (v - far) * 6.0);
    }
    let sky = mix([74.0, 126.0, 196.0], [252.0, 206.0, 158.0], (v / 0.45).clamp(0.0, 1.0).powf(1.4));
    // Corrected for the aspect ratio, so that the sun is a circle.
    let (dx, dy) = ((u - 0.70) * WIDTH as f64 / HEIGHT as f64, v - 0.22);
    let distance = dx.hypot(dy);
    if distance < 0.055 {
        return [255.0, 244.0, 214.0];
    }
    mix([255.0, 232.0, 180.0], sky, (0.35 + (distance - 0.055) * 2.2).min(1.0))
}

fn mix(a: Rgb, b: Rgb, fraction: f64) -> Rgb {
    let fraction = fraction.clamp(0.0, 1.0);
    [0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * fraction)
}

/// Deterministic noise in [0, 1].
fn noise(x: usize, y: usize) -> f64 {
    let mut z = (x as u64) << 32 | y as u64;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) as f64 / u64::MAX as f64
}
