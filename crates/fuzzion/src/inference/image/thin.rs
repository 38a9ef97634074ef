//! Lines one pixel wide, and pictures with black and white exchanged.
//!
//! A line pixel may go where that changes no connection: where it is *simple*, that is where its eight neighbors hold one
//! piece of line (joined by sides and corners) and one piece of ground that touches it (joined by sides). Its crossing
//! number says so, with bₖ = 1 where neighbor k, counted around from the east, is ground:
//!
//! Σₖ bₖ − bₖ·bₖ₊₁·bₖ₊₂ = 1 over the four sides k = 0, 2, 4, 6 (1)
//!
//! Lines are peeled layer by layer. A layer goes in four steps, one for each side: what is simple, no end, and has ground
//! on that side when the step begins. A step from one side alone leaves the other half of a line two pixels wide, however
//! it fades along its length. A line at most three pixels wide is worn down across and not along, and its darkest stay.
//!
//! Sources: S. Yokoi, J. Toriwaki, T. Fukumura, *An analysis of topological properties of digitized binary pictures using
//! local features*, 1975; A. Rosenfeld, *A characterization of parallel thinning algorithms*, 1975.

use crate::data::{Images, PixelsMut};
use rayon::prelude::*;

/// A pixel darker than this part of white is line. FIRE makes both sides of a sharp step 0.65 of white, and of a step half
/// as high as its threshold 0.83.
const LINE: f64 = 0.84;

/// What is darker by less than this part of white is no darker: grain would make straight lines wavy.
const GRAIN: f64 = 1.0 / 32.0;

/// The width up to which a line is narrow: the darkest pixel across it stays, and all of its length.
const NARROW: usize = 3;

/// The sides of a pixel among its neighbors, in the order of the steps: north, south, west, east.
const SIDES: [usize; 4] = [2, 6, 4, 0];

/// Thins dark lines on a light ground to a width of one pixel, each frame and each channel by itself.
///
/// A pixel is line where it is darker than 0.84 of white. Lines stay as connected as they were (by sides and
/// corners); those at most three pixels wide stay as long, and their darkest pixels stay. What stays
/// keeps its value, everything else becomes white; opacity is left alone.
///
/// ```
/// use fuzzion::data::{Images, Pixels};
/// use fuzzion::inference::image::thin;
/// let bar = vec![9, 9, 9, 9, 2, 2, 2, 2, 9, 9, 9, 9, 255, 255, 255, 255];
/// let mut picture = Images::new(4, 4, 1, Pixels::U8(bar))?;
/// thin(&mut picture);
/// let line = vec![255, 255, 255, 255, 2, 2, 2, 2, 255, 255, 255, 255, 255, 255, 255, 255];
/// assert_eq!(picture.pixels(), &Pixels::U8(line));
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

/// Exchanges black and white in every channel but opacity.
///
/// ```
/// use fuzzion::data::{Images, Pixels};
/// use fuzzion::inference::image::invert;
/// let mut picture = Images::new(2, 1, 1, Pixels::U8(vec![0, 200]))?;
/// invert(&mut picture);
/// assert_eq!(picture.pixels(), &Pixels::U8(vec![255, 55]));
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

/// Thins each color of one frame, whose pixels lie `channels` apart.
fn thin_frame<T: Copy + Into<u16>>(frame: &mut [T], width: usize, channels: usize, white: T) {
    for channel in 0..channels.min(3) {
        let plane: Vec<u16> = frame.iter().skip(channel).step_by(channels).map(|v| (*v).into()).collect();
        let mut figure = Figure::new(&plane, width, white.into());
        figure.peel(true);
        figure.peel(false); // what is left is one pixel wide but for corners that needed every pixel
        let kept = figure.rows();
        for (pixel, kept) in frame.iter_mut().skip(channel).step_by(channels).zip(kept) {
            *pixel = if kept { *pixel } else { white };
        }
    }
}

/// The lines of a plane, with a rim of ground around it.
struct Figure {
    /// How dark each line pixel is; 0 is ground.
    darkness: Vec<u16>,
    /// Pixels of a row and its rim.
    stride: usize,
    grain: u16,
}

impl Figure {
    fn new(plane: &[u16], width: usize, white: u16) -> Self {
        let (stride, limit) = (width + 2, LINE * f64::from(white));
        let mut darkness = vec![0; (plane.len() / width + 2) * stride];
        for (row, line) in plane.chunks_exact(width).zip(darkness.chunks_exact_mut(stride).skip(1)) {
            for (value, dark) in row.iter().zip(&mut line[1..]) {
                *dark = if f64::from(*value) < limit { white - value } else { 0 };
            }
        }
        Figure { darkness, stride, grain: (GRAIN * f64::from(white)) as u16 }
    }

