//! Grids of charts.

use super::chart::Chart;
use super::layout::{ChartLayout, EDGE, wrap};
use super::svg::{Anchor, Paint, document, num, text};
use std::fmt::Write;

/// A grid of charts in row-major order; plots in the same row or column are aligned.
///
/// ```
/// use fuzzion::plot::{Chart, Figure};
/// let svg = Figure::grid(2)
///     .title("Before and after")
///     .add(Chart::new("before").points("", &[1, 2], &[3, 1]))
///     .add(Chart::new("after").points("", &[1, 2], &[2, 2]))
///     .to_svg();
/// assert!(svg.contains("before") && svg.contains("after"));
/// ```
#[derive(Clone, Debug)]
pub struct Figure {
    columns: usize,
    title: String,
    width: f64,
    charts: Vec<Chart>,
}

const GAP: f64 = 12.0;

impl Figure {
    /// An empty figure with `columns` charts per row (at least one).
    ///
    /// ```
    /// use fuzzion::plot::{Chart, Figure};
    /// let chart = Chart::new("").size(200.0, 100.0).line("", &[0, 1], &[0, 1]);
    /// let svg = Figure::grid(2).add(chart.clone()).add(chart).to_svg();
    /// assert!(svg.contains("width=\"412\" height=\"100\"")); // a gap of 12 pixels between the charts
    /// ```
    pub fn grid(columns: usize) -> Self {
        Figure { columns: columns.max(1), title: String::new(), width: 840.0, charts: Vec::new() }
    }

    /// Sets a title above all charts.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Sets the total width of charts without an explicit size; 840 pixels by default.
    ///
    /// ```
    /// use fuzzion::plot::{Chart, Figure};
    /// let svg = Figure::grid(1).width(500.0).add(Chart::new("").line("", &[0, 1], &[0, 1])).to_svg();
    /// assert!(svg.contains("width=\"500\""));
    /// ```
    pub fn width(mut self, width: f64) -> Self {
        self.width = if width.is_finite() { width.clamp(120.0, 20_000.0) } else { 840.0 };
        self
    }

    /// Adds a chart at the next position of the grid.
    #[allow(clippy::should_implement_trait)] // a builder method, not a sum of figures
    pub fn add(mut self, chart: Chart) -> Self {
        self.charts.push(chart);
        self
    }

    /// The figure as a self-contained SVG document.
    ///
    /// ```
    /// use fuzzion::plot::{Chart, Figure};
    /// let svg = Figure::grid(1).title("All").add(Chart::new("First")).add(Chart::new("Second")).to_svg();
    /// assert!([">All<", ">First<", ">Second<"].iter().all(|title| svg.contains(title)));
    /// ```
    pub fn to_svg(&self) -> String {
        let columns = self.columns.min(self.charts.len()).max(1);
        let chart_width = ((self.width - GAP * (columns - 1) as f64) / columns as f64).max(120.0);
        let mut layouts: Vec<ChartLayout> = self.layouts(columns, chart_width);
        self.align(&mut layouts, columns);

        let largest = |sizes: &mut dyn Iterator<Item = f64>| sizes.fold(0.0, f64::max);
        let widths: Vec<f64> = (0..columns)
            .map(|column| {
                largest(&mut layouts.iter().skip(column).step_by(columns).map(|layout| layout.width))
            })
            .collect();
        let width = (widths.iter().sum::<f64>() + GAP * (columns - 1) as f64).max(120.0);

        let mut body = String::new();
        let mut y = 0.0;
        let size = 18.0;
        for line in wrap(&self.title, size * 1.06, width - 2.0 * EDGE) {
            y += 26.0;
            text(
                &mut body,
                EDGE,
                y + 2.0,
                Anchor::Start,
                Paint::Text,
                " font-size=\"18\" font-weight=\"600\"",
                &line,
            );
        }
        y += if self.title.is_empty() { 0.0 } else { 8.0 };
        for (charts, row) in self.charts.chunks(columns).zip(layouts.chunks(columns)) {
            let mut x = 0.0;
            for ((chart, layout), width) in charts.iter().zip(row).zip(&widths) {
                let _ = writeln!(body, "<g transform=\"translate({} {})\">", num(x), num(y));
                chart.draw(&mut body, layout);
                body.push_str("</g>\n");
                x += width + GAP;
            }
            y += largest(&mut row.iter().map(|layout| layout.height)) + GAP;
        }
        document(width, (y - GAP).max(40.0), &self.title, &body)
    }

    /// Layouts of all charts in their natural size; charts without an explicit size have the height of their row.
    fn layouts(&self, columns: usize, chart_width: f64) -> Vec<ChartLayout> {
        let mut layouts = Vec::with_capacity(self.charts.len());
        for row in self.charts.chunks(columns) {
            let sizes: Vec<_> = row.iter().map(|chart| chart.natural_size(Some(chart_width))).collect();
            let height = sizes.iter().fold(0.0f64, |height, size| height.max(size.1));
            for (chart, (width, own_height)) in row.iter().zip(sizes) {
                layouts.push(chart.layout((width, if chart.size.is_some() { own_height } else { height })));
            }
        }
        layouts
    }

    /// Aligns the upper and lower edges of the plots in a row and the left edges in a column.
    fn align(&self, layouts: &mut [ChartLayout], columns: usize) {
        let has_axes: Vec<bool> =
            self.charts.iter().map(|chart| chart.image.is_none() && chart.bars.is_empty()).collect();
        for (row, has_axes) in layouts.chunks_mut(columns).zip(has_axes.chunks(columns)) {
            let top = row.iter().fold(0.0f64, |top, layout| top.max(layout.margins.top));
            row.iter_mut().for_each(|layout| layout.margins.top = top);
            let with_axes = |layouts: &mut [ChartLayout], f: &mut dyn FnMut(&mut f64)| {
                let pairs = layouts.iter_mut().zip(has_axes).filter(|(_, axes)| **axes);
                pairs.for_each(|(layout, _)| f(&mut layout.margins.bottom));
            };
            let mut largest = 0.0f64;
            with_axes(row, &mut |bottom| largest = largest.max(*bottom));
            with_axes(row, &mut |bottom| *bottom = largest);
        }
        for column in 0..columns {
            let indices = || (column..has_axes.len()).step_by(columns).filter(|&index| has_axes[index]);
            let left = indices().fold(0.0f64, |left, index| left.max(layouts[index].margins.left));
            for index in indices() {
                layouts[index].margins.left = left;
            }
        }
        for (chart, layout) in self.charts.iter().zip(layouts) {
            chart.equalize(layout);
        }
    }
}
