//! Serialized form of a system.

use super::FORMAT;
use crate::base::SyntaxError;
use crate::inference::error::InferenceError;
use crate::inference::formats::fll::{self, FieldValue};
use crate::inference::syntax::{Line, quoted, quoted_list};
use crate::inference::type2::{IntervalSet, TypeReduction};
use crate::inference::{Activation, Conjunction, Defuzzifier, Dialect, NamedSet};
use crate::sets::SetError;
use crate::sets::{SNorm, Set, TNorm};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error as _, MapAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::marker::PhantomData;

/// Fields that identify the format and its version; other fields are ignored.
#[derive(Deserialize)]
pub(super) struct Header {
    pub(super) fuzzion: String,
    pub(super) version: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedSystem {
    #[serde(rename = "fuzzion")]
    _fuzzion: String,
    #[serde(rename = "version")]
    _version: u32,
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) description: String,
    pub(super) dialect: Option<ByName<Dialect>>,
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

fn infinite_range() -> [Number; 2] {
    [Number(f64::NEG_INFINITY), Number(f64::INFINITY)]
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedInput {
    pub(super) name: String,
    /// Name used in rules, if it differs from `name`.
    #[serde(rename = "word")]
    pub(super) rule_name: Option<String>,
    #[serde(default)]
    pub(super) description: String,
    #[serde(default = "enabled_by_default")]
    pub(super) enabled: bool,
    #[serde(default = "infinite_range")]
    pub(super) range: [Number; 2],
    #[serde(default)]
    pub(super) lock_range: bool,
    #[serde(default)]
    pub(super) sets: Vec<SavedSet>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedOutput {
    pub(super) name: String,
    /// Name used in rules, if it differs from `name`.
    #[serde(rename = "word")]
    pub(super) rule_name: Option<String>,
    #[serde(default)]
    pub(super) description: String,
    #[serde(default = "enabled_by_default")]
    pub(super) enabled: bool,
    #[serde(default = "infinite_range")]
    pub(super) range: [Number; 2],
    #[serde(default)]
    pub(super) lock_range: bool,
    pub(super) aggregation: Option<ByName<SNorm>>,
    pub(super) defuzzifier: ByName<Defuzzifier>,
    pub(super) scale: Option<Number>,
    pub(super) default: Option<Number>,
    #[serde(default)]
    pub(super) lock_previous: bool,
    #[serde(default)]
    pub(super) sets: Vec<SavedSet>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedBlock {
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) description: String,
    #[serde(default = "enabled_by_default")]
    pub(super) enabled: bool,
    pub(super) conjunction: Option<ByName<Conjunction>>,
    pub(super) disjunction: Option<ByName<SNorm>>,
    pub(super) implication: Option<ByName<TNorm>>,
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SetFields {
    name: String,
    #[serde(rename = "word")]
    rule_name: Option<String>,
    shape: String,
    parameters: Option<Vec<Number>>,
    expression: Option<String>,
    height: Option<Number>,
    upper: Option<ShapeFields>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ShapeFields {
    shape: String,
    parameters: Option<Vec<Number>>,
    expression: Option<String>,
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

/// Message of an error without its location.
fn message_of(cause: impl Into<InferenceError>) -> String {
    match cause.into() {
        InferenceError::Set(SetError::Syntax(SyntaxError { problem, text, column })) => {
            format!("{problem}, at character {column} of `{text}`")
        }
        InferenceError::Syntax { problem, .. } => problem,
        other => other.to_string(),
    }
}

/// A number; infinite values and NaN are strings in JSON.
#[derive(Clone, Copy)]
pub(super) struct Number(pub(super) f64);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberVisitor;
        impl Visitor<'_> for NumberVisitor {
            type Value = Number;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, \"inf\", \"-inf\" or \"nan\"")
            }

            fn visit_f64<E>(self, value: f64) -> Result<Number, E> {
                Ok(Number(value))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Number, E> {
                Ok(Number(value as f64))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Number, E> {
                Ok(Number(value as f64))
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Number, E> {
                match text {
                    "inf" => Ok(Number(f64::INFINITY)),
                    "-inf" => Ok(Number(f64::NEG_INFINITY)),
                    "nan" => Ok(Number(f64::NAN)),
                    other => Err(E::invalid_value(Unexpected::Str(other), &self)),
                }
            }
        }
        deserializer.deserialize_any(NumberVisitor)
    }
}

/// A value that is represented by its name.
pub(super) struct ByName<T>(pub(super) T);

/// A type that can be parsed from a name.
pub(super) trait ParseName: Sized {
    fn parse_name(text: &str) -> Result<Self, String>;
}

impl<'de, T: ParseName> Deserialize<'de> for ByName<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameVisitor<T>(PhantomData<T>);
        impl<T: ParseName> Visitor<'_> for NameVisitor<T> {
            type Value = ByName<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<ByName<T>, E> {
                T::parse_name(text).map(ByName).map_err(E::custom)
            }
        }
        deserializer.deserialize_str(NameVisitor(PhantomData))
    }
}

fn choice<T: Copy>(text: &str, all: &[T], name: fn(T) -> &'static str) -> Result<T, String> {
    let unknown = || {
        format!(
            "found {}, expected one of {}",
            quoted(text),
            quoted_list(all.iter().map(|value| name(*value)))
        )
    };
    all.iter().find(|value| name(**value) == text).copied().ok_or_else(unknown)
}

impl ParseName for SNorm {
    fn parse_name(text: &str) -> Result<Self, String> {
        choice(text, &SNorm::ALL, SNorm::name)
    }
}

impl ParseName for TNorm {
    fn parse_name(text: &str) -> Result<Self, String> {
        choice(text, &TNorm::ALL, TNorm::name)
    }
}

impl ParseName for Dialect {
    fn parse_name(text: &str) -> Result<Self, String> {
        choice(text, &Dialect::ALL, Dialect::name)
    }
}

impl ParseName for TypeReduction {
    fn parse_name(text: &str) -> Result<Self, String> {
        choice(text, &TypeReduction::ALL, TypeReduction::name)
    }
}

impl ParseName for Conjunction {
    fn parse_name(text: &str) -> Result<Self, String> {
        let mean = || if text == "Mean" { Some(Conjunction::Mean) } else { None };
        let norm = <TNorm as ParseName>::parse_name(text).map(Conjunction::Norm);
        norm.or_else(|problem| mean().ok_or(format!("{problem} or `Mean`")))
    }
}

fn field_value(text: &str) -> FieldValue<'_> {
    FieldValue { line: Line { format: FORMAT, number: 1, text }, text, at: 0 }
}

impl ParseName for Defuzzifier {
    fn parse_name(text: &str) -> Result<Self, String> {
        fll::defuzzifier(field_value(text)).map_err(message_of)
    }
}

impl ParseName for Activation {
    fn parse_name(text: &str) -> Result<Self, String> {
        fll::activation(field_value(text)).map_err(message_of)
    }
}
