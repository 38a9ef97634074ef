//! Serialized numbers.

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Larger integers are written with an exponent.
const MAX_INTEGER: f64 = 1e16;

/// A number whose infinite values and NaN are the strings `inf`, `-inf` and `nan` in human-readable formats; JSON has no
/// numbers for them. With `INTEGERS`, these formats have no decimal point in integers.
#[derive(Clone, Copy)]
pub(crate) struct SerializedNumber<const INTEGERS: bool = false>(pub(crate) f64);

impl<const INTEGERS: bool> Serialize for SerializedNumber<INTEGERS> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_integer = |number: f64| {
            number.fract() == 0.0 && number.abs() < MAX_INTEGER && number.to_bits() != (-0.0_f64).to_bits()
        };
        let name = match self.0 {
            f64::INFINITY => "inf",
            f64::NEG_INFINITY => "-inf",
            number if number.is_nan() => "nan",
            number if INTEGERS && serializer.is_human_readable() && is_integer(number) => {
                return serializer.serialize_i64(number as i64);
            }
            number => return serializer.serialize_f64(number),
        };
        if serializer.is_human_readable() {
            serializer.serialize_str(name)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}

impl<'de, const INTEGERS: bool> Deserialize<'de> for SerializedNumber<INTEGERS> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberVisitor;
        impl Visitor<'_> for NumberVisitor {
            type Value = f64;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, \"inf\", \"-inf\" or \"nan\"")
            }

            fn visit_f64<E>(self, value: f64) -> Result<f64, E> {
                Ok(value)
            }

            fn visit_u64<E>(self, value: u64) -> Result<f64, E> {
                Ok(value as f64)
            }

            fn visit_i64<E>(self, value: i64) -> Result<f64, E> {
                Ok(value as f64)
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<f64, E> {
                match text {
                    "inf" => Ok(f64::INFINITY),
                    "-inf" => Ok(f64::NEG_INFINITY),
                    "nan" => Ok(f64::NAN),
                    other => Err(E::invalid_value(Unexpected::Str(other), &self)),
                }
            }
        }
        let number = match deserializer.is_human_readable() {
            true => deserializer.deserialize_any(NumberVisitor),
            false => deserializer.deserialize_f64(NumberVisitor),
        };
        number.map(SerializedNumber)
    }
}

/// Fields of type `f64` serialized as [`SerializedNumber`], for `#[serde(with = …)]`.
pub(super) mod field {
    use super::SerializedNumber;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(in crate::sets) fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        SerializedNumber::<false>(*number).serialize(serializer)
    }

    pub(in crate::sets) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Ok(SerializedNumber::<false>::deserialize(deserializer)?.0)
    }
}
