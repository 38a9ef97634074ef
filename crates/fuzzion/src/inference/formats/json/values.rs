//! Numbers and names in JSON.

use crate::base::SyntaxError;
use crate::inference::error::InferenceError;
use crate::inference::syntax::{format_number, quoted, quoted_list};
use crate::inference::type2::TypeReduction;
use crate::inference::{Activation, Conjunction, Defuzzifier, Dialect};
use crate::sets::{SNorm, SetError, TNorm};
use serde::de::{Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// Larger integers are written with an exponent.
const MAX_INTEGER: f64 = 1e16;

/// A number; infinite values and NaN are strings in JSON.
#[derive(Clone, Copy)]
pub(super) struct Number(pub(super) f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.0;
        let is_integer =
            value.fract() == 0.0 && value.abs() < MAX_INTEGER && !(value == 0.0 && value.is_sign_negative());
        match value {
            _ if !value.is_finite() => serializer.serialize_str(&format_number(value)),
            _ if is_integer => serializer.serialize_i64(value as i64),
            _ => serializer.serialize_f64(value),
        }
    }
}

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

/// A type that is written as a name and parsed from it.
pub(super) trait ParseName: Sized {
    fn text(&self) -> String;
    fn parse_name(text: &str) -> Result<Self, String>;
}

impl<T: ParseName> Serialize for ByName<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.text())
    }
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

macro_rules! parse_name {
    ($($enum:ident),+) => {
        $(impl ParseName for $enum {
            fn text(&self) -> String {
                self.name().to_owned()
            }

            fn parse_name(text: &str) -> Result<Self, String> {
                choice(text, &$enum::ALL, $enum::name)
            }
        })+
    };
}
parse_name!(SNorm, TNorm, Dialect, TypeReduction);

impl ParseName for Conjunction {
    fn text(&self) -> String {
        self.name().to_owned()
    }

    fn parse_name(text: &str) -> Result<Self, String> {
        let mean = || if text == "Mean" { Some(Conjunction::Mean) } else { None };
        let norm = <TNorm as ParseName>::parse_name(text).map(Conjunction::Norm);
        norm.or_else(|problem| mean().ok_or(format!("{problem} or `Mean`")))
    }
}

impl ParseName for Defuzzifier {
    fn text(&self) -> String {
        self.to_string()
    }

    fn parse_name(text: &str) -> Result<Self, String> {
        text.parse().map_err(message_of)
    }
}

impl ParseName for Activation {
    fn text(&self) -> String {
        self.to_string()
    }

    fn parse_name(text: &str) -> Result<Self, String> {
        text.parse().map_err(message_of)
    }
}

/// Message of an error without its location.
pub(super) fn message_of(cause: impl Into<InferenceError>) -> String {
    match cause.into() {
        InferenceError::Set(SetError::Syntax(SyntaxError { problem, text, column })) => {
            format!("{problem}, at character {column} of `{text}`")
        }
        InferenceError::Syntax { problem, .. } => problem,
        other => other.to_string(),
    }
}
