//! What can be drawn between two axes: curves, areas, points, outlines, intervals and reference lines.

use super::axis::{Extent, Padding, Scale};
use super::color::{Color, PALETTE_LEN, palette};
use super::cuts;
use super::svg::{Ink, num};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

/// One thing drawn in a chart.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) ink: Option<Ink>,
    pub(super) dashed: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// A curve through (x, y).
    Line(Vec<[f64; 2]>),
    /// A curve that keeps each y up to the next x.
    Step(Vec<[f64; 2]>),
    /// The surface between a curve and zero.
    Area(Vec<[f64; 2]>),
    /// The surface between two curves: (x, lower, upper).
    Band(Vec<[f64; 3]>),
    /// Round markers.
    Points(Vec<[f64; 2]>),
    /// Larger markers with a rim, for what has to be found among points.
    Crosses(Vec<[f64; 2]>),
    /// Markers coloured by their memberships in the named clusters (row-major).
    Mixture { points: Vec<[f64; 2]>, memberships: Vec<f64>, clusters: Vec<String> },
    /// A closed curve without surface.
    Outline(Vec<[f64; 2]>),
    /// Vertical intervals: (x, lower, upper).
    ErrorBars(Vec<[f64; 3]>),
    /// Horizontal intervals: (α, lower, upper).
    AlphaCuts(Vec<[f64; 3]>),
    /// A line across the chart at an x.
    RuleX(f64),
    /// A line across the chart at a y.
    RuleY(f64),
}

/// The two scales a mark is drawn on, and the size of the plot in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) x: Scale,
    pub(super) y: Scale,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Frame {
    pub(super) fn at(&self, [x, y]: [f64; 2]) -> Option<[f64; 2]> {
        Some([self.x.at(x)?, self.y.at(y)?])
    }

    /// The unbroken stretches of a curve, in pixels.
    fn runs(&self, points: &[[f64; 2]]) -> Vec<Vec<[f64; 2]>> {
        let placed: Vec<_> = points.iter().map(|&point| self.at(point)).collect();
        placed
            .split(Option::is_none)
            .filter(|run| !run.is_empty())
            .map(|run| thin(run.iter().flatten()))
            .collect()
    }
}

/// Keeps of the points that share a column of pixels the first, lowest, highest and last: the rest is unseen.
fn thin<'a>(run: impl Iterator<Item = &'a [f64; 2]>) -> Vec<[f64; 2]> {
    let mut kept: Vec<[f64; 2]> = Vec::new();
    let mut column: Vec<[f64; 2]> = Vec::new();
    for &point in run {
        if column.last().is_some_and(|last| last[0].floor() != point[0].floor()) {
            close_column(&mut column, &mut kept);
        }
        column.push(point);
    }
    close_column(&mut column, &mut kept);
    kept
}

fn close_column(column: &mut Vec<[f64; 2]>, kept: &mut Vec<[f64; 2]>) {
    if column.len() <= 4 {
        kept.append(column);
        return;
    }
    let by_height = |a: &&usize, b: &&usize| column[**a][1].total_cmp(&column[**b][1]);
    let places: Vec<usize> = (0..column.len()).collect();
    let lowest = places.iter().min_by(by_height).copied().unwrap_or(0);
    let highest = places.iter().max_by(by_height).copied().unwrap_or(0);
    let mut wanted = [0, lowest, highest, column.len() - 1];
    wanted.sort_unstable();
    let mut last = None;
    for place in wanted {
        if last != Some(place) {
            kept.push(column[place]);
        }
        last = Some(place);
    }
    column.clear();
}

