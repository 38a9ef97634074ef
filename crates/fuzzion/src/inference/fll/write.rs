//! A system to FLL.

use super::MARK;
use crate::error::{Error, Result};
use crate::inference::rule_text::Labels;
use crate::inference::text::{is_plain, number_text, shown, unique_identifiers};
use crate::inference::type2::{IntervalSystem, Uppers};
use crate::inference::{
    Activation, Antecedent, Conjunction, Defuzzifier, Output, Place, RuleBlock, System, Variable, Weighted,
};
use crate::sets::{SNorm, Set, Shape, TNorm};
use std::collections::{HashMap, HashSet};

impl System {
    /// The system as FLL.
    ///
    /// Names become identifiers, different for different variables and sets; descriptions become one line without `#`.
    ///
    /// # Errors
    /// Those of [`System::check`], and [`Error::System`] for a Function that reads a variable by a name that FLL cannot
    /// hold or gives to another one.
    pub fn to_fll(&self) -> Result<String> {
        write(self, None)
    }
}

/// The system, or the interval type-2 system of which it has the lower sets.
pub(in crate::inference) fn write(system: &System, interval: Option<&IntervalSystem>) -> Result<String> {
    system.check()?;
    let labels = identifiers(system);
    system.check_functions(&labels)?;
    let mut lines = Vec::new();
    if system.is_extended() || interval.is_some() {
        lines.push(MARK.to_owned());
    }
    lines.push(keyed("Engine", &one_line(&system.name)));
    describe(&mut lines, &system.description);
    if let Some(interval) = interval {
        interval.upper().check_functions(&labels)?;
        lines.push(keyed("  type-reduction", interval.type_reduction.name()));
    }
    let none = Uppers::new();
    let uppers = interval.map_or(&none, IntervalSystem::uppers);
    for (i, (input, (name, sets))) in system.inputs.iter().zip(&labels.inputs).enumerate() {
        variable(&mut lines, "InputVariable", input, name);
        terms(&mut lines, input, sets, |set| uppers.get(&(Place::Input(i), set)));
    }
    for (i, (output, (name, sets))) in system.outputs.iter().zip(&labels.outputs).enumerate() {
        variable(&mut lines, "OutputVariable", &output.variable, name);
        settings(&mut lines, output);
        terms(&mut lines, &output.variable, sets, |set| uppers.get(&(Place::Output(i), set)));
    }
    for block in &system.blocks {
        rules(&mut lines, block, &labels);
    }
    lines.push(String::new());
    Ok(lines.join("\n"))
}

impl System {
    /// Refuses a Function whose variables get other names.
    fn check_functions(&self, labels: &Labels) -> Result<()> {
        let label = |name: &str| {
            let output = self.outputs.iter().rposition(|output| output.variable.name == name);
            let input = || self.inputs.iter().rposition(|input| input.name == name);
            let output = output.map(|i| &labels.outputs[i].0);
            output.or_else(|| input().map(|i| &labels.inputs[i].0)).is_none_or(|label| label == name)
        };
        let variables = self.inputs.iter().chain(self.outputs.iter().map(|output| &output.variable));
        for named in variables.flat_map(|variable| &variable.sets) {
            let Shape::Function { expression } = named.set.shape() else { continue };
            if let Some(name) = expression.variables().iter().find(|name| !label(name)) {
                return Err(Error::System {
                    place: format!("set {}", shown(&named.name)),
                    problem: format!(
                        "reads {}, a name that FLL cannot hold or gives to another variable; rename it or write JSON",
                        shown(name)
                    ),
                });
            }
        }
        Ok(())
    }
}

/// Names as FLL and rules can hold them.
pub(in crate::inference) fn identifiers(system: &System) -> Labels {
    let labels = Labels::of(system);
    let variables = labels.inputs.iter().chain(&labels.outputs);
    let names = unique_identifiers(variables.clone().map(|(name, _)| name.as_str()));
    let inputs = (0..system.inputs.len()).map(Place::Input);
    let places = inputs.chain((0..system.outputs.len()).map(Place::Output));
    let used = used_sets(system);
    let sets = variables.zip(places).map(|((_, sets), place)| {
        let last: HashMap<&str, usize> =
            sets.iter().enumerate().map(|(i, name)| (name.as_str(), i)).collect();
        let last_of_name = |set: usize| last.get(sets[set].as_str()) == Some(&set);
        // The last of several is the one a reader means.
        if sets.iter().all(|name| is_plain(name))
            && used.iter().all(|(at, set)| *at != place || last_of_name(*set))
        {
            return sets.clone();
        }
        unique_identifiers(sets.iter().map(String::as_str))
    });
    let mut inputs: Vec<(String, Vec<String>)> = names.into_iter().zip(sets).collect();
    let outputs = inputs.split_off(system.inputs.len());
    Labels { inputs, outputs }
}

