//! Serialized numbers.

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A number whose infinite values and NaN are the strings `inf`, `-inf` and `nan` in human-readable formats; JSON has no
/// numbers for them.
#[derive(Clone, Copy)]
pub(crate) struct SerializedNumber(pub(crate) f64);

impl Serialize for SerializedNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = match self.0 {
            f64::INFINITY => "inf",
            f64::NEG_INFINITY => "-inf",
            number if number.is_nan() => "nan",
            number => return serializer.serialize_f64(number),
        };
        if serializer.is_human_readable() {
            serializer.serialize_str(name)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for SerializedNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberVisitor;
        impl Visitor<'_> for NumberVisitor {
            type Value = SerializedNumber;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, \"inf\", \"-inf\" or \"nan\"")
            }

            fn visit_f64<E>(self, value: f64) -> Result<SerializedNumber, E> {
                Ok(SerializedNumber(value))
            }

            fn visit_u64<E>(self, value: u64) -> Result<SerializedNumber, E> {
                Ok(SerializedNumber(value as f64))
            }

            fn visit_i64<E>(self, value: i64) -> Result<SerializedNumber, E> {
                Ok(SerializedNumber(value as f64))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<SerializedNumber, E> {
                match text {
                    "inf" => Ok(SerializedNumber(f64::INFINITY)),
                    "-inf" => Ok(SerializedNumber(f64::NEG_INFINITY)),
                    "nan" => Ok(SerializedNumber(f64::NAN)),
                    other => Err(E::invalid_value(Unexpected::Str(other), &self)),
                }
            }
        }
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(NumberVisitor)
        } else {
            deserializer.deserialize_f64(NumberVisitor)
        }
    }
}

/// Fields of type `f64` serialized as [`SerializedNumber`], for `#[serde(with = …)]`.
pub(super) mod field {
    use super::SerializedNumber;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(in crate::sets) fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        SerializedNumber(*number).serialize(serializer)
    }

    pub(in crate::sets) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Ok(SerializedNumber::deserialize(deserializer)?.0)
    }
}
