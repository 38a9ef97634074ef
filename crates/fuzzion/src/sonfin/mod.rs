//! Self-constructing fuzzy networks: rules grow while samples stream past, and every sample moves them a little.
//!
//! K rules over d inputs x, scaled to [0, 1] while it learns, with L outputs. Rule k has a center mₖⱼ and a width σₖⱼ for
//! each input; kept are aₖⱼ = 1/σₖⱼ and cₖⱼ = mₖⱼ/σₖⱼ, with which a sample costs two operations per rule and input:
//!
//! zₖⱼ = aₖⱼ·xⱼ − cₖⱼ = (xⱼ − mₖⱼ)/σₖⱼ, ln μₖ = −Σⱼ zₖⱼ² (1)
//!
//! φₖ = exp(ln μₖ − max ln μ) / Σₗ exp(ln μₗ − max ln μ), yₗ = Σₖ φₖ·wₖₗ (2)
//!
//! *Structure.* Let K be the rule with the largest ln μ, the first of equals. Where ln μ_K ≤ ln μ_th and there is room, a
//! rule is added, and takes part in what follows:
//!
//! m = x, w = the targets t, σ = β·‖x − m_K‖ (or −β·ln μ_K, or β·‖x − m_K‖²: [`WidthRule`]) (3)
//!
//! The first rule has no K, and is as wide as β times the median distance of two samples. μ_th falls with the epochs.
//!
//! *Parameters.* With the errors eₗ = yₗ − tₗ, of E = ½·Σₗ eₗ² (or eₗ = softmax(y)ₗ − tₗ, of the cross-entropy), and
//!
//! qₖ = φₖ·Σₗ eₗ·(wₖₗ − yₗ) (4)
//!
//! the slopes are ∂E/∂wₖₗ = φₖ·eₗ, ∂E/∂mₖⱼ = 2·qₖ·zₖⱼ/σₖⱼ, ∂E/∂σₖⱼ = 2·qₖ·zₖⱼ²/σₖⱼ. Steps are taken in units of the width,
//! so that rates mean the same for any data: m by −η_m·σ²·∂E/∂m, 1/σ by −η_σ·σ⁻²·∂E/∂(1/σ), which is
//!
//! p = −2·η_m·qₖ, s = 1 + 2·η_σ·qₖ·zₖⱼ²; c ← (c + p·z)·s, a ← a·s, wₖₗ ← wₖₗ − η_w·φₖ·eₗ (5)
//!
//! with |p| ≤ ½, ½ ≤ s ≤ 2, and s ≤ 1 where a·s would pass 1/σ_min. The thesis' plain descent with one rate η is
//! p = −2·η·qₖ·a² and s = 1/(1 − 2·η·qₖ·z²·a²) instead, with the same limits.
//!
//! *Batches.* On rules that are there already, Adam moves p, each of mₖⱼ (in units of the mean width), ln aₖⱼ, wₖₗ and the
//! gates, after every batch, with the means of the slopes of its samples:
//!
//! p ← p − η·½(1 + cos(π·t/T))·m̂/(√v̂ + ε), m̂ and v̂ the means of the slopes and of their squares so far (6)
//!
//! in step t of T. Gates move three times as far, and each is pulled towards 0 by a slope of 0.0003.
//!
//! A rule with φₖ < 2⁻²⁴ is not moved: single precision would not show it. On trained networks that leaves a fourth to a good half
//! of them. A missing input drops its term from (1), and a rule added by a sample that misses it has aₖⱼ = cₖⱼ = 0: it
//! never asks for that input.
//!
//! 1/d scaling of ln μ (for many inputs) and feature gates gⱼ (ln μₖ = −Σⱼ (gⱼ·zₖⱼ)²) are widths multiplied by √d or divided
//! by gⱼ; what is kept, written and run has them inside a and c.
//!
//! Sources: C.-F. Juang, C.-T. Lin, *An on-line self-constructing neural fuzzy inference network and its applications*,
//! 1998; H.-Y. Tseng, *An architecture-aware thread mapping methodology for fuzzy neural networks on GPGPUs*, 2012 (its width
//! rule β·‖x − m_K‖² has the dimension of a square, and its σ(t+1) starts from m(t); (3) and (5) are what is meant);
//! D. P. Kingma, J. Ba, *Adam*, 2015.

mod adam;
mod auto;
pub(crate) mod bench;
mod course;
mod cpu;
pub(crate) mod cuda;
mod datasets;
mod errors;
mod explain;
mod export;
mod firing;
mod fit;
mod learner;
mod model;
mod network;
mod plot;
mod prepare;
mod problem;
mod prototype;
mod reading;
mod report;
mod samples;
mod save;
mod scale;
pub(crate) mod selftest;
mod settings;
mod simplify;
#[allow(clippy::module_inception)] // the room is named after what it grows
mod sonfin;
mod state;
mod stream;
mod structure;
pub(crate) mod textbook;
mod uses;

pub use cuda::plan::{Candidate, plan};
pub use datasets::two_spirals;
pub use explain::{Explanation, Heard};
pub use learner::{Loss, WidthRule};
pub use model::Model;
pub use reading::{Ask, Prototype};
pub use report::{Point, Report, Trial, Warning};
pub use settings::{Classify, Growth, Mapping, Missing, Optimizer};
pub use simplify::Simplified;
pub use sonfin::Sonfin;
pub use stream::Streamed;

#[cfg(test)]
mod tests;

/// Runs the examples of the room's README.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;
