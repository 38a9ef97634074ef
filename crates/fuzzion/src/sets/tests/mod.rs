//! The room against textbook formulas, laws, and its own errors.

mod cuts;
mod device;
mod emulated;
mod extremes;
mod norms;
mod sets;
mod shapes;
