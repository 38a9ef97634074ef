//! Parser for the JSON format.

use super::serialized::{Header, SavedBlock, SavedInput, SavedOutput, SavedSet, SavedSystem};
use super::{FORMAT, KIND, VERSION};
use crate::inference::error::{InferenceError, Result};
use crate::inference::formats::{ParsedSystem, UpperSets};
use crate::inference::syntax::{Line, RuleSyntax, SymbolTable, check_length, quoted};
use crate::inference::{Activation, NamedSet, Output, RuleBlock, System, Variable, VariableIndex};
use crate::sets::Set;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};

impl System {
    /// Parses the JSON format of Fuzzion. See [`json`](crate::inference::json) for an example.
    ///
    /// # Errors
    /// [`InferenceError::Syntax`] with the location in the text or in a rule, [`InferenceError::IntervalSystem`], and those of
    /// [`System::check`].
    pub fn from_json(text: &str) -> Result<Self> {
        read(text)?.into_type1(FORMAT).map(|(system, _)| system)
    }
}

/// Parses JSON, including interval type-2 systems.
pub(in crate::inference) fn read(text: &str) -> Result<ParsedSystem> {
    check_length(FORMAT, text)?;
    let header: Header = parse(text)?;
    let first = text.lines().next().expect("invariant: a text with a header is not empty");
    let first = Line { format: FORMAT, number: 1, text: first };
    check_header(&header.fuzzion, header.version).map_err(|problem| first.error(0, problem))?;
    convert(parse(text)?)
}

fn check_header(kind: &str, version: u32) -> Result<(), String> {
    match (kind, version) {
        (KIND, VERSION) => Ok(()),
        (KIND, _) => Err(format!(
            "`version` is {version}, but this release of Fuzzion reads version {VERSION}; update Fuzzion"
        )),
        _ => Err(format!("`fuzzion` is {}, but it must be `{KIND}`", quoted(kind))),
    }
}

/// Deserializes a system, including interval type-2 systems.
pub(in crate::inference) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<ParsedSystem, D::Error> {
    let saved = SavedSystem::deserialize(deserializer)?;
    check_header(&saved.fuzzion, saved.version).map_err(D::Error::custom)?;
    convert(saved).map_err(D::Error::custom)
}

impl<'de> Deserialize<'de> for System {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize(deserializer)?.into_type1(FORMAT).map(|(system, _)| system).map_err(D::Error::custom)
    }
}

impl<'de> Deserialize<'de> for Variable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        ParsedVariable::from_saved(SavedInput::deserialize(deserializer)?).into_type1()
    }
}

impl<'de> Deserialize<'de> for Output {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (variable, settings) = output(SavedOutput::deserialize(deserializer)?);
        Ok(Output { variable: variable.into_type1()?, ..settings })
    }
}

impl<'de> Deserialize<'de> for NamedSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let set = SavedSet::deserialize(deserializer)?;
        require_type1(&[set.upper]).map(|()| set.named)
    }
}

/// Fails if one of the sets has an upper set.
fn require_type1<E: serde::de::Error>(uppers: &[Option<Set>]) -> Result<(), E> {
    match uppers.iter().any(Option::is_some) {
        true => Err(E::custom("unexpected `upper`; only an interval type-2 system has upper sets")),
        false => Ok(()),
    }
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|cause| {
        let message = cause.to_string();
        let problem = match message.rsplit_once(" at line ").map_or(message.as_str(), |(problem, _)| problem)
        {
            _ if cause.is_eof() => "unexpected end of the text",
            "missing field `fuzzion`" => "missing field `fuzzion`; a system has `\"fuzzion\": \"system\"`",
            problem => problem,
        };
        let number = cause.line().max(1);
        let line = text.split('\n').nth(number - 1).unwrap_or(""); // the text may end before the error
        Line { format: FORMAT, number, text: line }.error(cause.column().saturating_sub(1), problem)
    })
}

/// A variable with the names that rules use for it and its sets.
struct ParsedVariable {
    variable: Variable,
    rule_name: Option<String>,
    set_rule_names: Vec<Option<String>>,
    uppers: Vec<Option<Set>>,
}

impl ParsedVariable {
    fn new(variable: Variable, rule_name: Option<String>, sets: Vec<SavedSet>) -> Self {
        let (set_rule_names, sets): (_, Vec<(NamedSet, Option<Set>)>) =
            sets.into_iter().map(|set| (set.rule_name, (set.named, set.upper))).unzip();
        let (named, uppers) = sets.into_iter().unzip();
        ParsedVariable { variable: Variable { sets: named, ..variable }, rule_name, set_rule_names, uppers }
    }

