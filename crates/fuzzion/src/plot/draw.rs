//! A chart becomes text.

use super::axis::Scale;
use super::bars;
use super::chart::Chart;
use super::layout::{EDGE, Entry, Key, Layout, TITLE_SIZE, entry_width, shorten};
use super::marks::Frame;
use super::svg::{Anchor, Ink, document, num, text};
use super::ticks::Tick;
use std::fmt::Write;

impl Chart {
    /// The chart as one self-contained SVG text.
    pub fn to_svg(&self) -> String {
        let size = self.natural_size(None);
        let mut body = String::new();
        self.draw(&mut body, &self.layout(size));
        document(size.0, size.1, &self.title, &body)
    }

    /// Draws the chart with its upper left corner at the origin.
    pub(super) fn draw(&self, out: &mut String, layout: &Layout) {
        draw_head(out, layout);
        if let Some(picture) = &self.picture {
            let (width, height) = layout.plot();
            let (columns, rows) = picture.size();
            let scale = (width / f64::from(columns.max(1))).min(height / f64::from(rows.max(1)));
            let (w, h) = (f64::from(columns) * scale, f64::from(rows) * scale);
            picture.draw(out, [layout.margins.left, layout.margins.top, w, h], scale >= 2.0);
            return;
        }
        let (width, height) = layout.plot();
        let frame = Frame {
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
        draw_grid(out, &frame, &x_ticks, &y_ticks);
        self.draw_content(out, &frame, layout);
        self.draw_axes(out, &frame, layout, &x_ticks, &y_ticks);
        out.push_str("</g>\n");
    }

    fn draw_content(&self, out: &mut String, frame: &Frame, layout: &Layout) {
        let (width, height) = (frame.width, frame.height);
        if layout.empty {
            let (x, y) = (width / 2.0, height / 2.0 + 4.0);
            text(out, x, y, Anchor::Middle, Ink::Muted, " font-style=\"italic\"", "nothing to draw");
            return;
        }
        let inks = self.inks();
        if !self.bars.is_empty() {
            let inks: Vec<Ink> = inks.into_iter().flatten().collect();
            bars::draw(out, frame, &self.bars, &inks);
            return;
        }
        // An inner picture clips what leaves the plot, and needs no name that two pictures in one page could
        // share; the rim keeps curves along the frame at their full width.
        let rim = 3.0;
        let _ = writeln!(
            out,
            "<svg x=\"-{rim}\" y=\"-{rim}\" width=\"{w}\" height=\"{h}\" viewBox=\"-{rim} -{rim} {w} {h}\">",
            w = num(width + 2.0 * rim),
            h = num(height + 2.0 * rim)
        );
        if let Some(heat) = &self.heat {
            heat.draw(out, frame);
        }
        for (mark, inks) in self.marks.iter().zip(&inks) {
            mark.draw(out, frame, inks);
        }
        out.push_str("</svg>\n");
        if let Some(heat) = self.heat.as_ref().filter(|heat| heat.rows() > 0) {
            heat.draw_bar(out, width, 0.0, height);
        }
    }

    fn draw_axes(
        &self,
        out: &mut String,
        frame: &Frame,
        layout: &Layout,
        x_ticks: &[Tick],
        y_ticks: &[Tick],
    ) {
        let (width, height) = (frame.width, frame.height);
        let (w, h) = (num(width), num(height));
        let lines = match (layout.empty, self.bars.is_empty()) {
            (true, _) => format!("M0 0H{w}V{h}H0Z"),
            (false, false) => format!("M{0} 0V{h}", num(frame.x.base())),
            (false, true) => format!("M0 0V{h}H{w}"),
        };
        let _ = writeln!(out, "<path d=\"{lines}\" {}/>", Ink::Axis.stroke());
        for tick in x_ticks {
            if let Some(x) = frame.x.at(tick.value) {
                text(out, x, height + 18.0, Anchor::Middle, Ink::Muted, "", &tick.label);
            }
        }
        for tick in y_ticks {
            if let Some(y) = frame.y.at(tick.value) {
                text(out, -8.0, y + 4.0, Anchor::End, Ink::Muted, "", &tick.label);
            }
        }
        if !layout.empty {
            for (label, y) in bars::label_places(&self.bars, height) {
                let label = shorten(&label, 12.0, layout.margins.left - EDGE);
                text(out, -8.0, y + 4.0, Anchor::End, Ink::Text, "", &label);
            }
        }
        if !self.x.label.is_empty() {
            let label = shorten(&self.x.label, 12.0, layout.width - 2.0 * EDGE);
            text(out, width / 2.0, height + 40.0, Anchor::Middle, Ink::Text, "", &label);
        }
        if !self.y.label.is_empty() && self.bars.is_empty() {
            let (x, y) = (EDGE + 10.0 - layout.margins.left, height / 2.0);
            let turned = format!(" transform=\"rotate(-90 {} {})\"", num(x), num(y));
            let label = shorten(&self.y.label, 12.0, layout.height - 2.0 * EDGE);
            text(out, x, y, Anchor::Middle, Ink::Text, &turned, &label);
        }
    }
}

fn draw_grid(out: &mut String, frame: &Frame, x_ticks: &[Tick], y_ticks: &[Tick]) {
    let vertical = x_ticks.iter().filter_map(|tick| frame.x.at(tick.value)).map(|x| {
        let (x, height) = (num(x), num(frame.height));
        format!("M{x} 0V{height}")
    });
    let horizontal = y_ticks.iter().filter_map(|tick| frame.y.at(tick.value)).map(|y| {
        let (y, width) = (num(y), num(frame.width));
        format!("M0 {y}H{width}")
    });
    let d: String = vertical.chain(horizontal).collect();
    if !d.is_empty() {
        let _ = writeln!(out, "<path d=\"{d}\" {}/>", Ink::Grid.stroke());
    }
}

fn draw_head(out: &mut String, layout: &Layout) {
    let mut y = 12.0;
    for line in &layout.title {
        y += 20.0;
        let style = format!(" font-size=\"{TITLE_SIZE}\" font-weight=\"600\"");
        text(out, EDGE, y - 5.0, Anchor::Start, Ink::Text, &style, line);
    }
    for line in &layout.subtitle {
        y += 17.0;
        text(out, EDGE, y - 4.0, Anchor::Start, Ink::Muted, "", line);
    }
    for row in &layout.legend {
        y += 20.0;
        let mut x = EDGE;
        for entry in row {
            draw_key(out, x, y - 8.0, entry);
            text(out, x + 26.0, y - 4.0, Anchor::Start, Ink::Text, "", &entry.name);
            x += entry_width(entry);
        }
    }
}

fn draw_key(out: &mut String, x: f64, y: f64, entry: &Entry) {
    let (left, middle, height) = (num(x), num(x + 9.0), num(y));
    let stroke = entry.ink.stroke();
    let _ = match entry.key {
        Key::Line => writeln!(out, "<path d=\"M{left} {height}h18\" {stroke} stroke-width=\"2.5\"/>"),
        Key::Dashed => {
            writeln!(
                out,
                "<path d=\"M{left} {height}h18\" {stroke} stroke-width=\"2\" stroke-dasharray=\"5 3\"/>"
            )
        }
        Key::Square | Key::Surface => {
            let (left, top, fill) = (num(x + 3.0), num(y - 6.0), entry.ink.fill());
            let faint = if entry.key == Key::Surface { " fill-opacity=\".4\"" } else { "" };
            writeln!(
                out,
                "<rect x=\"{left}\" y=\"{top}\" width=\"12\" height=\"12\" rx=\"2\" {fill}{faint}/>"
            )
        }
        Key::Dot => writeln!(out, "<circle cx=\"{middle}\" cy=\"{height}\" r=\"4.5\" {}/>", entry.ink.fill()),
        Key::Cross => {
            let (left, top) = (num(x + 4.5), num(y - 4.5));
            writeln!(out, "<path d=\"M{left} {top}l9 9m0-9l-9 9\" {stroke} stroke-width=\"2.6\"/>")
        }
        Key::Interval => {
            let top = num(y - 4.0);
            let right = num(x + 18.0);
            writeln!(
                out,
                "<path d=\"M{left} {height}h18M{left} {top}v8M{right} {top}v8\" {stroke} stroke-width=\"2\"/>"
            )
        }
    };
}
