//! Text and JSON descriptions of a system.

use crate::format::{align_columns, count_of, json_number};
use fuzzion::inference::explain::format_short;
use fuzzion::inference::{
    Activation, Conjunction, Defuzzifier, Dialect, Output, RuleBlock, System, Variable, WeightedKind,
};
use serde_json::{Value, json};

/// Replaces control characters, so that names from files cannot send terminal escape sequences.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

pub(super) fn text(system: &System, dialect: Dialect) -> String {
    let mut out = format!("{}\n", heading(system));
    if !system.description.is_empty() {
        out += &format!("{}\n", clean(&system.description));
    }
    out += "\nInputs\n";
    out += &variables(system, system.inputs.iter());
    out += "\nOutputs\n";
    out += &variables(system, system.outputs.iter().map(|output| &output.variable));
    for output in &system.outputs {
        out += &format!("  {}: {}\n", clean(&output.variable.name), settings(output, dialect));
    }
    for block in &system.blocks {
        out += &format!("\n{}\n", block_heading(block));
        let rules = block.rules.iter().enumerate();
        let lines: Vec<Vec<String>> =
            rules.map(|(i, rule)| vec![format!("  {}", i + 1), clean(&rule_text(system, rule))]).collect();
        out += &align_columns(&lines, &[1]);
    }
    out
}

/// `tipper: 2 inputs, 1 output, 3 rules`
pub(super) fn heading(system: &System) -> String {
    let name = if system.name.is_empty() { "unnamed system".into() } else { clean(&system.name) };
    format!("{name}: {}", counts(system))
}

pub(super) fn counts(system: &System) -> String {
    let rules: usize = system.blocks.iter().map(|block| block.rules.len()).sum();
    let counts = [(system.inputs.len(), "input"), (system.outputs.len(), "output"), (rules, "rule")];
    counts.map(|(n, noun)| count_of(n as u64, noun)).join(", ")
}

pub(super) fn rule_text(system: &System, rule: &fuzzion::inference::Rule) -> String {
    system.rule_text(rule).expect("invariant: loaded systems have been validated")
}

/// One line per set; the first line of a variable starts with its name and range.
fn variables<'a>(system: &System, variables: impl Iterator<Item = &'a Variable>) -> String {
    let mut lines = Vec::new();
    for variable in variables {
        let mut front = vec![format!("  {}", clean(&variable.name)), range(variable)];
        for named in &variable.sets {
            front.extend([clean(&named.name), clean(&system.set_text(&named.set))]);
            lines.push(front);
            front = vec![String::new(), String::new()];
        }
        if variable.sets.is_empty() {
            lines.push(front);
        }
    }
    align_columns(&lines, &[0, 1, 2, 3])
}

pub(super) fn range(variable: &Variable) -> String {
    let locked = if variable.lock_range { ", locked" } else { "" };
    let off = if variable.enabled { "" } else { ", disabled" };
    format!("{} … {}{locked}{off}", format_short(variable.minimum), format_short(variable.maximum))
}

pub(super) fn defuzzifier(defuzzifier: Defuzzifier, dialect: Dialect) -> String {
    match (defuzzifier.kind(), defuzzifier.samples()) {
        (Some(WeightedKind::Automatic), _) => defuzzifier.name().to_owned(),
        (Some(kind), _) => format!("{} ({})", defuzzifier.name(), kind.name()),
        (None, samples) => {
            format!("{} with {} samples", defuzzifier.name(), samples.unwrap_or(dialect.default_samples()))
        }
    }
}

/// The settings of an output.
pub(super) fn settings(output: &Output, dialect: Dialect) -> String {
    let mut parts = vec![defuzzifier(output.defuzzifier, dialect)];
    parts.extend(output.aggregation.map(|norm| format!("aggregation {}", norm.name())));
    if output.scale != 1.0 {
        parts.push(format!("scale {}", format_short(output.scale)));
    }
    if output.lock_previous {
        parts.push("locked to its previous value".into());
    }
    parts.extend(output.default.map(|value| format!("default {}", format_short(value))));
    parts.join(", ")
}

/// `Rules bulb (and Minimum, or Maximum, implication Minimum)`
fn block_heading(block: &RuleBlock) -> String {
    let name = if block.name.is_empty() { "Rules".into() } else { format!("Rules {}", clean(&block.name)) };
    let settings = block_settings(block);
    if settings.is_empty() { name } else { format!("{name} ({settings})") }
}

/// `and Minimum, or Maximum, implication Minimum`
pub(super) fn block_settings(block: &RuleBlock) -> String {
    let mut parts: Vec<String> =
        norms(block).into_iter().map(|(operator, norm)| format!("{operator} {norm}")).collect();
    if block.activation != Activation::General {
        parts.push(activation(block.activation));
    }
    if !block.enabled {
        parts.push("disabled".into());
    }
    parts.join(", ")
}

fn norms(block: &RuleBlock) -> Vec<(&'static str, &'static str)> {
    let and = block.conjunction.map(Conjunction::name);
    let or = block.disjunction.map(|norm| norm.name());
    let implication = block.implication.map(|norm| norm.name());
    let all = [("and", and), ("or", or), ("implication", implication)];
    all.into_iter().filter_map(|(operator, norm)| Some((operator, norm?))).collect()
}

fn activation(activation: Activation) -> String {
    let name = activation.name();
    match activation {
        Activation::First { rules, threshold } | Activation::Last { rules, threshold } => {
            format!("activation {name} {rules}, threshold {}", format_short(threshold))
        }
        Activation::Highest { rules } | Activation::Lowest { rules } => format!("activation {name} {rules}"),
        Activation::Threshold { comparison, threshold } => {
            format!("activation {name} {} {}", comparison, format_short(threshold))
        }
        _ => format!("activation {name}"),
    }
}

pub(super) fn as_json(system: &System, dialect: Dialect) -> Value {
    let variable = |variable: &Variable| {
        let sets = variable.sets.iter();
        json!({
            "name": variable.name,
            "enabled": variable.enabled,
            "minimum": json_number(variable.minimum),
            "maximum": json_number(variable.maximum),
            "lock_range": variable.lock_range,
            "sets": sets.map(|named| json!({ "name": named.name, "set": system.set_text(&named.set) })).collect::<Vec<_>>(),
        })
    };
    let output = |output: &Output| {
        let mut value = variable(&output.variable);
        value["defuzzifier"] = json!(output.defuzzifier.name());
        value["aggregation"] = json!(output.aggregation.map(|norm| norm.name()));
        value["scale"] = json!(output.scale);
        value["default"] = json!(output.default.map(json_number));
        value["lock_previous"] = json!(output.lock_previous);
        value
    };
    let block = |block: &RuleBlock| {
        let mut value = json!({
            "name": block.name,
            "enabled": block.enabled,
            "activation": block.activation.name(),
            "rules": block.rules.iter().map(|rule| rule_text(system, rule)).collect::<Vec<_>>(),
        });
        norms(block).into_iter().for_each(|(operator, norm)| value[operator] = json!(norm));
        value
    };
    json!({
        "name": system.name,
        "description": system.description,
        "dialect": dialect.name(),
        "inputs": system.inputs.iter().map(variable).collect::<Vec<_>>(),
        "outputs": system.outputs.iter().map(output).collect::<Vec<_>>(),
        "blocks": system.blocks.iter().map(block).collect::<Vec<_>>(),
    })
}
