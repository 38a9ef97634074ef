//! Sets of the variables of a document, also of one whose rules are invalid.

use super::curves::Curve;
use fuzzion::inference::plot::{curve_points, plot_range};
use fuzzion::inference::{NamedSet, Variable};
use fuzzion::sets::{Set, Shape};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A variable for drawing.
#[derive(Serialize)]
pub(super) struct DrawnVariable {
    /// Ends of the axis: the range, or if it is infinite, the supports of the sets.
    pub(super) axis: (f64, f64),
    pub(super) sets: Vec<DrawnSet>,
}

/// A set for drawing.
#[derive(Default, Serialize)]
pub(super) struct DrawnSet {
    pub(super) curve: Curve,
    /// Curve of the upper set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) upper: Option<Curve>,
    /// Position of a Constant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    /// Membership of the value of an input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) membership: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) upper_membership: Option<f64>,
}

/// A number as in the JSON of systems, where infinite ones are texts.
pub(super) fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.parse().ok())
}

/// A set and its upper set.
pub(super) fn parse_set(value: &Value) -> Result<(Set, Option<Set>), String> {
    let mut fields = value.as_object().cloned().unwrap_or_default();
    fields.remove("name");
    fields.remove("word");
    let upper = fields.remove("upper");
    let parse = |value: Value| Set::deserialize(value).map_err(|cause| cause.to_string());
    Ok((parse(Value::Object(fields))?, upper.map(parse).transpose()?))
}

/// The variable of this JSON without invalid sets, and the sets with the reasons why they are invalid.
pub(super) struct ParsedVariable {
    pub(super) variable: Variable,
    pub(super) sets: Vec<Result<(Set, Option<Set>), String>>,
}

impl ParsedVariable {
    /// The names are those of the rules.
    pub(super) fn new(value: &Value) -> Self {
        let name =
            |value: &Value| value["word"].as_str().or(value["name"].as_str()).unwrap_or_default().to_owned();
        let bound = |i: usize, default| number(&value["range"][i]).unwrap_or(default);
        let mut variable = Variable::new(name(value), bound(0, f64::NEG_INFINITY), bound(1, f64::INFINITY));
        let items = value["sets"].as_array().map(Vec::as_slice).unwrap_or_default();
        let sets: Vec<_> = items.iter().map(parse_set).collect();
        for (item, set) in items.iter().zip(&sets) {
            // A constant stands for an invalid set, so that the numbers of the sets stay the same.
            let set = set.as_ref().ok().map(|(set, _)| set.clone()).or_else(|| Set::constant(0.0).ok());
            variable.sets.extend(set.map(|set| NamedSet { name: name(item), set }));
        }
        ParsedVariable { variable, sets }
    }

    /// Ends of the axis of a chart, which contains all Constants.
    fn axis(&self) -> (f64, f64) {
        let drawn = self.sets.iter().flatten().flat_map(|(set, upper)| [Some(set), upper.as_ref()]).flatten();
        let named = |set: &Set| NamedSet { name: String::new(), set: set.clone() };
        let visible = Variable { sets: drawn.map(named).collect(), ..self.variable.clone() };
        let (mut lower, mut upper) = plot_range(&visible);
        let mut outside = false;
        for named in &visible.sets {
            if let Shape::Constant { value } = named.set.shape() {
                outside |= *value < lower || *value > upper;
                (lower, upper) = (lower.min(*value), upper.max(*value));
            }
        }
        let margin = if outside { 0.04 * (upper - lower) } else { 0.0 };
        (lower - margin, upper + margin)
    }

    /// The curves, and the memberships of `at`.
    pub(super) fn drawn(&self, at: Option<f64>) -> DrawnVariable {
        let axis = self.axis();
        let draw = |parsed: &Result<(Set, Option<Set>), String>| match parsed {
            Err(error) => DrawnSet { error: Some(error.clone()), ..DrawnSet::default() },
            Ok((set, upper)) => {
                let value = match set.shape() {
                    Shape::Constant { value } => Some(*value),
                    _ => None,
                };
                let membership =
                    |set: &Set| at.filter(|_| set.output(&[]).is_none()).map(|x| set.membership(x));
                DrawnSet {
                    curve: curve_of(set, axis),
                    upper: upper.as_ref().map(|upper| curve_of(upper, axis)),
                    value,
                    membership: membership(set),
                    upper_membership: upper.as_ref().and_then(membership),
                    ..DrawnSet::default()
                }
            }
        };
        DrawnVariable { axis, sets: self.sets.iter().map(draw).collect() }
    }
}

/// The curve of a set; empty for a consequent whose value depends on the inputs.
fn curve_of(set: &Set, axis: (f64, f64)) -> Curve {
    let is_curve = match set.shape() {
        Shape::Constant { .. } | Shape::Linear { .. } => false,
        Shape::Function { expression } => expression.variables().iter().all(|name| name == "x"),
        _ => true,
    };
    if !is_curve {
        return Curve::default();
    }
    let points = curve_points(set, axis);
    let memberships: Vec<f64> = points.iter().map(|x| set.membership(*x)).collect();
    Curve::new(&points, &memberships, axis)
}
