//! The parts of a file, as they stand in it.

use super::FORMAT;
use crate::error::Error;
use crate::inference::fll::{self, Value};
use crate::inference::text::{Line, listed, shown};
use crate::inference::type2::{IntervalSet, TypeReduction};
use crate::inference::{Activation, Conjunction, Defuzzifier, Dialect, NamedSet};
use crate::sets::{SNorm, Set, TNorm};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error as _, MapAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::marker::PhantomData;

/// What every file of this kind begins with; other fields are looked at later.
#[derive(Deserialize)]
pub(super) struct Head {
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
    pub(super) dialect: Option<Word<Dialect>>,
    pub(super) type_reduction: Option<Word<TypeReduction>>,
    #[serde(default)]
    pub(super) inputs: Vec<SavedInput>,
    #[serde(default)]
    pub(super) outputs: Vec<SavedOutput>,
    #[serde(default)]
    pub(super) blocks: Vec<SavedBlock>,
}

fn yes() -> bool {
    true
}

fn open_range() -> [Number; 2] {
    [Number(f64::NEG_INFINITY), Number(f64::INFINITY)]
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedInput {
    pub(super) name: String,
    pub(super) word: Option<String>,
    #[serde(default)]
    pub(super) description: String,
    #[serde(default = "yes")]
    pub(super) enabled: bool,
    #[serde(default = "open_range")]
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
    pub(super) word: Option<String>,
    #[serde(default)]
    pub(super) description: String,
    #[serde(default = "yes")]
    pub(super) enabled: bool,
    #[serde(default = "open_range")]
    pub(super) range: [Number; 2],
    #[serde(default)]
    pub(super) lock_range: bool,
    pub(super) aggregation: Option<Word<SNorm>>,
    pub(super) defuzzifier: Word<Defuzzifier>,
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
    #[serde(default = "yes")]
    pub(super) enabled: bool,
    pub(super) conjunction: Option<Word<Conjunction>>,
    pub(super) disjunction: Option<Word<SNorm>>,
    pub(super) implication: Option<Word<TNorm>>,
    pub(super) activation: Option<Word<Activation>>,
    #[serde(default)]
    pub(super) rules: Vec<String>,
}

/// A set, the word that rules use for it, and its upper set if it has another one.
pub(super) struct SavedSet {
    pub(super) word: Option<String>,
    pub(super) named: NamedSet,
    pub(super) upper: Option<Set>,
}

impl<'de> Deserialize<'de> for SavedSet {
    /// Made within the visitor, so that what is wrong with it is said at its own end.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
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
        deserializer.deserialize_map(Fields)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SetFields {
    name: String,
    word: Option<String>,
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
        let SetFields { name, word, shape, parameters, expression, height, upper } = fields;
        let set = Set::try_from(ShapeFields { shape, parameters, expression, height })?;
        let upper = upper.map(Set::try_from).transpose()?.filter(|upper| *upper != set);
        if let Some(upper) = &upper {
            IntervalSet::new(set.clone(), upper.clone()).map_err(|cause| said(&cause))?;
        }
        Ok(SavedSet { word, named: NamedSet { name, set }, upper })
    }
}

impl TryFrom<ShapeFields> for Set {
    type Error = String;

    fn try_from(fields: ShapeFields) -> Result<Self, String> {
        let set = match (fields.shape.as_str(), fields.expression, fields.parameters) {
            ("Function", Some(expression), None) => Set::function(&expression),
            ("Function", ..) => {
                return Err("a Function has an `expression` and no `parameters`; write one".into());
            }
            (_, Some(_), _) => return Err("only a Function has an `expression`; leave it out".into()),
            (_, None, None) => return Err("missing field `parameters`; give the shape its numbers".into()),
            ("Discrete", None, Some(p)) if p.len() % 2 == 1 => {
                return Err("Discrete takes pairs x y; give each x its y, and the height as `height`".into());
            }
            (shape, None, Some(parameters)) => {
                Set::from_parameters(shape, &parameters.iter().map(|p| p.0).collect::<Vec<f64>>())
            }
        };
        let set = match fields.height {
            None => set,
            Some(height) => set.and_then(|set| set.with_height(height.0)),
        };
        set.map_err(|cause| said(&cause))
    }
}

/// What an error says, without a second place and a second caret.
fn said(cause: &Error) -> String {
    match cause {
        Error::Expression { problem, text, column } => {
            format!("{problem}, at character {column} of `{text}`")
        }
        Error::Syntax { problem, .. } => problem.clone(),
        other => other.to_string(),
    }
}

/// A number; JSON has no infinite ones, which are texts.
#[derive(Clone, Copy)]
pub(super) struct Number(pub(super) f64);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Digits;
        impl Visitor<'_> for Digits {
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
        deserializer.deserialize_any(Digits)
    }
}

/// Something that has a name, written as that.
pub(super) struct Word<T>(pub(super) T);

/// What can be read from a word.
pub(super) trait Named: Sized {
    fn read(text: &str) -> Result<Self, String>;
}

impl<'de, T: Named> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name<T>(PhantomData<T>);
        impl<T: Named> Visitor<'_> for Name<T> {
            type Value = Word<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Word<T>, E> {
                T::read(text).map(Word).map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Name(PhantomData))
    }
}

fn choice<T: Copy>(text: &str, all: &[T], name: fn(T) -> &'static str) -> Result<T, String> {
    let unknown =
        || format!("found {}, expected one of {}", shown(text), listed(all.iter().map(|one| name(*one))));
    all.iter().find(|one| name(**one) == text).copied().ok_or_else(unknown)
}

impl Named for SNorm {
    fn read(text: &str) -> Result<Self, String> {
        choice(text, &SNorm::ALL, SNorm::name)
    }
}

impl Named for TNorm {
    fn read(text: &str) -> Result<Self, String> {
        choice(text, &TNorm::ALL, TNorm::name)
    }
}

impl Named for Dialect {
    fn read(text: &str) -> Result<Self, String> {
        choice(text, &Dialect::ALL, Dialect::name)
    }
}

impl Named for TypeReduction {
    fn read(text: &str) -> Result<Self, String> {
        choice(text, &TypeReduction::ALL, TypeReduction::name)
    }
}

impl Named for Conjunction {
    fn read(text: &str) -> Result<Self, String> {
        let mean = || if text == "Mean" { Some(Conjunction::Mean) } else { None };
        let norm = <TNorm as Named>::read(text).map(Conjunction::Norm);
        norm.or_else(|problem| mean().ok_or(format!("{problem} or `Mean`")))
    }
}

fn value(text: &str) -> Value<'_> {
    Value { line: Line { format: FORMAT, number: 1, text }, text, at: 0 }
}

impl Named for Defuzzifier {
    fn read(text: &str) -> Result<Self, String> {
        fll::defuzzifier(value(text)).map_err(|cause| said(&cause))
    }
}

impl Named for Activation {
    fn read(text: &str) -> Result<Self, String> {
        fll::activation(value(text)).map_err(|cause| said(&cause))
    }
}
