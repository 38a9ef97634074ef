//! Takagi-Sugeno-Kang systems learned from rows: least squares for what rules conclude, gradients for when they apply.
//!
//! A system of K rules over d inputs x, all scaled to [0, 1] while it learns, has in every rule k a set for each input j:
//!
//! ln μₖ = Σⱼ ln μₖⱼ(xⱼ), φₖ = exp(ln μₖ − max ln μ) / Σₗ exp(ln μₗ − max ln μ) (1)
//!
//! ŷ = Σₖ φₖ·Pₖ(x), Pₖ a polynomial of total degree n (its *order*) in uⱼ = (xⱼ − cₖⱼ)/wₖⱼ, the *frame* of the rule (2)
//!
//! With Φ the matrix of all φₖ·(monomials of u), one row per sample and one column per unknown, the consequents are the
//! least squares
//!
//! θ = argmin Σᵢ wᵢ·(Φᵢθ − yᵢ)² + ρ·Σₘ (ΦᵀWΦ)ₘₘ·θₘ², ρ the *ridge* (3)
//!
//! from ΦᵀWΦ and ΦᵀWY alone, which are sums over the rows: [`Statistics`] of parts of the rows add up to those of all.
//! The sets move against the gradient of the mean squared error E = Σᵢ wᵢ·(ŷᵢ − yᵢ)² / Σᵢ wᵢ:
//!
//! ∂E/∂p = Σᵢ Σₖ qᵢₖ·∂ln μₖⱼ(xᵢⱼ)/∂p, qᵢₖ = 2·wᵢ·(ŷᵢ − yᵢ)·φᵢₖ·(Pₖ(xᵢ) − ŷᵢ) / Σᵢ wᵢ (4)
//!
//! summed over the outputs, and over all rules that share the set where sets are *tied*. After an exact solution of (3) this
//! is the gradient of the error with the consequents always at their best.
//!
//! How far they move is a [`Step`]: the rate times the gradient, the rate along the gradient (Jang), or by default Adam,
//!
//! p ← p − η·m̂/(√v̂ + ε), m̂ and v̂ the means of the gradients and of their squares so far (5)
//!
//! Sets stay at least 1/1000 of the range wide. After a step that leaves E more than 1.21 times the least seen, the sets go
//! back to where that was and the rate is halved. The best parameters seen are the result, by the validation rows where some
//! are kept back. Readable sets take of each step only as much as leaves neighbors crossing at a membership from 0.2 to 0.8.
//!
//! The slopes of (4): a Gaussian ln μ = −½z², z = (x − c)/w, has ∂/∂c = z/w and ∂/∂w = z²/w; a two-sided Gaussian is one
//! with (c₁, w₁) left of c₁, one with (c₂, w₂) right of c₂ and ln μ = 0 between; a bell ln μ = −ln(1 + t), t = |z|^2b, has
//! with s = t/(1 + t) the slopes 2bs/(x − c), 2bs/w and −2s·ln|z|; triangles have none and are for least squares only.
//!
//! A row that no triangle covers has φ = 0 and ŷ = 0, the middle of the target's range. A missing input drops its term from (1) and lies at the middle of
//! every frame, u = 0.
//!
//! Sources: B. Ferreira, A. Cruz, *A parallel method for tuning fuzzy TSK systems with CUDA*, 2012 (equations 1 to 4 with
//! order 0); J.-S. R. Jang, *ANFIS: adaptive-network-based fuzzy inference system*, 1993; D. P. Kingma, J. Ba, *Adam*,
//! 2015.

mod algorithm;
mod antecedents;
mod auto;
mod basis;
pub(crate) mod bench;
mod cpu;
pub(crate) mod cuda;
mod datasets;
mod descent;
mod export;
mod fit;
mod form;
mod lm;
mod network;
mod plot;
mod prepare;
mod problem;
mod readable;
pub mod reading;
mod recursive;
mod report;
mod rows;
mod scale;
pub(crate) mod selftest;
mod settings;
mod solve;
mod starts;
mod statistics;
mod step;
mod summary;
pub(crate) mod textbook;
mod tuned;
mod tuner;

pub use datasets::{mackey_glass, truck, truck_teacher};
pub use form::Form;
pub use recursive::Recursive;
pub use report::{Point, Report, Stop, Trial, Warning};
pub use settings::{Classify, Method, Missing, Start, Step};
pub use statistics::Statistics;
pub use tuned::Tuned;
pub use tuner::Tuner;

#[cfg(test)]
mod tests;

/// Runs the examples of the room's README.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;
