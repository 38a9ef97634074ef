//! Comparison with reference formulas, algebraic laws, and error messages.

mod alpha_cuts;
mod cuda_source;
pub(super) mod emulated;
mod extremes;
mod norms;
mod serialized;
mod sets;
mod shapes;
