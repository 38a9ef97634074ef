//! Writer for the JSON format.

use super::layout::Layout;
use super::serialized::{SavedBlock, SavedInput, SavedOutput, SavedSet, SavedSystem};
use super::values::ByName;
use super::{KIND, VERSION};
use crate::inference::error::Result;
use crate::inference::formats::UpperSets;
use crate::inference::formats::fll::identifiers;
use crate::inference::syntax::Labels;
use crate::inference::type2::IntervalSystem;
use crate::inference::{Activation, Dialect, NamedSet, Output, RuleBlock, System, Variable, VariableIndex};
use crate::sets::{SerializedNumber, Set};
use serde::ser::Error as _;
use serde::{Serialize, Serializer};

impl System {
    /// Formats the system as JSON. See [`json`](crate::inference::json) for an example.
    ///
    /// # Errors
    /// Same as [`System::check`].
    pub fn to_json(&self) -> Result<String> {
        write(self, None, None)
    }

    /// Like [`System::to_json`], with the field `dialect`, which [`System::load`] reads.
    ///
    /// ```
    /// # use fuzzion::inference::{Dialect, Output, System, Variable};
    /// # use fuzzion::sets::Set;
    /// # let system = System::new("valve")
    /// #     .input(Variable::new("room", 10.0, 30.0).set("cold", Set::ramp(20.0, 16.0)?))
    /// #     .output(Output::new("valve", 0.0, 1.0).set("open", Set::constant(1.0)?))
    /// #     .rule("if room is cold then valve is open")?;
    /// let text = system.to_json_with(Dialect::Matlab)?;
    /// assert!(text.contains("\"dialect\": \"matlab\""));
    /// assert_eq!(System::from_json(&text)?, system);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`System::check`].
    pub fn to_json_with(&self, dialect: Dialect) -> Result<String> {
        write(self, Some(dialect), None)
    }
}

/// Formats a system as JSON, with its dialect, and with the upper sets of `interval` for an interval type-2 system.
pub(in crate::inference) fn write(
    system: &System,
    dialect: Option<Dialect>,
    interval: Option<&IntervalSystem>,
) -> Result<String> {
    let saved = SavedSystem::new(system, dialect, interval)?;
    let mut text = Vec::new();
    let written = saved.serialize(&mut serde_json::Serializer::with_formatter(&mut text, Layout::default()));
    written.expect("invariant: structs of text and numbers can be written to memory");
    Ok(String::from_utf8(text).expect("invariant: JSON is UTF-8") + "\n")
}

/// Serializes a system, with the upper sets of `interval` for an interval type-2 system.
pub(in crate::inference) fn serialize<S: Serializer>(
    system: &System,
    interval: Option<&IntervalSystem>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    SavedSystem::new(system, None, interval).map_err(S::Error::custom)?.serialize(serializer)
}

impl Serialize for System {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize(self, None, serializer)
    }
}

impl Serialize for Variable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SavedInput::new(self, None, |_| None).serialize(serializer)
    }
}

impl Serialize for Output {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SavedOutput::new(self, None, |_| None).serialize(serializer)
    }
}

impl Serialize for NamedSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SavedSet { rule_name: None, named: self.clone(), upper: None }.serialize(serializer)
    }
}

/// Names of a variable and of its sets in rules.
type RuleNames = (String, Vec<String>);

impl SavedSystem {
    fn new(system: &System, dialect: Option<Dialect>, interval: Option<&IntervalSystem>) -> Result<Self> {
        system.check()?;
        let none = UpperSets::new();
        let uppers = interval.map_or(&none, IntervalSystem::uppers);
        let upper = |variable| move |set| uppers.get(&(variable, set));
        let labels = identifiers(system);
        let inputs = system.inputs.iter().zip(&labels.inputs).enumerate();
        let outputs = system.outputs.iter().zip(&labels.outputs).enumerate();
        Ok(SavedSystem {
            fuzzion: KIND.to_owned(),
            version: VERSION,
            name: system.name.clone(),
            description: system.description.clone(),
            dialect: dialect.map(ByName),
            type_reduction: interval.map(|interval| ByName(interval.type_reduction)),
            inputs: inputs
                .map(|(i, (v, names))| SavedInput::new(v, Some(names), upper(VariableIndex::Input(i))))
                .collect(),
            outputs: outputs
                .map(|(i, (o, names))| SavedOutput::new(o, Some(names), upper(VariableIndex::Output(i))))
                .collect(),
            blocks: system.blocks.iter().map(|block| SavedBlock::new(block, &labels)).collect(),
        })
    }
}

impl SavedInput {
    fn new<'a>(
        variable: &Variable,
        names: Option<&RuleNames>,
        upper: impl Fn(usize) -> Option<&'a Set>,
    ) -> Self {
        let sets = variable.sets.iter().enumerate().map(|(i, named)| SavedSet {
            rule_name: names.map(|(_, sets)| sets[i].clone()).filter(|name| *name != named.name),
            named: named.clone(),
            upper: upper(i).cloned(),
        });
        SavedInput {
            name: variable.name.clone(),
            rule_name: names.map(|(name, _)| name.clone()).filter(|name| *name != variable.name),
            description: variable.description.clone(),
            enabled: variable.enabled,
            range: [variable.minimum, variable.maximum].map(SerializedNumber),
            lock_range: variable.lock_range,
            sets: sets.collect(),
        }
    }
}

impl SavedOutput {
    fn new<'a>(output: &Output, names: Option<&RuleNames>, upper: impl Fn(usize) -> Option<&'a Set>) -> Self {
        let SavedInput { name, rule_name, description, enabled, range, lock_range, sets } =
            SavedInput::new(&output.variable, names, upper);
        SavedOutput {
            name,
            rule_name,
            description,
            enabled,
            range,
            lock_range,
            aggregation: output.aggregation.map(ByName),
            defuzzifier: ByName(output.defuzzifier),
            scale: Some(SerializedNumber(output.scale)).filter(|scale| scale.0 != 1.0),
            default: output.default.filter(|value| !value.is_nan()).map(SerializedNumber),
            lock_previous: output.lock_previous,
            sets,
        }
    }
}

impl SavedBlock {
    fn new(block: &RuleBlock, labels: &Labels) -> Self {
        SavedBlock {
            name: block.name.clone(),
            description: block.description.clone(),
            enabled: block.enabled,
            conjunction: block.conjunction.map(ByName),
            disjunction: block.disjunction.map(ByName),
            implication: block.implication.map(ByName),
            activation: Some(block.activation).filter(|a| *a != Activation::General).map(ByName),
            rules: block.rules.iter().map(|rule| labels.rule(rule)).collect(),
        }
    }
}
