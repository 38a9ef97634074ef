//! Plots the result and its operands.

use super::encoding::Encoding;
use super::task::Task;
use crate::commands::common::files::{PLOT_FORMAT, write_file};
use fuzzion::arithmetic::AlphaCut;
use fuzzion::data::DataError;
use fuzzion::plot::{Chart, Figure};
use fuzzion::{Error, Result};
use std::path::Path;

/// Maximum number of operands in a plot; with more, only the result is plotted.
const MAX_OPERANDS: usize = 4;
/// If a number is narrower than this fraction of the axis, every number gets its own chart.
const MIN_WIDTH: f64 = 0.06;
/// Maximum magnitude of a bound; larger axes would overflow.
const MAX_BOUND: f64 = 1e290;

/// The level α of cut `i` of a number with `cuts` cuts.
pub(super) fn alpha(i: usize, cuts: usize) -> f64 {
    if cuts == 1 { 0.0 } else { i as f64 / (cuts - 1) as f64 }
}

/// A fuzzy number with its name.
type Named = (String, Vec<AlphaCut<f64>>);

impl Task {
    /// Writes the plot to `path`.
    pub(super) fn plot<A: Encoding>(&self, result: &A, path: &Path) -> Result<()> {
        let is_svg = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"));
        if !is_svg {
            return Err(Error::Data(DataError::UnknownFormat {
                path: path.to_path_buf(),
                known: PLOT_FORMAT,
            }));
        }
        write_file(path, self.svg(result)?.as_bytes())
    }

    fn svg<A: Encoding>(&self, result: &A) -> Result<String> {
        let literals = self.expr.literals().into_iter().map(|text| (text.to_owned(), text.to_owned()));
        let mut operands: Vec<(String, String)> = Vec::new();
        for named in self.lets.iter().cloned().chain(literals) {
            if !operands.contains(&named) {
                operands.push(named);
            }
        }
        operands.truncate(if operands.len() > MAX_OPERANDS { 0 } else { MAX_OPERANDS });
        let cuts = |numbers: &A| (0..self.cuts).map(|i| numbers.cut(0, i)).collect::<Vec<_>>();
        let mut numbers: Vec<Named> = Vec::new();
        for (name, text) in operands {
            numbers.push((name, cuts(&A::parse(self.cuts, &[text])?)));
        }
        numbers.push(("result".into(), cuts(result)));
        let bounds = numbers.iter().flat_map(|(_, cuts)| cuts).flat_map(|cut| [cut.lower, cut.upper]);
        if bounds.filter(|bound| bound.is_finite()).any(|bound| bound.abs() > MAX_BOUND) {
            return Err(Error::Data(DataError::InvalidImage {
                reason: format!("a bound exceeds {MAX_BOUND:e}; scale the formula down"),
            }));
        }
        Ok(draw(&self.expr.to_string(), &numbers))
    }
}

/// Draws all numbers over a common axis, or each over its own if one would be too narrow to see.
fn draw(title: &str, numbers: &[Named]) -> String {
    let all = span(numbers);
    let narrow = |number: &Named| {
        let own = span(std::slice::from_ref(number));
        own.1 - own.0 < MIN_WIDTH * (all.1 - all.0)
    };
    if numbers.len() == 1 || !numbers.iter().any(narrow) {
        let chart = Chart::new(title).x_label("x").y_label("membership").x_range(all.0, all.1);
        return numbers.iter().fold(chart, add).y_range(floor(numbers), 1.05).to_svg();
    }
    let columns = if numbers.len() == 3 { 3 } else { 2 };
    let charts = numbers.iter().enumerate().map(|(color, number)| {
        let (lower, upper) = span(std::slice::from_ref(number));
        let chart = Chart::new(&number.0).y_label("membership").x_range(lower, upper);
        let chart = chart.y_range(floor(std::slice::from_ref(number)), 1.05);
        add(chart, &(String::new(), number.1.clone())).color(color)
    });
    charts.fold(Figure::grid(columns).title(title), Figure::add).to_svg()
}

/// Draws the cuts of a number; a single cut is drawn as an interval.
fn add(chart: Chart, (name, cuts): &Named) -> Chart {
    let ends = if cuts.len() == 1 { vec![cuts[0]; 2] } else { cuts.clone() };
    let alphas: Vec<f64> = (0..ends.len()).map(|i| alpha(i, ends.len())).collect();
    let (lower, upper): (Vec<f64>, Vec<f64>) = ends.iter().map(|cut| (cut.lower, cut.upper)).unzip();
    chart.alpha_cuts(name, &alphas, &lower, &upper)
}

/// Lower end of the vertical axis; below 0 if an unbounded support needs space for its arrows.
fn floor(numbers: &[Named]) -> f64 {
    if numbers.iter().all(|(_, cuts)| cuts[0].is_bounded()) { 0.0 } else { -0.05 }
}

/// The range of all finite bounds with a margin, which is larger on unbounded sides.
fn span(numbers: &[Named]) -> (f64, f64) {
    let cuts = || numbers.iter().flat_map(|(_, cuts)| cuts);
    let finite = || cuts().flat_map(|cut| [cut.lower, cut.upper]).filter(|bound| bound.is_finite());
    let (lower, upper) = (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
    if lower > upper {
        return (-1.0, 1.0); // all bounds are infinite
    }
    let width = upper - lower;
    let width = if width > 0.0 { width } else { lower.abs().max(1.0) * 0.1 };
    let margin = |unbounded: bool| width * if unbounded { 0.3 } else { 0.04 };
    let unbounded = |end: fn(&AlphaCut<f64>) -> f64| cuts().any(|cut| end(cut).is_infinite());
    (lower - margin(unbounded(|cut| cut.lower)), upper + margin(unbounded(|cut| cut.upper)))
}
