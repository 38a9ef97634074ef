//! Axes: ranges and the positions of values.

use super::ticks::{self, Tick};

/// Settings of an axis.
#[derive(Clone, Debug, Default)]
pub(super) struct Axis {
    pub(super) label: String,
    pub(super) range: Option<(f64, f64)>,
    pub(super) log: bool,
    /// Whether only whole numbers have ticks.
    pub(super) whole: bool,
}

/// Margin between the data and the ends of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Padding {
    /// No margin: curves can end at the frame.
    None,
    /// A margin unless the bound is at a tick, so that memberships from 0 to 1 fill the frame.
    UnlessRound,
    /// Always a margin, so that markers are not clipped.
    Always,
}

/// Range of the values that can be shown on an axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    log: bool,
    lower: f64,
    upper: f64,
}

/// Maximum magnitude of the ends of an axis: differences of larger numbers overflow.
const MAX_VALUE: f64 = 1e300;

impl Extent {
    pub(super) fn new(log: bool) -> Self {
        Extent { log, lower: f64::INFINITY, upper: f64::NEG_INFINITY }
    }

    /// Whether a value can be shown on the axis.
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
    /// The range of the axis: the configured one if it is valid, otherwise that of the data with a margin.
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
        let margin = 0.04 * (high - low);
        let extended = |value: f64, moved: f64| {
            let moved = if self.log { moved.exp() } else { moved };
            match padding {
                Padding::None => value,
                Padding::UnlessRound if is_round(value, lower, upper, self.log) => value,
                Padding::UnlessRound | Padding::Always => moved,
            }
        };
        (extended(lower, low - margin), extended(upper, high + margin))
    }

    pub(super) fn ticks(&self, range: (f64, f64), max_ticks: usize) -> Vec<Tick> {
        match (self.log, self.whole) {
            (true, _) => ticks::logarithmic(range.0, range.1, max_ticks),
            (false, true) => ticks::whole(range.0, range.1, max_ticks),
            (false, false) => ticks::linear(range.0, range.1, max_ticks),
        }
    }
}

/// Whether a bound of the range is at a tick.
fn is_round(value: f64, lower: f64, upper: f64, log: bool) -> bool {
    let ticks = if log { ticks::logarithmic(lower, upper, 9) } else { ticks::linear(lower, upper, 9) };
    let unit = if log { value } else { upper - lower };
    ticks.iter().any(|tick| (tick.value - value).abs() <= 1e-9 * unit)
}

/// Widens the range of constant, huge or tiny data so that its width is a normal number.
fn widen(lower: f64, upper: f64, log: bool) -> (f64, f64) {
    if log {
        let (lower, upper) =
            (lower.clamp(1.0 / MAX_VALUE, MAX_VALUE), upper.clamp(1.0 / MAX_VALUE, MAX_VALUE));
        return if upper / lower < 1.0 + 1e-6 { (lower / 2.0, upper * 2.0) } else { (lower, upper) };
    }
    let (lower, upper) = (lower.clamp(-MAX_VALUE, MAX_VALUE), upper.clamp(-MAX_VALUE, MAX_VALUE));
    let size = lower.abs().max(upper.abs());
    if upper - lower > size * 1e-9 && upper - lower > 1.0 / MAX_VALUE {
        return (lower, upper);
    }
    let margin = if size < 1e-290 { 0.5 } else { size * 0.1 };
    (lower - margin, upper + margin)
}

/// Mapping from a range to pixels, Equation (1).
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    lower: f64,
    per_unit: f64,
    length: f64,
    log: bool,
    /// Whether values increase towards pixel 0, as on a vertical axis.
    flip: bool,
}

impl Scale {
    pub(super) fn new((lower, upper): (f64, f64), length: f64, log: bool, flip: bool) -> Self {
        let (lower, upper) = if log { (lower.ln(), upper.ln()) } else { (lower, upper) };
        Scale { lower, per_unit: length / (upper - lower), length, log, flip }
    }

    /// Pixel position of `value`; `None` if it cannot be shown.
    pub(super) fn at(&self, value: f64) -> Option<f64> {
        let value = if self.log { value.ln() } else { value };
        let pixel = (value - self.lower) * self.per_unit;
        let pixel = if self.flip { self.length - pixel } else { pixel };
        (value.is_finite() && pixel.is_finite()).then_some(pixel)
    }

    /// Pixel position of zero, or of the lower end on a logarithmic axis; the baseline of filled curves and bars.
    pub(super) fn baseline(&self) -> f64 {
        let end = if self.flip { self.length } else { 0.0 };
        if self.log { end } else { self.at(0.0).unwrap_or(end).clamp(-8.0, self.length + 8.0) }
    }
}

/// Widens one of the ranges so that a unit has the same length on both axes.
pub(super) fn equalize(x: &mut (f64, f64), y: &mut (f64, f64), width: f64, height: f64) {
    let unit = ((x.1 - x.0) / width).max((y.1 - y.0) / height);
    for (range, length) in [(x, width), (y, height)] {
        let middle = range.0 / 2.0 + range.1 / 2.0;
        *range = (middle - unit * length / 2.0, middle + unit * length / 2.0);
    }
}
