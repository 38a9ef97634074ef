//! Element types of a table.

use super::storage::{Storage, TypedStorage, Values};
use crate::macros::named;
use bytemuck::Pod;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

named! {
    /// Floating-point precision of the values of a table.
    ///
    /// ```
    /// use fuzzion::data::Precision;
    /// assert_eq!("f32".parse(), Ok(Precision::F32));
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Precision("precision") {
        /// Single precision, 4 bytes, about 7 decimal digits.
        F32 = "f32",
        /// Double precision, 8 bytes, about 16 decimal digits.
        F64 = "f64",
    }
}

impl Precision {
    /// Size of a number in bytes.
    ///
    /// ```
    /// use fuzzion::data::Precision;
    /// assert_eq!((Precision::F32.bytes(), Precision::F64.bytes()), (4, 8));
    /// ```
    pub fn bytes(self) -> usize {
        match self {
            Precision::F32 => size_of::<f32>(),
            Precision::F64 => size_of::<f64>(),
        }
    }
}

/// Element type of a table: `f32` or `f64`.
///
/// The trait is sealed, because its module is private.
pub trait Scalar: Pod + PartialOrd + Send + Sync + FromStr + fmt::Debug {
    /// The [`Precision`] of this type.
    const PRECISION: Precision;
    /// NaN, which represents a missing value.
    const MISSING: Self;
    /// Number of significand bits, including the implicit leading one.
    const SIGNIFICAND_BITS: u32;
    /// Bias of the stored exponent.
    const EXPONENT_BIAS: i32;
    /// The number with these stored bits: sign, biased exponent, and significand without the leading one.
    fn from_parts(negative: bool, exponent: u64, significand: u64) -> Self;
    /// Rounds to the nearest number of this type.
    fn from_f64(value: f64) -> Self;
    /// Converts to double precision.
    fn to_f64(self) -> f64;
    /// Wraps values as the storage of a table.
    fn store(values: Storage<Self>) -> TypedStorage;
    /// The values of a storage of this type that owns them.
    fn into_owned(store: TypedStorage) -> Option<Vec<Self>>;
    /// Converts `values` to this type; borrows them if they already have it.
    fn view(values: Values<'_>) -> Cow<'_, [Self]>;
}

macro_rules! scalar {
    ($type:ident in $bits:ident, $precision:ident, not $other:ident, $significand_bits:literal, $exponent_bias:literal) => {
        impl Scalar for $type {
            const PRECISION: Precision = Precision::$precision;
            const MISSING: $type = $type::NAN;
            const SIGNIFICAND_BITS: u32 = $significand_bits;
            const EXPONENT_BIAS: i32 = $exponent_bias;

            #[inline(always)]
            fn from_parts(negative: bool, exponent: u64, significand: u64) -> $type {
                let sign = $bits::from(negative) << ($bits::BITS - 1);
                $type::from_bits(sign | (exponent as $bits) << ($significand_bits - 1) | significand as $bits)
            }

            #[inline(always)]
            fn from_f64(value: f64) -> $type {
                value as $type
            }

            #[inline(always)]
            fn to_f64(self) -> f64 {
                f64::from(self)
            }

            fn store(values: Storage<$type>) -> TypedStorage {
                TypedStorage::$precision(values)
            }

            fn into_owned(store: TypedStorage) -> Option<Vec<$type>> {
                match store {
                    TypedStorage::$precision(Storage::Owned(values)) => Some(values),
                    _ => None,
                }
            }

            fn view(values: Values<'_>) -> Cow<'_, [$type]> {
                match values {
                    Values::$precision(values) => values.into(),
                    Values::$other(values) => values.iter().map(|x| *x as $type).collect(),
                }
            }
        }
    };
}

scalar!(f32 in u32, F32, not F64, 24, 127);
scalar!(f64 in u64, F64, not F32, 53, 1023);
