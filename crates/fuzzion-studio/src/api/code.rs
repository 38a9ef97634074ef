//! Source code that builds a system with the library, in Python or Rust.

use super::ApiError;
use super::document::{Document, Model};
use fuzzion::inference::{
    Activation, Antecedent, Conclusion, Dialect, Output, Rule, RuleBlock, System, Variable, VariableIndex,
};
use fuzzion::sets::{Hedge, Set, Shape};
use serde_json::Value;
use std::fmt::Write as _;

/// A number in both languages; `infinity` is the expression of the language.
fn number(x: f64, infinity: &str) -> String {
    match x {
        x if x.is_nan() => infinity.replace("INFINITY", "NAN").replace("inf", "nan"),
        x if x.is_infinite() => format!("{}{infinity}", if x < 0.0 { "-" } else { "" }),
        x => format!("{x:?}"),
    }
}

fn snake_case(name: &str) -> String {
    let mut text = String::new();
    for (i, c) in name.chars().enumerate() {
        if c.is_uppercase() && i > 0 {
            text.push('_');
        }
        text.extend(c.to_lowercase());
    }
    text
}

/// A text literal; JSON texts are valid in Python, and in Rust after a change of the escapes.
fn literal(text: &str) -> String {
    Value::from(text).to_string()
}

fn rust_literal(text: &str) -> String {
    format!("{text:?}")
}

/// The call of the constructor of a set, in Python after `sets.` and in Rust after `Set::`.
fn constructor(set: &Set, infinity: &str, list: [&str; 2]) -> String {
    let numbers = |values: &[f64]| values.iter().map(|x| number(*x, infinity)).collect::<Vec<_>>().join(", ");
    let name = snake_case(set.shape().name());
    match set.shape() {
        Shape::Discrete { points } => {
            let pairs: Vec<String> = points
                .iter()
                .map(|(x, m)| format!("({}, {})", number(*x, infinity), number(*m, infinity)))
                .collect();
            format!("{name}({}{}{})", list[0], pairs.join(", "), list[1])
        }
        Shape::Linear { coefficients, constant } => {
            format!(
                "{name}({}{}{}, {})",
                list[0],
                numbers(coefficients),
                list[1],
                number(*constant, infinity)
            )
        }
        Shape::Function { expression } => format!("{name}({})", literal(&expression.to_string())),
        shape => format!("{name}({})", numbers(&shape.parameters())),
    }
}

/// Rust code that builds the system.
pub(super) fn rust(system: &Value, dialect: Dialect) -> Result<String, ApiError> {
    let document = Document::read(system)?;
    let Model::Type1(system) = &document.model else {
        return Ok(format!(
            "use fuzzion::inference::type2::IntervalSystem;\n\nfn system() -> fuzzion::Result<IntervalSystem> {{\n    \
             Ok(IntervalSystem::from_json(r###\"{system}\"###)?)\n}}\n"
        ));
    };
    let mut text = String::from(
        "use fuzzion::inference::{Dialect, Output, RuleBlock, System, Variable};\nuse fuzzion::sets::Set;\n\n\
         fn system() -> fuzzion::Result<System> {\n    let mut system = System::new(",
    );
    let _ = writeln!(text, "{});", rust_literal(&system.name));
    for input in &system.inputs {
        let _ = writeln!(text, "    let input = {};", rust_variable("Variable", input));
        text.push_str("    system = system.input(input);\n");
    }
    for output in &system.outputs {
        text.push_str(&rust_output(output));
    }
    for block in &system.blocks {
        text.push_str(&rust_block(block));
        for rule in &block.rules {
            let _ = writeln!(text, "    system = system.rule({})?;", rust_literal(&system.rule_text(rule)?));
        }
    }
    let _ = writeln!(text, "    Ok(system)\n}}\n\nfn main() -> fuzzion::Result<()> {{");
    let zeros = vec!["0.0"; system.inputs.len()].join(", ");
    let _ = writeln!(
        text,
        "    println!(\"{{:?}}\", system()?.infer_row(&[{zeros}], Dialect::{dialect:?})?.outputs);\n    Ok(())\n}}"
    );
    Ok(text)
}

