//! Arrays of fuzzy numbers, in one memory layout for CPUs and GPUs.
//!
//! Numbers are stored in blocks of [`LANES`]. A block consists of *planes*: one bound of one cut,
//! stored contiguously for all numbers of the block. Sixteen numbers fill one or two CPU vectors, and half a warp
//! accesses them in one or two memory transactions. The last block is padded with zeros.

mod compare;
mod defuzzify;
pub(crate) mod dispatch;
pub(crate) mod element;
pub(crate) mod fuzzy_array;
mod lu_array;
mod mr_array;
pub(in crate::arithmetic) mod operations;
pub(in crate::arithmetic) mod overestimation;
#[cfg(any(test, feature = "internals"))]
pub(crate) mod scalar_reference;
mod shapes;

pub(in crate::arithmetic) use element::LANES;
pub use element::{Element, Midpoint};
pub(in crate::arithmetic) use fuzzy_array::{ArrayShape, FuzzyArray};
pub use lu_array::LuArray;
pub use mr_array::MrArray;
