//! `api/check`: probable mistakes in a system, each with advice.

mod coverage;
mod rules;

use super::document::{Document, Model};
use super::{ApiError, ApiResult, Context, body};
use crate::api::jobs::Job;
use crate::http::Request;
use fuzzion::Device;
use fuzzion::inference::{LoadedSystem, System, SystemFormat, Variable, VariableIndex};
use fuzzion::sets::Shape;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::sync::Arc;

/// Maximum number of findings of one kind.
const MAX_OF_A_KIND: usize = 20;

/// A probable mistake.
#[derive(Debug, Serialize)]
pub(super) struct Finding {
    /// Short name of the kind.
    pub(super) kind: &'static str,
    /// What was found.
    pub(super) text: String,
    /// What to do.
    pub(super) advice: &'static str,
    /// Rules, from 0 across all blocks.
    pub(super) rules: Vec<usize>,
    /// A point where it can be seen.
    pub(super) at: Option<Vec<f64>>,
}

impl Finding {
    fn new(kind: &'static str, text: impl Into<String>, advice: &'static str) -> Self {
        Finding { kind, text: text.into(), advice, rules: Vec::new(), at: None }
    }

    fn rules(self, rules: &[usize]) -> Self {
        Finding { rules: rules.to_vec(), ..self }
    }
}

#[derive(Deserialize)]
struct CheckRequest {
    system: Value,
}

/// Starts a job whose result is `{"findings": […]}`.
pub(super) fn check(context: &Context, request: &Request) -> ApiResult {
    let request: CheckRequest = body(request)?;
    let device = context.device.clone();
    context.jobs.start(move |job| {
        let device = job.watch(&device);
        Ok(json!({ "findings": findings(&request.system, job, &device)? }))
    })
}

fn findings(value: &Value, job: &Arc<Job>, device: &Device) -> Result<Vec<Finding>, ApiError> {
    let document = Document::read(value)?;
    let system = document.model.lower();
    let mut found = Vec::new();
    found.extend(rules::contradictions(system));
    found.extend(rules::redundant(system, job)?);
    found.extend(coverage::uncovered_regions(&document));
    found.extend(coverage::points_without_rules(&document, device)?);
    found.extend(unused(system));
    if matches!(document.model, Model::Type1(_)) {
        let narrow = system.narrow_sets(document.dialect);
        let advice = "Use more samples for the defuzzifier, or a wider set.";
        found.extend(narrow.iter().map(|set| Finding::new("narrow set", set.to_string(), advice)));
        if let Ok(loaded) = LoadedSystem::parse(&value.to_string(), SystemFormat::Json) {
            let advice = "Change it as described.";
            found.extend(loaded.warnings.into_iter().map(|text| Finding::new("unusual", text, advice)));
        }
    }
    let mut kept: Vec<Finding> = Vec::new();
    for finding in found {
        if kept.iter().filter(|other| other.kind == finding.kind).count() < MAX_OF_A_KIND {
            kept.push(finding);
        }
    }
    Ok(kept)
}

/// Variables and sets that no rule uses.
fn unused(system: &System) -> Vec<Finding> {
    let (mut used, mut variables, mut concluded) = (HashSet::new(), HashSet::new(), HashSet::new());
    for rule in system.blocks.iter().flat_map(|block| &block.rules) {
        for proposition in rule.antecedent.propositions() {
            variables.insert(proposition.variable);
            used.extend(proposition.set.map(|set| (proposition.variable, set)));
        }
        for conclusion in &rule.consequent {
            concluded.insert(conclusion.output);
            variables.insert(VariableIndex::Output(conclusion.output));
            used.insert((VariableIndex::Output(conclusion.output), conclusion.set));
        }
    }
    // A formula reads inputs, too.
    let formulas: HashSet<&str> = (system.outputs.iter().flat_map(|output| &output.variable.sets))
        .filter_map(|named| match named.set.shape() {
            Shape::Function { expression } => Some(expression.variables()),
            _ => None,
        })
        .flatten()
        .map(String::as_str)
        .collect();
    let linear = system
        .outputs
        .iter()
        .flat_map(|output| &output.variable.sets)
        .any(|named| matches!(named.set.shape(), Shape::Linear { .. }));
    let mut found = Vec::new();
    let inputs = system.inputs.iter().enumerate().map(|(i, input)| (VariableIndex::Input(i), input));
    let outputs =
        system.outputs.iter().enumerate().map(|(i, output)| (VariableIndex::Output(i), &output.variable));
    for (index, variable) in inputs.chain(outputs) {
        let name = &variable.name;
        match index {
            VariableIndex::Output(i) if !concluded.contains(&i) => {
                let advice = "Add a rule that concludes it, or delete the output.";
                found.push(Finding::new("unused", format!("No rule concludes the output “{name}”."), advice));
            }
            VariableIndex::Input(_)
                if !variables.contains(&index) && !formulas.contains(name.as_str()) && !linear =>
            {
                let advice = "Add rules that use it, or delete the input.";
                found.push(Finding::new("unused", format!("No rule uses the input “{name}”."), advice));
            }
            _ => found.extend(unused_sets(index, variable, &used)),
        }
    }
    found
}

fn unused_sets(
    index: VariableIndex,
    variable: &Variable,
    used: &HashSet<(VariableIndex, usize)>,
) -> Vec<Finding> {
    let sets = variable.sets.iter().enumerate().filter(|(i, _)| !used.contains(&(index, *i)));
    sets.map(|(_, named)| {
        let text = format!("No rule uses the set “{}” of “{}”.", named.name, variable.name);
        Finding::new("unused", text, "Add a rule that uses it, or delete the set.")
    })
    .collect()
}
