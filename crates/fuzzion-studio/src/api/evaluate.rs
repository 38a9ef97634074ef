//! `api/evaluate`: everything that the page shows of a system at one point. One request per step of a drag.

use super::curves::Curve;
use super::document::{Document, Model};
use super::rules::{RuleChecker, RuleError};
use super::variables::{DrawnVariable, ParsedVariable, number};
use super::{ApiError, ApiResult, Context, body};
use crate::http::{Request, Response};
use fuzzion::inference::explain::{Contribution, ExplainedOutput};
use fuzzion::inference::{ActivatedSet, Dialect, Inference, System};
use fuzzion::sets::SNorm;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Number of sample points of clipped sets.
const CLIPPED_POINTS: usize = 201;
/// Number of rules up to which the memberships of propositions are returned.
const MAX_DETAILED_RULES: usize = 500;
/// Number of rules up to which the contributions of rules are computed.
const MAX_EXPLAINED_RULES: usize = 2000;

#[derive(Deserialize)]
struct EvaluateRequest {
    system: Value,
    /// Values of the inputs; missing ones are the middle of the axis.
    #[serde(default)]
    at: Vec<Value>,
}

#[derive(Default, Serialize)]
struct EvaluateResponse {
    inputs: Vec<EvaluatedInput>,
    outputs: Vec<EvaluatedOutput>,
    rules: EvaluatedRules,
    rule_errors: Vec<RuleError>,
    /// Why the system has no outputs.
    error: Option<String>,
}

#[derive(Serialize)]
struct EvaluatedInput {
    #[serde(flatten)]
    drawn: DrawnVariable,
    value: f64,
}

#[derive(Serialize)]
struct EvaluatedOutput {
    #[serde(flatten)]
    drawn: DrawnVariable,
    #[serde(flatten)]
    result: Option<OutputResult>,
}

#[derive(Default, Serialize)]
struct OutputResult {
    value: f64,
    /// Type-reduced interval.
    interval: Option<(f64, f64)>,
    /// How the value was obtained.
    reason: String,
    fired: bool,
    /// For each set, the curve of its implied sets, combined by the aggregation.
    clipped: Vec<Option<Curve>>,
    aggregated: Option<Curve>,
    contributions: Vec<EvaluatedContribution>,
}

#[derive(Serialize)]
struct EvaluatedContribution {
    rule: usize,
    set: String,
    formula: Option<String>,
    strength: f64,
    fraction: f64,
    value: Option<f64>,
    addend: Option<f64>,
}

/// Results of the rules of all blocks, in order.
#[derive(Default, Serialize)]
struct EvaluatedRules {
    strengths: Vec<f32>,
    /// Upper firing strengths of an interval type-2 system.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    upper: Vec<f32>,
    /// `fired`, `too weak`, `not chosen`, `disabled` or `invalid`.
    statuses: Vec<&'static str>,
    /// Memberships of the propositions of each rule.
    propositions: Vec<Vec<f32>>,
}

/// Evaluates the system at a point. Invalid rules are reported and ignored, and curves are drawn for invalid systems, too.
pub(super) fn evaluate(_: &Context, request: &Request) -> ApiResult {
    let mut request: EvaluateRequest = body(request)?;
    let variables = |system: &Value, kind: &str| {
        let items = system[kind].as_array().map(Vec::as_slice).unwrap_or_default();
        items.iter().map(ParsedVariable::new).collect::<Vec<_>>()
    };
    let (inputs, outputs) = (variables(&request.system, "inputs"), variables(&request.system, "outputs"));
    let mut response = EvaluateResponse::default();
    for (i, input) in inputs.iter().enumerate() {
        let (lower, upper) = input.drawn(None).axis;
        let value = request.at.get(i).and_then(number).unwrap_or(lower / 2.0 + upper / 2.0);
        response.inputs.push(EvaluatedInput { drawn: input.drawn(Some(value)), value });
    }
    let outputs = outputs.iter().map(|output| EvaluatedOutput { drawn: output.drawn(None), result: None });
    response.outputs.extend(outputs);
    let mut document = Document::read(&request.system);
    let mut valid = None;
    if document.is_err() {
        let (mask, errors) = RuleChecker::new(&request.system).remove_invalid(&mut request.system);
        if !errors.is_empty() {
            document = Document::read(&request.system);
            response.rule_errors = errors;
            valid = Some(mask);
        }
    }
    let at: Vec<f64> = response.inputs.iter().map(|input| input.value).collect();
    let result = document.and_then(|document| match &document.model {
        Model::Type1(system) => type1(system, document.dialect, &at, &mut response),
        Model::Interval(_) => interval(&document, &at, &mut response),
    });
    response.error = result.err().map(|error| error.message);
    if let Some(valid) = valid {
        response.rules.insert_invalid(&valid);
        let number: Vec<usize> = (0..valid.len()).filter(|i| valid[*i]).collect();
        let results = response.outputs.iter_mut().filter_map(|output| output.result.as_mut());
        for contribution in results.flat_map(|result| &mut result.contributions) {
            contribution.rule = number.get(contribution.rule).copied().unwrap_or(0);
        }
    }
    Ok(Response::json(&response))
}

impl EvaluatedRules {
    /// Adds entries for the invalid rules, which were not evaluated.
    fn insert_invalid(&mut self, valid: &[bool]) {
        for i in (0..valid.len()).filter(|i| !valid[*i]) {
            self.strengths.insert(i.min(self.strengths.len()), 0.0);
            self.statuses.insert(i.min(self.statuses.len()), "invalid");
            if !self.upper.is_empty() {
                self.upper.insert(i.min(self.upper.len()), 0.0);
            }
            if !self.propositions.is_empty() {
                self.propositions.insert(i.min(self.propositions.len()), Vec::new());
            }
        }
    }
}

