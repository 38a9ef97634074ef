//! Conversion of arrays and tables of other crates.

#[cfg(feature = "arrow")]
mod arrow;
#[cfg(feature = "ndarray")]
mod ndarray;
