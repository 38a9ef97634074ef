//! Layout of a chart: margins, legend, ranges and ticks.

use super::axis::{Extent, Padding, equalize};
use super::chart::Chart;
use super::marks::bars;
use super::marks::{MarkKind, is_repeated_color};
use super::svg::{Paint, text_width};
use super::ticks::{Tick, format_number};

/// Margin at the edges of a chart.
pub(super) const EDGE: f64 = 14.0;
pub(super) const TITLE_SIZE: f64 = 15.0;
const DEFAULT_SIZE: (f64, f64) = (760.0, 420.0);

/// The space around the plot.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Margins {
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
    pub(super) left: f64,
}

/// Symbol of a legend entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LegendKey {
    Line,
    Dashed,
    Square,
    Area,
    Dot,
    Cross,
    Interval,
}

/// A legend entry.
#[derive(Clone, Debug)]
pub(super) struct LegendEntry {
    pub(super) name: String,
    pub(super) paint: Paint,
    pub(super) key: LegendKey,
}

/// The parts of a chart that depend on its size.
#[derive(Debug)]
pub(super) struct ChartLayout {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) margins: Margins,
    pub(super) title: Vec<String>,
    pub(super) subtitle: Vec<String>,
    pub(super) legend: Vec<Vec<LegendEntry>>,
    pub(super) x_range: (f64, f64),
    pub(super) y_range: (f64, f64),
    pub(super) empty: bool,
}

/// Width of a legend entry, including the space after it.
pub(super) fn entry_width(entry: &LegendEntry) -> f64 {
    26.0 + text_width(&entry.name, 12.0) + 16.0
}

impl ChartLayout {
    pub(super) fn plot(&self) -> (f64, f64) {
        let Margins { top, right, bottom, left } = self.margins;
        ((self.width - left - right).max(20.0), (self.height - top - bottom).max(20.0))
    }
}

impl Chart {
    /// The explicit size of the chart, or else the given width with a height that depends on the content.
    pub(super) fn natural_size(&self, width: Option<f64>) -> (f64, f64) {
        if let Some(size) = self.size {
            return size;
        }
        let (default_width, default_height) = DEFAULT_SIZE;
        let width = width.unwrap_or(default_width);
        let (header, ..) = self.header(width);
        if !self.bars.is_empty() {
            return (width, header.top + bars::natural_height(&self.bars) + self.bottom());
        }
        match self.image.as_ref().map(|image| image.size()) {
            Some((columns, rows)) => {
                let height = (width - 2.0 * EDGE) * f64::from(rows) / f64::from(columns.max(1));
                (width, header.top + height.clamp(60.0, 2.0 * width) + EDGE)
            }
            // Narrow charts are relatively taller because titles and labels keep their size.
            None => {
                let height = (width * default_height / default_width).max((width * 0.75).min(300.0));
                (width, height.max(230.0).round())
            }
        }
    }

    /// The margin above the plot, and the lines of the title, the subtitle and the legend in it.
    fn header(&self, width: f64) -> (Margins, Vec<String>, Vec<String>, Vec<Vec<LegendEntry>>) {
        let available = width - 2.0 * EDGE;
        let title = wrap(&self.title, TITLE_SIZE * 1.06, available);
        let subtitle = wrap(&self.subtitle, 12.0, available);
        let legend = self.legend_rows(available);
        let lines = 20.0 * title.len() as f64 + 17.0 * subtitle.len() as f64 + 20.0 * legend.len() as f64;
        (Margins { top: 12.0 + lines + 13.0, ..Margins::default() }, title, subtitle, legend)
    }

    fn bottom(&self) -> f64 {
        if self.x.label.is_empty() { 32.0 } else { 52.0 }
    }

