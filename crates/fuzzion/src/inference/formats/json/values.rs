//! Numbers and names in JSON.

use crate::inference::error::InferenceError;
use crate::inference::syntax::{quoted, quoted_list};
use crate::inference::type2::TypeReduction;
use crate::inference::{Activation, Conjunction, Defuzzifier, Dialect};
use crate::sets::{SNorm, SerializedNumber, TNorm};
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// A number; integers are written without a decimal point.
pub(super) type Number = SerializedNumber<true>;

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
        InferenceError::Set(error) => error.one_line(),
        InferenceError::Syntax { problem, .. } => problem,
        other => other.to_string(),
    }
}
