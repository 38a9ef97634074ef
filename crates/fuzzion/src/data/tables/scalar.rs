//! Element types of a table.

use super::storage::{Storage, TypedStorage, Values};
use crate::macros::named;
use bytemuck::Pod;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// Floating-point precision of the values of a table.
///
/// ```
/// use fuzzion::data::Precision;
/// assert_eq!("f32".parse(), Ok(Precision::F32));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// Single precision, 4 bytes, about 7 decimal digits.
    F32,
    /// Double precision, 8 bytes, about 16 decimal digits.
    F64,
}

named! { Precision("precision") { F32 = "f32", F64 = "f64" } }

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
    /// Converts `values` to this type; borrows them if they already have it.
    fn view(values: Values<'_>) -> Cow<'_, [Self]>;
}

impl Scalar for f32 {
    const PRECISION: Precision = Precision::F32;
    const MISSING: f32 = f32::NAN;
    const SIGNIFICAND_BITS: u32 = 24;
    const EXPONENT_BIAS: i32 = 127;

    #[inline(always)]
    fn from_parts(negative: bool, exponent: u64, significand: u64) -> f32 {
        f32::from_bits((u32::from(negative) << 31) | ((exponent as u32) << 23) | significand as u32)
    }

    #[inline(always)]
    fn from_f64(value: f64) -> f32 {
        value as f32
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    fn store(values: Storage<f32>) -> TypedStorage {
        TypedStorage::F32(values)
    }

    fn view(values: Values<'_>) -> Cow<'_, [f32]> {
        match values {
            Values::F32(values) => values.into(),
            Values::F64(values) => values.iter().map(|x| *x as f32).collect(),
        }
    }
}

impl Scalar for f64 {
    const PRECISION: Precision = Precision::F64;
    const MISSING: f64 = f64::NAN;
    const SIGNIFICAND_BITS: u32 = 53;
    const EXPONENT_BIAS: i32 = 1023;

    #[inline(always)]
    fn from_parts(negative: bool, exponent: u64, significand: u64) -> f64 {
        f64::from_bits((u64::from(negative) << 63) | (exponent << 52) | significand)
    }

    #[inline(always)]
    fn from_f64(value: f64) -> f64 {
        value
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }

    fn store(values: Storage<f64>) -> TypedStorage {
        TypedStorage::F64(values)
    }

    fn view(values: Values<'_>) -> Cow<'_, [f64]> {
        match values {
            Values::F64(values) => values.into(),
            Values::F32(values) => values.iter().map(|x| f64::from(*x)).collect(),
        }
    }
}
