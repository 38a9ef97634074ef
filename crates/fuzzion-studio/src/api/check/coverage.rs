//! Values of the inputs to which no set or no rule applies.

use super::Finding;
use crate::api::ApiError;
use crate::api::document::{Document, Model};
use fuzzion::data::Precision;
use fuzzion::inference::plot::plot_range;
use fuzzion::inference::{InferOptions, System};
use fuzzion::{Device, Samples};

/// Number of points at which the sets of an input are evaluated.
const AXIS_POINTS: usize = 1001;
/// A membership below this counts as none.
const NEGLIGIBLE: f64 = 0.01;
/// Number of points at which the system is evaluated.
const POINTS: usize = 4096;
/// Number of rules up to which the largest firing strength of each is determined.
const MAX_RULES: usize = 500;

/// Intervals of the inputs where the memberships of all sets are negligible.
pub(super) fn uncovered_regions(document: &Document) -> Vec<Finding> {
    let upper;
    let system = match &document.model {
        Model::Type1(system) => system,
        Model::Interval(system) => {
            upper = system.upper();
            &upper
        }
    };
    let mut found = Vec::new();
    for input in system.inputs.iter().filter(|input| !input.sets.is_empty()) {
        let (lower, upper) = plot_range(input);
        let x = |i: usize| lower + (upper - lower) * i as f64 / (AXIS_POINTS - 1) as f64;
        let is_covered = |i: usize| !input.sets.iter().all(|named| named.set.membership(x(i)) < NEGLIGIBLE);
        let mut start = None;
        for i in 0..=AXIS_POINTS {
            let covered = i == AXIS_POINTS || is_covered(i);
            match start {
                None if !covered => start = Some(i),
                Some(from) if covered => {
                    // The ends of the range may have membership 0.
                    if i - from > 2 {
                        let text = format!(
                            "No set of “{}” covers the values from {:.4} to {:.4}.",
                            input.name,
                            x(from),
                            x(i - 1)
                        );
                        let advice =
                            "Widen a set, or add one there; otherwise no rule about this input applies.";
                        found.push(Finding::new("uncovered", text, advice));
                    }
                    start = None;
                }
                _ => {}
            }
        }
    }
    found
}

/// Evenly distributed points in the ranges of the inputs: an additive recurrence with powers of the generalized golden ratio
/// (M. Roberts, 2018).
fn points(system: &System) -> Vec<f64> {
    let d = system.inputs.len();
    let mut phi = 2.0f64;
    for _ in 0..50 {
        phi = (1.0 + phi).powf(1.0 / (d as f64 + 1.0));
    }
    let ranges: Vec<(f64, f64)> = system.inputs.iter().map(plot_range).collect();
    let mut rows = Vec::with_capacity(POINTS * d);
    for i in 0..POINTS {
        for (j, (lower, upper)) in ranges.iter().enumerate() {
            let u = (0.5 + (i + 1) as f64 * phi.powi(-(j as i32 + 1))).fract();
            rows.push(lower + u * (upper - lower));
        }
    }
    rows
}

/// Outputs without a rule at some points, and rules that fire at no point.
pub(super) fn points_without_rules(document: &Document, device: &Device) -> Result<Vec<Finding>, ApiError> {
    let Model::Type1(system) = &document.model else { return Ok(Vec::new()) };
    let rows = points(system);
    let width = system.inputs.len();
    let rules: usize = system.blocks.iter().map(|block| block.rules.len()).sum();
    let options = InferOptions::default().fired(true).firing_strengths(rules <= MAX_RULES);
    let plan = system.compile(document.dialect, Precision::F64)?;
    let tables = plan.infer_with(Samples::new(width, &rows[..])?, options, device)?;
    let mut found = Vec::new();
    if let Some(fired) = &tables.fired {
        let values = fired.to_f64();
        for (i, output) in system.outputs.iter().enumerate() {
            let missing = |row: &usize| values[row * system.outputs.len() + i] == 0.0;
            let rows_without: Vec<usize> = (0..POINTS).filter(missing).collect();
            let Some(&example) = rows_without.first() else { continue };
            let percent = 100.0 * rows_without.len() as f64 / POINTS as f64;
            let at = rows[example * width..(example + 1) * width].to_vec();
            let text = format!(
                "For {percent:.1} % of the inputs no rule for “{}” fires, for example at {}.",
                output.variable.name,
                system
                    .inputs
                    .iter()
                    .zip(&at)
                    .map(|(input, x)| format!("{} = {x:.3}", input.name))
                    .collect::<Vec<_>>()
                    .join(", ")
            );
            let advice = "Add rules for these inputs, widen the sets, or give the output a default value.";
            found.push(Finding { at: Some(at), ..Finding::new("no rule fires", text, advice) });
        }
    }
    if let Some(strengths) = &tables.firing_strengths {
        let values = strengths.to_f64();
        let all =
            system.blocks.iter().flat_map(|block| block.rules.iter().map(move |rule| (block.enabled, rule)));
        for (r, (enabled, rule)) in all.enumerate() {
            let fires =
                values.iter().skip(r).step_by(rules).any(|strength| document.dialect.fires(*strength));
            if !fires && enabled && rule.weight != 0.0 {
                let text = format!("Rule {} never fires within the ranges of the inputs.", r + 1);
                let advice = "Check its conditions: their sets may not overlap, or lie outside of the range.";
                found.push(Finding::new("never fires", text, advice).rules(&[r]));
            }
        }
    }
    Ok(found)
}
