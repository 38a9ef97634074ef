//! How the parts of a chart share its space.

use super::axis::{Extent, Padding, equalize};
use super::bars;
use super::chart::Chart;
use super::marks::{Shape, cycled};
use super::svg::{Ink, text_width};
use super::ticks::{Tick, format_number};

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

/// How an entry of the legend is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Line,
    Dashed,
    Square,
    Surface,
    Dot,
    Cross,
    Interval,
}

/// An entry of the legend.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) ink: Ink,
    pub(super) key: Key,
}

/// Everything about a chart that depends on its size.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) margins: Margins,
    pub(super) title: Vec<String>,
    pub(super) subtitle: Vec<String>,
    pub(super) legend: Vec<Vec<Entry>>,
    pub(super) x_range: (f64, f64),
    pub(super) y_range: (f64, f64),
    pub(super) empty: bool,
}

/// The width of an entry with the space behind it.
pub(super) fn entry_width(entry: &Entry) -> f64 {
    26.0 + text_width(&entry.name, 12.0) + 16.0
}

impl Layout {
    pub(super) fn plot(&self) -> (f64, f64) {
        let Margins { top, right, bottom, left } = self.margins;
        ((self.width - left - right).max(20.0), (self.height - top - bottom).max(20.0))
    }
}

impl Chart {
    /// The chart's own size, or the given width with a height that suits the content.
    pub(super) fn natural_size(&self, width: Option<f64>) -> (f64, f64) {
        if let Some(size) = self.size {
            return size;
        }
        let (default, tall) = DEFAULT_SIZE;
        let width = width.unwrap_or(default);
        let head = self.head(width);
        if !self.bars.is_empty() {
            return (width, head.0.top + bars::natural_height(&self.bars) + self.bottom());
        }
        match self.picture.as_ref().map(|picture| picture.size()) {
            Some((columns, rows)) => {
                let tall = (width - 2.0 * EDGE) * f64::from(rows) / f64::from(columns.max(1));
                (width, head.0.top + tall.clamp(60.0, 2.0 * width) + EDGE)
            }
            // Narrow panels are taller for their width: titles and labels keep their size.
            None => (width, (width * tall / default).max((width * 0.75).min(300.0)).max(230.0).round()),
        }
    }

    /// The margins above the plot with what stands in them.
    fn head(&self, width: f64) -> (Margins, Vec<String>, Vec<String>, Vec<Vec<Entry>>) {
        let room = width - 2.0 * EDGE;
        let title = wrap(&self.title, TITLE_SIZE * 1.06, room);
        let subtitle = wrap(&self.subtitle, 12.0, room);
        let legend = self.legend_rows(room);
        let lines = 20.0 * title.len() as f64 + 17.0 * subtitle.len() as f64 + 20.0 * legend.len() as f64;
        (Margins { top: 12.0 + lines + 13.0, ..Margins::default() }, title, subtitle, legend)
    }

    fn bottom(&self) -> f64 {
        if self.x.label.is_empty() { 32.0 } else { 52.0 }
    }

