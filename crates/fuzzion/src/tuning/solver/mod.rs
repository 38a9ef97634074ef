//! Least squares: normal equations and their solution.

pub(super) mod normal_equations;
pub(crate) mod solve;
