//! Thinning of lines to a width of one pixel, and inversion of images.
//!
//! A line pixel can be removed without changing the topology if it is *simple*: its eight neighbors contain one
//! 8-connected component of line pixels and one 4-connected component of background that is adjacent to a side of the
//! pixel. This is a condition on its crossing number, with bₖ = 1 if neighbor k, counterclockwise from the east, is
//! background:
//!
//! Σₖ bₖ − bₖ·bₖ₊₁·bₖ₊₂ = 1 over the four sides k = 0, 2, 4, 6 (1)
//!
//! Lines are thinned layer by layer. Each layer has four passes, one per side, which remove simple pixels that are not
//! line ends and have background on that side at the start of the pass. Removing pixels from one side at a time leaves one
//! pixel of a line two pixels wide. Lines at most three pixels wide keep their length and their darkest pixels.
//!
//! Sources: S. Yokoi, J. Toriwaki, T. Fukumura, *An analysis of topological properties of digitized binary pictures using
//! local features*, 1975; A. Rosenfeld, *A characterization of parallel thinning algorithms*, 1975.

use crate::data::{Images, PixelsMut};
use rayon::prelude::*;

/// Line pixels are darker than this fraction of white. FIRE gives 0.65 on both sides of a sharp step, and 0.83 for a step
/// of half its threshold.
const LINE_LEVEL: f64 = 0.84;

/// Smaller differences in darkness, as a fraction of white, are ignored, because noise would make straight lines wavy.
const NOISE_LEVEL: f64 = 1.0 / 32.0;

/// Maximum width of a narrow line, which keeps its length and its darkest pixels.
const NARROW: usize = 3;

/// Neighbor indices of the four sides, in the order of the passes: north, south, west, east.
const SIDES: [usize; 4] = [2, 6, 4, 0];

/// Thins dark lines on a light background to a width of one pixel, separately for each frame and channel.
///
/// Line pixels are darker than 0.84 of white. The topology of the lines (8-connected) is preserved. Lines at most three
/// pixels wide keep their length and their darkest pixels. Remaining line pixels keep their value, all others become
/// white; opacity is unchanged.
///
/// ```
/// use fuzzion::data::{Images, Pixels};
/// use fuzzion::inference::image::thin;
/// let bar = vec![9, 9, 9, 9, 2, 2, 2, 2, 9, 9, 9, 9, 255, 255, 255, 255];
/// let mut image = Images::new(4, 4, 1, Pixels::U8(bar))?;
/// thin(&mut image);
/// let line = vec![255, 255, 255, 255, 2, 2, 2, 2, 255, 255, 255, 255, 255, 255, 255, 255];
/// assert_eq!(image.pixels(), &Pixels::U8(line));
/// # Ok::<(), fuzzion::Error>(())
/// ```
pub fn thin(edges: &mut Images) {
    let (width, channels, frame) = (edges.width(), edges.channels(), edges.frame_len());
    match edges.pixels_mut() {
        PixelsMut::U8(pixels) => {
            pixels.par_chunks_mut(frame).for_each(|frame| thin_frame(frame, width, channels, u8::MAX));
        }
        PixelsMut::U16(pixels) => {
            pixels.par_chunks_mut(frame).for_each(|frame| thin_frame(frame, width, channels, u16::MAX));
        }
    }
}

/// Inverts every channel except opacity.
///
/// ```
/// use fuzzion::data::{Images, Pixels};
/// use fuzzion::inference::image::invert;
/// let mut image = Images::new(2, 1, 1, Pixels::U8(vec![0, 200]))?;
/// invert(&mut image);
/// assert_eq!(image.pixels(), &Pixels::U8(vec![255, 55]));
/// # Ok::<(), fuzzion::Error>(())
/// ```
pub fn invert(images: &mut Images) {
    let channels = images.channels();
    let colors = channels.min(3);
    match images.pixels_mut() {
        PixelsMut::U8(pixels) => {
            pixels.chunks_exact_mut(channels).for_each(|p| p[..colors].iter_mut().for_each(|v| *v = !*v));
        }
        PixelsMut::U16(pixels) => {
            pixels.chunks_exact_mut(channels).for_each(|p| p[..colors].iter_mut().for_each(|v| *v = !*v));
        }
    }
}

/// Thins each color channel of one frame with interleaved channels.
fn thin_frame<T: Copy + Into<u16>>(frame: &mut [T], width: usize, channels: usize, white: T) {
    for channel in 0..channels.min(3) {
        let plane: Vec<u16> = frame.iter().skip(channel).step_by(channels).map(|v| (*v).into()).collect();
        let mut mask = LineMask::new(&plane, width, white.into());
        mask.peel(true);
        mask.peel(false); // removes what is still wider than one pixel, such as corners of narrow lines
        let kept = mask.rows();
        for (pixel, kept) in frame.iter_mut().skip(channel).step_by(channels).zip(kept) {
            *pixel = if kept { *pixel } else { white };
        }
    }
}

/// The line pixels of a channel, with a margin of background.
struct LineMask {
    /// Darkness of each line pixel; 0 for background.
    darkness: Vec<u16>,
    /// Pixels per row including the margin.
    stride: usize,
    noise: u16,
}

impl LineMask {
    fn new(plane: &[u16], width: usize, white: u16) -> Self {
        let (stride, limit) = (width + 2, LINE_LEVEL * f64::from(white));
        let mut darkness = vec![0; (plane.len() / width + 2) * stride];
        for (row, line) in plane.chunks_exact(width).zip(darkness.chunks_exact_mut(stride).skip(1)) {
            for (value, dark) in row.iter().zip(&mut line[1..]) {
                *dark = if f64::from(*value) < limit { white - value } else { 0 };
            }
        }
        LineMask { darkness, stride, noise: (NOISE_LEVEL * f64::from(white)) as u16 }
    }

