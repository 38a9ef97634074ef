//! Horizontal bar charts with labels on the left and values on the right.

use crate::plot::axis::Extent;
use crate::plot::plot_area::PlotArea;
use crate::plot::svg::{Anchor, Paint, num, text};
use crate::plot::ticks::format_number;
use std::fmt::Write;

/// A series of bars with labels.
#[derive(Clone, Debug)]
pub(in crate::plot) struct Bars {
    pub(in crate::plot) name: String,
    pub(in crate::plot) paint: Option<Paint>,
    pub(in crate::plot) rows: Vec<(String, f64)>,
}

/// The bars of all series with the same label, as (series, value).
pub(in crate::plot) struct BarGroup<'a> {
    pub(in crate::plot) label: &'a str,
    pub(in crate::plot) bars: Vec<(usize, f64)>,
}

/// Groups the bars by label, in order of first appearance.
pub(in crate::plot) fn groups(series: &[Bars]) -> Vec<BarGroup<'_>> {
    let mut groups: Vec<BarGroup<'_>> = Vec::new();
    for (index, bars) in series.iter().enumerate() {
        for (label, value) in &bars.rows {
            match groups.iter_mut().find(|group| group.label == label) {
                Some(group) => group.bars.push((index, *value)),
                None => groups.push(BarGroup { label, bars: vec![(index, *value)] }),
            }
        }
    }
    groups
}

/// Space between two groups, in units of the bar thickness.
const GAP: f64 = 0.55;

/// Height of all groups, in units of the bar thickness.
fn units(groups: &[BarGroup<'_>]) -> f64 {
    groups.iter().map(|group| group.bars.len() as f64 + GAP).sum::<f64>() + GAP
}

/// Height of the plot at which every label fits.
pub(in crate::plot) fn natural_height(series: &[Bars]) -> f64 {
    let groups = groups(series);
    let thickness = if groups.iter().any(|group| group.bars.len() > 1) { 17.0 } else { 20.0 };
    (units(&groups) * thickness).max(40.0)
}

/// Lower end of a logarithmic axis: the power of ten below the smallest bar, so that its length is not 0.
pub(in crate::plot) fn log_floor(smallest: f64) -> f64 {
    10f64.powi((smallest.log10() - 0.05).floor() as i32)
}

pub(in crate::plot) fn extend(series: &[Bars], log: bool, x: &mut Extent) {
    let values = || series.iter().flat_map(|bars| bars.rows.iter().map(|row| row.1));
    values().for_each(|value| x.include(value));
    let smallest = values().filter(|v| *v > 0.0 && v.is_finite()).fold(f64::INFINITY, f64::min);
    if smallest.is_finite() {
        x.include(if log { log_floor(smallest) } else { 0.0 });
    } else {
        x.include(0.0);
    }
}

pub(in crate::plot) fn draw(out: &mut String, area: &PlotArea, series: &[Bars], paints: &[Paint]) {
    let groups = groups(series);
    let thickness = (area.height / units(&groups)).min(30.0);
    let base = area.x.baseline();
    let mut y = (area.height - units(&groups) * thickness) / 2.0 + GAP * thickness;
    for group in &groups {
        for &(index, value) in &group.bars {
            let end = area.x.at(value).map(|end| end.clamp(0.0, area.width));
            if let Some(end) = end {
                let (left, width) = (base.min(end), (end - base).abs());
                let _ = writeln!(
                    out,
                    "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"1.5\" {}/>",
                    num(left),
                    num(y + 1.0),
                    num(width),
                    num(thickness - 2.0),
                    paints.get(index).copied().unwrap_or(Paint::Series(0)).fill()
                );
            }
            let (x, paint) = (end.unwrap_or(base).max(base) + 6.0, Paint::Muted);
            text(
                out,
                x,
                y + thickness / 2.0 + 4.0,
                Anchor::Start,
                paint,
                " font-size=\"11\"",
                &format_number(value),
            );
            y += thickness;
        }
        y += GAP * thickness;
    }
}

/// Label of every group and the y of its middle.
pub(in crate::plot) fn label_positions(series: &[Bars], height: f64) -> Vec<(String, f64)> {
    let groups = groups(series);
    let thickness = (height / units(&groups)).min(30.0);
    let mut y = (height - units(&groups) * thickness) / 2.0 + GAP * thickness;
    let mut positions = Vec::with_capacity(groups.len());
    for group in groups {
        let height = group.bars.len() as f64 * thickness;
        positions.push((group.label.to_owned(), y + height / 2.0));
        y += height + GAP * thickness;
    }
    positions
}