fn rust_variable(kind: &str, variable: &Variable) -> String {
    let infinity = "f64::INFINITY";
    let range = [variable.minimum, variable.maximum].map(|x| number(x, infinity)).join(", ");
    let mut text = format!("{kind}::new({}, {range})", rust_literal(&variable.name));
    if variable.lock_range {
        text.push_str(".lock_range(true)");
    }
    for named in &variable.sets {
        let mut set = format!("Set::{}?", constructor(&named.set, infinity, ["&[", "]"]));
        if named.set.height() != 1.0 {
            let _ = write!(set, ".with_height({})?", number(named.set.height(), infinity));
        }
        let _ = write!(text, "\n        .set({}, {set})", rust_literal(&named.name));
    }
    text
}

fn rust_output(output: &Output) -> String {
    let mut text = format!("    let mut output = {};\n", rust_variable("Output", &output.variable));
    let aggregation = output
        .aggregation
        .map_or("None".to_owned(), |norm| format!("Some({}.parse()?)", rust_literal(norm.name())));
    let _ = writeln!(text, "    output.aggregation = {aggregation};");
    let _ = writeln!(
        text,
        "    output.defuzzifier = {}.parse()?;",
        rust_literal(&output.defuzzifier.to_string())
    );
    if output.scale != 1.0 {
        let _ = writeln!(text, "    output.scale = {};", number(output.scale, "f64::INFINITY"));
    }
    if let Some(default) = output.default {
        let _ = writeln!(text, "    output.default = Some({});", number(default, "f64::INFINITY"));
    }
    if output.lock_previous {
        text.push_str("    output.lock_previous = true;\n");
    }
    text + "    system = system.output(output);\n"
}

fn rust_block(block: &RuleBlock) -> String {
    let mut text = format!("    let mut block = RuleBlock::new({});\n", rust_literal(&block.name));
    let mut operator = |field: &str, name: Option<&str>| {
        let value = name.map_or("None".to_owned(), |name| format!("Some({}.parse()?)", rust_literal(name)));
        let _ = writeln!(text, "    block.{field} = {value};");
    };
    operator("conjunction", block.conjunction.map(|c| c.name()));
    operator("disjunction", block.disjunction.map(|d| d.name()));
    operator("implication", block.implication.map(|i| i.name()));
    if block.activation != Activation::General {
        let _ = writeln!(
            text,
            "    block.activation = {}.parse()?;",
            rust_literal(&block.activation.to_string())
        );
    }
    if !block.enabled {
        text.push_str("    block.enabled = false;\n");
    }
    text + "    system = system.block(block);\n"
}

/// Python code that builds the system; a system that the builder of the package cannot express is parsed from its JSON.
pub(super) fn python(value: &Value) -> Result<String, ApiError> {
    let document = Document::read(value)?;
    if let Model::Type1(system) = &document.model
        && let Some(text) = python_builder(system, document.dialect)
    {
        return Ok(text);
    }
    let json = serde_json::to_string_pretty(value).unwrap_or_default();
    // Backslashes of JSON would be escapes of Python.
    let json = json.replace('\\', "\\\\").replace("'''", "\\'\\'\\'");
    Ok(format!("from fuzzion import System\n\nsystem = System.from_text('''{json}''', \"json\")\n"))
}