impl Mark {
    /// Widens the extents by what this mark shows.
    pub(super) fn extend(&self, x: &mut Extent, y: &mut Extent) {
        let mut pair = |p: &[f64; 2]| {
            // A point that has no place on one axis is not drawn, so it asks for no room.
            if x.usable(p[0]) && y.usable(p[1]) {
                x.include(p[0]);
                y.include(p[1]);
            }
        };
        match &self.shape {
            Shape::Line(points) | Shape::Step(points) | Shape::Points(points) => points.iter().for_each(pair),
            Shape::Crosses(points) | Shape::Outline(points) => points.iter().for_each(pair),
            Shape::Mixture { points, .. } => points.iter().for_each(pair),
            Shape::Area(points) => {
                points.iter().for_each(pair);
                y.include(0.0);
            }
            Shape::Band(rows) | Shape::ErrorBars(rows) => {
                rows.iter()
                    .for_each(|&[x, lower, upper]| [[x, lower], [x, upper]].iter().for_each(&mut pair));
            }
            Shape::AlphaCuts(rows) => {
                rows.iter()
                    .for_each(|&[a, lower, upper]| [[lower, a], [upper, a]].iter().for_each(&mut pair));
                y.include(0.0);
            }
            Shape::RuleX(at) => x.include(*at),
            Shape::RuleY(at) => y.include(*at),
        }
    }

    /// The room this mark needs along x and along y.
    pub(super) fn padding(&self) -> (Padding, Padding) {
        match self.shape {
            Shape::Points(_) | Shape::Crosses(_) | Shape::Mixture { .. } | Shape::Outline(_) => {
                (Padding::Always, Padding::Always)
            }
            Shape::ErrorBars(_) => (Padding::Always, Padding::Rough),
            Shape::AlphaCuts(_) => (Padding::Always, Padding::Rough),
            _ => (Padding::None, Padding::Rough),
        }
    }

    /// Draws the mark; `inks` are its own, or one for each cluster of a mixture.
    pub(super) fn draw(&self, out: &mut String, frame: &Frame, inks: &[Ink]) {
        let ink = inks.first().copied().unwrap_or(Ink::Text);
        let dash = if self.dashed || cycled(ink) { " stroke-dasharray=\"6 4\"" } else { "" };
        let line = format!("{} stroke-width=\"2\" stroke-linejoin=\"round\"{dash}", ink.stroke());
        match &self.shape {
            Shape::Line(points) => stroke_runs(out, &frame.runs(points), &line),
            Shape::Step(points) => stroke_runs(out, &step_runs(frame, points), &line),
            Shape::Outline(points) => {
                for run in frame.runs(points) {
                    let _ = writeln!(out, "<path d=\"{}Z\" {line}/>", path(&run));
                }
            }
            Shape::Area(points) => draw_area(out, frame, points, ink),
            Shape::Band(rows) => draw_band(out, frame, rows, ink),
            Shape::Points(points) => {
                let size = marker_size(points.len());
                dots(out, points.iter().filter_map(|&p| frame.at(p)), &ink.stroke(), size, 0.85);
            }
            Shape::Crosses(points) => draw_crosses(out, frame, points, ink),
            Shape::Mixture { points, memberships, clusters } => {
                draw_mixture(out, frame, points, memberships, clusters.len(), inks);
            }
            Shape::ErrorBars(rows) => draw_error_bars(out, frame, rows, ink),
            Shape::AlphaCuts(rows) => cuts::draw(out, frame, rows, ink),
            Shape::RuleX(at) => {
                let at = frame.x.at(*at).filter(|at| (-1.0..=frame.width + 1.0).contains(at));
                let path = at.map(|at| format!("M{} 0V{}", num(at), num(frame.height)));
                draw_rule(out, path, ink);
            }
            Shape::RuleY(at) => {
                let at = frame.y.at(*at).filter(|at| (-1.0..=frame.height + 1.0).contains(at));
                draw_rule(out, at.map(|at| format!("M0 {}H{}", num(at), num(frame.width))), ink);
            }
        }
    }
}

/// A series beyond the eight colours is told from its namesake by dashes.
pub(super) fn cycled(ink: Ink) -> bool {
    matches!(ink, Ink::Series(index) if index / PALETTE_LEN % 2 == 1)
}

