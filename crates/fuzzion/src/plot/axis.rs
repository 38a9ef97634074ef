//! Axes: the range they cover, and where on them a value stands.

use super::ticks::{self, Tick};

/// What the caller said about an axis.
#[derive(Clone, Debug, Default)]
pub(super) struct Axis {
    pub(super) label: String,
    pub(super) range: Option<(f64, f64)>,
    pub(super) log: bool,
}

/// How much room an axis leaves beyond the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Padding {
    /// None: curves may end at the frame.
    None,
    /// A little, unless the bound is round: memberships from 0 to 1 touch the frame.
    Rough,
    /// Always a little: markers are not to be cut.
    Always,
}

/// The usable values an axis has to cover.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    log: bool,
    lower: f64,
    upper: f64,
}

/// Values beyond are drawn at the edge of the paper: differences of greater ones overflow.
const LARGEST: f64 = 1e300;

impl Extent {
    pub(super) fn new(log: bool) -> Self {
        Extent { log, lower: f64::INFINITY, upper: f64::NEG_INFINITY }
    }

    /// Whether a value has a place on the axis.
    pub(super) fn usable(&self, value: f64) -> bool {
        value.is_finite() && (value > 0.0 || !self.log)
    }

    pub(super) fn include(&mut self, value: f64) {
        if self.usable(value) {
            self.lower = self.lower.min(value);
            self.upper = self.upper.max(value);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lower > self.upper
    }
}

impl Axis {
    /// The range to draw: the caller's where it is usable, else the data's with some room.
    pub(super) fn resolve(&self, extent: &Extent, padding: Padding) -> (f64, f64) {
        if let Some((a, b)) = self.range {
            let (lower, upper) = (a.min(b), a.max(b));
            let usable =
                lower.is_finite() && upper.is_finite() && lower < upper && (lower > 0.0 || !self.log);
            if usable {
                return widen(lower, upper, self.log);
            }
        }
        let (lower, upper) = match (extent.is_empty(), self.log) {
            (true, true) => (1.0, 10.0),
            (true, false) => (0.0, 1.0),
            _ => (extent.lower, extent.upper),
        };
        let (lower, upper) = widen(lower, upper, self.log);
        let (low, high) = if self.log { (lower.ln(), upper.ln()) } else { (lower, upper) };
        let room = 0.04 * (high - low);
        let beyond = |value: f64, moved: f64| {
            let moved = if self.log { moved.exp() } else { moved };
            match padding {
                Padding::None => value,
                Padding::Rough if is_round(value, lower, upper, self.log) => value,
                Padding::Rough | Padding::Always => moved,
            }
        };
        (beyond(lower, low - room), beyond(upper, high + room))
    }

    pub(super) fn ticks(&self, range: (f64, f64), most: usize) -> Vec<Tick> {
        if self.log {
            ticks::logarithmic(range.0, range.1, most)
        } else {
            ticks::linear(range.0, range.1, most)
        }
    }
}

fn is_round(value: f64, lower: f64, upper: f64, log: bool) -> bool {
    let ticks = if log { ticks::logarithmic(lower, upper, 9) } else { ticks::linear(lower, upper, 9) };
    let unit = if log { value } else { upper - lower };
    ticks.iter().any(|tick| (tick.value - value).abs() <= 1e-9 * unit)
}

/// A range wide enough to be divided, in spite of constant, huge or tiny data.
fn widen(lower: f64, upper: f64, log: bool) -> (f64, f64) {
    if log {
        let (lower, upper) = (lower.clamp(1.0 / LARGEST, LARGEST), upper.clamp(1.0 / LARGEST, LARGEST));
        return if upper / lower < 1.0 + 1e-6 { (lower / 2.0, upper * 2.0) } else { (lower, upper) };
    }
    let (lower, upper) = (lower.clamp(-LARGEST, LARGEST), upper.clamp(-LARGEST, LARGEST));
    let size = lower.abs().max(upper.abs());
    if upper - lower > size * 1e-9 && upper - lower > 1.0 / LARGEST {
        return (lower, upper);
    }
    let room = if size < 1e-290 { 0.5 } else { size * 0.1 };
    (lower - room, upper + room)
}

/// A range laid along a length in pixels; equation (1).
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    lower: f64,
    per_unit: f64,
    length: f64,
    log: bool,
    /// Whether values grow towards pixel 0, as they do upwards on a screen.
    flip: bool,
}

impl Scale {
    pub(super) fn new((lower, upper): (f64, f64), length: f64, log: bool, flip: bool) -> Self {
        let (lower, upper) = if log { (lower.ln(), upper.ln()) } else { (lower, upper) };
        Scale { lower, per_unit: length / (upper - lower), length, log, flip }
    }

    /// The pixel at which `value` stands; a gap where it has none.
    pub(super) fn at(&self, value: f64) -> Option<f64> {
        let value = if self.log { value.ln() } else { value };
        let pixel = (value - self.lower) * self.per_unit;
        let pixel = if self.flip { self.length - pixel } else { pixel };
        (value.is_finite() && pixel.is_finite()).then_some(pixel)
    }

    /// Where curves that are filled stand on: zero, or the lower end where zero is not on the axis.
    pub(super) fn base(&self) -> f64 {
        let end = if self.flip { self.length } else { 0.0 };
        if self.log { end } else { self.at(0.0).unwrap_or(end).clamp(-8.0, self.length + 8.0) }
    }
}

/// Widens the range whose units are the longer ones until a unit is equally long on both axes.
pub(super) fn equalize(x: &mut (f64, f64), y: &mut (f64, f64), width: f64, height: f64) {
    let unit = ((x.1 - x.0) / width).max((y.1 - y.0) / height);
    for (range, length) in [(x, width), (y, height)] {
        let middle = range.0 / 2.0 + range.1 / 2.0;
        *range = (middle - unit * length / 2.0, middle + unit * length / 2.0);
    }
}
