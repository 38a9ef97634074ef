//! Takagi-Sugeno-Kang (TSK) systems learned from data: least squares for the consequents, gradients for the
//! antecedents.
//!
//! Inputs are scaled to [0, 1] during training. Rule k of K has one set μₖⱼ for each of the d inputs xⱼ. The log firing
//! strengths and the normalized firing strengths are
//!
//! ln μₖ = Σⱼ ln μₖⱼ(xⱼ), φₖ = exp(ln μₖ − max ln μ) / Σₗ exp(ln μₗ − max ln μ) (1)
//!
//! and the output is
//!
//! ŷ = Σₖ φₖ·Pₖ(x), uⱼ = (xⱼ − cₖⱼ)/wₖⱼ (2)
//!
//! where Pₖ is a polynomial of total degree n (the *order*) in u, the *local frame* of rule k.
//!
//! Let Φ be the design matrix with one row per sample and one column φₖ·(monomial of u) per unknown. The consequents
//! solve the regularized least-squares problem
//!
//! θ = argmin Σᵢ wᵢ·(Φᵢθ − yᵢ)² + ρ·Σₘ (ΦᵀWΦ)ₘₘ·θₘ², ρ the *ridge* (3)
//!
//! which needs only ΦᵀWΦ and ΦᵀWY. Both are sums over rows, so the [`NormalEquations`] of separate chunks of data can
//! be added. Without a ridge in the settings, ρ is 1e-9 during training, and the consequents of the result are then shrunk
//! towards the linear model (`training/shrinkage.rs`). The sets follow the gradient of the mean squared error E = Σᵢ wᵢ·(ŷᵢ − yᵢ)² / Σᵢ wᵢ:
//!
//! ∂E/∂p = Σᵢ Σₖ qᵢₖ·∂ln μₖⱼ(xᵢⱼ)/∂p, qᵢₖ = 2·wᵢ·(ŷᵢ − yᵢ)·φᵢₖ·(Pₖ(xᵢ) − ŷᵢ) / Σᵢ wᵢ (4)
//!
//! summed over the outputs and, for *tied* sets, over all rules that share the set. After an exact solution of (3),
//! this is the gradient of E with the consequents eliminated (variable projection).
//!
//! The [`StepRule`] sets the step length: the rate times the gradient, a step of length `rate` along the negative
//! gradient (Jang), or Adam (default):
//!
//! p ← p − η·m̂/(√v̂ + ε), m̂ and v̂ the bias-corrected running means of the gradient and of its square (5)
//!
//! Widths are at least 1/1000 of the input range. If a step raises E above 1.21 times its minimum so far, the
//! parameters at the minimum are restored and the rate is halved. The result has the lowest validation loss of all
//! iterations, or the lowest training loss if no rows are held out. With readable sets, each parameter takes the
//! largest of 1, ½, ¼ and 0 times its step for which neighboring sets cross at a membership between 0.2 and 0.8.
//!
//! Derivatives for (4): a Gaussian, ln μ = −½z² with z = (x − c)/w, has ∂/∂c = z/w and ∂/∂w = z²/w. A two-sided
//! Gaussian is a Gaussian (c₁, w₁) left of c₁, a Gaussian (c₂, w₂) right of c₂, and ln μ = 0 in between. A bell, ln μ
//! = −ln(1 + t) with t = |z|^2b, has the derivatives 2bs/(x − c), 2bs/w and −2s·ln|z| with s = t/(1 + t). Triangles
//! are not differentiable and support least squares only.
//!
//! A row outside all triangles has φ = 0 and ŷ = 0, the middle of the target's range. A missing input contributes no
//! term to (1) and has u = 0 in every frame.
//!
//! Sources: B. Ferreira, A. Cruz, *A parallel method for tuning fuzzy TSK systems with CUDA*, 2012 (equations 1 to 4,
//! order 0); J.-S. R. Jang, *ANFIS: adaptive-network-based fuzzy inference system*, 1993; D. P. Kingma, J. Ba, *Adam*,
//! 2015.

pub(crate) mod algorithm;
pub(crate) mod cpu;
#[cfg(feature = "cuda")]
pub(crate) mod cuda;
mod distributed;
pub(crate) mod error;
mod export;
mod initial;
pub mod inspect;
mod model;
pub(crate) mod network;
pub(crate) mod reference;
mod report;
mod settings;
pub(crate) mod solver;
pub(crate) mod training;

pub use crate::stop::Stop;
pub use distributed::{DistributedTuning, TuningState, TuningStatistics};
pub use error::TuningError;
pub use model::TunedSystem;
pub use model::intervals::{PredictionIntervals, PredictionSets};
pub use model::range::{OutsideRange, RuleStrength};
pub use network::form::Form;
pub use reference::datasets::{mackey_glass, truck, truck_controller};
pub use report::{PathPoint, TuningIteration, TuningReport, TuningTrial, TuningWarning};
pub use settings::{Classify, InitialRules, MissingInputs, StepRule, TrainingMethod, Tuner};
pub use solver::normal_equations::NormalEquations;
pub use training::recursive::RecursiveLeastSquares;

#[cfg(test)]
mod tests;

/// Runs the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;
