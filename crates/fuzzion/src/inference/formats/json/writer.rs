//! Writer for the JSON format, with one line per set and rule.

use super::{KIND, VERSION};
use crate::inference::error::Result;
use crate::inference::formats::UpperSets;
use crate::inference::formats::fll::{activation_text, defuzzifier_text, identifiers};
use crate::inference::syntax::{Labels, format_number};
use crate::inference::type2::IntervalSystem;
use crate::inference::{
    Activation, Conjunction, Dialect, NamedSet, Output, RuleBlock, System, Variable, VariableIndex,
};
use crate::sets::{SNorm, Set, Shape, TNorm};

impl System {
    /// Formats the system as JSON.
    ///
    /// # Errors
    /// Same as [`System::check`].
    pub fn to_json(&self) -> Result<String> {
        write(self, None, None)
    }
}

/// Formats a system as JSON, with its dialect, and with the upper sets of `interval` for an interval type-2 system.
pub(in crate::inference) fn write(
    system: &System,
    dialect: Option<Dialect>,
    interval: Option<&IntervalSystem>,
) -> Result<String> {
    system.check()?;
    let none = UpperSets::new();
    let uppers = interval.map_or(&none, IntervalSystem::uppers);
    let labels = identifiers(system);
    let inputs = system.inputs.iter().zip(&labels.inputs).enumerate();
    let inputs = inputs.map(|(i, (input, label))| {
        object(
            2,
            &variable_fields(input, label, Vec::new(), |set| uppers.get(&(VariableIndex::Input(i), set))),
        )
    });
    let outputs = system.outputs.iter().zip(&labels.outputs).enumerate();
    let outputs = outputs.map(|(i, (o, label))| {
        object(
            2,
            &variable_fields(&o.variable, label, output_fields(o), |set| {
                uppers.get(&(VariableIndex::Output(i), set))
            }),
        )
    });
    let blocks = system.blocks.iter().map(|b| object(2, &block_fields(b, &labels)));
    let mut fields = vec![text_field("fuzzion", KIND), field("version", &VERSION.to_string())];
    fields.push(text_field("name", &system.name));
    fields.extend(nonempty_field("description", &system.description));
    fields.extend(dialect.map(|dialect| text_field("dialect", dialect.name())));
    fields.extend(interval.map(|interval| text_field("type_reduction", interval.type_reduction.name())));
    fields.push(field("inputs", &array(1, &inputs.collect::<Vec<_>>())));
    fields.push(field("outputs", &array(1, &outputs.collect::<Vec<_>>())));
    fields.push(field("blocks", &array(1, &blocks.collect::<Vec<_>>())));
    Ok(object(0, &fields) + "\n")
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn number(value: f64) -> String {
    if value.is_finite() { format_number(value) } else { quoted(&format_number(value)) }
}

fn field(key: &str, value: &str) -> String {
    format!("\"{key}\": {value}")
}

fn text_field(key: &str, value: &str) -> String {
    field(key, &quoted(value))
}

fn nonempty_field(key: &str, value: &str) -> Option<String> {
    (!value.is_empty()).then(|| text_field(key, value))
}

fn flag_field(key: &str, value: bool, default: bool) -> Option<String> {
    (value != default).then(|| field(key, &value.to_string()))
}

/// One line per part between brackets, indented by two spaces.
fn indented(depth: usize, open: char, parts: &[String], close: char) -> String {
    if parts.is_empty() {
        return format!("{open}{close}");
    }
    let indent = "  ".repeat(depth);
    let inner = parts.join(&format!(",\n{indent}  "));
    format!("{open}\n{indent}  {inner}\n{indent}{close}")
}

fn object(depth: usize, fields: &[String]) -> String {
    indented(depth, '{', fields, '}')
}

fn array(depth: usize, values: &[String]) -> String {
    indented(depth, '[', values, ']')
}

/// Fields of a variable, with the output settings between the range and the sets.
fn variable_fields<'a>(
    variable: &Variable,
    (rule_name, set_rule_names): &(String, Vec<String>),
    settings: Vec<String>,
    upper: impl Fn(usize) -> Option<&'a Set>,
) -> Vec<String> {
    let mut fields = vec![text_field("name", &variable.name)];
    fields.extend((*rule_name != variable.name).then(|| text_field("word", rule_name)));
    fields.extend(nonempty_field("description", &variable.description));
    fields.extend(flag_field("enabled", variable.enabled, true));
    fields.push(field("range", &format!("[{}, {}]", number(variable.minimum), number(variable.maximum))));
    fields.extend(flag_field("lock_range", variable.lock_range, false));
    fields.extend(settings);
    let sets = variable.sets.iter().zip(set_rule_names).enumerate();
    let sets: Vec<String> =
        sets.map(|(i, (named, rule_name))| set_text(named, rule_name, upper(i))).collect();
    fields.push(field("sets", &array(3, &sets)));
    fields
}

fn set_text(named: &NamedSet, rule_name: &str, upper: Option<&Set>) -> String {
    let mut fields = vec![text_field("name", &named.name)];
    fields.extend((rule_name != named.name).then(|| text_field("word", rule_name)));
    fields.extend(shape_fields(&named.set));
    fields.extend(upper.map(|upper| field("upper", &format!("{{{}}}", shape_fields(upper).join(", ")))));
    format!("{{{}}}", fields.join(", "))
}

fn shape_fields(set: &Set) -> Vec<String> {
    let shape = set.shape();
    let mut fields = vec![text_field("shape", shape.name())];
    fields.push(match shape {
        Shape::Function { expression } => text_field("expression", &expression.to_string()),
        _ => {
            let numbers: Vec<String> = shape.parameters().into_iter().map(number).collect();
            field("parameters", &format!("[{}]", numbers.join(", ")))
        }
    });
    let height = set.height();
    fields.extend((height != 1.0).then(|| field("height", &number(height))));
    fields
}

fn output_fields(output: &Output) -> Vec<String> {
    let mut fields = Vec::new();
    fields.extend(output.aggregation.map(|norm| text_field("aggregation", norm.name())));
    fields.push(text_field("defuzzifier", &defuzzifier_text(output.defuzzifier)));
    fields.extend((output.scale != 1.0).then(|| field("scale", &number(output.scale))));
    let default = output.default.filter(|value| !value.is_nan());
    fields.extend(default.map(|value| field("default", &number(value))));
    fields.extend(flag_field("lock_previous", output.lock_previous, false));
    fields
}

fn block_fields(block: &RuleBlock, labels: &Labels) -> Vec<String> {
    let conjunction_name = |conjunction| match conjunction {
        Conjunction::Norm(norm) => TNorm::name(norm),
        Conjunction::Mean => "Mean",
    };
    let mut fields = Vec::new();
    fields.extend(nonempty_field("name", &block.name));
    fields.extend(nonempty_field("description", &block.description));
    fields.extend(flag_field("enabled", block.enabled, true));
    fields.extend(block.conjunction.map(|c| text_field("conjunction", conjunction_name(c))));
    fields.extend(block.disjunction.map(|norm| text_field("disjunction", SNorm::name(norm))));
    fields.extend(block.implication.map(|norm| text_field("implication", TNorm::name(norm))));
    let is_general = block.activation == Activation::General;
    fields.extend((!is_general).then(|| text_field("activation", &activation_text(block.activation))));
    let rules: Vec<String> = block.rules.iter().map(|rule| quoted(&labels.rule(rule))).collect();
    fields.push(field("rules", &array(3, &rules)));
    fields
}
