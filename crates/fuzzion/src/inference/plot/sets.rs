//! The sets of a variable.

use crate::error::{Error, Result};
use crate::inference::explain::brief;
use crate::inference::{Place, System, Variable};
use crate::plot::Chart;
use crate::sets::{Set, Shape};

/// Evenly spaced places of a curve; corners are added to them.
const PLACES: usize = 201;

/// A membership below this is a third of a pixel high.
const UNSEEN: f64 = 0.002;

impl System {
    /// The sets of a variable as curves; a Constant as a bar at its value, other consequents as formulas in words.
    ///
    /// # Errors
    /// [`Error::System`] where there is no such variable.
    pub fn plot_sets(&self, place: Place) -> Result<Chart> {
        let (variable, kind) = match place {
            Place::Input(i) => (self.inputs.get(i), "input"),
            Place::Output(i) => (self.outputs.get(i).map(|output| &output.variable), "output"),
        };
        let variable = variable.ok_or_else(|| Error::System {
            place: "the plot".into(),
            problem: format!("is of an {kind} that there is not; name one of the system's"),
        })?;
        let mut chart = Chart::new(&variable.name).x_label(&variable.name);
        let mut formulas = Vec::new();
        for named in &variable.sets {
            if is_formula(&named.set) {
                formulas.push(format!("{} = {}", named.name, self.set_text(&named.set)));
            }
        }
        chart = outlines(chart, variable, |chart| chart);
        if formulas.is_empty() {
            return Ok(chart);
        }
        Ok(chart.subtitle(formulas.join(" · ")))
    }

    /// A set in words: a Linear or Function as its formula, every other by its shape and parameters.
    pub fn set_text(&self, set: &Set) -> String {
        let numbers = |numbers: Vec<f64>| numbers.into_iter().map(brief).collect::<Vec<_>>().join(" ");
        match set.shape() {
            Shape::Function { expression } => expression.to_string(),
            Shape::Linear { coefficients, constant } => {
                let named = coefficients.iter().zip(&self.inputs);
                let terms = named.filter(|(c, _)| **c != 0.0).map(|(c, input)| (*c, input.name.as_str()));
                let mut text = String::new();
                for (c, name) in terms.chain((*constant != 0.0).then_some((*constant, ""))) {
                    let sign = match (text.is_empty(), c < 0.0) {
                        (true, false) => "",
                        (true, true) => "-",
                        (false, false) => " + ",
                        (false, true) => " - ",
                    };
                    let factor = match (name.is_empty(), c.abs() == 1.0) {
                        (true, _) => brief(c.abs()),
                        (false, true) => String::new(),
                        (false, false) => format!("{} ", brief(c.abs())),
                    };
                    text.push_str(&format!("{sign}{factor}{name}"));
                }
                if text.is_empty() { "0".into() } else { text }
            }
            shape if set.height() == 1.0 || matches!(shape, Shape::Constant { .. }) => {
                format!("{} {}", shape.name(), numbers(shape.parameters()))
            }
            shape => {
                format!("{} {}, height {}", shape.name(), numbers(shape.parameters()), brief(set.height()))
            }
        }
    }
}

/// Whether a set has no picture of its own: its value depends on the row.
fn is_formula(set: &Set) -> bool {
    match set.shape() {
        Shape::Linear { .. } => true,
        Shape::Function { expression } => expression.variables().iter().any(|name| name != "x"),
        _ => false,
    }
}

/// The range in which a variable is drawn: its own, and where that has no end, what its sets span.
pub fn plotted_range(variable: &Variable) -> (f64, f64) {
    let mut spanned = (f64::INFINITY, f64::NEG_INFINITY);
    for named in &variable.sets {
        let ends = match named.set.shape() {
            Shape::Constant { value } => vec![*value],
            Shape::Linear { .. } | Shape::Function { .. } => vec![],
            _ => {
                let cuts = [named.set.support(), named.set.alpha_cut(0.01 * named.set.height())];
                cuts.into_iter().flatten().flat_map(|cut| [cut.lower, cut.upper]).collect()
            }
        };
        for end in ends.into_iter().filter(|end| end.is_finite()) {
            spanned = (spanned.0.min(end), spanned.1.max(end));
        }
    }
    let (from, to) = if spanned.0 <= spanned.1 { spanned } else { (0.0, 1.0) };
    let lower = if variable.minimum.is_finite() { variable.minimum } else { from };
    let upper = if variable.maximum.is_finite() { variable.maximum } else { to };
    let upper = if upper < lower { lower } else { upper };
    // A range without width still has to be drawn.
    if lower < upper { (lower, upper) } else { (lower - 0.5, upper + 0.5) }
}

/// Adds every set that can be drawn, each as `style` wants it.
pub(super) fn outlines(mut chart: Chart, variable: &Variable, style: impl Fn(Chart) -> Chart) -> Chart {
    let range = plotted_range(variable);
    let (mut lower, mut upper) = range;
    let mut highest = 1.0f64;
    for (i, named) in variable.sets.iter().enumerate() {
        if is_formula(&named.set) {
            continue;
        }
        if let Shape::Constant { value } = named.set.shape() {
            (lower, upper) = (lower.min(*value), upper.max(*value));
            chart = style(chart.line(&named.name, &[*value, *value], &[0.0, 1.0]).color(i));
            chart = style(chart.points(&named.name, &[*value], &[1.0]).color(i));
            continue;
        }
        let x = places(&named.set, range);
        let y: Vec<f64> = x.iter().map(|x| named.set.membership(*x)).collect();
        let y = without_ground(&y);
        highest = y.iter().filter(|y| y.is_finite()).fold(highest, |a, b| a.max(*b));
        chart = style(chart.line(&named.name, &x, &y).color(i));
    }
    let room = if (lower, upper) == range { 0.0 } else { 0.03 * (upper - lower) };
    chart.y_label("membership").x_range(lower - room, upper + room).y_range(0.0, 1.05 * highest)
}

/// Memberships without the stretches that look like 0: lines along the axis hide each other and it.
fn without_ground(y: &[f64]) -> Vec<f64> {
    let zero = |i: Option<usize>| i.and_then(|i| y.get(i)).is_none_or(|y| y.abs() < UNSEEN);
    let kept = |i: usize| !(zero(Some(i)) && zero(i.checked_sub(1)) && zero(i.checked_add(1)));
    y.iter().enumerate().map(|(i, y)| if kept(i) { *y } else { f64::NAN }).collect()
}

/// Where a set is looked at: evenly, and beside its parameters, so that corners and steps are sharp.
fn places(set: &Set, (lower, upper): (f64, f64)) -> Vec<f64> {
    let step = (upper - lower) / (PLACES - 1) as f64;
    let even = (0..PLACES).map(|i| if i + 1 == PLACES { upper } else { lower + step * i as f64 });
    let corners = set.shape().parameters().into_iter().flat_map(|p| [p.next_down(), p, p.next_up()]);
    let inside = corners.filter(|x| *x >= lower && *x <= upper);
    let mut places: Vec<f64> = even.chain(inside).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    places
}