/// The sets that rules name.
fn used_sets(system: &System) -> HashSet<(Place, usize)> {
    fn collect(antecedent: &Antecedent, used: &mut HashSet<(Place, usize)>) {
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
        used.extend(rule.consequent.iter().map(|c| (Place::Output(c.output), c.set)));
    }
    used
}

fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_control() || c == '#').collect::<Vec<_>>().join(" ").trim().to_owned()
}

fn keyed(key: &str, value: &str) -> String {
    if value.is_empty() { format!("{key}:") } else { format!("{key}: {value}") }
}

fn describe(lines: &mut Vec<String>, description: &str) {
    let text = one_line(description);
    if !text.is_empty() {
        lines.push(keyed("  description", &text));
    }
}

fn variable(lines: &mut Vec<String>, key: &str, variable: &Variable, name: &str) {
    lines.push(keyed(key, name));
    describe(lines, &variable.description);
    let range = format!("{} {}", number_text(variable.minimum), number_text(variable.maximum));
    lines.push(keyed("  enabled", &variable.enabled.to_string()));
    lines.push(keyed("  range", &range));
    lines.push(keyed("  lock-range", &variable.lock_range.to_string()));
}

fn settings(lines: &mut Vec<String>, output: &Output) {
    lines.push(keyed("  aggregation", output.aggregation.map_or("none", SNorm::name)));
    lines.push(keyed("  defuzzifier", &defuzzifier_text(output.defuzzifier)));
    lines.extend((output.scale != 1.0).then(|| keyed("  scale", &number_text(output.scale))));
    lines.push(keyed("  default", &number_text(output.default.unwrap_or(f64::NAN))));
    lines.push(keyed("  lock-previous", &output.lock_previous.to_string()));
}

/// A defuzzifier's name and its parameter.
pub(in crate::inference) fn defuzzifier_text(defuzzifier: Defuzzifier) -> String {
    match (defuzzifier.kind(), defuzzifier.samples()) {
        (Some(kind), _) if kind != Weighted::Automatic => format!("{} {}", defuzzifier.name(), kind.name()),
        (_, Some(samples)) => format!("{} {samples}", defuzzifier.name()),
        _ => defuzzifier.name().to_owned(),
    }
}

fn terms<'a>(
    lines: &mut Vec<String>,
    variable: &Variable,
    names: &[String],
    upper: impl Fn(usize) -> Option<&'a Set>,
) {
    for (i, (named, name)) in variable.sets.iter().zip(names).enumerate() {
        lines.push(keyed("  term", &format!("{name} {}", shape(&named.set))));
        lines.extend(upper(i).map(|set| keyed("  upper", &shape(set))));
    }
}

/// A set as FLL writes it: its shape, its numbers, and its height if that is not 1.
fn shape(set: &Set) -> String {
    let mut words = vec![set.shape().name().to_owned()];
    if let Shape::Function { expression } = set.shape() {
        words.push(expression.to_string());
    }
    words.extend(set.shape().parameters().into_iter().map(number_text));
    if set.height() != 1.0 {
        words.push(number_text(set.height()));
    }
    words.join(" ")
}

fn rules(lines: &mut Vec<String>, block: &RuleBlock, labels: &Labels) {
    let conjunction = match block.conjunction {
        Some(Conjunction::Norm(norm)) => norm.name(),
        Some(Conjunction::Mean) => "Mean",
        None => "none",
    };
    lines.push(keyed("RuleBlock", &one_line(&block.name)));
    describe(lines, &block.description);
    lines.push(keyed("  enabled", &block.enabled.to_string()));
    lines.push(keyed("  conjunction", conjunction));
    lines.push(keyed("  disjunction", block.disjunction.map_or("none", SNorm::name)));
    lines.push(keyed("  implication", block.implication.map_or("none", TNorm::name)));
    lines.push(keyed("  activation", &activation_text(block.activation)));
    lines.extend(block.rules.iter().map(|rule| keyed("  rule", &labels.rule(rule))));
}

/// An activation's name and its parameters.
pub(in crate::inference) fn activation_text(activation: Activation) -> String {
    let name = activation.name();
    match activation {
        Activation::General | Activation::Proportional => name.to_owned(),
        Activation::First { rules, threshold } | Activation::Last { rules, threshold } => {
            format!("{name} {rules} {}", number_text(threshold))
        }
        Activation::Highest { rules } | Activation::Lowest { rules } => format!("{name} {rules}"),
        Activation::Threshold { comparison, threshold } => {
            format!("{name} {} {}", comparison.sign(), number_text(threshold))
        }
    }
}