    /// Whether each pixel of the plane is line, row by row.
    fn rows(&self) -> impl Iterator<Item = bool> {
        let rows = self.darkness.chunks_exact(self.stride).skip(1);
        rows.flat_map(|row| row[1..row.len() - 1].iter().map(|dark| *dark > 0))
    }

    fn is_line(&self, at: usize) -> bool {
        self.darkness[at] > 0
    }

    /// The neighbors of a pixel, from the east around by the north.
    fn neighbors(&self, at: usize) -> [usize; 8] {
        let (north, south) = (at - self.stride, at + self.stride);
        [at + 1, north + 1, north, north - 1, at - 1, south - 1, south, south + 1]
    }

    /// Which neighbors are line, a bit for each.
    fn around(&self, at: usize) -> u8 {
        let line = self.neighbors(at).map(|neighbor| u8::from(self.is_line(neighbor)));
        (0..8).fold(0, |bits, k| bits | line[k] << k)
    }

    /// Takes away layer after layer until nothing can go; `careful` keeps what a narrow line needs.
    fn peel(&mut self, careful: bool) {
        let mut layer: Vec<usize> = (0..self.darkness.len()).filter(|at| self.is_line(*at)).collect();
        let mut is_listed = vec![false; self.darkness.len()];
        let mut step = Vec::new();
        while !layer.is_empty() {
            let mut next = Vec::new();
            for side in SIDES {
                step.clear();
                step.extend(layer.iter().filter(|at| self.may_go(**at, side, careful)));
                for at in step.iter().copied() {
                    // Others of the step have gone meanwhile.
                    if KINDS[usize::from(self.around(at))].is_simple {
                        self.darkness[at] = 0;
                        // Only what lies near a pixel that went can have changed.
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

    /// Whether the step from `side` takes this pixel.
    fn may_go(&self, at: usize, side: usize, careful: bool) -> bool {
        if !self.is_line(at) || self.is_line(self.neighbors(at)[side]) {
            return false;
        }
        let kind = KINDS[usize::from(self.around(at))];
        kind.is_simple && !kind.is_end && !(careful && self.is_needed(at, side))
    }

    /// Whether this pixel, on the `side` of a narrow line, is the darkest across it, or the line goes the other way and
    /// would be shortened.
    fn is_needed(&self, at: usize, side: usize) -> bool {
        let behind = (side + 4) % 8;
        let across = self.run(at, behind);
        let other_way = self.run(at, (side + 2) % 8) + self.run(at, (side + 6) % 8) - 1;
        let is_darkest = || {
            let lighter =
                |steps: usize| self.darkness[self.step(at, behind, steps)].saturating_add(self.grain);
            (1..across).all(|steps| lighter(steps) < self.darkness[at])
        };
        other_way <= NARROW && other_way < across || across <= NARROW && is_darkest()
    }

    /// How many line pixels follow each other from here towards a neighbor, this one counted; more than narrow is enough.
    fn run(&self, at: usize, towards: usize) -> usize {
        (1..=NARROW).find(|steps| !self.is_line(self.step(at, towards, *steps))).unwrap_or(NARROW + 1)
    }

    /// The place some steps away in the direction of a neighbor; a rim of ground ends every walk before the edge.
    fn step(&self, at: usize, towards: usize, steps: usize) -> usize {
        let one = self.neighbors(at)[towards].wrapping_sub(at);
        at.wrapping_add(one.wrapping_mul(steps))
    }

    /// Where it matters that a pixel went: all neighbors, and the pixels that see it in [`Figure::is_needed`].
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

/// What the neighbors of a pixel make of it.
#[derive(Clone, Copy)]
struct Kind {
    /// Equation (1).
    is_simple: bool,
    /// One neighbor.
    is_end: bool,
}

impl Kind {
    const fn of(around: u8) -> Self {
        let mut crossings = 0;
        let mut k = 0;
        while k < 8 {
            let b0 = !around.rotate_right(k) & 1;
            let b1 = !around.rotate_right(k + 1) & 1;
            let b2 = !around.rotate_right(k + 2) & 1;
            crossings += b0 - b0 * b1 * b2;
            k += 2;
        }
        Kind { is_simple: crossings == 1, is_end: around.count_ones() == 1 }
    }
}

/// [`Kind::of`] for all neighborhoods.
static KINDS: [Kind; 256] = {
    let mut kinds = [Kind::of(0); 256];
    let mut around = 0;
    while around < 256 {
        kinds[around] = Kind::of(around as u8);
        around += 1;
    }
    kinds
};

#[cfg(test)]
mod tests;
