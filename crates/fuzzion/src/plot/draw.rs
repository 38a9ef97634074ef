//! Rendering of a chart.

use super::axis::Scale;
use super::chart::Chart;
use super::layout::{ChartLayout, EDGE, LegendEntry, LegendKey, TITLE_SIZE, entry_width, shorten};
use super::marks::bars;
use super::plot_area::PlotArea;
use super::svg::{Anchor, Paint, document, num, text};
use super::ticks::Tick;
use std::fmt::Write;

impl Chart {
    /// The chart as a self-contained SVG document.
    ///
    /// ```
    /// use fuzzion::plot::Chart;
    /// let svg = Chart::new("y = x").line("", &[0, 1], &[0, 1]).to_svg();
    /// assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    /// assert!(Chart::new("").to_svg().contains("nothing to draw"));
    /// ```
    pub fn to_svg(&self) -> String {
        let size = self.natural_size(None);
        let mut body = String::new();
        self.draw(&mut body, &self.layout(size));
        document(size.0, size.1, &self.title, &body)
    }

    /// Draws the chart with the upper left corner at the origin.
    pub(super) fn draw(&self, out: &mut String, layout: &ChartLayout) {
        draw_header(out, layout);
        if let Some(image) = &self.image {
            let (width, height) = layout.plot();
            let (columns, rows) = image.size();
            let scale = (width / f64::from(columns.max(1))).min(height / f64::from(rows.max(1)));
            let (w, h) = (f64::from(columns) * scale, f64::from(rows) * scale);
            image.draw(out, [layout.margins.left, layout.margins.top, w, h], scale >= 2.0);
            return;
        }
        let (width, height) = layout.plot();
        let area = PlotArea {
            x: Scale::new(layout.x_range, width, self.x.log, false),
            y: Scale::new(layout.y_range, height, self.y.log, true),
            width,
            height,
        };
        let x_ticks = if layout.empty { Vec::new() } else { self.x_ticks(layout) };
        let y_ticks = if layout.empty || !self.bars.is_empty() { Vec::new() } else { self.y_ticks(layout) };
        let _ = writeln!(
            out,
            "<g transform=\"translate({} {})\">",
            num(layout.margins.left),
            num(layout.margins.top)
        );
        draw_grid(out, &area, &x_ticks, &y_ticks);
        self.draw_content(out, &area, layout);
        self.draw_axes(out, &area, layout, &x_ticks, &y_ticks);
        out.push_str("</g>\n");
    }

    fn draw_content(&self, out: &mut String, area: &PlotArea, layout: &ChartLayout) {
        let (width, height) = (area.width, area.height);
        if layout.empty {
            let (x, y) = (width / 2.0, height / 2.0 + 4.0);
            text(out, x, y, Anchor::Middle, Paint::Muted, " font-style=\"italic\"", "nothing to draw");
            return;
        }
        let paints = self.paints();
        if !self.bars.is_empty() {
            let paints: Vec<Paint> = paints.into_iter().flatten().collect();
            bars::draw(out, area, &self.bars, &paints);
            return;
        }
        // A nested SVG clips its content without a clip path, whose id could occur twice in one page. The margin keeps the
        // full width of curves along the frame.
        let margin = 3.0;
        let _ = writeln!(
            out,
            "<svg x=\"-{margin}\" y=\"-{margin}\" width=\"{w}\" height=\"{h}\" viewBox=\"-{margin} -{margin} {w} {h}\">",
            w = num(width + 2.0 * margin),
            h = num(height + 2.0 * margin)
        );
        if let Some(heat) = &self.heat {
            heat.draw(out, area);
        }
        for (mark, paints) in self.marks.iter().zip(&paints) {
            mark.draw(out, area, paints);
        }
        out.push_str("</svg>\n");
        if let Some(heat) = self.heat.as_ref().filter(|heat| heat.rows() > 0) {
            heat.draw_color_bar(out, width, 0.0, height);
        }
    }

