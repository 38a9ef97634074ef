//! Grids of values as colours, and the bar that says which colour is which value.

use super::axis::{Axis, Extent, Padding, Scale};
use super::color::{Color, ColorMap};
use super::contours::Grid;
use super::marks::Frame;
use super::picture::Picture;
use super::svg::{Anchor, Ink, num, text, text_width};
use super::ticks::Tick;
use std::fmt::Write;

/// A grid of values over a box of the chart.
#[derive(Clone, Debug, Default)]
pub(super) struct HeatMap {
    pub(super) values: Vec<f64>,
    pub(super) columns: usize,
    pub(super) x: (f64, f64),
    pub(super) y: (f64, f64),
    pub(super) map: ColorMap,
    /// Label and range of the values.
    pub(super) axis: Axis,
    /// Whether lines of equal value are drawn and the cells blend.
    pub(super) contours: bool,
}

const BAR_GAP: f64 = 16.0;
const BAR_WIDTH: f64 = 12.0;
const STEPS: u32 = 128;

impl HeatMap {
    pub(super) fn extend(&self, x: &mut Extent, y: &mut Extent) {
        if self.rows() > 0 {
            [self.x.0, self.x.1].iter().for_each(|&v| x.include(v));
            [self.y.0, self.y.1].iter().for_each(|&v| y.include(v));
        }
    }

    pub(super) fn rows(&self) -> usize {
        self.values.len().checked_div(self.columns).unwrap_or(0)
    }

    /// The values of the first and the last colour.
    pub(super) fn range(&self) -> (f64, f64) {
        let mut extent = Extent::new(false);
        self.values.iter().for_each(|&value| extent.include(value));
        let (lower, upper) = self.axis.resolve(&extent, Padding::None);
        if self.map == ColorMap::Diverging && lower < 0.0 && upper > 0.0 && self.axis.range.is_none() {
            let size = upper.max(-lower);
            return (-size, size);
        }
        (lower, upper)
    }

    fn ticks(&self, height: f64) -> Vec<Tick> {
        self.axis.ticks(self.range(), (height / 40.0) as usize)
    }

    /// The room the bar takes beside a plot of this height.
    pub(super) fn bar_room(&self, height: f64) -> f64 {
        let widest = self.ticks(height).iter().map(|t| text_width(&t.label, 12.0)).fold(0.0, f64::max);
        BAR_GAP + BAR_WIDTH + 7.0 + widest + if self.axis.label.is_empty() { 0.0 } else { 20.0 }
    }

    pub(super) fn draw(&self, out: &mut String, frame: &Frame) {
        let (lower, upper) = self.range();
        let mut pixels = Vec::with_capacity(self.values.len() * 4);
        for row in self.values.chunks_exact(self.columns.max(1)).rev() {
            for &value in row {
                // Halves, because the width of a range may not be a number that f64 has.
                let t = (value / 2.0 - lower / 2.0) / (upper / 2.0 - lower / 2.0);
                let Color { r, g, b } = self.map.at(t);
                pixels.extend([r, g, b, if value.is_nan() { 0 } else { 255 }]);
            }
        }
        let size = (u32::try_from(self.columns), u32::try_from(self.rows()));
        let edges = [frame.x.at(self.x.0), frame.x.at(self.x.1), frame.y.at(self.y.0), frame.y.at(self.y.1)];
        let ((Ok(columns), Ok(rows)), [Some(left), Some(right), Some(bottom), Some(top)]) = (size, edges)
        else {
            return;
        };
        if let Ok(picture) = Picture::rgba(columns, rows, &pixels) {
            picture.draw(out, [left, top, right - left, bottom - top], !self.contours);
        }
        if self.contours {
            self.draw_contours(out, [left, right, bottom, top], frame.height);
        }
    }

    /// Lines at the values of the bar's ticks, and between them where these are few; a cell's value stands in its middle.
    fn draw_contours(&self, out: &mut String, [left, right, bottom, top]: [f64; 4], height: f64) {
        let (lower, upper) = self.range();
        let cell = ((right - left) / self.columns as f64, (top - bottom) / self.rows() as f64);
        let place = |i: f64, j: f64| [left + (i + 0.5) * cell.0, bottom + (j + 0.5) * cell.1];
        let rounding = 1e-9 * (upper / 2.0 - lower / 2.0);
        let grid = Grid { values: &self.values, columns: self.columns, rounding };
        let ticks: Vec<f64> = self.ticks(height).iter().map(|tick| tick.value).collect();
        let mut levels = ticks.clone();
        if let (&[first, second, ..], 0..7) = (&ticks[..], ticks.len()) {
            let half = second / 2.0 - first / 2.0;
            levels.extend(ticks.iter().map(|tick| tick + half).chain([first - half]));
        }
        for level in levels {
            let d = grid.path(level, place);
            if d.is_empty() {
                continue;
            }
            let t = (level / 2.0 - lower / 2.0) / (upper / 2.0 - lower / 2.0);
            let line = if self.map.at(t).oklab()[0] > 0.6 { "#000" } else { "#fff" };
            let _ = writeln!(
                out,
                "<path d=\"{d}\" fill=\"none\" stroke=\"{line}\" stroke-opacity=\".4\" stroke-linejoin=\"round\"/>"
            );
        }
    }

    /// The bar of colours to the right of a plot whose upper right corner is (x, y).
    pub(super) fn draw_bar(&self, out: &mut String, x: f64, y: f64, height: f64) {
        let left = x + BAR_GAP;
        let pixels: Vec<u8> = (0..STEPS)
            .rev()
            .flat_map(|step| {
                let Color { r, g, b } = self.map.at(f64::from(step) / f64::from(STEPS - 1));
                [r, g, b]
            })
            .collect();
        if let Ok(picture) = Picture::rgb(1, STEPS, &pixels) {
            picture.draw(out, [left, y, BAR_WIDTH, height], false);
        }
        let scale = Scale::new(self.range(), height, false, true);
        for tick in self.ticks(height) {
            let Some(at) = scale.at(tick.value) else { continue };
            let right = left + BAR_WIDTH;
            let _ = writeln!(out, "<path d=\"M{} {}h4\" {}/>", num(right), num(y + at), Ink::Axis.stroke());
            text(out, right + 7.0, y + at + 4.0, Anchor::Start, Ink::Muted, "", &tick.label);
        }
        if !self.axis.label.is_empty() {
            let (at, middle) = (x + self.bar_room(height) - 4.0, y + height / 2.0);
            let turned = format!(" transform=\"rotate(-90 {} {})\"", num(at), num(middle));
            text(out, at, middle, Anchor::Middle, Ink::Text, &turned, &self.axis.label);
        }
    }
}
