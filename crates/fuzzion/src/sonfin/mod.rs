//! Self-constructing neural fuzzy inference networks (SONFIN): online learning adds rules and updates their
//! parameters.
//!
//! A network has R rules, d inputs x (scaled to [0, 1] for training) and L outputs. Rule k has a center mₖⱼ and a
//! width σₖⱼ for each input. The network stores aₖⱼ = 1/σₖⱼ and cₖⱼ = mₖⱼ/σₖⱼ, so evaluating a sample takes two
//! operations per rule and input:
//!
//! zₖⱼ = aₖⱼ·xⱼ − cₖⱼ = (xⱼ − mₖⱼ)/σₖⱼ, ln μₖ = −Σⱼ zₖⱼ² (1)
//!
//! φₖ = exp(ln μₖ − max ln μ) / Σₗ exp(ln μₗ − max ln μ), yₗ = Σₖ φₖ·wₖₗ (2)
//!
//! μₖ is the firing strength of rule k, φₖ its normalized firing strength and wₖₗ its consequent for output l.
//!
//! *Structure learning.* Let K be the index of the rule with the largest ln μ, the first one on a tie. If ln μ_K ≤ ln μ_th and
//! the rule limit is not reached, a new rule is added before the parameters are updated:
//!
//! m = x, w = the targets t, σ = β·‖x − m_K‖ (or −β·ln μ_K, or β·‖x − m_K‖²: [`WidthRule`]) (3)
//!
//! The width of the first rule is β times the median distance between two samples. μ_th decreases with the epochs.
//!
//! *Parameter learning.* With the errors eₗ = yₗ − tₗ of E = ½·Σₗ eₗ² (or eₗ = softmax(y)ₗ − tₗ of the
//! cross-entropy) and
//!
//! qₖ = φₖ·Σₗ eₗ·(wₖₗ − yₗ) (4)
//!
//! the gradient is ∂E/∂wₖₗ = φₖ·eₗ, ∂E/∂mₖⱼ = 2·qₖ·zₖⱼ/σₖⱼ, ∂E/∂σₖⱼ = 2·qₖ·zₖⱼ²/σₖⱼ. Steps are in units of the
//! width, so that a learning rate has the same effect on any data set: m moves by −η_m·σ²·∂E/∂m and 1/σ by
//! −η_σ·σ⁻²·∂E/∂(1/σ):
//!
//! p = −2·η_m·qₖ, s = 1 + 2·η_σ·qₖ·zₖⱼ²; c ← (c + p·z)·s, a ← a·s, wₖₗ ← wₖₗ − η_w·φₖ·eₗ (5)
//!
//! with |p| ≤ ½, ½ ≤ s ≤ 2, and s ≤ 1 if a·s would exceed 1/σ_min. Tseng's plain gradient descent with a single
//! rate η uses p = −2·η·qₖ·a² and s = 1/(1 − 2·η·qₖ·z²·a²) with the same limits.
//!
//! *Mini-batches.* For a fixed set of rules, Adam updates every parameter p (mₖⱼ in units of the mean width, ln
//! aₖⱼ, wₖₗ and the gates) after each batch with the mean gradient of its samples:
//!
//! p ← p − η·½(1 + cos(π·t/T))·m̂/(√v̂ + ε) (6)
//!
//! in step t of T; m̂ and v̂ are the bias-corrected moving averages of the gradient and of its square. Gates have
//! three times the learning rate and an L1 penalty of 0.0003.
//!
//! *Choosing the number of rules.* By default, all rules share the slopes bₗⱼ of a linear part,
//!
//! yₗ = Σₖ φₖ·wₖₗ + Σⱼ bₗⱼ·(xⱼ − x̄ⱼ) (7)
//!
//! so that the consequent of rule k is a linear function, as in Juang and Lin (1998). Centers and widths are trained on what a
//! linear model does not explain (for classes, on the classes); then w and b minimize
//!
//! Σ Σₗ (yₗ − tₗ)² + n·Σₗ (λ_b·Σⱼ var(xⱼ)·bₗⱼ² + λ_w/R·Σₖ wₖₗ²) (8)
//!
//! over n rows, with centered φ and the λ of the smallest generalized cross-validation score; for classes, the cross-entropy of
//! the softmax of y with the same kind of penalty. Networks of 1 (only the linear part), 2, 4, 8, … rules, trained in different
//! ways, are compared by cross-validation until the error stops falling. The simplest one whose error exceeds the smallest by
//! at most one standard error of the difference (three for classes) is trained on all rows. Centers are limited to the range of
//! the data, widths to 1.5 times the range; conditions with memberships above 0.9 everywhere are omitted, and rules with nearly
//! equal conditions are merged, before (8) is solved.
//!
//! A rule with φₖ < 2⁻²⁴ is not updated, because the change would be below single precision; in trained networks
//! this skips a quarter to more than half of the rules. A missing input drops its term from (1). A rule added by a
//! sample with a missing input has aₖⱼ = cₖⱼ = 0 and ignores that input.
//!
//! Scaling ln μ by 1/d (for many inputs) multiplies the widths by √d; feature gates gⱼ (ln μₖ = −Σⱼ (gⱼ·zₖⱼ)²)
//! divide them by gⱼ. Both factors are included in a and c, in memory and in saved models.
//!
//! Sources: C.-F. Juang, C.-T. Lin, *An on-line self-constructing neural fuzzy inference network and its
//! applications*, 1998; H.-Y. Tseng, *An architecture-aware thread mapping methodology for fuzzy neural networks on
//! GPGPUs*, 2012 (its width rule β·‖x − m_K‖² has the dimension of a squared length, and its
//! σ(t+1) starts from m(t); (3) and (5) correct both); D. P. Kingma, J. Ba, *Adam*, 2015; G. H. Golub, M. Heath,
//! G. Wahba, *Generalized cross-validation as a method for choosing a good ridge parameter*, 1979.

mod algorithm;
mod backend;
pub(crate) mod cpu;
#[cfg(feature = "cuda")]
pub(crate) mod cuda;
pub(crate) mod error;
mod inspect;
pub(crate) mod learner;
mod model;
pub(crate) mod reference;
mod save;
mod settings;
mod training;
pub(crate) mod types;

#[cfg(feature = "cuda")]
pub use cuda::plan::{LayoutCandidate, plan};
pub use error::SonfinError;
pub use inspect::explain::{FiredRule, PredictionExplanation};
pub use inspect::rules::{InputCondition, Prototype};
pub use inspect::simplify::SimplifyReport;
pub use model::Model;
pub use reference::datasets::two_spirals;
pub use settings::Sonfin;
pub use training::report::{SonfinEpoch, SonfinReport, SonfinTrial, SonfinWarning};
pub use training::stream::StreamReport;
pub use types::options::{Classify, Growth, Loss, Mapping, MissingInputs, Optimizer, WidthRule};

#[cfg(test)]
mod tests;

/// Runs the examples of the module's README.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;
