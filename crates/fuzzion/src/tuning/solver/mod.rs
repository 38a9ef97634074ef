//! Least squares: normal equations and their solution.

pub(super) mod normal_equations;
pub(super) mod solve;
