//! Common interface of both array types.

use super::element::Element;
use crate::arithmetic::error::Result;
use crate::arithmetic::number::cut::AlphaCut;
use crate::base::SettingError;
use std::fmt;

/// Shape of an array of fuzzy numbers in any memory.
pub trait ArrayShape {
    /// Number of fuzzy numbers.
    fn number_count(&self) -> usize;
    /// Number of cuts of each fuzzy number.
    fn cut_count(&self) -> usize;
}

/// Array of fuzzy numbers in host memory: [`LuArray`](super::LuArray) or [`MrArray`](super::MrArray).
pub trait FuzzyArray: ArrayShape + Clone + Send + Sync + fmt::Debug + Sized {
    /// Element type of the bounds.
    type Bound: Element;
    /// Array of `len` zeros.
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`] if `cuts` is 0.
    fn zeros(cuts: usize, len: usize) -> Result<Self>;
    /// Cut `i` of the number at `index`, rounded outward if it is not stored as bounds.
    fn cut_at(&self, index: usize, i: usize) -> AlphaCut<Self::Bound>;
    /// Sets the cuts of the number at `index`, from the support inward, each intersected with the previous one.
    fn set_cuts(&mut self, index: usize, cut: impl FnMut(usize) -> AlphaCut<Self::Bound>);
}

/// Accessors of both array types.
macro_rules! array_accessors {
    (<$($parameter:ident: $bound:path $(, $and:path)?);*> $type:ty) => {
        impl<$($parameter: $bound $(+ $and)?),*> ArrayShape for $type {
            fn number_count(&self) -> usize {
                self.len
            }
            fn cut_count(&self) -> usize {
                self.cuts
            }
        }

        impl<$($parameter: $bound $(+ $and)?),*> $type {
            /// Number of fuzzy numbers.
            pub fn len(&self) -> usize {
                self.len
            }

            /// Whether the array has no elements.
            pub fn is_empty(&self) -> bool {
                self.len == 0
            }

            /// Number of cuts of each fuzzy number.
            pub fn cuts(&self) -> usize {
                self.cuts
            }

            /// Cut `i` of the number at `index`, rounded outward if it is not stored as bounds; the core if
            /// i ≥ `cuts()`.
            ///
            /// # Panics
            /// If `index` is out of bounds.
            pub fn cut(&self, index: usize, i: usize) -> AlphaCut<T> {
                self.cut_at(index, i)
            }
        }
    };
}
pub(super) use array_accessors;

/// Checks the number of cuts.
pub(super) fn check_cut_count(cuts: usize) -> Result<()> {
    match cuts {
        0 => {
            Err(SettingError::OutOfRange { algorithm: "array", name: "cuts", value: 0.0, must: "at least 1" }
                .into())
        }
        _ => Ok(()),
    }
}

/// Checks an index, as slices do.
#[track_caller]
pub(super) fn check_index(index: usize, len: usize) {
    assert!(index < len, "index {index} is out of bounds for an array of {len} fuzzy numbers");
}