    fn draw_axes(
        &self,
        out: &mut String,
        area: &PlotArea,
        layout: &ChartLayout,
        x_ticks: &[Tick],
        y_ticks: &[Tick],
    ) {
        let (width, height) = (area.width, area.height);
        let (w, h) = (num(width), num(height));
        let lines = match (layout.empty, self.bars.is_empty()) {
            (true, _) => format!("M0 0H{w}V{h}H0Z"),
            (false, false) => format!("M{0} 0V{h}", num(area.x.baseline())),
            (false, true) => format!("M0 0V{h}H{w}"),
        };
        let _ = writeln!(out, "<path d=\"{lines}\" {}/>", Paint::Axis.stroke());
        for tick in x_ticks {
            if let Some(x) = area.x.at(tick.value) {
                text(out, x, height + 18.0, Anchor::Middle, Paint::Muted, "", &tick.label);
            }
        }
        for tick in y_ticks {
            if let Some(y) = area.y.at(tick.value) {
                text(out, -8.0, y + 4.0, Anchor::End, Paint::Muted, "", &tick.label);
            }
        }
        if !layout.empty {
            for (label, y) in bars::label_positions(&self.bars, height) {
                let label = shorten(&label, 12.0, layout.margins.left - EDGE);
                text(out, -8.0, y + 4.0, Anchor::End, Paint::Text, "", &label);
            }
        }
        if !self.x.label.is_empty() {
            let label = shorten(&self.x.label, 12.0, layout.width - 2.0 * EDGE);
            text(out, width / 2.0, height + 40.0, Anchor::Middle, Paint::Text, "", &label);
        }
        if !self.y.label.is_empty() && self.bars.is_empty() {
            let (x, y) = (EDGE + 10.0 - layout.margins.left, height / 2.0);
            let rotated = format!(" transform=\"rotate(-90 {} {})\"", num(x), num(y));
            let label = shorten(&self.y.label, 12.0, layout.height - 2.0 * EDGE);
            text(out, x, y, Anchor::Middle, Paint::Text, &rotated, &label);
        }
    }
}

fn draw_grid(out: &mut String, area: &PlotArea, x_ticks: &[Tick], y_ticks: &[Tick]) {
    let vertical = x_ticks.iter().filter_map(|tick| area.x.at(tick.value)).map(|x| {
        let (x, height) = (num(x), num(area.height));
        format!("M{x} 0V{height}")
    });
    let horizontal = y_ticks.iter().filter_map(|tick| area.y.at(tick.value)).map(|y| {
        let (y, width) = (num(y), num(area.width));
        format!("M0 {y}H{width}")
    });
    let d: String = vertical.chain(horizontal).collect();
    if !d.is_empty() {
        let _ = writeln!(out, "<path d=\"{d}\" {}/>", Paint::Grid.stroke());
    }
}

fn draw_header(out: &mut String, layout: &ChartLayout) {
    let mut y = 12.0;
    for line in &layout.title {
        y += 20.0;
        let style = format!(" font-size=\"{TITLE_SIZE}\" font-weight=\"600\"");
        text(out, EDGE, y - 5.0, Anchor::Start, Paint::Text, &style, line);
    }
    for line in &layout.subtitle {
        y += 17.0;
        text(out, EDGE, y - 4.0, Anchor::Start, Paint::Muted, "", line);
    }
    for row in &layout.legend {
        y += 20.0;
        let mut x = EDGE;
        for entry in row {
            draw_key(out, x, y - 8.0, entry);
            text(out, x + 26.0, y - 4.0, Anchor::Start, Paint::Text, "", &entry.name);
            x += entry_width(entry);
        }
    }
}

fn draw_key(out: &mut String, x: f64, y: f64, entry: &LegendEntry) {
    let (left, middle, height) = (num(x), num(x + 9.0), num(y));
    let stroke = entry.paint.stroke();
    let _ = match entry.key {
        LegendKey::Line => writeln!(out, "<path d=\"M{left} {height}h18\" {stroke} stroke-width=\"2.5\"/>"),
        LegendKey::Dashed => {
            writeln!(
                out,
                "<path d=\"M{left} {height}h18\" {stroke} stroke-width=\"2\" stroke-dasharray=\"5 3\"/>"
            )
        }
        LegendKey::Square | LegendKey::Area => {
            let (left, top, fill) = (num(x + 3.0), num(y - 6.0), entry.paint.fill());
            let opacity = if entry.key == LegendKey::Area { " fill-opacity=\".4\"" } else { "" };
            writeln!(
                out,
                "<rect x=\"{left}\" y=\"{top}\" width=\"12\" height=\"12\" rx=\"2\" {fill}{opacity}/>"
            )
        }
        LegendKey::Dot => {
            writeln!(out, "<circle cx=\"{middle}\" cy=\"{height}\" r=\"4.5\" {}/>", entry.paint.fill())
        }
        LegendKey::Cross => {
            let (left, top) = (num(x + 4.5), num(y - 4.5));
            writeln!(out, "<path d=\"M{left} {top}l9 9m0-9l-9 9\" {stroke} stroke-width=\"2.6\"/>")
        }
        LegendKey::Interval => {
            let top = num(y - 4.0);
            let right = num(x + 18.0);
            writeln!(
                out,
                "<path d=\"M{left} {height}h18M{left} {top}v8M{right} {top}v8\" {stroke} stroke-width=\"2\"/>"
            )
        }
    };
}
