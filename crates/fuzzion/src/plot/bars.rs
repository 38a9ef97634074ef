//! Horizontal bars with their labels at the left and their values at the right.

use super::axis::Extent;
use super::marks::Frame;
use super::svg::{Anchor, Ink, num, text};
use super::ticks::format_number;
use std::fmt::Write;

/// The bars of one series, by label.
#[derive(Clone, Debug)]
pub(super) struct Bars {
    pub(super) name: String,
    pub(super) ink: Option<Ink>,
    pub(super) rows: Vec<(String, f64)>,
}

/// All bars of one label, from all series: (series, value).
pub(super) struct Group<'a> {
    pub(super) label: &'a str,
    pub(super) bars: Vec<(usize, f64)>,
}

/// The bars by label, labels in the order in which they first appear.
pub(super) fn groups(series: &[Bars]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (index, bars) in series.iter().enumerate() {
        for (label, value) in &bars.rows {
            match groups.iter_mut().find(|group| group.label == label) {
                Some(group) => group.bars.push((index, *value)),
                None => groups.push(Group { label, bars: vec![(index, *value)] }),
            }
        }
    }
    groups
}

/// The space between two groups, in thicknesses of a bar.
const GAP: f64 = 0.55;

fn units(groups: &[Group<'_>]) -> f64 {
    groups.iter().map(|group| group.bars.len() as f64 + GAP).sum::<f64>() + GAP
}

/// The height that gives every bar room enough for its label.
pub(super) fn natural_height(series: &[Bars]) -> f64 {
    let groups = groups(series);
    let thickness = if groups.iter().any(|group| group.bars.len() > 1) { 17.0 } else { 20.0 };
    (units(&groups) * thickness).max(40.0)
}

/// The lower end of a logarithmic axis: the power of ten below the least bar, so that it still has a length.
pub(super) fn log_floor(least: f64) -> f64 {
    10f64.powi((least.log10() - 0.05).floor() as i32)
}

pub(super) fn extend(series: &[Bars], log: bool, x: &mut Extent) {
    let values = || series.iter().flat_map(|bars| bars.rows.iter().map(|row| row.1));
    values().for_each(|value| x.include(value));
    let least = values().filter(|v| *v > 0.0 && v.is_finite()).fold(f64::INFINITY, f64::min);
    if least.is_finite() {
        x.include(if log { log_floor(least) } else { 0.0 });
    } else {
        x.include(0.0);
    }
}

pub(super) fn draw(out: &mut String, frame: &Frame, series: &[Bars], inks: &[Ink]) {
    let groups = groups(series);
    let thickness = (frame.height / units(&groups)).min(30.0);
    let base = frame.x.base();
    let mut y = (frame.height - units(&groups) * thickness) / 2.0 + GAP * thickness;
    for group in &groups {
        for &(index, value) in &group.bars {
            let end = frame.x.at(value).map(|end| end.clamp(0.0, frame.width));
            if let Some(end) = end {
                let (left, width) = (base.min(end), (end - base).abs());
                let _ = writeln!(
                    out,
                    "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"1.5\" {}/>",
                    num(left),
                    num(y + 1.0),
                    num(width),
                    num(thickness - 2.0),
                    inks.get(index).copied().unwrap_or(Ink::Series(0)).fill()
                );
            }
            let (x, ink) = (end.unwrap_or(base).max(base) + 6.0, Ink::Muted);
            text(
                out,
                x,
                y + thickness / 2.0 + 4.0,
                Anchor::Start,
                ink,
                " font-size=\"11\"",
                &format_number(value),
            );
            y += thickness;
        }
        y += GAP * thickness;
    }
}

/// The middle of every group, for its label.
pub(super) fn label_places(series: &[Bars], height: f64) -> Vec<(String, f64)> {
    let groups = groups(series);
    let thickness = (height / units(&groups)).min(30.0);
    let mut y = (height - units(&groups) * thickness) / 2.0 + GAP * thickness;
    let mut places = Vec::with_capacity(groups.len());
    for group in groups {
        let tall = group.bars.len() as f64 * thickness;
        places.push((group.label.to_owned(), y + tall / 2.0));
        y += tall + GAP * thickness;
    }
    places
}
