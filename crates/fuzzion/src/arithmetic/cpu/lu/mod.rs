//! CPU kernels of lower-upper arrays.

mod axpy;
mod blocks;
mod kernels;

pub(in crate::arithmetic) use kernels::LuKernels;
pub(in crate::arithmetic::cpu) use kernels::{map_in_f64, nest_cuts};
