//! Numerical methods: linear algebra, random sampling and the accelerated fixed-point solver.

pub(super) mod linear;
pub(super) mod sampling;
pub(super) mod solver;
