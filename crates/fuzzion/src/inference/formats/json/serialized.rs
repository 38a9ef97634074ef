//! Serialized form of a system.

use super::values::{ByName, Number, message_of};
use crate::inference::type2::{IntervalSet, TypeReduction};
use crate::inference::{Activation, Conjunction, Defuzzifier, Dialect, NamedSet};
use crate::sets::{SNorm, Set, Shape, TNorm};
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
    [Number(f64::NEG_INFINITY), Number(f64::INFINITY)]
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
        let ShapeFields { shape, parameters, expression, height } = ShapeFields::from(&self.named.set);
        SetFields {
            name: self.named.name.clone(),
            rule_name: self.rule_name.clone(),
            shape,
            parameters,
            expression,
            height,
            upper: self.upper.as_ref().map(ShapeFields::from),
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
    upper: Option<ShapeFields>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ShapeFields {
    shape: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<Vec<Number>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expression: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<Number>,
}

impl TryFrom<SetFields> for SavedSet {
    type Error = String;

    fn try_from(fields: SetFields) -> Result<Self, String> {
        let SetFields { name, rule_name, shape, parameters, expression, height, upper } = fields;
        let set = Set::try_from(ShapeFields { shape, parameters, expression, height })?;
        let upper = upper.map(Set::try_from).transpose()?.filter(|upper| *upper != set);
        if let Some(upper) = &upper {
            IntervalSet::new(set.clone(), upper.clone()).map_err(message_of)?;
        }
        Ok(SavedSet { rule_name, named: NamedSet { name, set }, upper })
    }
}

impl From<&Set> for ShapeFields {
    fn from(set: &Set) -> Self {
        let shape = set.shape();
        let (parameters, expression) = match shape {
            Shape::Function { expression } => (None, Some(expression.to_string())),
            _ => (Some(shape.parameters().into_iter().map(Number).collect()), None),
        };
        let height = Some(Number(set.height())).filter(|height| height.0 != 1.0);
        ShapeFields { shape: shape.name().to_owned(), parameters, expression, height }
    }
}

impl TryFrom<ShapeFields> for Set {
    type Error = String;

    fn try_from(fields: ShapeFields) -> Result<Self, String> {
        let set = match (fields.shape.as_str(), fields.expression, fields.parameters) {
            ("Function", Some(expression), None) => Set::function(&expression),
            ("Function", ..) => {
                return Err("a Function needs an `expression` and no `parameters`".into());
            }
            (_, Some(_), _) => return Err("only a Function has an `expression`; remove it".into()),
            (_, None, None) => {
                return Err("missing field `parameters`; add the parameters of the shape".into());
            }
            ("Discrete", None, Some(p)) if p.len() % 2 == 1 => {
                return Err(
                    "Discrete takes pairs of x and y; add the missing y, and specify the height as `height`"
                        .into(),
                );
            }
            (shape, None, Some(parameters)) => {
                Set::from_parameters(shape, &parameters.iter().map(|p| p.0).collect::<Vec<f64>>())
            }
        };
        let set = match fields.height {
            None => set,
            Some(height) => set.and_then(|set| set.with_height(height.0)),
        };
        set.map_err(message_of)
    }
}
