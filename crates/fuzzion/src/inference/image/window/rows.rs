//! Rows of a frame extended beyond its borders, a few at a time, without a padded copy of the frame.

use super::border::Border;
use super::pixel::{Pixel, gray};

/// The single-channel image that is processed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plane {
    Gray,
    Channel(usize),
}

/// A single-channel image of a frame.
#[derive(Clone, Copy)]
pub(crate) struct PlaneSource<'a, P> {
    /// Channel values in row-major order, with the channels of a pixel adjacent.
    pub(crate) frame: &'a [P],
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) channels: usize,
    pub(crate) plane: Plane,
    pub(crate) border: Border,
}

impl<'a, P: Pixel> PlaneSource<'a, P> {
    /// The rows above, at and below `y`, if they can be read directly from the frame.
    pub(crate) fn three_rows(&self, y: usize) -> Option<[&'a [P]; 3]> {
        if self.channels != 1 {
            return None;
        }
        let row = |dy: isize| {
            let y = self.border.index(y as isize + dy, self.height)?;
            Some(&self.frame[y * self.width..(y + 1) * self.width])
        };
        Some([row(-1)?, row(0)?, row(1)?])
    }

    /// Reads column `x`, starting at row `first`; both may be outside the frame. Requires a single channel.
    pub(crate) fn column(&self, x: isize, first: isize, out: &mut [P]) {
        let constant = self.border.constant();
        let Some(x) = self.border.index(x, self.width) else { return out.fill(constant) };
        for (y, out) in (first..).zip(out) {
            let y = self.border.index(y, self.height);
            *out = y.map_or(constant, |y| self.frame[y * self.width + x]);
        }
    }

    /// Reads row `y`, which may be outside the frame, with `radius` additional pixels on both sides.
    fn read(&self, y: isize, radius: usize, out: &mut [P]) {
        let constant = self.border.constant();
        let Some(y) = self.border.index(y, self.height) else { return out.fill(constant) };
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
            Plane::Gray if channels > 1 => {
                let pixels = row.chunks_exact(channels);
                inner.iter_mut().zip(pixels).for_each(|(out, rgb)| *out = gray(rgb[0], rgb[1], rgb[2]));
            }
            _ => inner.copy_from_slice(row),
        }
        for beyond in 1..=radius as isize {
            let (left, right) = (-beyond, width as isize - 1 + beyond);
            for at in [left, right] {
                let index = self.border.index(at, width);
                out[(radius as isize + at) as usize] = index.map_or(constant, |x| out[radius + x]);
            }
        }
    }
}

/// The rows of a window that moves down an image, starting with the topmost row.
#[derive(Clone, Debug)]
pub(crate) struct WindowRows<P> {
    rows: Vec<Vec<P>>,
    radius: usize,
}

impl<P: Pixel> WindowRows<P> {
    pub(crate) fn new(radius: usize, width: usize) -> Self {
        WindowRows { rows: vec![vec![P::default(); width + 2 * radius]; 2 * radius + 1], radius }
    }

    /// Reads the rows around row `y`.
    pub(crate) fn start(&mut self, source: &PlaneSource<'_, P>, y: usize) {
        let top = y as isize - self.radius as isize;
        for (i, row) in self.rows.iter_mut().enumerate() {
            source.read(top + i as isize, self.radius, row);
        }
    }

    /// Moves the window down by one row, to row `y`.
    pub(crate) fn move_down_to(&mut self, source: &PlaneSource<'_, P>, y: usize) {
        self.rows.rotate_left(1);
        let bottom = self.rows.last_mut().expect("invariant: a window has at least one row");
        source.read((y + self.radius) as isize, self.radius, bottom);
    }

    /// The row shifted by (dx, dy) relative to the center row, up to its end.
    pub(crate) fn at(&self, dx: isize, dy: isize) -> &[P] {
        let radius = self.radius as isize;
        &self.rows[(radius + dy) as usize][(radius + dx) as usize..]
    }
}