fn type1(
    system: &System,
    dialect: Dialect,
    at: &[f64],
    response: &mut EvaluateResponse,
) -> Result<(), ApiError> {
    let row = system.infer_row(at, dialect)?;
    if row.rules.len() > MAX_EXPLAINED_RULES {
        unexplained(system, &row, response);
        return Ok(());
    }
    let explanation = system.explain(at, dialect)?;
    let rules = &mut response.rules;
    rules.strengths = explanation.rules.iter().map(|rule| rule.strength as f32).collect();
    rules.statuses = explanation.rules.iter().map(|rule| rule.status.name()).collect();
    if explanation.rules.len() <= MAX_DETAILED_RULES {
        let memberships = |rule: &fuzzion::inference::explain::ExplainedRule| {
            rule.propositions.iter().map(|proposition| proposition.membership as f32).collect()
        };
        rules.propositions = explanation.rules.iter().map(memberships).collect();
    }
    for (i, (explained, output)) in explanation.outputs.iter().zip(&mut response.outputs).enumerate() {
        output.result = Some(output_result(system, i, explained, &row, output.drawn.axis));
    }
    Ok(())
}

/// Results without contributions and aggregated sets, for thousands of rules.
fn unexplained(system: &System, row: &Inference, response: &mut EvaluateResponse) {
    response.rules.strengths = row.rules.iter().map(|rule| rule.strength as f32).collect();
    let status = |fired: bool| if fired { "fired" } else { "too weak" };
    response.rules.statuses = row.rules.iter().map(|rule| status(rule.fired)).collect();
    for (i, output) in response.outputs.iter_mut().enumerate() {
        let sampled = system.outputs[i].defuzzifier.is_sampled();
        output.result = Some(OutputResult {
            value: row.outputs[i],
            reason: format!("of more than {MAX_EXPLAINED_RULES} rules, whose contributions are not shown"),
            fired: row.fired[i],
            clipped: if sampled { clipped_sets(system, i, row, output.drawn.axis) } else { Vec::new() },
            ..OutputResult::default()
        });
    }
}

fn output_result(
    system: &System,
    i: usize,
    explained: &ExplainedOutput,
    row: &Inference,
    axis: (f64, f64),
) -> OutputResult {
    let contribution = |c: &Contribution| EvaluatedContribution {
        rule: c.rule,
        set: c.set.clone(),
        formula: c.formula.clone(),
        strength: c.strength,
        fraction: c.fraction,
        value: c.value,
        addend: c.addend,
    };
    // Rules that do not contribute are not shown, and there may be thousands of them.
    let contributing = explained.contributions.iter().filter(|c| c.strength != 0.0 || c.fraction != 0.0);
    let aggregated = explained.aggregated.as_ref();
    OutputResult {
        value: explained.value,
        interval: None,
        reason: explained.reason(),
        fired: explained.fired,
        clipped: if aggregated.is_some() { clipped_sets(system, i, row, axis) } else { Vec::new() },
        aggregated: aggregated.map(|set| Curve::new(&set.points, &set.memberships, axis)),
        contributions: contributing.map(contribution).collect(),
    }
}

/// For each set of an output, S of T(wᵣ, μ(y)) over the rules that conclude it.
fn clipped_sets(system: &System, output: usize, row: &Inference, axis: (f64, f64)) -> Vec<Option<Curve>> {
    let variable = &system.outputs[output].variable;
    let aggregation = system.outputs[output].aggregation.unwrap_or(SNorm::Maximum);
    let step = (axis.1 - axis.0) / (CLIPPED_POINTS - 1) as f64;
    let clipped = |(set, named): (usize, &fuzzion::inference::NamedSet)| {
        let items: Vec<&ActivatedSet> =
            row.activated[output].iter().filter(|item| item.set == set && item.strength != 0.0).collect();
        if items.is_empty() {
            return None;
        }
        let corners = named.set.shape().parameters().into_iter().filter(|x| *x > axis.0 && *x < axis.1);
        let mut points: Vec<f64> =
            (0..CLIPPED_POINTS).map(|i| axis.0 + step * i as f64).chain(corners).collect();
        points.sort_by(f64::total_cmp);
        let membership = |y: &f64| {
            let membership = named.set.membership(*y);
            let implied = items.iter().filter_map(|item| item.implied(membership));
            implied.reduce(|a, b| aggregation.apply(a, b)).unwrap_or(f64::NAN)
        };
        let memberships: Vec<f64> = points.iter().map(membership).collect();
        Some(Curve::new(&points, &memberships, axis))
    };
    variable.sets.iter().enumerate().map(clipped).collect()
}

fn interval(document: &Document, at: &[f64], response: &mut EvaluateResponse) -> Result<(), ApiError> {
    let Model::Interval(system) = &document.model else { return Ok(()) };
    let row = system.infer_row(at, document.dialect)?;
    let rules = &mut response.rules;
    rules.strengths = row.firing_intervals.iter().map(|interval| interval.lower as f32).collect();
    rules.upper = row.firing_intervals.iter().map(|interval| interval.upper as f32).collect();
    let fires = |upper: f64| if document.dialect.fires(upper) { "fired" } else { "too weak" };
    rules.statuses = row.firing_intervals.iter().map(|interval| fires(interval.upper)).collect();
    for (i, output) in response.outputs.iter_mut().enumerate() {
        let interval = row.intervals[i];
        output.result = Some(OutputResult {
            value: row.outputs[i],
            interval: Some((interval.lower, interval.upper)),
            reason: match row.fired[i] {
                true => format!("middle of the interval, by {}", system.type_reduction.name()),
                false => "no rule for it fired".into(),
            },
            fired: row.fired[i],
            ..OutputResult::default()
        });
    }
    Ok(())
}
