//! Dense symmetric systems of equations in double precision, for least squares.
//!
//! A symmetric positive definite A is factored as
//! 1. A = L·Lᵀ with L lower triangular (Cholesky), so that A·x = b is L·y = b followed by Lᵀ·x = y;
//!
//! and any symmetric A as
//! 2. A = V·diag(λ)·Vᵀ with orthonormal V, from which the minimum-norm least-squares solution of A·x = b is
//!    x = Σ vᵢ·(vᵢᵀb)/λᵢ over the λᵢ that are not negligible.
//!
//! Source: Golub and Van Loan, Matrix Computations, 4th edition (2013), sections 4.2 and 8.3.

mod cholesky;
mod eigen;
#[cfg(test)]
mod tests;

pub(crate) use cholesky::{Cholesky, dot};
pub(crate) use eigen::SymmetricEigen;
