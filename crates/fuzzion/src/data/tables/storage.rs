//! Storage of the values of a table.

use crate::data::mapped::MappedValues;
use bytemuck::Pod;
use std::ops::Range;

/// Values of consecutive rows, in row-major order.
///
/// ```
/// use fuzzion::data::Values;
/// let values = Values::from(&[0.5f32, 2.0]);
/// assert_eq!(values, Values::F32(&[0.5, 2.0]));
/// assert_eq!((values.len(), values.get(1), values.get(2)), (2, Some(2.0), None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Values<'a> {
    /// Single precision.
    F32(&'a [f32]),
    /// Double precision.
    F64(&'a [f64]),
}

/// Default column names: `c1`, `c2`, ….
pub(crate) fn numbered_names(columns: usize) -> Vec<String> {
    (1..=columns).map(|i| format!("c{i}")).collect()
}

/// Values of a table.
#[derive(Clone, Debug)]
pub enum TypedStorage {
    F32(Storage<f32>),
    F64(Storage<f64>),
}

/// Values in owned memory or in a memory-mapped file.
#[derive(Clone, Debug)]
pub enum Storage<T> {
    Owned(Vec<T>),
    Mapped(MappedValues<T>),
}

impl<T: Pod> Storage<T> {
    pub(super) fn as_slice(&self) -> &[T] {
        match self {
            Storage::Owned(values) => values,
            Storage::Mapped(values) => values.as_slice(),
        }
    }
}

impl TypedStorage {
    pub(super) fn values(&self) -> Values<'_> {
        match self {
            TypedStorage::F32(values) => Values::F32(values.as_slice()),
            TypedStorage::F64(values) => Values::F64(values.as_slice()),
        }
    }
}

impl<'a> Values<'a> {
    /// Number of values.
    pub fn len(&self) -> usize {
        match self {
            Values::F32(values) => values.len(),
            Values::F64(values) => values.len(),
        }
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values in `range`.
    pub(crate) fn slice(self, range: Range<usize>) -> Values<'a> {
        match self {
            Values::F32(values) => Values::F32(&values[range]),
            Values::F64(values) => Values::F64(&values[range]),
        }
    }

    /// A single value in double precision.
    pub fn get(&self, index: usize) -> Option<f64> {
        match self {
            Values::F32(values) => values.get(index).map(|x| f64::from(*x)),
            Values::F64(values) => values.get(index).copied(),
        }
    }
}

impl<'a> From<&'a [f32]> for Values<'a> {
    fn from(values: &'a [f32]) -> Self {
        Values::F32(values)
    }
}

impl<'a> From<&'a [f64]> for Values<'a> {
    fn from(values: &'a [f64]) -> Self {
        Values::F64(values)
    }
}

impl<'a, T, const N: usize> From<&'a [T; N]> for Values<'a>
where
    &'a [T]: Into<Values<'a>>,
{
    fn from(values: &'a [T; N]) -> Self {
        values.as_slice().into()
    }
}

impl<'a, T> From<&'a Vec<T>> for Values<'a>
where
    &'a [T]: Into<Values<'a>>,
{
    fn from(values: &'a Vec<T>) -> Self {
        values.as_slice().into()
    }
}
