//! Plots of the sets of a variable.

use crate::inference::error::{InferenceError, Result};
use crate::inference::{System, Variable, VariableIndex};
use crate::plot::Chart;
use crate::sets::{Set, Shape};

/// Number of evenly spaced points of a curve, in addition to its corners.
const POINTS: usize = 201;

/// Memberships below this value are less than a third of a pixel high.
const MIN_VISIBLE: f64 = 0.002;

impl System {
    /// Plots the sets of a variable: membership functions as curves, Constants as bars, other consequents as formulas.
    ///
    /// ```
    /// # use fuzzion::inference::{Dialect, Output, System, Variable};
    /// # use fuzzion::sets::Set;
    /// # let room = Variable::new("room", 10.0, 30.0).set("cold", Set::ramp(20.0, 16.0)?).set("warm", Set::ramp(16.0, 20.0)?);
    /// # let valve = Output::new("valve", 0.0, 1.0).set("shut", Set::constant(0.0)?).set("open", Set::constant(1.0)?);
    /// # let heating = System::new("heating")
    /// #     .input(room)
    /// #     .output(valve)
    /// #     .rule("if room is cold then valve is open")?
    /// #     .rule("if room is warm then valve is shut")?;
    /// use fuzzion::inference::VariableIndex;
    /// assert!(heating.plot_sets(VariableIndex::Input(0))?.to_svg().contains("cold"));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`InferenceError::InvalidSystem`] if the index is out of range.
    pub fn plot_sets(&self, index: VariableIndex) -> Result<Chart> {
        let (variable, kind) = match index {
            VariableIndex::Input(i) => (self.inputs.get(i), "input"),
            VariableIndex::Output(i) => (self.outputs.get(i).map(|output| &output.variable), "output"),
        };
        let variable = variable.ok_or_else(|| InferenceError::InvalidSystem {
            location: "the plot".into(),
            problem: format!("refers to an {kind} that does not exist; use an {kind} of the system"),
        })?;
        let mut chart = Chart::new(&variable.name).x_label(&variable.name);
        let mut formulas = Vec::new();
        for named in &variable.sets {
            if is_formula(&named.set) {
                formulas.push(format!("{} = {}", named.name, self.set_text(&named.set)));
            }
        }
        chart = add_sets(chart, variable, |chart| chart);
        if formulas.is_empty() {
            return Ok(chart);
        }
        Ok(chart.subtitle(formulas.join(" · ")))
    }
}

/// Whether the value of a set depends on the row, so that it has no curve.
fn is_formula(set: &Set) -> bool {
    match set.shape() {
        Shape::Linear { .. } => true,
        Shape::Function { expression } => expression.variables().iter().any(|name| name != "x"),
        _ => false,
    }
}

/// Plot range of a variable: its range, with infinite bounds replaced by those of its sets.
///
/// ```
/// use fuzzion::inference::{Variable, plot::plot_range};
/// use fuzzion::sets::Set;
/// let x = Variable::new("x", f64::NEG_INFINITY, 9.0).set("low", Set::triangle(1.0, 2.0, 3.0)?);
/// assert_eq!(plot_range(&x), (1.0, 9.0));
/// # Ok::<(), fuzzion::Error>(())
/// ```
pub fn plot_range(variable: &Variable) -> (f64, f64) {
    let mut span = (f64::INFINITY, f64::NEG_INFINITY);
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
            span = (span.0.min(end), span.1.max(end));
        }
    }
    let (from, to) = if span.0 <= span.1 { span } else { (0.0, 1.0) };
    let lower = if variable.minimum.is_finite() { variable.minimum } else { from };
    let upper = if variable.maximum.is_finite() { variable.maximum } else { to };
    let upper = if upper < lower { lower } else { upper };
    // The axis needs a positive width.
    if lower < upper { (lower, upper) } else { (lower - 0.5, upper + 0.5) }
}

/// Adds the curve or bar of every set to a chart, styled by `style`.
pub(super) fn add_sets(mut chart: Chart, variable: &Variable, style: impl Fn(Chart) -> Chart) -> Chart {
    let range = plot_range(variable);
    let (mut lower, mut upper) = range;
    let mut max = 1.0f64;
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
        let x = curve_points(&named.set, range);
        let y: Vec<f64> = x.iter().map(|x| named.set.membership(*x)).collect();
        let y = without_zeros(&y);
        max = y.iter().filter(|y| y.is_finite()).fold(max, |a, b| a.max(*b));
        chart = style(chart.line(&named.name, &x, &y).color(i));
    }
    let margin = if (lower, upper) == range { 0.0 } else { 0.03 * (upper - lower) };
    chart.y_label("membership").x_range(lower - margin, upper + margin).y_range(0.0, 1.05 * max)
}

/// Replaces runs of zero memberships by NaN, because lines along the axis would cover it and each other.
fn without_zeros(y: &[f64]) -> Vec<f64> {
    let is_zero = |i: Option<usize>| i.and_then(|i| y.get(i)).is_none_or(|y| y.abs() < MIN_VISIBLE);
    let kept = |i: usize| !(is_zero(Some(i)) && is_zero(i.checked_sub(1)) && is_zero(i.checked_add(1)));
    y.iter().enumerate().map(|(i, y)| if kept(i) { *y } else { f64::NAN }).collect()
}

/// Points at which the curve of a set is drawn: evenly spaced ones, and points at and next to the parameters of the set, so
/// that corners and steps are sharp.
///
/// ```
/// use fuzzion::{inference::plot::curve_points, sets::Set};
/// let points = curve_points(&Set::triangle(0.0, 0.12345, 2.0)?, (0.0, 1.0));
/// assert!(points.contains(&0.12345) && points.is_sorted());
/// # Ok::<(), fuzzion::Error>(())
/// ```
pub fn curve_points(set: &Set, (lower, upper): (f64, f64)) -> Vec<f64> {
    let step = (upper - lower) / (POINTS - 1) as f64;
    let even = (0..POINTS).map(|i| if i + 1 == POINTS { upper } else { lower + step * i as f64 });
    let corners = set.shape().parameters().into_iter().flat_map(|p| [p.next_down(), p, p.next_up()]);
    let inside = corners.filter(|x| *x >= lower && *x <= upper);
    let mut points: Vec<f64> = even.chain(inside).collect();
    points.sort_by(f64::total_cmp);
    points.dedup();
    points
}
