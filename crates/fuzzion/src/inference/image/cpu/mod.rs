//! Window operators on the CPU.

mod compass;
mod general;
mod stripes;
mod sums;

pub(crate) use general::{evaluate, last_output, routines_of};
pub(crate) use stripes::apply;
pub(crate) use sums::PixelKernels;
