//! A picture of the result and of what it was made of.

use super::single::alpha;
use super::{Encoding, Task};
use fuzzion::arithmetic::Cut;
use fuzzion::data::output::Output;
use fuzzion::plot::{Chart, Figure};
use fuzzion::{Error, Result};
use std::io::Write as _;
use std::path::Path;

/// The most numbers beside the result.
const MOST: usize = 4;
/// A number narrower than this share of the picture gets one of its own.
const NARROWEST: f64 = 0.06;

/// Beyond it an axis has no room for its margins.
const LARGEST: f64 = 1e290;

/// A fuzzy number by name.
type Named = (String, Vec<Cut<f64>>);

impl Task {
    /// Writes the picture to `path`.
    pub(super) fn plot<A: Encoding>(&self, result: &A, path: &Path) -> Result<()> {
        let is_svg = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"));
        if !is_svg {
            return Err(Error::UnknownFormat { path: path.to_path_buf(), known: "`.svg`" });
        }
        let svg = self.picture(result)?;
        let mut out = Output::create(path)?;
        out.write_all(svg.as_bytes()).map_err(|cause| out.error(cause))?;
        out.finish()
    }

    fn picture<A: Encoding>(&self, result: &A) -> Result<String> {
        let written = self.expr.literals().into_iter().map(|text| (text.to_owned(), text.to_owned()));
        let mut operands: Vec<(String, String)> = Vec::new();
        for named in self.lets.iter().cloned().chain(written) {
            if !operands.contains(&named) {
                operands.push(named);
            }
        }
        operands.truncate(if operands.len() > MOST { 0 } else { MOST });
        let cuts = |numbers: &A| (0..self.cuts).map(|i| numbers.cut(0, i)).collect::<Vec<_>>();
        let mut numbers: Vec<Named> = Vec::new();
        for (name, text) in operands {
            numbers.push((name, cuts(&A::parse(self.cuts, &[text])?)));
        }
        numbers.push(("result".into(), cuts(result)));
        let bounds = numbers.iter().flat_map(|(_, cuts)| cuts).flat_map(|cut| [cut.lower, cut.upper]);
        if bounds.filter(|bound| bound.is_finite()).any(|bound| bound.abs() > LARGEST) {
            return Err(Error::Picture {
                reason: format!("a number in it is beyond {LARGEST:e}; scale the formula down"),
            });
        }
        Ok(draw(&self.expr.to_string(), &numbers))
    }
}

/// All numbers over one axis, or each over its own where one would be too narrow to be seen.
fn draw(title: &str, numbers: &[Named]) -> String {
    let all = span(numbers);
    let narrow = |number: &Named| {
        let own = span(std::slice::from_ref(number));
        own.1 - own.0 < NARROWEST * (all.1 - all.0)
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

/// The stack of the cuts of a number; a single cut is an ordinary interval.
fn add(chart: Chart, (name, cuts): &Named) -> Chart {
    let ends = if cuts.len() == 1 { vec![cuts[0]; 2] } else { cuts.clone() };
    let alphas: Vec<f64> = (0..ends.len()).map(|i| alpha(i, ends.len())).collect();
    let (lower, upper): (Vec<f64>, Vec<f64>) = ends.iter().map(|cut| (cut.lower, cut.upper)).unzip();
    chart.alpha_cuts(name, &alphas, &lower, &upper)
}

/// Where the vertical axis begins: below 0 where a support without end needs room for its arrows.
fn floor(numbers: &[Named]) -> f64 {
    if numbers.iter().all(|(_, cuts)| cuts[0].is_bounded()) { 0.0 } else { -0.05 }
}

/// What the finite bounds of numbers span, with some room; more of it where cuts have no end.
fn span(numbers: &[Named]) -> (f64, f64) {
    let cuts = || numbers.iter().flat_map(|(_, cuts)| cuts);
    let finite = || cuts().flat_map(|cut| [cut.lower, cut.upper]).filter(|bound| bound.is_finite());
    let (lower, upper) = (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
    if lower > upper {
        return (-1.0, 1.0); // nothing is known
    }
    let width = upper - lower;
    let width = if width > 0.0 { width } else { lower.abs().max(1.0) * 0.1 };
    let room = |endless: bool| width * if endless { 0.3 } else { 0.04 };
    let endless = |end: fn(&Cut<f64>) -> f64| cuts().any(|cut| end(cut).is_infinite());
    (lower - room(endless(|cut| cut.lower)), upper + room(endless(|cut| cut.upper)))
}