    pub(super) fn layout(&self, (width, height): (f64, f64)) -> ChartLayout {
        let (mut margins, title, subtitle, legend) = self.header(width);
        let (x_range, y_range, empty) = self.ranges();
        let mut layout =
            ChartLayout { width, height, margins, title, subtitle, legend, x_range, y_range, empty };
        margins.bottom = self.bottom();
        (margins.left, margins.right) = (EDGE, EDGE + 4.0);
        if self.image.is_some() {
            margins.bottom = EDGE;
            margins.right = EDGE;
        } else if !self.bars.is_empty() {
            let widest = |labels: &mut dyn Iterator<Item = f64>| labels.fold(0.0, f64::max);
            let groups = bars::groups(&self.bars);
            let names = widest(&mut groups.iter().map(|group| text_width(group.label, 12.0)));
            margins.left += names.min(width * 0.42) + 8.0;
            let values = groups.iter().flat_map(|group| &group.bars);
            margins.right += widest(&mut values.map(|bar| text_width(&format_number(bar.1), 11.0)));
        } else {
            let plot_height = (height - margins.top - margins.bottom).max(20.0);
            if let Some(heat) = self.heat.as_ref().filter(|heat| heat.rows() > 0) {
                margins.right = EDGE + heat.color_bar_width(plot_height);
            }
            for _ in 0..2 {
                // Twice, because equal axes change the ticks and therefore the width of their labels.
                let ticks = self.y.ticks(layout.y_range, max_y_ticks(plot_height));
                let widest = ticks.iter().map(|t| text_width(&t.label, 12.0)).fold(0.0, f64::max);
                let label = if self.y.label.is_empty() { 0.0 } else { 20.0 };
                margins.left = EDGE + label + widest + 8.0;
                layout.margins = margins;
                self.equalize(&mut layout);
            }
        }
        layout.margins = margins;
        layout
    }

    /// With equal axes, resets the ranges to those of the data and widens one of them until a unit has the same length on
    /// both axes.
    pub(super) fn equalize(&self, layout: &mut ChartLayout) {
        if self.equal && !self.x.log && !self.y.log {
            (layout.x_range, layout.y_range, _) = self.ranges();
            let (width, height) = layout.plot();
            equalize(&mut layout.x_range, &mut layout.y_range, width, height);
        }
    }

    /// The ranges of both axes, and whether the chart is empty.
    fn ranges(&self) -> ((f64, f64), (f64, f64), bool) {
        let (mut x, mut y) = (Extent::new(self.x.log), Extent::new(self.y.log));
        let mut padding =
            (Padding::None, if self.heat.is_some() { Padding::None } else { Padding::UnlessRound });
        if !self.bars.is_empty() {
            bars::extend(&self.bars, self.x.log, &mut x);
            y.include(0.0);
            let empty = bars::groups(&self.bars).is_empty();
            return (self.x.resolve(&x, Padding::None), (0.0, 1.0), empty);
        }
        if let Some(heat) = &self.heat {
            heat.extend(&mut x, &mut y);
        }
        for mark in &self.marks {
            mark.extend(&mut x, &mut y);
            let mark_padding = mark.padding();
            if self.heat.is_none() && mark_padding.0 == Padding::Always {
                padding.0 = Padding::Always;
            }
            if self.heat.is_none() && mark_padding.1 == Padding::Always {
                padding.1 = Padding::Always;
            }
        }
        let empty = self.image.is_none() && (x.is_empty() || y.is_empty());
        (self.x.resolve(&x, padding.0), self.y.resolve(&y, padding.1), empty)
    }

    /// The paints of every mark, or of every series of bars: one per name, in order of first appearance.
    pub(super) fn paints(&self) -> Vec<Vec<Paint>> {
        let mut names: Vec<(String, Paint)> = Vec::new();
        let mut next_color = 0;
        let mut paint = |name: &str, explicit: Option<Paint>| {
            let known = names.iter().find(|known| !name.is_empty() && known.0 == name).map(|known| known.1);
            let chosen = explicit.or(known).unwrap_or(Paint::Series(next_color));
            if explicit.is_none() && known.is_none() {
                next_color += 1;
            }
            if known.is_none() {
                names.push((name.to_owned(), chosen));
            }
            chosen
        };
        if !self.bars.is_empty() {
            return self.bars.iter().map(|bars| vec![paint(&bars.name, bars.paint)]).collect();
        }
        let of_mark = |mark: &super::marks::Mark| match &mark.kind {
            MarkKind::MembershipPoints { clusters, .. } => {
                clusters.iter().map(|name| paint(name, None)).collect()
            }
            _ => vec![paint(&mark.name, mark.paint)],
        };
        self.marks.iter().map(of_mark).collect()
    }