pub(super) fn path(run: &[[f64; 2]]) -> String {
    let mut text = String::new();
    for (place, [x, y]) in run.iter().enumerate() {
        let _ = write!(text, "{}{} {}", if place == 0 { "M" } else { "L" }, num(*x), num(*y));
    }
    text
}

fn stroke_runs(out: &mut String, runs: &[Vec<[f64; 2]>], attributes: &str) {
    // A run of one point has no length; a round cap makes it a dot.
    let d: String =
        runs.iter().map(|run| if run.len() == 1 { format!("{}h0", path(run)) } else { path(run) }).collect();
    if !d.is_empty() {
        let _ = writeln!(out, "<path d=\"{d}\" {attributes} stroke-linecap=\"round\"/>");
    }
}

fn step_runs(frame: &Frame, points: &[[f64; 2]]) -> Vec<Vec<[f64; 2]>> {
    let corners = |run: Vec<[f64; 2]>| {
        let mut steps: Vec<[f64; 2]> = Vec::with_capacity(2 * run.len());
        for point in run {
            if let Some(&[_, height]) = steps.last() {
                steps.push([point[0], height]);
            }
            steps.push(point);
        }
        steps
    };
    frame.runs(points).into_iter().map(corners).collect()
}

fn draw_area(out: &mut String, frame: &Frame, points: &[[f64; 2]], ink: Ink) {
    let runs = frame.runs(points);
    for run in &runs {
        if let (Some([first, _]), Some([last, _])) = (run.first(), run.last()) {
            let base = num(frame.y.base());
            let d = format!("{}L{} {base}L{} {base}Z", path(run), num(*last), num(*first));
            let _ = writeln!(out, "<path d=\"{d}\" {} fill-opacity=\".22\"/>", ink.fill());
        }
    }
    stroke_runs(out, &runs, &format!("{} stroke-width=\"1.5\" stroke-linejoin=\"round\"", ink.stroke()));
}

fn draw_band(out: &mut String, frame: &Frame, rows: &[[f64; 3]], ink: Ink) {
    let usable = |row: &[f64; 3]| {
        let [x, lower, upper] = *row;
        Some((frame.at([x, lower])?, frame.at([x, upper])?))
    };
    let placed: Vec<_> = rows.iter().map(usable).collect();
    for run in placed.split(Option::is_none).filter(|run| run.len() > 1) {
        let upper = thin(run.iter().flatten().map(|(_, upper)| upper));
        let mut lower = thin(run.iter().flatten().map(|(lower, _)| lower));
        lower.reverse();
        let d = format!("{}{}Z", path(&upper), path(&lower).replace('M', "L"));
        let _ = writeln!(out, "<path d=\"{d}\" {} fill-opacity=\".2\"/>", ink.fill());
    }
}

/// The diameter of markers: the more there are, the smaller.
fn marker_size(count: usize) -> f64 {
    match count {
        0..=200 => 7.0,
        201..=600 => 5.0,
        601..=4000 => 4.2,
        _ => 2.2,
    }
}

/// Markers as the round caps of lines without length: the shortest text a circle can have. Of markers on the
/// same half pixel one is drawn, so that a million samples make no larger file than the picture needs.
fn dots(out: &mut String, places: impl Iterator<Item = [f64; 2]>, stroke: &str, size: f64, opacity: f64) {
    let mut seen = HashSet::new();
    let mut d = String::new();
    for [x, y] in places {
        if seen.insert([x, y].map(|v| (v * 2.0).round() as i64)) {
            let _ = write!(d, "M{} {}h0", num(x), num(y));
        }
    }
    if !d.is_empty() {
        let width = num(size);
        let _ = writeln!(
            out,
            "<path d=\"{d}\" {stroke} stroke-width=\"{width}\" stroke-linecap=\"round\" \
             stroke-opacity=\"{opacity:.2}\"/>"
        );
    }
}

