//! Writer for FLL.

use super::DIALECT_LINE;
use super::names::comment;
use crate::inference::error::{InferenceError, Result};
use crate::inference::formats::UpperSets;
use crate::inference::syntax::{Labels, format_number, is_rule_name, quoted, unique_identifiers};
use crate::inference::type2::IntervalSystem;
use crate::inference::{Antecedent, Conjunction, Output, RuleBlock, System, Variable, VariableIndex};
use crate::sets::{SNorm, Set, Shape, TNorm};
use std::collections::{HashMap, HashSet};

impl System {
    /// Formats the system as FLL. See [`fll`](crate::inference::fll) for an example.
    ///
    /// Names are converted to unique identifiers, followed by a comment with the original name, which [`System::from_fll`]
    /// restores. Descriptions are converted to a single line without `#`.
    ///
    /// # Errors
    /// The errors of [`System::check`], and [`InferenceError::InvalidSystem`] if a Function refers to a variable whose name would
    /// change.
    pub fn to_fll(&self) -> Result<String> {
        write(self, None)
    }
}

/// Formats a system as FLL, with the upper sets of `interval` for an interval type-2 system.
pub(in crate::inference) fn write(system: &System, interval: Option<&IntervalSystem>) -> Result<String> {
    system.check()?;
    let labels = identifiers(system);
    system.check_functions(&labels)?;
    let mut lines = Vec::new();
    if system.is_extended() || interval.is_some() {
        lines.push(DIALECT_LINE.to_owned());
    }
    lines.push(field("Engine", &one_line(&system.name)));
    write_description(&mut lines, &system.description);
    if let Some(interval) = interval {
        interval.upper().check_functions(&labels)?;
        lines.push(field("  type-reduction", interval.type_reduction.name()));
    }
    let none = UpperSets::new();
    let uppers = interval.map_or(&none, IntervalSystem::uppers);
    for (i, (input, (name, sets))) in system.inputs.iter().zip(&labels.inputs).enumerate() {
        write_variable(&mut lines, "InputVariable", input, name);
        write_terms(&mut lines, input, sets, |set| uppers.get(&(VariableIndex::Input(i), set)));
    }
    for (i, (output, (name, sets))) in system.outputs.iter().zip(&labels.outputs).enumerate() {
        write_variable(&mut lines, "OutputVariable", &output.variable, name);
        write_output_settings(&mut lines, output);
        write_terms(&mut lines, &output.variable, sets, |set| uppers.get(&(VariableIndex::Output(i), set)));
    }
    for block in &system.blocks {
        write_rule_block(&mut lines, block, &labels);
    }
    lines.push(String::new());
    Ok(lines.join("\n"))
}

impl System {
    /// Fails if a Function refers to a variable whose name changes.
    fn check_functions(&self, labels: &Labels) -> Result<()> {
        let is_unchanged = |name: &str| {
            let output = self.outputs.iter().rposition(|output| output.variable.name == name);
            let input = || self.inputs.iter().rposition(|input| input.name == name);
            let output = output.map(|i| &labels.outputs[i].0);
            output.or_else(|| input().map(|i| &labels.inputs[i].0)).is_none_or(|label| label == name)
        };
        let variables = self.inputs.iter().chain(self.outputs.iter().map(|output| &output.variable));
        for named in variables.flat_map(|variable| &variable.sets) {
            let Shape::Function { expression } = named.set.shape() else { continue };
            if let Some(name) = expression.variables().iter().find(|name| !is_unchanged(name)) {
                return Err(InferenceError::InvalidSystem {
                    location: format!("set {}", quoted(&named.name)),
                    problem: format!(
                        "uses {}, a name that is not valid in FLL or conflicts with another variable; rename it or save as JSON",
                        quoted(name)
                    ),
                });
            }
        }
        Ok(())
    }
}

/// Names that are valid in FLL and in rules.
pub(in crate::inference) fn identifiers(system: &System) -> Labels {
    let labels = Labels::from_system(system);
    let variables = labels.inputs.iter().chain(&labels.outputs);
    let names = unique_identifiers(variables.clone().map(|(name, _)| name.as_str()));
    let inputs = (0..system.inputs.len()).map(VariableIndex::Input);
    let indices = inputs.chain((0..system.outputs.len()).map(VariableIndex::Output));
    let used = used_sets(system);
    let sets = variables.zip(indices).map(|((_, sets), variable)| {
        let last: HashMap<&str, usize> =
            sets.iter().enumerate().map(|(i, name)| (name.as_str(), i)).collect();
        let last_of_name = |set: usize| last.get(sets[set].as_str()) == Some(&set);
        // A parser selects the last of several sets with the same name.
        if sets.iter().all(|name| is_rule_name(name))
            && used.iter().all(|(other, set)| *other != variable || last_of_name(*set))
        {
            return sets.clone();
        }
        unique_identifiers(sets.iter().map(String::as_str))
    });
    let mut inputs: Vec<(String, Vec<String>)> = names.into_iter().zip(sets).collect();
    let outputs = inputs.split_off(system.inputs.len());
    Labels { inputs, outputs }
}