    /// Whether each pixel is a line pixel, in row-major order.
    fn rows(&self) -> impl Iterator<Item = bool> {
        let rows = self.darkness.chunks_exact(self.stride).skip(1);
        rows.flat_map(|row| row[1..row.len() - 1].iter().map(|dark| *dark > 0))
    }

    fn is_line(&self, at: usize) -> bool {
        self.darkness[at] > 0
    }

    /// Neighbors of a pixel, counterclockwise from the east.
    fn neighbors(&self, at: usize) -> [usize; 8] {
        let (north, south) = (at - self.stride, at + self.stride);
        [at + 1, north + 1, north, north - 1, at - 1, south - 1, south, south + 1]
    }

    /// Bit mask of the neighbors that are line pixels.
    fn neighbor_bits(&self, at: usize) -> u8 {
        let line = self.neighbors(at).map(|neighbor| u8::from(self.is_line(neighbor)));
        (0..8).fold(0, |bits, k| bits | line[k] << k)
    }

    /// Removes layers until nothing more can be removed. `keep_narrow` preserves the length and darkest pixels of narrow lines.
    fn peel(&mut self, keep_narrow: bool) {
        let mut layer: Vec<usize> = (0..self.darkness.len()).filter(|at| self.is_line(*at)).collect();
        let mut is_listed = vec![false; self.darkness.len()];
        let mut candidates = Vec::new();
        while !layer.is_empty() {
            let mut next = Vec::new();
            for side in SIDES {
                candidates.clear();
                candidates.extend(layer.iter().filter(|at| self.is_removable(**at, side, keep_narrow)));
                for at in candidates.iter().copied() {
                    // Earlier removals of this pass may have changed the neighbors.
                    if NEIGHBORHOODS[usize::from(self.neighbor_bits(at))].is_simple {
                        self.darkness[at] = 0;
                        // Only pixels near a removed pixel can become removable.
                        for near in self.near(at).filter(|near| self.is_line(*near)) {
                            if !std::mem::replace(&mut is_listed[near], true) {
                                next.push(near);
                            }
                        }
                    }
                }
            }
            next.iter().for_each(|at| is_listed[*at] = false);
            layer = next;
        }
    }

    /// Whether the pass for `side` removes this pixel.
    fn is_removable(&self, at: usize, side: usize, keep_narrow: bool) -> bool {
        if !self.is_line(at) || self.is_line(self.neighbors(at)[side]) {
            return false;
        }
        let neighborhood = NEIGHBORHOODS[usize::from(self.neighbor_bits(at))];
        neighborhood.is_simple && !neighborhood.is_end && !(keep_narrow && self.is_needed(at, side))
    }

    /// Whether removing this pixel from `side` would shorten a narrow line or remove the darkest pixel across it.
    fn is_needed(&self, at: usize, side: usize) -> bool {
        let opposite = (side + 4) % 8;
        let across = self.run_length(at, opposite);
        let along = self.run_length(at, (side + 2) % 8) + self.run_length(at, (side + 6) % 8) - 1;
        let is_darkest = || {
            let with_noise =
                |steps: usize| self.darkness[self.offset(at, opposite, steps)].saturating_add(self.noise);
            (1..across).all(|steps| with_noise(steps) < self.darkness[at])
        };
        along <= NARROW && along < across || across <= NARROW && is_darkest()
    }

    /// Number of consecutive line pixels from this one in the direction of a neighbor, at most `NARROW + 1`.
    fn run_length(&self, at: usize, towards: usize) -> usize {
        (1..=NARROW).find(|steps| !self.is_line(self.offset(at, towards, *steps))).unwrap_or(NARROW + 1)
    }

    /// The pixel some steps away in the direction of a neighbor; the margin stops every run before the edge.
    fn offset(&self, at: usize, towards: usize, steps: usize) -> usize {
        let one = self.neighbors(at)[towards].wrapping_sub(at);
        at.wrapping_add(one.wrapping_mul(steps))
    }

    /// Pixels affected by a removal: all neighbors and the pixels that reach it in [`LineMask::is_needed`].
    fn near(&self, at: usize) -> impl Iterator<Item = usize> + use<> {
        let (stride, count) = (self.stride, self.darkness.len());
        let far = (2..=NARROW).flat_map(move |steps| {
            [
                at.checked_sub(steps),
                at.checked_sub(steps * stride),
                Some(at + steps),
                Some(at + steps * stride),
            ]
        });
        self.neighbors(at).into_iter().chain(far.flatten().filter(move |near| *near < count))
    }
}

/// Topological properties of a pixel's neighborhood.
#[derive(Clone, Copy)]
struct Neighborhood {
    /// Equation (1).
    is_simple: bool,
    /// Exactly one neighbor is a line pixel.
    is_end: bool,
}

impl Neighborhood {
    const fn new(bits: u8) -> Self {
        let mut crossings = 0;
        let mut k = 0;
        while k < 8 {
            let b0 = !bits.rotate_right(k) & 1;
            let b1 = !bits.rotate_right(k + 1) & 1;
            let b2 = !bits.rotate_right(k + 2) & 1;
            crossings += b0 - b0 * b1 * b2;
            k += 2;
        }
        Neighborhood { is_simple: crossings == 1, is_end: bits.count_ones() == 1 }
    }
}

/// Properties of all neighborhoods by their bit mask.
static NEIGHBORHOODS: [Neighborhood; 256] = {
    let mut all = [Neighborhood::new(0); 256];
    let mut bits = 0;
    while bits < 256 {
        all[bits] = Neighborhood::new(bits as u8);
        bits += 1;
    }
    all
};

#[cfg(test)]
mod tests;
