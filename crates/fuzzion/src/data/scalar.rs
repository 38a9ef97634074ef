//! The two number types of a table.

use bytemuck::Pod;
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use super::table::{Storage, Store, Values};

/// How precisely a table holds its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precision {
    /// Single precision, 4 bytes, about 7 decimal digits.
    F32,
    /// Double precision, 8 bytes, about 16 decimal digits.
    F64,
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Precision::F32 => "f32",
            Precision::F64 => "f64",
        })
    }
}

/// A number a table can hold: `f32` or `f64`, and nothing else.
///
/// The trait is sealed by living in a private module; it only lets one constructor take both.
pub trait Scalar: Pod + PartialOrd + Send + Sync + FromStr + fmt::Debug {
    /// Its [`Precision`].
    const PRECISION: Precision;
    /// Not a number: a missing value.
    const MISSING: Self;
    /// Bits of the significand, the leading one included.
    const SIGNIFICAND: u32;
    /// The exponent of the greatest numbers, as it is biased by.
    const BIAS: i32;
    /// `significand` (its leading one left out) × 2^exponent, given the exponent as it is stored.
    fn from_parts(negative: bool, exponent: u64, significand: u64) -> Self;
    /// The nearest number of this type.
    fn from_f64(value: f64) -> Self;
    /// The same number in double precision.
    fn to_f64(self) -> f64;
    /// These values as a table's store.
    fn store(values: Storage<Self>) -> Store;
    /// `values` in this type; borrowed if they are of this type already.
    fn view(values: Values<'_>) -> Cow<'_, [Self]>;
}

impl Scalar for f32 {
    const PRECISION: Precision = Precision::F32;
    const MISSING: f32 = f32::NAN;
    const SIGNIFICAND: u32 = 24;
    const BIAS: i32 = 127;

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

    fn store(values: Storage<f32>) -> Store {
        Store::F32(values)
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
    const SIGNIFICAND: u32 = 53;
    const BIAS: i32 = 1023;

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

    fn store(values: Storage<f64>) -> Store {
        Store::F64(values)
    }

    fn view(values: Values<'_>) -> Cow<'_, [f64]> {
        match values {
            Values::F64(values) => values.into(),
            Values::F32(values) => values.iter().map(|x| f64::from(*x)).collect(),
        }
    }
}
