//! Serialized form of a system.

use super::values::{ByName, Number, message_of};
use crate::inference::type2::{IntervalSet, TypeReduction};
use crate::inference::{Activation, Conjunction, Defuzzifier, Dialect, NamedSet};
use crate::sets::{SNorm, SerializedNumber, SerializedSet, Set, TNorm};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::ops::Not;

/// Fields that identify the format and its version; other fields are ignored.
#[derive(Deserialize)]
pub(super) struct Header {
    pub(super) fuzzion: String,
    pub(super) version: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedSystem {
    pub(super) fuzzion: String,
    pub(super) version: u32,
    #[serde(default)]
    pub(super) name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) dialect: Option<ByName<Dialect>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) type_reduction: Option<ByName<TypeReduction>>,
    #[serde(default)]
    pub(super) inputs: Vec<SavedInput>,
    #[serde(default)]
    pub(super) outputs: Vec<SavedOutput>,
    #[serde(default)]
    pub(super) blocks: Vec<SavedBlock>,
}

fn enabled_by_default() -> bool {
    true
}

fn is_true(value: &bool) -> bool {
    *value
}

fn infinite_range() -> [Number; 2] {
    [f64::NEG_INFINITY, f64::INFINITY].map(SerializedNumber)
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedInput {
    pub(super) name: String,
    /// Name used in rules, if it differs from `name`.
    #[serde(rename = "word", skip_serializing_if = "Option::is_none")]
    pub(super) rule_name: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) description: String,
    #[serde(default = "enabled_by_default", skip_serializing_if = "is_true")]
    pub(super) enabled: bool,
    #[serde(default = "infinite_range")]
    pub(super) range: [Number; 2],
    #[serde(default, skip_serializing_if = "Not::not")]
    pub(super) lock_range: bool,
    #[serde(default)]
    pub(super) sets: Vec<SavedSet>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedOutput {
    pub(super) name: String,
    /// Name used in rules, if it differs from `name`.
    #[serde(rename = "word", skip_serializing_if = "Option::is_none")]
    pub(super) rule_name: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) description: String,
    #[serde(default = "enabled_by_default", skip_serializing_if = "is_true")]
    pub(super) enabled: bool,
    #[serde(default = "infinite_range")]
    pub(super) range: [Number; 2],
    #[serde(default, skip_serializing_if = "Not::not")]
    pub(super) lock_range: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) aggregation: Option<ByName<SNorm>>,
    pub(super) defuzzifier: ByName<Defuzzifier>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scale: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) default: Option<Number>,
    #[serde(default, skip_serializing_if = "Not::not")]
    pub(super) lock_previous: bool,
    #[serde(default)]
    pub(super) sets: Vec<SavedSet>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedBlock {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) description: String,
    #[serde(default = "enabled_by_default", skip_serializing_if = "is_true")]
    pub(super) enabled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) conjunction: Option<ByName<Conjunction>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) disjunction: Option<ByName<SNorm>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) implication: Option<ByName<TNorm>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) activation: Option<ByName<Activation>>,
    #[serde(default)]
    pub(super) rules: Vec<String>,
}

/// A set, the name used in rules if it differs, and the upper set of an interval type-2 set.
pub(super) struct SavedSet {
    pub(super) rule_name: Option<String>,
    pub(super) named: NamedSet,
    pub(super) upper: Option<Set>,
}

impl Serialize for SavedSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let SerializedSet { shape, parameters, expression, height } = self.named.set.clone().into();
        SetFields {
            name: self.named.name.clone(),
            rule_name: self.rule_name.clone(),
            shape,
            parameters,
            expression,
            height,
            upper: self.upper.clone().map(SerializedSet::from),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for SavedSet {
    /// Converts inside the visitor, so that serde reports errors at the end of the set.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SetVisitor;
        impl<'de> Visitor<'de> for SetVisitor {
            type Value = SavedSet;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "a set, such as {\"name\": \"warm\", \"shape\": \"Ramp\", \"parameters\": [0, 1]}",
                )
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<SavedSet, A::Error> {
                let fields = SetFields::deserialize(MapAccessDeserializer::new(map))?;
                SavedSet::try_from(fields).map_err(A::Error::custom)
            }
        }
        deserializer.deserialize_map(SetVisitor)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SetFields {
    name: String,
    #[serde(rename = "word", skip_serializing_if = "Option::is_none")]
    rule_name: Option<String>,
    shape: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<Vec<Number>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expression: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    upper: Option<SerializedSet<true>>,
}

impl TryFrom<SetFields> for SavedSet {
    type Error = String;

    fn try_from(fields: SetFields) -> Result<Self, String> {
        let SetFields { name, rule_name, shape, parameters, expression, height, upper } = fields;
        let set = Set::try_from(SerializedSet { shape, parameters, expression, height })?;
        let upper = upper.map(Set::try_from).transpose()?.filter(|upper| *upper != set);
        if let Some(upper) = &upper {
            IntervalSet::new(set.clone(), upper.clone()).map_err(message_of)?;
        }
        Ok(SavedSet { rule_name, named: NamedSet { name, set }, upper })
    }
}