fn python_builder(system: &System, dialect: Dialect) -> Option<String> {
    let [block] = system.blocks.as_slice() else { return None };
    let expressible = |output: &Output| {
        let sets = &output.variable.sets;
        output.scale == 1.0 && output.variable.enabled && output.aggregation.is_some() && !sets.is_empty()
    };
    let plain = block.enabled
        && block.name.is_empty()
        && block.conjunction.is_some()
        && block.disjunction.is_some()
        && block.implication.is_some()
        && system.inputs.iter().all(|input| input.enabled && !input.lock_range)
        && system.outputs.iter().all(expressible)
        && block.rules.iter().all(|rule| (0.0..=1.0).contains(&rule.weight));
    if !plain {
        return None;
    }
    let mut text = String::from(
        "from math import inf\n\nfrom fuzzion import Input, Output, System, else_rule, hedge, rule, sets\n\n",
    );
    for (i, input) in system.inputs.iter().enumerate() {
        let _ = writeln!(text, "input{} = Input({})", i + 1, python_variable(input)?);
    }
    for (i, output) in system.outputs.iter().enumerate() {
        let mut arguments = python_variable(&output.variable)?;
        let _ = write!(arguments, ", defuzzifier={}", literal(&output.defuzzifier.to_string()));
        let _ = write!(arguments, ", aggregation={}", literal(output.aggregation?.name()));
        if let Some(default) = output.default {
            let _ = write!(arguments, ", default={}", number(default, "inf"));
        }
        for (field, on) in
            [("lock_previous", output.lock_previous), ("lock_range", output.variable.lock_range)]
        {
            if on {
                let _ = write!(arguments, ", {field}=True");
            }
        }
        let _ = writeln!(text, "output{} = Output({arguments})", i + 1);
    }
    text.push_str("rules = [\n");
    for rule in &block.rules {
        let _ = writeln!(text, "    {},", python_rule(system, rule)?);
    }
    let names = |kind: &str, n: usize| (1..=n).map(|i| format!("{kind}{i}")).collect::<Vec<_>>().join(", ");
    let _ = writeln!(
        text,
        "]\nsystem = System(\n    [{}], [{}], rules, name={},\n    conjunction={}, disjunction={}, implication={},\n    \
         activation={}, dialect={},\n)",
        names("input", system.inputs.len()),
        names("output", system.outputs.len()),
        literal(&system.name),
        literal(block.conjunction?.name()),
        literal(block.disjunction?.name()),
        literal(block.implication?.name()),
        literal(&block.activation.to_string()),
        literal(dialect.name())
    );
    Some(text)
}

fn python_variable(variable: &Variable) -> Option<String> {
    let range = [variable.minimum, variable.maximum].map(|x| number(x, "inf")).join(", ");
    let mut sets = Vec::new();
    for named in &variable.sets {
        let height = named.set.height();
        if !(height > 0.0 && height <= 1.0) {
            return None;
        }
        let mut set = format!("sets.{}", constructor(&named.set, "inf", ["[", "]"]));
        if height != 1.0 {
            let _ = write!(set, ".with_height({height:?})");
        }
        sets.push(format!("\n    {}: {set},", literal(&named.name)));
    }
    Some(format!("{}, {range}, sets={{{}\n}}", literal(&variable.name), sets.concat()))
}

fn python_rule(system: &System, rule: &Rule) -> Option<String> {
    let conclusion =
        |c: &Conclusion| python_proposition(system, VariableIndex::Output(c.output), &c.hedges, Some(c.set));
    let mut arguments: Vec<String> = rule.consequent.iter().map(conclusion).collect::<Option<_>>()?;
    if rule.weight != 1.0 {
        arguments.push(format!("weight={:?}", rule.weight));
    }
    if rule.antecedent == Antecedent::Else {
        return Some(format!("else_rule({})", arguments.join(", ")));
    }
    arguments.insert(0, python_antecedent(system, &rule.antecedent)?);
    Some(format!("rule({})", arguments.join(", ")))
}

fn python_antecedent(system: &System, antecedent: &Antecedent) -> Option<String> {
    let join = |parts: &[Antecedent], operator: &str| {
        let part = |part: &Antecedent| {
            let text = python_antecedent(system, part)?;
            Some(if matches!(part, Antecedent::And(_) | Antecedent::Or(_)) {
                format!("({text})")
            } else {
                text
            })
        };
        Some(parts.iter().map(part).collect::<Option<Vec<_>>>()?.join(operator))
    };
    match antecedent {
        Antecedent::Is(p) => python_proposition(system, p.variable, &p.hedges, p.set),
        Antecedent::And(parts) => join(parts, " & "),
        Antecedent::Or(parts) => join(parts, " | "),
        Antecedent::Not(part) => Some(format!("~({})", python_antecedent(system, part)?)),
        Antecedent::Else => None,
    }
}

fn python_proposition(
    system: &System,
    index: VariableIndex,
    hedges: &[Hedge],
    set: Option<usize>,
) -> Option<String> {
    let (name, variable) = match index {
        VariableIndex::Input(i) => (format!("input{}", i + 1), &system.inputs[i]),
        VariableIndex::Output(i) => (format!("output{}", i + 1), &system.outputs[i].variable),
    };
    let set = literal(&variable.sets.get(set?)?.name);
    let wrap = |text: String, hedge: &Hedge| format!("hedge({}, {text})", literal(hedge.name()));
    Some(hedges.iter().rev().fold(format!("{name}[{set}]"), wrap))
}