    fn entries(&self) -> Vec<LegendEntry> {
        let mut entries: Vec<LegendEntry> = Vec::new();
        let mut add = |name: &str, paint: Paint, key: LegendKey| {
            if !name.is_empty() && entries.iter().all(|entry| entry.name != name) {
                entries.push(LegendEntry { name: name.to_owned(), paint, key });
            }
        };
        let paints = self.paints();
        for (bars, paint) in self.bars.iter().zip(&paints) {
            add(&bars.name, paint[0], LegendKey::Square);
        }
        if self.image.is_some() || !self.bars.is_empty() {
            return entries;
        }
        for (mark, paints) in self.marks.iter().zip(&paints) {
            let key = match &mark.kind {
                MarkKind::MembershipPoints { clusters, .. } => {
                    clusters.iter().zip(paints).for_each(|(name, &paint)| add(name, paint, LegendKey::Dot));
                    continue;
                }
                MarkKind::Area(_) | MarkKind::Band(_) => LegendKey::Area,
                MarkKind::Points(_) => LegendKey::Dot,
                MarkKind::Crosses(_) => LegendKey::Cross,
                MarkKind::ErrorBars(_) | MarkKind::AlphaCuts(_) => LegendKey::Interval,
                MarkKind::VerticalLine(_) | MarkKind::HorizontalLine(_) => LegendKey::Dashed,
                MarkKind::Line(_) | MarkKind::Step(_) | MarkKind::Outline(_)
                    if mark.dashed || is_repeated_color(paints[0]) =>
                {
                    LegendKey::Dashed
                }
                MarkKind::Line(_) | MarkKind::Step(_) | MarkKind::Outline(_) => LegendKey::Line,
            };
            add(&mark.name, paints[0], key);
        }
        entries
    }

    fn legend_rows(&self, available: f64) -> Vec<Vec<LegendEntry>> {
        let mut rows: Vec<Vec<LegendEntry>> = Vec::new();
        let mut left = 0.0;
        for mut entry in self.entries() {
            entry.name = shorten(&entry.name, 12.0, available - 26.0);
            let width = entry_width(&entry);
            match rows.last_mut() {
                Some(row) if left + width - 16.0 <= available => row.push(entry),
                _ => {
                    rows.push(vec![entry]);
                    left = 0.0;
                }
            }
            left += width;
        }
        rows
    }

    /// The largest number of ticks on the horizontal axis whose labels fit.
    pub(super) fn x_ticks(&self, layout: &ChartLayout) -> Vec<Tick> {
        let width = layout.plot().0;
        let fits = |ticks: &[Tick]| {
            let widest = ticks.iter().map(|t| text_width(&t.label, 12.0)).fold(0.0, f64::max);
            ticks.len() as f64 * (widest + 12.0) <= width
        };
        let max_ticks = ((width / 50.0) as usize).clamp(5, 9);
        let choices = (5..=max_ticks).rev().map(|max_ticks| self.x.ticks(layout.x_range, max_ticks));
        let mut ticks = Vec::new();
        for choice in choices {
            ticks = choice;
            if fits(&ticks) {
                return ticks;
            }
        }
        // In a narrow chart with long labels, only the first and the last tick are kept.
        if ticks.len() > 2 && !fits(&ticks) {
            ticks.drain(1..ticks.len() - 1);
        }
        ticks
    }

    pub(super) fn y_ticks(&self, layout: &ChartLayout) -> Vec<Tick> {
        self.y.ticks(layout.y_range, max_y_ticks(layout.plot().1))
    }
}

fn max_y_ticks(height: f64) -> usize {
    (height / 40.0) as usize
}

/// Breaks text into lines of at most `max_width` pixels.
pub(super) fn wrap(text: &str, size: f64, max_width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(line, size) + text_width(word, size) + 0.36 * size <= max_width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(shorten(word, size, max_width)),
        }
    }
    lines
}

/// Truncates text to `max_width` pixels, with an ellipsis.
pub(super) fn shorten(text: &str, size: f64, max_width: f64) -> String {
    if text_width(text, size) <= max_width {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars() {
        kept.push(c);
        if text_width(&kept, size) > max_width - size {
            kept.pop();
            break;
        }
    }
    kept.push('…');
    kept
}
