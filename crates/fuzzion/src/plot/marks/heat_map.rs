//! Heat maps and their color bars.

use super::contours::ContourGrid;
use crate::plot::axis::{Axis, Extent, Padding, Scale};
use crate::plot::color::{Color, ColorMap};
use crate::plot::image::Image;
use crate::plot::plot_area::PlotArea;
use crate::plot::svg::{Anchor, Paint, num, text, text_width};
use crate::plot::ticks::Tick;
use std::fmt::Write;

/// A grid of values over a box of the plot.
#[derive(Clone, Debug, Default)]
pub(in crate::plot) struct HeatMap {
    pub(in crate::plot) values: Vec<f64>,
    pub(in crate::plot) columns: usize,
    pub(in crate::plot) x: (f64, f64),
    pub(in crate::plot) y: (f64, f64),
    pub(in crate::plot) map: ColorMap,
    /// Label and range of the color bar.
    pub(in crate::plot) axis: Axis,
    /// Whether contour lines are drawn and colors are interpolated between cells.
    pub(in crate::plot) contours: bool,
}

const BAR_GAP: f64 = 16.0;
const BAR_WIDTH: f64 = 12.0;
/// Number of colors of the color bar.
const BAR_COLORS: u32 = 128;

impl HeatMap {
    pub(in crate::plot) fn extend(&self, x: &mut Extent, y: &mut Extent) {
        if self.rows() > 0 {
            [self.x.0, self.x.1].iter().for_each(|&v| x.include(v));
            [self.y.0, self.y.1].iter().for_each(|&v| y.include(v));
        }
    }

    pub(in crate::plot) fn rows(&self) -> usize {
        self.values.len().checked_div(self.columns).unwrap_or(0)
    }

    /// Values of the first and the last color.
    pub(in crate::plot) fn range(&self) -> (f64, f64) {
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

    /// Width of the color bar with its labels and margins for a plot of this height.
    pub(in crate::plot) fn color_bar_width(&self, height: f64) -> f64 {
        let widest = self.ticks(height).iter().map(|t| text_width(&t.label, 12.0)).fold(0.0, f64::max);
        BAR_GAP + BAR_WIDTH + 7.0 + widest + if self.axis.label.is_empty() { 0.0 } else { 20.0 }
    }

    pub(in crate::plot) fn draw(&self, out: &mut String, area: &PlotArea) {
        let (lower, upper) = self.range();
        let mut pixels = Vec::with_capacity(self.values.len() * 4);
        for row in self.values.chunks_exact(self.columns.max(1)).rev() {
            for &value in row {
                // Halved because the width of the range can overflow.
                let t = (value / 2.0 - lower / 2.0) / (upper / 2.0 - lower / 2.0);
                let Color { r, g, b } = self.map.at(t);
                pixels.extend([r, g, b, if value.is_nan() { 0 } else { 255 }]);
            }
        }
        let size = (u32::try_from(self.columns), u32::try_from(self.rows()));
        let edges = [area.x.at(self.x.0), area.x.at(self.x.1), area.y.at(self.y.0), area.y.at(self.y.1)];
        let ((Ok(columns), Ok(rows)), [Some(left), Some(right), Some(bottom), Some(top)]) = (size, edges)
        else {
            return;
        };
        if let Ok(image) = Image::rgba(columns, rows, &pixels) {
            image.draw(out, [left, top, right - left, bottom - top], !self.contours);
        }
        if self.contours {
            self.draw_contours(out, [left, right, bottom, top], area.height);
        }
    }

    /// Contours at the ticks of the color bar, and also halfway between them if there are fewer than seven. The value of a
    /// cell is at its center.
    fn draw_contours(&self, out: &mut String, [left, right, bottom, top]: [f64; 4], height: f64) {
        let (lower, upper) = self.range();
        let cell = ((right - left) / self.columns as f64, (top - bottom) / self.rows() as f64);
        let to_pixels = |i: f64, j: f64| [left + (i + 0.5) * cell.0, bottom + (j + 0.5) * cell.1];
        let rounding = 1e-9 * (upper / 2.0 - lower / 2.0);
        let grid = ContourGrid { values: &self.values, columns: self.columns, rounding };
        let ticks: Vec<f64> = self.ticks(height).iter().map(|tick| tick.value).collect();
        let mut levels = ticks.clone();
        if let (&[first, second, ..], 0..7) = (&ticks[..], ticks.len()) {
            let half = second / 2.0 - first / 2.0;
            levels.extend(ticks.iter().map(|tick| tick + half).chain([first - half]));
        }
        for level in levels {
            let d = grid.path(level, to_pixels);
            if d.is_empty() {
                continue;
            }
            let t = (level / 2.0 - lower / 2.0) / (upper / 2.0 - lower / 2.0);
            let color = if self.map.at(t).oklab()[0] > 0.6 { "#000" } else { "#fff" };
            let _ = writeln!(
                out,
                "<path d=\"{d}\" fill=\"none\" stroke=\"{color}\" stroke-opacity=\".4\" stroke-linejoin=\"round\"/>"
            );
        }
    }

    /// The color bar to the right of a plot with the upper right corner (x, y).
    pub(in crate::plot) fn draw_color_bar(&self, out: &mut String, x: f64, y: f64, height: f64) {
        let left = x + BAR_GAP;
        let pixels: Vec<u8> = (0..BAR_COLORS)
            .rev()
            .flat_map(|step| {
                let Color { r, g, b } = self.map.at(f64::from(step) / f64::from(BAR_COLORS - 1));
                [r, g, b]
            })
            .collect();
        if let Ok(image) = Image::rgb(1, BAR_COLORS, &pixels) {
            image.draw(out, [left, y, BAR_WIDTH, height], false);
        }
        let scale = Scale::new(self.range(), height, false, true);
        for tick in self.ticks(height) {
            let Some(at) = scale.at(tick.value) else { continue };
            let right = left + BAR_WIDTH;
            let _ = writeln!(out, "<path d=\"M{} {}h4\" {}/>", num(right), num(y + at), Paint::Axis.stroke());
            text(out, right + 7.0, y + at + 4.0, Anchor::Start, Paint::Muted, "", &tick.label);
        }
        if !self.axis.label.is_empty() {
            let (at, middle) = (x + self.color_bar_width(height) - 4.0, y + height / 2.0);
            let rotated = format!(" transform=\"rotate(-90 {} {})\"", num(at), num(middle));
            text(out, at, middle, Anchor::Middle, Paint::Text, &rotated, &self.axis.label);
        }
    }
}
