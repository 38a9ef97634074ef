//! Storage of the values of a table.

use crate::data::mapped::MappedValues;
use bytemuck::Pod;

/// Values of consecutive rows, in row-major order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Values<'a> {
    /// Single precision.
    F32(&'a [f32]),
    /// Double precision.
    F64(&'a [f64]),
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

impl Values<'_> {
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

    /// A single value in double precision.
    pub fn get(&self, index: usize) -> Option<f64> {
        match self {
            Values::F32(values) => values.get(index).map(|x| f64::from(*x)),
            Values::F64(values) => values.get(index).copied(),
        }
    }
}
