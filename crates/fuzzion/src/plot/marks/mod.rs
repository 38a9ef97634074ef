//! Marks in a plot: curves, areas, points, outlines, intervals and reference lines.

mod alpha_cuts;
pub(super) mod bars;
mod contours;
pub(super) mod heat_map;

use super::axis::{Extent, Padding};
use super::color::{Color, PALETTE_LEN, palette};
use super::plot_area::{PlotArea, path, thin};
use super::svg::{Paint, num};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

/// A series or a reference line.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) name: String,
    pub(super) kind: MarkKind,
    pub(super) paint: Option<Paint>,
    pub(super) dashed: bool,
}

#[derive(Clone, Debug)]
pub(super) enum MarkKind {
    /// A line through the points (x, y).
    Line(Vec<[f64; 2]>),
    /// A step curve: each y is constant up to the next x.
    Step(Vec<[f64; 2]>),
    /// The area between a curve and zero.
    Area(Vec<[f64; 2]>),
    /// The area between two curves: (x, lower, upper).
    Band(Vec<[f64; 3]>),
    /// Round markers.
    Points(Vec<[f64; 2]>),
    /// Larger, outlined markers.
    Crosses(Vec<[f64; 2]>),
    /// Markers colored by their memberships in the named clusters; `memberships` are in row-major order.
    MembershipPoints { points: Vec<[f64; 2]>, memberships: Vec<f64>, clusters: Vec<String> },
    /// A closed curve without a fill.
    Outline(Vec<[f64; 2]>),
    /// Vertical intervals: (x, lower, upper).
    ErrorBars(Vec<[f64; 3]>),
    /// Horizontal intervals: (α, lower, upper).
    AlphaCuts(Vec<[f64; 3]>),
    /// A line across the plot at an x.
    VerticalLine(f64),
    /// A line across the plot at a y.
    HorizontalLine(f64),
}

impl Mark {
    /// Includes the values of this mark in the extents.
    pub(super) fn extend(&self, x: &mut Extent, y: &mut Extent) {
        let mut pair = |p: &[f64; 2]| {
            // A point that cannot be shown on one axis is not drawn at all.
            if x.usable(p[0]) && y.usable(p[1]) {
                x.include(p[0]);
                y.include(p[1]);
            }
        };
        match &self.kind {
            MarkKind::Line(points) | MarkKind::Step(points) | MarkKind::Points(points) => {
                points.iter().for_each(pair)
            }
            MarkKind::Crosses(points) | MarkKind::Outline(points) => points.iter().for_each(pair),
            MarkKind::MembershipPoints { points, .. } => points.iter().for_each(pair),
            MarkKind::Area(points) => {
                points.iter().for_each(pair);
                y.include(0.0);
            }
            MarkKind::Band(rows) | MarkKind::ErrorBars(rows) => {
                rows.iter()
                    .for_each(|&[x, lower, upper]| [[x, lower], [x, upper]].iter().for_each(&mut pair));
            }
            MarkKind::AlphaCuts(rows) => {
                rows.iter()
                    .for_each(|&[a, lower, upper]| [[lower, a], [upper, a]].iter().for_each(&mut pair));
                y.include(0.0);
            }
            MarkKind::VerticalLine(at) => x.include(*at),
            MarkKind::HorizontalLine(at) => y.include(*at),
        }
    }

    /// The padding this mark needs along x and along y.
    pub(super) fn padding(&self) -> (Padding, Padding) {
        match self.kind {
            MarkKind::Points(_)
            | MarkKind::Crosses(_)
            | MarkKind::MembershipPoints { .. }
            | MarkKind::Outline(_) => (Padding::Always, Padding::Always),
            MarkKind::ErrorBars(_) => (Padding::Always, Padding::UnlessRound),
            MarkKind::AlphaCuts(_) => (Padding::Always, Padding::UnlessRound),
            _ => (Padding::None, Padding::UnlessRound),
        }
    }

