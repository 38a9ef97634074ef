//! CPU kernels of midpoint-radius arrays.
//!
//! Quantities shared by all cuts of a number are computed in vectors of midpoints, rounded up to the type of the radii,
//! and used in vectors of radii. If a midpoint overflows, its error is infinite, which makes every radius infinite.

mod axpy;
mod balls;
mod blocks;
mod functions;
mod kernels;
mod operations;

pub(in crate::arithmetic) use blocks::{from_bounds, to_bounds};
pub(in crate::arithmetic) use kernels::MrKernels;