fn draw_crosses(out: &mut String, frame: &Frame, points: &[[f64; 2]], ink: Ink) {
    let d: String = points
        .iter()
        .filter_map(|&point| frame.at(point))
        .map(|[x, y]| format!("M{} {}l10 10m0-10l-10 10", num(x - 5.0), num(y - 5.0)))
        .collect();
    if !d.is_empty() {
        let cap = "stroke-linecap=\"round\"";
        let _ = writeln!(out, "<path d=\"{d}\" {} stroke-width=\"6\" {cap}/>", Ink::Background.stroke());
        let _ = writeln!(out, "<path d=\"{d}\" {} stroke-width=\"2.6\" {cap}/>", ink.stroke());
    }
}

/// The colour of what belongs to no cluster, on both backgrounds.
const NOWHERE: Color = Color::hex(0xa9adb3);

fn draw_mixture(
    out: &mut String,
    frame: &Frame,
    points: &[[f64; 2]],
    u: &[f64],
    clusters: usize,
    inks: &[Ink],
) {
    if clusters == 0 || inks.len() < clusters {
        return;
    }
    let pairs: Vec<(Color, Color)> = inks
        .iter()
        .take(clusters)
        .map(|ink| if let Ink::Series(index) = ink { palette(*index) } else { palette(0) })
        .chain([(NOWHERE, NOWHERE)])
        .collect();
    // Memberships in sixteenths: finer shades are not seen, and markers of one shade share one path.
    let mut shades: BTreeMap<Vec<u8>, Vec<[f64; 2]>> = BTreeMap::new();
    for (&point, row) in points.iter().zip(u.chunks_exact(clusters)) {
        if let Some(place) = frame.at(point) {
            let nowhere = 1.0 - row.iter().sum::<f64>();
            let sixteenths = |m: f64| (m.clamp(0.0, 1.0) * 16.0).round() as u8;
            let shade = row.iter().copied().chain([nowhere]).map(sixteenths).collect();
            shades.entry(shade).or_default().push(place);
        }
    }
    for (shade, places) in shades {
        let parts = |dark: bool| {
            Color::mix(pairs.iter().zip(&shade).map(|(&(l, d), &w)| (if dark { d } else { l }, f64::from(w))))
        };
        let stroke = Ink::Exact(parts(false), parts(true)).stroke();
        // The less a sample belongs anywhere in particular, the paler it is.
        let most = f64::from(shade[..clusters].iter().copied().max().unwrap_or(0)) / 16.0;
        let even = if clusters > 1 { 1.0 / clusters as f64 } else { 0.0 };
        let opacity = 0.35 + 0.55 * ((most - even) / (1.0 - even)).clamp(0.0, 1.0);
        dots(out, places.into_iter(), &stroke, marker_size(points.len()), opacity);
    }
}

fn draw_error_bars(out: &mut String, frame: &Frame, rows: &[[f64; 3]], ink: Ink) {
    let mut d = String::new();
    for &[x, lower, upper] in rows {
        if let (Some([x, lower]), Some([_, upper])) = (frame.at([x, lower]), frame.at([x, upper])) {
            let (left, x, lower, upper) = (num(x - 4.0), num(x), num(lower), num(upper));
            let _ = write!(d, "M{x} {lower}V{upper}M{left} {lower}h8M{left} {upper}h8");
        }
    }
    if !d.is_empty() {
        let _ = writeln!(out, "<path d=\"{d}\" {} stroke-width=\"1.5\"/>", ink.stroke());
    }
}

fn draw_rule(out: &mut String, path: Option<String>, ink: Ink) {
    if let Some(d) = path {
        let _ =
            writeln!(out, "<path d=\"{d}\" {} stroke-width=\"1.5\" stroke-dasharray=\"5 4\"/>", ink.stroke());
    }
}