    /// Draws the mark; `paints` has one element, or one per cluster for points colored by memberships.
    pub(super) fn draw(&self, out: &mut String, area: &PlotArea, paints: &[Paint]) {
        let paint = paints.first().copied().unwrap_or(Paint::Text);
        let dash = if self.dashed || is_repeated_color(paint) { " stroke-dasharray=\"6 4\"" } else { "" };
        let line = format!("{} stroke-width=\"2\" stroke-linejoin=\"round\"{dash}", paint.stroke());
        match &self.kind {
            MarkKind::Line(points) => stroke_runs(out, &area.runs(points), &line),
            MarkKind::Step(points) => stroke_runs(out, &step_runs(area, points), &line),
            MarkKind::Outline(points) => {
                for run in area.runs(points) {
                    let _ = writeln!(out, "<path d=\"{}Z\" {line}/>", path(&run));
                }
            }
            MarkKind::Area(points) => draw_area(out, area, points, paint),
            MarkKind::Band(rows) => draw_band(out, area, rows, paint),
            MarkKind::Points(points) => {
                let size = marker_size(points.len());
                dots(out, points.iter().filter_map(|&p| area.at(p)), &paint.stroke(), size, 0.85);
            }
            MarkKind::Crosses(points) => draw_crosses(out, area, points, paint),
            MarkKind::MembershipPoints { points, memberships, clusters } => {
                draw_membership_points(out, area, points, memberships, clusters.len(), paints);
            }
            MarkKind::ErrorBars(rows) => draw_error_bars(out, area, rows, paint),
            MarkKind::AlphaCuts(rows) => alpha_cuts::draw(out, area, rows, paint),
            MarkKind::VerticalLine(at) => {
                let at = area.x.at(*at).filter(|at| (-1.0..=area.width + 1.0).contains(at));
                let path = at.map(|at| format!("M{} 0V{}", num(at), num(area.height)));
                draw_reference_line(out, path, paint);
            }
            MarkKind::HorizontalLine(at) => {
                let at = area.y.at(*at).filter(|at| (-1.0..=area.height + 1.0).contains(at));
                draw_reference_line(out, at.map(|at| format!("M0 {}H{}", num(at), num(area.width))), paint);
            }
        }
    }
}

/// Whether a series is dashed because its color occurs a second time.
pub(super) fn is_repeated_color(paint: Paint) -> bool {
    matches!(paint, Paint::Series(index) if index / PALETTE_LEN % 2 == 1)
}

fn stroke_runs(out: &mut String, runs: &[Vec<[f64; 2]>], attributes: &str) {
    // A run of one point has length 0; the round cap makes it a dot.
    let d: String =
        runs.iter().map(|run| if run.len() == 1 { format!("{}h0", path(run)) } else { path(run) }).collect();
    if !d.is_empty() {
        let _ = writeln!(out, "<path d=\"{d}\" {attributes} stroke-linecap=\"round\"/>");
    }
}

fn step_runs(area: &PlotArea, points: &[[f64; 2]]) -> Vec<Vec<[f64; 2]>> {
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
    area.runs(points).into_iter().map(corners).collect()
}

fn draw_area(out: &mut String, area: &PlotArea, points: &[[f64; 2]], paint: Paint) {
    let runs = area.runs(points);
    for run in &runs {
        if let (Some([first, _]), Some([last, _])) = (run.first(), run.last()) {
            let base = num(area.y.baseline());
            let d = format!("{}L{} {base}L{} {base}Z", path(run), num(*last), num(*first));
            let _ = writeln!(out, "<path d=\"{d}\" {} fill-opacity=\".22\"/>", paint.fill());
        }
    }
    stroke_runs(out, &runs, &format!("{} stroke-width=\"1.5\" stroke-linejoin=\"round\"", paint.stroke()));
}

fn draw_band(out: &mut String, area: &PlotArea, rows: &[[f64; 3]], paint: Paint) {
    let usable = |row: &[f64; 3]| {
        let [x, lower, upper] = *row;
        Some((area.at([x, lower])?, area.at([x, upper])?))
    };
    let placed: Vec<_> = rows.iter().map(usable).collect();
    for run in placed.split(Option::is_none).filter(|run| run.len() > 1) {
        let upper = thin(run.iter().flatten().map(|(_, upper)| upper));
        let mut lower = thin(run.iter().flatten().map(|(lower, _)| lower));
        lower.reverse();
        let d = format!("{}{}Z", path(&upper), path(&lower).replace('M', "L"));
        let _ = writeln!(out, "<path d=\"{d}\" {} fill-opacity=\".2\"/>", paint.fill());
    }
}

/// Diameter of the markers; it decreases with their number.
fn marker_size(count: usize) -> f64 {
    match count {
        0..=200 => 7.0,
        201..=600 => 5.0,
        601..=4000 => 4.2,
        _ => 2.2,
    }
}