/// Sets that occur in rules.
fn used_sets(system: &System) -> HashSet<(VariableIndex, usize)> {
    fn collect(antecedent: &Antecedent, used: &mut HashSet<(VariableIndex, usize)>) {
        match antecedent {
            Antecedent::Is(p) => used.extend(p.set.map(|set| (p.variable, set))),
            Antecedent::And(parts) | Antecedent::Or(parts) => parts.iter().for_each(|p| collect(p, used)),
            Antecedent::Not(part) => collect(part, used),
            Antecedent::Else => {}
        }
    }
    let mut used = HashSet::new();
    for rule in system.blocks.iter().flat_map(|block| &block.rules) {
        collect(&rule.antecedent, &mut used);
        used.extend(rule.consequent.iter().map(|c| (VariableIndex::Output(c.output), c.set)));
    }
    used
}

fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_control() || c == '#').collect::<Vec<_>>().join(" ").trim().to_owned()
}

fn field(key: &str, value: &str) -> String {
    if value.is_empty() { format!("{key}:") } else { format!("{key}: {value}") }
}

fn write_description(lines: &mut Vec<String>, description: &str) {
    let text = one_line(description);
    if !text.is_empty() {
        lines.push(field("  description", &text));
    }
}

fn write_variable(lines: &mut Vec<String>, key: &str, variable: &Variable, name: &str) {
    lines.push(field(key, name) + &comment(&variable.name, name));
    write_description(lines, &variable.description);
    let range = format!("{} {}", format_number(variable.minimum), format_number(variable.maximum));
    lines.push(field("  enabled", &variable.enabled.to_string()));
    lines.push(field("  range", &range));
    lines.push(field("  lock-range", &variable.lock_range.to_string()));
}

fn write_output_settings(lines: &mut Vec<String>, output: &Output) {
    lines.push(field("  aggregation", output.aggregation.map_or("none", SNorm::name)));
    lines.push(field("  defuzzifier", &output.defuzzifier.to_string()));
    lines.extend((output.scale != 1.0).then(|| field("  scale", &format_number(output.scale))));
    lines.push(field("  default", &format_number(output.default.unwrap_or(f64::NAN))));
    lines.push(field("  lock-previous", &output.lock_previous.to_string()));
}

fn write_terms<'a>(
    lines: &mut Vec<String>,
    variable: &Variable,
    names: &[String],
    upper: impl Fn(usize) -> Option<&'a Set>,
) {
    for (i, (named, name)) in variable.sets.iter().zip(names).enumerate() {
        let term = field("  term", &format!("{name} {}", shape_text(&named.set)));
        lines.push(term + &comment(&named.name, name));
        lines.extend(upper(i).map(|set| field("  upper", &shape_text(set))));
    }
}

/// Shape, parameters, and height if it is not 1.
fn shape_text(set: &Set) -> String {
    let mut tokens = vec![set.shape().name().to_owned()];
    if let Shape::Function { expression } = set.shape() {
        tokens.push(expression.to_string());
    }
    tokens.extend(set.shape().parameters().into_iter().map(format_number));
    if set.height() != 1.0 {
        tokens.push(format_number(set.height()));
    }
    tokens.join(" ")
}

fn write_rule_block(lines: &mut Vec<String>, block: &RuleBlock, labels: &Labels) {
    lines.push(field("RuleBlock", &one_line(&block.name)));
    write_description(lines, &block.description);
    lines.push(field("  enabled", &block.enabled.to_string()));
    lines.push(field("  conjunction", block.conjunction.map_or("none", Conjunction::name)));
    lines.push(field("  disjunction", block.disjunction.map_or("none", SNorm::name)));
    lines.push(field("  implication", block.implication.map_or("none", TNorm::name)));
    lines.push(field("  activation", &block.activation.to_string()));
    lines.extend(block.rules.iter().map(|rule| field("  rule", &labels.rule(rule))));
}
