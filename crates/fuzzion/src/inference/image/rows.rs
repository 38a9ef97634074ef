//! Rows of a frame with what lies beyond its borders: a few at a time, never a padded frame.

use super::model::Border;
use super::pixel::{Pixel, grey};

/// Which numbers of a frame make the picture that is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plane {
    Grey,
    Channel(usize),
}

/// One picture of a frame.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a, P> {
    /// Row by row, pixel by pixel, channel by channel.
    pub(crate) frame: &'a [P],
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) channels: usize,
    pub(crate) plane: Plane,
    pub(crate) border: Border,
}

impl Border {
    /// Where a place beside a row or column of `n` is read; `None` for the constant.
    fn place(self, at: isize, n: usize) -> Option<usize> {
        let last = n as isize - 1;
        if (0..=last).contains(&at) {
            return Some(at as usize);
        }
        match self {
            Border::Replicate => Some(at.clamp(0, last) as usize),
            Border::Reflect if last == 0 => Some(0),
            Border::Reflect => {
                let at = at.rem_euclid(2 * last);
                Some(at.min(2 * last - at) as usize)
            }
            Border::Constant(_) => None,
        }
    }

    /// The pixel beyond the border.
    pub(crate) fn constant<P: Pixel>(self) -> P {
        match self {
            Border::Constant(value) => P::of((f64::from(P::STEPS) * value + 0.5) as u32),
            _ => P::default(), // nothing asks for it
        }
    }
}

impl<'a, P: Pixel> Source<'a, P> {
    /// The rows above, at and below `y` as they lie in the frame, where they do.
    pub(crate) fn three_rows(&self, y: usize) -> Option<[&'a [P]; 3]> {
        if self.channels != 1 {
            return None;
        }
        let row = |dy: isize| {
            let y = self.border.place(y as isize + dy, self.height)?;
            Some(&self.frame[y * self.width..(y + 1) * self.width])
        };
        Some([row(-1)?, row(0)?, row(1)?])
    }

    /// Pixels of column `x` from row `first` on, which may lie outside as those after them may; the picture is of one channel.
    pub(crate) fn column(&self, x: isize, first: isize, out: &mut [P]) {
        let constant = self.border.constant();
        let Some(x) = self.border.place(x, self.width) else { return out.fill(constant) };
        for (y, out) in (first..).zip(out) {
            let y = self.border.place(y, self.height);
            *out = y.map_or(constant, |y| self.frame[y * self.width + x]);
        }
    }

    /// Row `y`, which may lie outside, with `radius` pixels more on either side.
    fn read(&self, y: isize, radius: usize, out: &mut [P]) {
        let constant = self.border.constant();
        let Some(y) = self.border.place(y, self.height) else { return out.fill(constant) };
        let (width, channels) = (self.width, self.channels);
        let row = &self.frame[y * width * channels..(y + 1) * width * channels];
        let inner = &mut out[radius..radius + width];
        match self.plane {
            Plane::Channel(channel) if channels > 1 => {
                inner
                    .iter_mut()
                    .zip(row.chunks_exact(channels))
                    .for_each(|(out, pixel)| *out = pixel[channel]);
            }
            Plane::Grey if channels > 1 => {
                let pixels = row.chunks_exact(channels);
                inner.iter_mut().zip(pixels).for_each(|(out, rgb)| *out = grey(rgb[0], rgb[1], rgb[2]));
            }
            _ => inner.copy_from_slice(row),
        }
        for beyond in 1..=radius as isize {
            let (before, behind) = (-beyond, width as isize - 1 + beyond);
            for at in [before, behind] {
                let place = self.border.place(at, width);
                out[(radius as isize + at) as usize] = place.map_or(constant, |x| out[radius + x]);
            }
        }
    }
}

/// The rows of a window, the topmost first, which move down a picture.
#[derive(Clone, Debug)]
pub(crate) struct Rows<P> {
    rows: Vec<Vec<P>>,
    radius: usize,
}

impl<P: Pixel> Rows<P> {
    pub(crate) fn new(radius: usize, width: usize) -> Self {
        Rows { rows: vec![vec![P::default(); width + 2 * radius]; 2 * radius + 1], radius }
    }

    /// Fills them with those round row `y`.
    pub(crate) fn start(&mut self, source: &Source<'_, P>, y: usize) {
        let top = y as isize - self.radius as isize;
        for (i, row) in self.rows.iter_mut().enumerate() {
            source.read(top + i as isize, self.radius, row);
        }
    }

    /// Moves them from the row above to those round row `y`.
    pub(crate) fn down_to(&mut self, source: &Source<'_, P>, y: usize) {
        self.rows.rotate_left(1);
        if let Some(lowest) = self.rows.last_mut() {
            source.read((y + self.radius) as isize, self.radius, lowest);
        }
    }

    /// The pixels (dx, dy) away from those of the row in the middle, and those after them up to the end.
    pub(crate) fn at(&self, dx: isize, dy: isize) -> &[P] {
        let radius = self.radius as isize;
        &self.rows[(radius + dy) as usize][(radius + dx) as usize..]
    }
}
