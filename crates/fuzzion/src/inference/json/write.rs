//! A system to JSON, laid out for readers: a set and a rule take a line each.

use super::{KIND, VERSION};
use crate::error::Result;
use crate::inference::fll::{activation_text, defuzzifier_text, identifiers};
use crate::inference::rule_text::Labels;
use crate::inference::text::number_text;
use crate::inference::type2::{IntervalSystem, Uppers};
use crate::inference::{
    Activation, Conjunction, Dialect, NamedSet, Output, Place, RuleBlock, System, Variable,
};
use crate::sets::{SNorm, Set, Shape, TNorm};

impl System {
    /// The system as Fuzzion's own JSON, which holds all of it.
    ///
    /// # Errors
    /// Those of [`System::check`].
    pub fn to_json(&self) -> Result<String> {
        write(self, None, None)
    }
}

/// The system, the dialect it is to be run in, and the interval type-2 system of which it has the lower sets.
pub(in crate::inference) fn write(
    system: &System,
    dialect: Option<Dialect>,
    interval: Option<&IntervalSystem>,
) -> Result<String> {
    system.check()?;
    let none = Uppers::new();
    let uppers = interval.map_or(&none, IntervalSystem::uppers);
    let labels = identifiers(system);
    let inputs = system.inputs.iter().zip(&labels.inputs).enumerate();
    let inputs = inputs.map(|(i, (input, label))| {
        object(2, &variable(input, label, Vec::new(), |set| uppers.get(&(Place::Input(i), set))))
    });
    let outputs = system.outputs.iter().zip(&labels.outputs).enumerate();
    let outputs = outputs.map(|(i, (o, label))| {
        object(2, &variable(&o.variable, label, settings(o), |set| uppers.get(&(Place::Output(i), set))))
    });
    let blocks = system.blocks.iter().map(|one| object(2, &block(one, &labels)));
    let mut fields = vec![text("fuzzion", KIND), field("version", &VERSION.to_string())];
    fields.push(text("name", &system.name));
    fields.extend(unless_empty("description", &system.description));
    fields.extend(dialect.map(|dialect| text("dialect", dialect.name())));
    fields.extend(interval.map(|interval| text("type_reduction", interval.type_reduction.name())));
    fields.push(field("inputs", &array(1, &inputs.collect::<Vec<_>>())));
    fields.push(field("outputs", &array(1, &outputs.collect::<Vec<_>>())));
    fields.push(field("blocks", &array(1, &blocks.collect::<Vec<_>>())));
    Ok(object(0, &fields) + "\n")
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn number(value: f64) -> String {
    if value.is_finite() { number_text(value) } else { quoted(&number_text(value)) }
}

fn field(key: &str, value: &str) -> String {
    format!("\"{key}\": {value}")
}

fn text(key: &str, value: &str) -> String {
    field(key, &quoted(value))
}

fn unless_empty(key: &str, value: &str) -> Option<String> {
    (!value.is_empty()).then(|| text(key, value))
}

fn flag(key: &str, value: bool, usual: bool) -> Option<String> {
    (value != usual).then(|| field(key, &value.to_string()))
}

/// Lines between brackets, two blanks further in than the brackets.
fn lines(depth: usize, open: char, parts: &[String], close: char) -> String {
    if parts.is_empty() {
        return format!("{open}{close}");
    }
    let indent = "  ".repeat(depth);
    let inner = parts.join(&format!(",\n{indent}  "));
    format!("{open}\n{indent}  {inner}\n{indent}{close}")
}

fn object(depth: usize, fields: &[String]) -> String {
    lines(depth, '{', fields, '}')
}

fn array(depth: usize, values: &[String]) -> String {
    lines(depth, '[', values, ']')
}

/// What inputs and outputs have in common, `settings` between the range and the sets.
fn variable<'a>(
    variable: &Variable,
    (word, words): &(String, Vec<String>),
    settings: Vec<String>,
    upper: impl Fn(usize) -> Option<&'a Set>,
) -> Vec<String> {
    let mut fields = vec![text("name", &variable.name)];
    fields.extend((*word != variable.name).then(|| text("word", word)));
    fields.extend(unless_empty("description", &variable.description));
    fields.extend(flag("enabled", variable.enabled, true));
    fields.push(field("range", &format!("[{}, {}]", number(variable.minimum), number(variable.maximum))));
    fields.extend(flag("lock_range", variable.lock_range, false));
    fields.extend(settings);
    let sets = variable.sets.iter().zip(words).enumerate();
    let sets: Vec<String> = sets.map(|(i, (named, word))| set(named, word, upper(i))).collect();
    fields.push(field("sets", &array(3, &sets)));
    fields
}

fn set(named: &NamedSet, word: &str, upper: Option<&Set>) -> String {
    let mut fields = vec![text("name", &named.name)];
    fields.extend((word != named.name).then(|| text("word", word)));
    fields.extend(shape(&named.set));
    fields.extend(upper.map(|upper| field("upper", &format!("{{{}}}", shape(upper).join(", ")))));
    format!("{{{}}}", fields.join(", "))
}

fn shape(set: &Set) -> Vec<String> {
    let shape = set.shape();
    let mut fields = vec![text("shape", shape.name())];
    fields.push(match shape {
        Shape::Function { expression } => text("expression", &expression.to_string()),
        _ => {
            let numbers: Vec<String> = shape.parameters().into_iter().map(number).collect();
            field("parameters", &format!("[{}]", numbers.join(", ")))
        }
    });
    let height = set.height();
    fields.extend((height != 1.0).then(|| field("height", &number(height))));
    fields
}

fn settings(output: &Output) -> Vec<String> {
    let mut fields = Vec::new();
    fields.extend(output.aggregation.map(|norm| text("aggregation", norm.name())));
    fields.push(text("defuzzifier", &defuzzifier_text(output.defuzzifier)));
    fields.extend((output.scale != 1.0).then(|| field("scale", &number(output.scale))));
    let default = output.default.filter(|value| !value.is_nan());
    fields.extend(default.map(|value| field("default", &number(value))));
    fields.extend(flag("lock_previous", output.lock_previous, false));
    fields
}

fn block(block: &RuleBlock, labels: &Labels) -> Vec<String> {
    let conjunction = |conjunction| match conjunction {
        Conjunction::Norm(norm) => TNorm::name(norm),
        Conjunction::Mean => "Mean",
    };
    let mut fields = Vec::new();
    fields.extend(unless_empty("name", &block.name));
    fields.extend(unless_empty("description", &block.description));
    fields.extend(flag("enabled", block.enabled, true));
    fields.extend(block.conjunction.map(|one| text("conjunction", conjunction(one))));
    fields.extend(block.disjunction.map(|norm| text("disjunction", SNorm::name(norm))));
    fields.extend(block.implication.map(|norm| text("implication", TNorm::name(norm))));
    let general = block.activation == Activation::General;
    fields.extend((!general).then(|| text("activation", &activation_text(block.activation))));
    let rules: Vec<String> = block.rules.iter().map(|rule| quoted(&labels.rule(rule))).collect();
    fields.push(field("rules", &array(3, &rules)));
    fields
}
