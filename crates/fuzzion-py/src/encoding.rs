//! Encodings of fuzzy numbers: lower and upper bounds, or midpoints and radii, in several precisions.

use crate::number::FuzzyNumbers;
use fuzzion::Result;
use fuzzion::arithmetic::{Column, DeviceArray, LuArray, MrArray, Real};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pub(crate) type Lu<T> = DeviceArray<'static, LuArray<T>>;
pub(crate) type Mr<T, R> = DeviceArray<'static, MrArray<T, R>>;

/// An array in any encoding.
pub(crate) enum Encoded {
    LuF32(Lu<f32>),
    LuF64(Lu<f64>),
    MrF32(Mr<f32, f32>),
    MrF64(Mr<f64, f64>),
    MrMixed(Mr<f64, f32>),
}

/// Evaluates an expression for the array of any encoding.
macro_rules! each {
    ($encoded:expr, $array:ident => $body:expr) => {
        match $encoded {
            Encoded::LuF32($array) => $body,
            Encoded::LuF64($array) => $body,
            Encoded::MrF32($array) => $body,
            Encoded::MrF64($array) => $body,
            Encoded::MrMixed($array) => $body,
        }
    };
}

pub(crate) use each;

/// An encoding; the others are not considered.
pub(crate) trait Encoding: Column + Into<Encoded> {
    fn of(numbers: &FuzzyNumbers) -> PyResult<&Self>;
}

macro_rules! encodings {
    ($($variant:ident: $type:ty),*) => {$(
        impl From<$type> for Encoded {
            fn from(array: $type) -> Self {
                Encoded::$variant(array)
            }
        }
        impl Encoding for $type {
            fn of(numbers: &FuzzyNumbers) -> PyResult<&Self> {
                match &numbers.0 {
                    Encoded::$variant(array) => Ok(array),
                    _ => Err(PyValueError::new_err("the fuzzy numbers have different encodings or precisions; use `to`")),
                }
            }
        }
    )*};
}

encodings!(LuF32: Lu<f32>, LuF64: Lu<f64>, MrF32: Mr<f32, f32>, MrF64: Mr<f64, f64>, MrMixed: Mr<f64, f32>);

/// Bounds in single precision, rounded outward.
fn narrowed(lu: &LuArray<f64>) -> Result<LuArray<f32>> {
    let outward = |[lower, upper]: [f64; 2]| [f32::from_f64_down(lower), f32::from_f64_up(upper)];
    let bounds: Vec<[f32; 2]> = lu.to_cuts().into_iter().map(outward).collect();
    Ok(LuArray::from_cuts(lu.cuts(), &bounds)?)
}

/// The numbers in an encoding (`lu` or `mr`) and a precision (`f32`, `f64` or `mixed`), in the memory of the device.
pub(crate) fn encode(
    lu: LuArray<f64>,
    encoding: &str,
    precision: &str,
    device: &fuzzion::Device,
) -> Result<Encoded> {
    Ok(match (encoding, precision) {
        ("lu", "f32") => narrowed(&lu)?.into_device(device)?.into(),
        ("lu", _) => lu.into_device(device)?.into(),
        (_, "f32") => MrArray::<f32>::from_lu(&narrowed(&lu)?).into_device(device)?.into(),
        (_, "mixed") => MrArray::<f64, f32>::from_lu(&lu).into_device(device)?.into(),
        _ => MrArray::<f64>::from_lu(&lu).into_device(device)?.into(),
    })
}
