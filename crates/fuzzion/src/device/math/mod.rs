//! Elementary functions without branches, so that the compiler vectorizes loops that call them.
//!
//! Every function is an `#[inline(always)]` body generic over `FMA`, to be called from a loop compiled by the `simd!`
//! macro. The polynomials are minimax approximations. NaN propagates. The table lists the maximum errors in units in
//! the last place (ulp) allowed by the tests; in `f64` they include the error of the reference, the system's math
//! library.
//!
//! | | `f32` | `f64` | domain |
//! |---|---|---|---|
//! | `exp` | 1.1 | 1.5 | everywhere, overflow and denormal results included |
//! | `exp_neg` | 1.1 | 1.5 | normal results |
//! | `ln` | 1.1 | 1.5 | everywhere; NaN below 0 |
//! | `pow` | 1.1 | 1.5 | bases ≥ 0 (NaN below), any exponent |
//! | `sin_pi` | 2 | 2.5 | 0 … ¼ |

#![allow(dead_code)] // shared by all modules, each of which uses a part

pub(crate) mod exp;
mod implementation;
mod ln;
mod pow;
mod real;
mod sin;
#[cfg(test)]
mod tests;

pub(crate) use exp::{exp_f32, exp_f64, exp_neg_f32, exp_neg_f64};
pub(crate) use ln::ln_f64;
pub(crate) use real::Real;
