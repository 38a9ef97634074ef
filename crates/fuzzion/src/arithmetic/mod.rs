//! Certified fuzzy arithmetic: computing with "about 5" and "between 0.4 and 0.7".
//!
//! A fuzzy number is represented by N nested α-cuts, from the support to the core, and operations work cut by cut:
//!
//! x_α = {x : μ(x) ≥ α} at α = i/(N − 1) for i = 0, …, N − 1; cut 0 is the closed support; a single cut is the
//! support (1)
//!
//! Every result *encloses* the exact one: bounds are rounded outward (∇ rounds down, Δ rounds up), so rounding errors
//! never exclude the exact result. There are two encodings.
//!
//! # Lower-upper encoding: [`FuzzyLu`]
//!
//! [a, b] + [c, d] = [∇(a + c), Δ(b + d)], and [a, b] − [c, d] = [∇(a − d), Δ(b − c)] (2)
//!
//! [a, b] · [c, d] = [min ∇, max Δ of ac, ad, bc, bd] with 0·∞ = 0; the signs determine the two relevant products,
//! and if the support has one sign, all cuts have it (3)
//!
//! [a, b] / [c, d] = enclosure of {x/y : y ≠ 0}: for a positive divisor [min(∇(a/c), ∇(a/d)), max(Δ(b/c), Δ(b/d))],
//! unbounded on one side if 0 is an endpoint of the divisor, and on both sides if 0 is in its interior, or for 0/0 (4)
//!
//! These operations, √ and a·b + c return the tightest representable bounds; exp and log are a few ulps wider.
//!
//! # Midpoint-radius encoding: [`FuzzyMr`]
//!
//! ⟨m, r⟩ᵢ = {x : |x − m| ≤ rᵢ}, with one midpoint m for all cuts (5)
//!
//! □ denotes rounding to nearest, u the unit roundoff and η the smallest normal number. Radii are rounded up,
//! denominators down. The error of a midpoint rounded to nearest is at most
//!
//! ε(m) = u·|m| + η, or 0 if m is exact (6)
//!
//! | | m | radius of a cut | |
//! |---|---|---|---|
//! | ⟨a, α⟩ ± ⟨b, β⟩ | □(a ± b) | ε(m) + α + β | (7) |
//! | ⟨a, α⟩ · ⟨b, β⟩ | □(ab) | (\|a\| + α)·β + α·\|b\| + ε(m) | (8) |
//! | ⟨a, α⟩ · ⟨b, β⟩ + ⟨c, γ⟩ | □(ab + c) | (\|a\| + α)·β + α·\|b\| + γ + ε(m) | (9) |
//! | ⟨a, α⟩ / ⟨b, β⟩ | □(a/b) | (\|a/b\|·β + α) / (\|b\| − β) + ε(m), unbounded if \|b\| ≤ β | (10) |
//! | from bounds | midpoint of the core | max(Δ(u − m), Δ(m − l)) | (11) |
//! | to bounds | | [∇(m − r), Δ(m + r)] | (12) |
//! | √⟨a, α⟩ | □√a | α / (√a + √(a − α)) + ε(m), with the domain clipped at 0 | (13) |
//!
//! This encoding stores 1 + N values instead of 2N and is preferable if memory is the limit. However, one midpoint
//! does not fit asymmetric cuts, and operations do not preserve symmetry: [1, 3]·[1, 3] = [1, 9] has the midpoint 5,
//! not 2·2. (The theorem in the paper cited below that products preserve symmetry holds for operation (8), not for
//! the exact product.) For operands of equal relative radius ρ = α/|a|, a product is 1 + ρ/2 times as wide as
//! necessary (at most 1.5 times), a quotient 1 + ρ times (at most twice); sums are not wider. For positive numbers,
//! all of the excess width is below the exact lower bound; the computed lower bound may even be negative.
//! [`FuzzyMr::overestimation`] reports the ratio.
//!
//! The iteration c ← a·c + b accumulates the errors of its midpoint in one shared radius e, which is added at the end:
//!
//! ρᵢ ← (|a| + αᵢ)·ρᵢ + αᵢ·|m| + βᵢ, m ← □(a·m + b), e ← (|a| + α₀)·e + u·|m| + η (14)
//!
//! The result encloses the exact one, because (|a| + αᵢ)·(ρᵢ + e) ≤ (|a| + αᵢ)·ρᵢ + (|a| + α₀)·e, where α₀ is
//! the largest radius.
//!
//! # Undefined and infinite values
//!
//! Results are never NaN. A bound that overflows is infinite. √ and log of a cut that is partly outside their domain
//! apply to the part inside. A cut that is completely outside gets the bounds of the previous cut; a support that is
//! completely outside becomes unbounded. A NaN operand is treated as the unbounded number.
//!
//! # Defuzzification and comparison
//!
//! The bounds l(α) and u(α) are linear between the cuts, and m(α) = (l + u)/2:
//!
//! centroid = ∫ x·μ(x) dx / ∫ μ(x) dx = ∫ (u² − l²)/2 dα / ∫ (u − l) dα (15)
//!
//! Yager's index ∫ m(α) dα (16), and the possibilistic mean ∫ 2α·m(α) dα (17)
//!
//! A support that is unbounded on both sides is replaced by the next cut; with other unbounded cuts they are undefined.
//!
//! Π(a ≤ b) = sup over x ≤ y of min(μ_a(x), μ_b(y)), the highest α with l_a(α) ≤ u_b(α) (18)
//!
//! N(a ≤ b) = 1 − Π(a > b) (19)
//!
//! # Formulas
//!
//! An [`Expr`] is parsed from text and evaluated in either encoding. Direct evaluation, operator by operator, treats the
//! occurrences of a repeated variable as independent: x − x is not 0. [`Evaluation`] selects a method that reduces this
//! overestimation.
//!
//! Sources: D. Defour, M. Marin, *FuzzyGPU: a fuzzy arithmetic library for GPU*, 2014 (Equations (7) and (8); the other
//! equations and the corrections to (3) and (8) are original to Fuzzion); R. R. Yager, *A procedure for ordering fuzzy
//! subsets of the unit interval*, 1981; D. Dubois, H. Prade, *Ranking fuzzy numbers in the setting of possibility
//! theory*, 1983.
//!
//! ```
//! use fuzzion::arithmetic::{Evaluation, Expr, FuzzyLu, FuzzyMr, NumberDefuzzifier, Relation};
//!
//! let demand: FuzzyLu<f64, 3> = "tri(90, 100, 120)".parse()?;
//! let price = FuzzyLu::trapezoidal(2.0, 2.5, 2.5, 4.0)?;
//! let revenue = demand * price - 50.0;
//! assert_eq!(revenue.to_string(), "cuts([130, 430], [163.75, 307.5], [200, 200])");
//! assert_eq!(revenue.defuzzify(NumberDefuzzifier::MeanOfMaxima), Some(200.0));
//! assert!(revenue.necessity(Relation::Less, &500.0.into()) == 1.0);
//! let symmetric = FuzzyMr::<f64, 3>::from(demand) * 2.0;             // demand ⊆ 100 ± 20, 10, 0
//! assert_eq!(symmetric.radii(), &[40.0, 20.0, 0.0]);
//! let unbounded = FuzzyLu::<f64, 1>::interval(1.0, 2.0)? / FuzzyLu::interval(-1.0, 4.0)?;
//! assert_eq!(unbounded, FuzzyLu::unbounded());
//! let fraction = Expr::new("x / (x + y)")?.evaluate(&[("x", demand), ("y", price)], Evaluation::Vertex)?;
//! assert!(fraction.core().contains(100.0 / 102.5));
//! # Ok::<(), fuzzion::Error>(())
//! ```

pub(crate) mod array;
pub(crate) mod cpu;
#[cfg(feature = "cuda")]
pub(crate) mod cuda;
mod device_array;
pub(crate) mod error;
mod expr;
pub(crate) mod number;
pub(crate) mod rounding;
pub(crate) mod sort;
mod text;

pub use array::overestimation::{Overestimation, overestimation_table};
pub use array::{Element, LuArray, Midpoint, MrArray};
#[cfg(feature = "cuda")]
pub use cuda::source::device_source;
pub use device_array::DeviceArray;
pub use error::ArithmeticError;
pub use expr::{Column, Evaluation, Expr, FuzzyNumber};
pub use number::compare::{Distance, Relation};
pub use number::cut::AlphaCut;
pub use number::defuzzify::NumberDefuzzifier;
pub use number::lu::FuzzyLu;
pub use number::mr::FuzzyMr;
pub use number::shapes::ReferenceFunction;
pub use rounding::{Real, WidensFrom};
pub use sort::{DeviceKeys, DeviceOrder, Key, sorted_order};
pub use text::format_cuts;

#[cfg(test)]
mod tests;

/// Runs the examples of the module's README.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;