/// Draws markers as lines of length 0 with round caps, the shortest SVG for a circle. Markers at the same half pixel are
/// drawn once, which limits the size of the file for millions of samples.
fn dots(out: &mut String, positions: impl Iterator<Item = [f64; 2]>, stroke: &str, size: f64, opacity: f64) {
    let mut seen = HashSet::new();
    let mut d = String::new();
    for [x, y] in positions {
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

fn draw_crosses(out: &mut String, area: &PlotArea, points: &[[f64; 2]], paint: Paint) {
    let d: String = points
        .iter()
        .filter_map(|&point| area.at(point))
        .map(|[x, y]| format!("M{} {}l10 10m0-10l-10 10", num(x - 5.0), num(y - 5.0)))
        .collect();
    if !d.is_empty() {
        let cap = "stroke-linecap=\"round\"";
        let _ = writeln!(out, "<path d=\"{d}\" {} stroke-width=\"6\" {cap}/>", Paint::Background.stroke());
        let _ = writeln!(out, "<path d=\"{d}\" {} stroke-width=\"2.6\" {cap}/>", paint.stroke());
    }
}

/// Color of samples without memberships, in light and dark mode.
const NO_CLUSTER: Color = Color::hex(0xa9adb3);

fn draw_membership_points(
    out: &mut String,
    area: &PlotArea,
    points: &[[f64; 2]],
    u: &[f64],
    clusters: usize,
    paints: &[Paint],
) {
    if clusters == 0 || paints.len() < clusters {
        return;
    }
    let pairs: Vec<(Color, Color)> = paints
        .iter()
        .take(clusters)
        .map(|paint| if let Paint::Series(index) = paint { palette(*index) } else { palette(0) })
        .chain([(NO_CLUSTER, NO_CLUSTER)])
        .collect();
    // Memberships are rounded to 1/16, so that markers of similar colors share one path.
    let mut shades: BTreeMap<Vec<u8>, Vec<[f64; 2]>> = BTreeMap::new();
    for (&point, row) in points.iter().zip(u.chunks_exact(clusters)) {
        if let Some(position) = area.at(point) {
            let remainder = 1.0 - row.iter().sum::<f64>();
            let sixteenths = |m: f64| (m.clamp(0.0, 1.0) * 16.0).round() as u8;
            let shade = row.iter().copied().chain([remainder]).map(sixteenths).collect();
            shades.entry(shade).or_default().push(position);
        }
    }
    for (shade, positions) in shades {
        let mixed = |dark: bool| {
            Color::mix(pairs.iter().zip(&shade).map(|(&(l, d), &w)| (if dark { d } else { l }, f64::from(w))))
        };
        let stroke = Paint::Exact(mixed(false), mixed(true)).stroke();
        // The smaller the largest membership, the more transparent the marker.
        let largest = f64::from(shade[..clusters].iter().copied().max().unwrap_or(0)) / 16.0;
        let uniform = if clusters > 1 { 1.0 / clusters as f64 } else { 0.0 };
        let opacity = 0.35 + 0.55 * ((largest - uniform) / (1.0 - uniform)).clamp(0.0, 1.0);
        dots(out, positions.into_iter(), &stroke, marker_size(points.len()), opacity);
    }
}

fn draw_error_bars(out: &mut String, area: &PlotArea, rows: &[[f64; 3]], paint: Paint) {
    let mut d = String::new();
    for &[x, lower, upper] in rows {
        if let (Some([x, lower]), Some([_, upper])) = (area.at([x, lower]), area.at([x, upper])) {
            let (left, x, lower, upper) = (num(x - 4.0), num(x), num(lower), num(upper));
            let _ = write!(d, "M{x} {lower}V{upper}M{left} {lower}h8M{left} {upper}h8");
        }
    }
    if !d.is_empty() {
        let _ = writeln!(out, "<path d=\"{d}\" {} stroke-width=\"1.5\"/>", paint.stroke());
    }
}

fn draw_reference_line(out: &mut String, path: Option<String>, paint: Paint) {
    if let Some(d) = path {
        let _ = writeln!(
            out,
            "<path d=\"{d}\" {} stroke-width=\"1.5\" stroke-dasharray=\"5 4\"/>",
            paint.stroke()
        );
    }
}