    pub(super) fn layout(&self, (width, height): (f64, f64)) -> Layout {
        let (mut margins, title, subtitle, legend) = self.head(width);
        let (x_range, y_range, empty) = self.ranges();
        let mut layout = Layout { width, height, margins, title, subtitle, legend, x_range, y_range, empty };
        margins.bottom = self.bottom();
        (margins.left, margins.right) = (EDGE, EDGE + 4.0);
        if self.picture.is_some() {
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
                margins.right = EDGE + heat.bar_room(plot_height);
            }
            for _ in 0..2 {
                // Twice: equal axes change the ticks, and these the space they take.
                let ticks = self.y.ticks(layout.y_range, y_most(plot_height));
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

    /// Restores the ranges of the data and widens one until units are equal, where that was asked for.
    pub(super) fn equalize(&self, layout: &mut Layout) {
        if self.equal && !self.x.log && !self.y.log {
            (layout.x_range, layout.y_range, _) = self.ranges();
            let (width, height) = layout.plot();
            equalize(&mut layout.x_range, &mut layout.y_range, width, height);
        }
    }

    /// What the axes show, and whether there is nothing to show.
    fn ranges(&self) -> ((f64, f64), (f64, f64), bool) {
        let (mut x, mut y) = (Extent::new(self.x.log), Extent::new(self.y.log));
        let mut padding = (Padding::None, if self.heat.is_some() { Padding::None } else { Padding::Rough });
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
            let room = mark.padding();
            if self.heat.is_none() && room.0 == Padding::Always {
                padding.0 = Padding::Always;
            }
            if self.heat.is_none() && room.1 == Padding::Always {
                padding.1 = Padding::Always;
            }
        }
        let empty = self.picture.is_none() && (x.is_empty() || y.is_empty());
        (self.x.resolve(&x, padding.0), self.y.resolve(&y, padding.1), empty)
    }

    /// The inks of every mark, or of every series of bars: one by name, in order of first appearance.
    pub(super) fn inks(&self) -> Vec<Vec<Ink>> {
        let mut names: Vec<(String, Ink)> = Vec::new();
        let mut free = 0;
        let mut ink = |name: &str, wanted: Option<Ink>| {
            let known = names.iter().find(|known| !name.is_empty() && known.0 == name).map(|known| known.1);
            let chosen = wanted.or(known).unwrap_or(Ink::Series(free));
            if wanted.is_none() && known.is_none() {
                free += 1;
            }
            if known.is_none() {
                names.push((name.to_owned(), chosen));
            }
            chosen
        };
        if !self.bars.is_empty() {
            return self.bars.iter().map(|bars| vec![ink(&bars.name, bars.ink)]).collect();
        }
        let of_mark = |mark: &super::marks::Mark| match &mark.shape {
            Shape::Mixture { clusters, .. } => clusters.iter().map(|name| ink(name, None)).collect(),
            _ => vec![ink(&mark.name, mark.ink)],
        };
        self.marks.iter().map(of_mark).collect()
    }

    fn entries(&self) -> Vec<Entry> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut add = |name: &str, ink: Ink, key: Key| {
            if !name.is_empty() && entries.iter().all(|entry| entry.name != name) {
                entries.push(Entry { name: name.to_owned(), ink, key });
            }
        };
        let inks = self.inks();
        for (bars, ink) in self.bars.iter().zip(&inks) {
            add(&bars.name, ink[0], Key::Square);
        }
        if self.picture.is_some() || !self.bars.is_empty() {
            return entries;
        }
        for (mark, inks) in self.marks.iter().zip(&inks) {
            let key = match &mark.shape {
                Shape::Mixture { clusters, .. } => {
                    clusters.iter().zip(inks).for_each(|(name, &ink)| add(name, ink, Key::Dot));
                    continue;
                }
                Shape::Area(_) | Shape::Band(_) => Key::Surface,
                Shape::Points(_) => Key::Dot,
                Shape::Crosses(_) => Key::Cross,
                Shape::ErrorBars(_) | Shape::AlphaCuts(_) => Key::Interval,
                Shape::RuleX(_) | Shape::RuleY(_) => Key::Dashed,
                Shape::Line(_) | Shape::Step(_) | Shape::Outline(_) if mark.dashed || cycled(inks[0]) => {
                    Key::Dashed
                }
                Shape::Line(_) | Shape::Step(_) | Shape::Outline(_) => Key::Line,
            };
            add(&mark.name, inks[0], key);
        }
        entries
    }

    fn legend_rows(&self, room: f64) -> Vec<Vec<Entry>> {
        let mut rows: Vec<Vec<Entry>> = Vec::new();
        let mut left = 0.0;
        for mut entry in self.entries() {
            entry.name = shorten(&entry.name, 12.0, room - 26.0);
            let width = entry_width(&entry);
            match rows.last_mut() {
                Some(row) if left + width - 16.0 <= room => row.push(entry),
                _ => {
                    rows.push(vec![entry]);
                    left = 0.0;
                }
            }
            left += width;
        }
        rows
    }

    /// As many ticks on the horizontal axis as their labels leave room for.
    pub(super) fn x_ticks(&self, layout: &Layout) -> Vec<Tick> {
        let width = layout.plot().0;
        let fits = |ticks: &[Tick]| {
            let widest = ticks.iter().map(|t| text_width(&t.label, 12.0)).fold(0.0, f64::max);
            ticks.len() as f64 * (widest + 12.0) <= width
        };
        let most = ((width / 50.0) as usize).clamp(5, 9);
        let choices = (5..=most).rev().map(|most| self.x.ticks(layout.x_range, most));
        let mut ticks = Vec::new();
        for choice in choices {
            ticks = choice;
            if fits(&ticks) {
                return ticks;
            }
        }
        // A narrow panel with long numbers: the first and the last say enough.
        if ticks.len() > 2 && !fits(&ticks) {
            ticks.drain(1..ticks.len() - 1);
        }
        ticks
    }

    pub(super) fn y_ticks(&self, layout: &Layout) -> Vec<Tick> {
        self.y.ticks(layout.y_range, y_most(layout.plot().1))
    }
}

fn y_most(height: f64) -> usize {
    (height / 40.0) as usize
}

/// The words of a text in lines no wider than `room`.
pub(super) fn wrap(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(line, size) + text_width(word, size) + 0.36 * size <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(shorten(word, size, room)),
        }
    }
    lines
}

/// A text cut to fit, with an ellipsis where it was cut.
pub(super) fn shorten(text: &str, size: f64, room: f64) -> String {
    if text_width(text, size) <= room {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars() {
        kept.push(c);
        if text_width(&kept, size) > room - size {
            kept.pop();
            break;
        }
    }
    kept.push('…');
    kept
}
