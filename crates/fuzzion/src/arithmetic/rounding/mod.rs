//! Correctly rounded addition, subtraction, multiplication, division and square root with directed rounding.
//!
//! The rounding mode of the processor stays unchanged, because a compiler may move ordinary operations across a mode
//! switch. Instead, every operation is rounded to nearest, and the sign of the residual exact − nearest determines
//! whether the neighboring number is the directed result. Error-free transformations compute that sign; [`double`]
//! and [`single`] prove it for their ranges.
//!
//! The sign of an exact zero is unspecified; no caller depends on it.

mod double;
pub(in crate::arithmetic) mod elementary;
mod power_of_two;
pub(crate) mod real;
mod single;

pub(in crate::arithmetic) use power_of_two::power_of_two;
pub(in crate::arithmetic) use real::Sealed;
pub use real::{Real, WidensFrom};
