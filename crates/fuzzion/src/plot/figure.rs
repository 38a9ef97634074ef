//! Several charts in one picture.

use super::chart::Chart;
use super::layout::{EDGE, Layout, wrap};
use super::svg::{Anchor, Ink, document, num, text};
use std::fmt::Write;

/// Charts in a grid, filled row by row; the plots of a row and of a column are aligned.
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
    /// An empty figure with so many charts in a row (at least one).
    pub fn grid(columns: usize) -> Self {
        Figure { columns: columns.max(1), title: String::new(), width: 840.0, charts: Vec::new() }
    }

    /// A title over all charts.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// The width that charts without a size of their own share; 840 pixels unless said otherwise.
    pub fn width(mut self, width: f64) -> Self {
        self.width = if width.is_finite() { width.clamp(120.0, 20_000.0) } else { 840.0 };
        self
    }

    /// Puts a chart into the next free place.
    #[allow(clippy::should_implement_trait)] // a builder's `add`, not a sum of figures
    pub fn add(mut self, chart: Chart) -> Self {
        self.charts.push(chart);
        self
    }

    /// The figure as one self-contained SVG text.
    pub fn to_svg(&self) -> String {
        let columns = self.columns.min(self.charts.len()).max(1);
        let share = ((self.width - GAP * (columns - 1) as f64) / columns as f64).max(120.0);
        let mut layouts: Vec<Layout> = self.layouts(columns, share);
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
                Ink::Text,
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

    /// Every chart in its natural size, charts without a size of their own as high as their row.
    fn layouts(&self, columns: usize, share: f64) -> Vec<Layout> {
        let mut layouts = Vec::with_capacity(self.charts.len());
        for row in self.charts.chunks(columns) {
            let sizes: Vec<_> = row.iter().map(|chart| chart.natural_size(Some(share))).collect();
            let height = sizes.iter().fold(0.0f64, |height, size| height.max(size.1));
            for (chart, (width, own)) in row.iter().zip(sizes) {
                layouts.push(chart.layout((width, if chart.size.is_some() { own } else { height })));
            }
        }
        layouts
    }

    /// Gives plots of a row the same upper and lower edge, and plots of a column the same left edge.
    fn align(&self, layouts: &mut [Layout], columns: usize) {
        let has_axes: Vec<bool> =
            self.charts.iter().map(|chart| chart.picture.is_none() && chart.bars.is_empty()).collect();
        for (row, has_axes) in layouts.chunks_mut(columns).zip(has_axes.chunks(columns)) {
            let top = row.iter().fold(0.0f64, |top, layout| top.max(layout.margins.top));
            row.iter_mut().for_each(|layout| layout.margins.top = top);
            let with_axes = |layouts: &mut [Layout], f: &mut dyn FnMut(&mut f64)| {
                let pairs = layouts.iter_mut().zip(has_axes).filter(|(_, axes)| **axes);
                pairs.for_each(|(layout, _)| f(&mut layout.margins.bottom));
            };
            let mut lowest = 0.0f64;
            with_axes(row, &mut |bottom| lowest = lowest.max(*bottom));
            with_axes(row, &mut |bottom| *bottom = lowest);
        }
        for column in 0..columns {
            let places = || (column..has_axes.len()).step_by(columns).filter(|&place| has_axes[place]);
            let left = places().fold(0.0f64, |left, place| left.max(layouts[place].margins.left));
            for place in places() {
                layouts[place].margins.left = left;
            }
        }
        for (chart, layout) in self.charts.iter().zip(layouts) {
            chart.equalize(layout);
        }
    }
}