    fn from_saved(saved: SavedInput) -> Self {
        let [minimum, maximum] = saved.range.map(|bound| bound.0);
        let variable = Variable {
            description: saved.description,
            enabled: saved.enabled,
            lock_range: saved.lock_range,
            ..Variable::new(saved.name, minimum, maximum)
        };
        ParsedVariable::new(variable, saved.rule_name, saved.sets)
    }

    /// The variable, if it has no upper sets.
    fn into_type1<E: serde::de::Error>(self) -> Result<Variable, E> {
        require_type1(&self.uppers).map(|()| self.variable)
    }

    /// The variable with the names used in rules.
    fn with_rule_names(&self) -> Variable {
        let mut variable = self.variable.clone();
        if let Some(rule_name) = &self.rule_name {
            variable.name.clone_from(rule_name);
        }
        for (named, rule_name) in variable.sets.iter_mut().zip(&self.set_rule_names) {
            if let Some(rule_name) = rule_name {
                named.name.clone_from(rule_name);
            }
        }
        variable
    }
}

fn output(saved: SavedOutput) -> (ParsedVariable, Output) {
    let output = Output::new("", 0.0, 0.0)
        .aggregation(saved.aggregation.map(|name| name.0))
        .defuzzifier(saved.defuzzifier.0)
        .scale(saved.scale.map_or(1.0, |n| n.0))
        .lock_previous(saved.lock_previous);
    let output = Output { default: saved.default.map(|n| n.0).filter(|n| !n.is_nan()), ..output };
    let variable = ParsedVariable::from_saved(SavedInput {
        name: saved.name,
        rule_name: saved.rule_name,
        description: saved.description,
        enabled: saved.enabled,
        range: saved.range,
        lock_range: saved.lock_range,
        sets: saved.sets,
    });
    (variable, output)
}

fn convert(saved: SavedSystem) -> Result<ParsedSystem> {
    let inputs: Vec<ParsedVariable> = saved.inputs.into_iter().map(ParsedVariable::from_saved).collect();
    let outputs: Vec<(ParsedVariable, Output)> = saved.outputs.into_iter().map(output).collect();
    let mut renamed = System::new("");
    renamed.inputs.extend(inputs.iter().map(ParsedVariable::with_rule_names));
    let renamed_outputs =
        outputs.iter().map(|(v, output)| Output { variable: v.with_rule_names(), ..output.clone() });
    renamed.outputs.extend(renamed_outputs);
    let symbols = SymbolTable::new(&renamed);
    let numbered = saved.blocks.into_iter().enumerate();
    let blocks = numbered.map(|(i, saved)| block(saved, i, &symbols)).collect::<Result<_>>()?;
    let variables = inputs.iter().enumerate().map(|(i, v)| (VariableIndex::Input(i), v));
    let variables =
        variables.chain(outputs.iter().enumerate().map(|(i, (v, _))| (VariableIndex::Output(i), v)));
    let uppers = variables.flat_map(|(index, v)| {
        let sets = v.uppers.iter().enumerate();
        sets.filter_map(move |(i, upper)| Some(((index, i), upper.clone()?)))
    });
    let uppers: UpperSets = uppers.collect();
    let outputs = outputs.into_iter().map(|(v, output)| Output { variable: v.variable, ..output });
    let system = System {
        name: saved.name,
        description: saved.description,
        inputs: inputs.into_iter().map(|v| v.variable).collect(),
        outputs: outputs.collect(),
        blocks,
    };
    system.check()?;
    let type_reduction = saved.type_reduction.map(|name| name.0);
    let dialect = saved.dialect.map(|name| name.0);
    Ok(ParsedSystem { dialect, uppers, type_reduction, ..ParsedSystem::from_system(system) })
}

fn block(saved: SavedBlock, index: usize, symbols: &SymbolTable<'_>) -> Result<RuleBlock> {
    let mut block = RuleBlock {
        description: saved.description,
        enabled: saved.enabled,
        conjunction: saved.conjunction.map(|name| name.0),
        disjunction: saved.disjunction.map(|name| name.0),
        implication: saved.implication.map(|name| name.0),
        activation: saved.activation.map_or(Activation::General, |name| name.0),
        ..RuleBlock::without_operators(saved.name)
    };
    let syntax = RuleSyntax { ignore_case: false, extended: true };
    for (i, text) in saved.rules.iter().enumerate() {
        let line = Line { format: FORMAT, number: 1, text };
        let rule = symbols.parse(line, 0, text.len(), syntax).map_err(|cause| match cause {
            InferenceError::Syntax { line, column, problem, text, caret, .. } => {
                let location = format!("{FORMAT}, blocks[{index}].rules[{i}]");
                InferenceError::Syntax { location, line, column, problem, text, caret }
            }
            other => other,
        })?;
        block.rules.push(rule);
    }
    Ok(block)
}
