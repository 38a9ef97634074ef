//! Certified fuzzy numbers: calculating with "about 5" and "between 0.4 and 0.7".
//!
//! A fuzzy number is a stack of N nested α-cuts, the support first and the core last, and an operation works cut by cut:
//!
//! x_α = {x : μ(x) ≥ α} at α = i/(N − 1) for i = 0 … N − 1, the closed support at 0; a single cut is the support (1)
//!
//! Every result *encloses* the true one: a bound is computed with the rounding that can only move it outwards (∇ down,
//! Δ up), so that no rounding error is ever lost. Two encodings hold the cuts.
//!
//! # Lower and upper bounds: [`FuzzyLu`]
//!
//! [a, b] + [c, d] = [∇(a + c), Δ(b + d)], and [a, b] − [c, d] = [∇(a − d), Δ(b − c)] (2)
//!
//! [a, b] · [c, d] = [min ∇, max Δ of ac, ad, bc, bd], where 0·∞ is 0; signs tell which two products are needed, and
//! where the support has one sign all cuts have it (3)
//!
//! [a, b] / [c, d] = {x/y : y ≠ 0}, enclosed: by a positive divisor [min(∇(a/c), ∇(a/d)), max(Δ(b/c), Δ(b/d))],
//! unbounded on one side where 0 is an end of the divisor, and on both where 0 is inside it, or 0 is divided by 0 (4)
//!
//! These, √ and a·b + c are the tightest bounds that the type can hold; exp and log are a few units in the last place
//! wider.
//!
//! # Midpoint and radii: [`FuzzyMr`]
//!
//! ⟨m, r⟩ᵢ = {x : |x − m| ≤ rᵢ}, one midpoint m for all cuts (5)
//!
//! With □ rounding to nearest, u the unit of rounding, η the smallest normal number, radii rounded upwards and
//! denominators downwards, an operation that computes m to nearest adds
//!
//! ε(m) = u·|m| + η, or 0 where m is exact (6)
//!
//! | | m | radius of a cut | |
//! |---|---|---|---|
//! | ⟨a, α⟩ ± ⟨b, β⟩ | □(a ± b) | ε(m) + α + β | (7) |
//! | ⟨a, α⟩ · ⟨b, β⟩ | □(ab) | (\|a\| + α)·β + α·\|b\| + ε(m) | (8) |
//! | ⟨a, α⟩ · ⟨b, β⟩ + ⟨c, γ⟩ | □(ab + c) | (\|a\| + α)·β + α·\|b\| + γ + ε(m) | (9) |
//! | ⟨a, α⟩ / ⟨b, β⟩ | □(a/b) | (\|a/b\|·β + α) / (\|b\| − β) + ε(m), unbounded where \|b\| ≤ β | (10) |
//! | from bounds | the core's middle | max(Δ(u − m), Δ(m − l)) | (11) |
//! | to bounds | | [∇(m − r), Δ(m + r)] | (12) |
//! | √⟨a, α⟩ | □√a | α / (√a + √(a − α)) + ε(m), the domain clipped at 0 | (13) |
//!
//! It takes 1 + N numbers instead of 2N, and is the choice where memory decides. But one midpoint cannot serve cuts
//! that are not symmetric, and they do not stay so: [1, 3]·[1, 3] = [1, 9] has its middle at 5, not at 2·2. (The
//! theorem of the paper below, that products preserve symmetry, holds for operation (8), not for the product.) With
//! ρ = α/|a| the relative radius of like operands, a product is 1 + ρ/2 times as wide as it must be, at most 1.5
//! times; a quotient 1 + ρ times, at most twice; sums are not wider. For positive numbers all of the excess lies at the
//! lower bound, which may even turn negative. [`FuzzyMr::overestimation`] reports it.
//!
//! A series c ← a·c + b leaves the errors of its midpoint out of the radii and collects them in one e, to be added in
//! the end:
//!
//! ρᵢ ← (|a| + αᵢ)·ρᵢ + αᵢ·|m| + βᵢ, m ← □(a·m + b), e ← (|a| + α₀)·e + u·|m| + η (19)
//!
//! It encloses because (|a| + αᵢ)·(ρᵢ + e) is no more than both parts, the support's factor being the greatest.
//!
//! # Where there is no value
//!
//! Nothing is ever NaN. What overflows is unbounded on that side; √ and log of a cut that reaches out of their domain
//! are those of the rest, and a cut with nothing in the domain says no more than the one before it, the support
//! nothing. A plain NaN is the number of which nothing is known.
//!
//! # Reading numbers
//!
//! With straight lines between the cuts, l(α) and u(α), m(α) = (l + u)/2:
//!
//! centroid = ∫ x·μ(x) dx / ∫ μ(x) dx = ∫ (u² − l²)/2 dα / ∫ (u − l) dα (14)
//!
//! Yager's index ∫ m(α) dα (15), and the possibilistic mean ∫ 2α·m(α) dα (16)
//!
//! Π(a ≤ b) = sup over x ≤ y of min(μ_a(x), μ_b(y)), the highest α where l_a(α) ≤ u_b(α) (17)
//!
//! N(a ≤ b) = 1 − Π(a > b) (18)
//!
//! # Formulas
//!
//! An [`Expr`] is read from text and evaluated over either encoding. A variable that appears twice is, operator by
//! operator, taken for two: x − x is not 0. [`Method`] says what is done about it.
//!
//! Sources: D. Defour, M. Marin, *FuzzyGPU: a fuzzy arithmetic library for GPU*, 2014 (equations 7 and 8; the others,
//! and what is put right in 3 and 8, are ours); R. R. Yager, *A procedure for ordering fuzzy subsets of the unit
//! interval*, 1981; D. Dubois, H. Prade, *Ranking fuzzy numbers in the setting of possibility theory*, 1983.
//!
//! ```
//! use fuzzion::arithmetic::{Defuzzifier, Expr, FuzzyLu, FuzzyMr, Method, Relation};
//!
//! let demand: FuzzyLu<f64, 3> = "tri(90, 100, 120)".parse()?;
//! let price = FuzzyLu::trapezoidal(2.0, 2.5, 2.5, 4.0)?;
//! let turnover = demand * price - 50.0;
//! assert_eq!(turnover.to_string(), "cuts([130, 430], [163.75, 307.5], [200, 200])");
//! assert_eq!(turnover.defuzzify(Defuzzifier::MeanOfMaxima), Some(200.0));
//! assert!(turnover.necessity(Relation::Less, &500.0.into()) == 1.0);
//! let symmetric = FuzzyMr::<f64, 3>::from(demand) * 2.0;             // 100 ± 20, 10, 0
//! assert_eq!(symmetric.radii(), &[40.0, 20.0, 0.0]);
//! let unbounded = FuzzyLu::<f64, 1>::interval(1.0, 2.0)? / FuzzyLu::interval(-1.0, 4.0)?;
//! assert_eq!(unbounded, FuzzyLu::unbounded());
//! let share = Expr::new("x / (x + y)")?.evaluate(&[("x", demand), ("y", price)], Method::Vertex)?;
//! assert!(share.core().contains(100.0 / 102.5));
//! # Ok::<(), fuzzion::Error>(())
//! ```

mod array;
pub(crate) mod bench;
mod compare;
mod cpu;
pub(crate) mod cuda;
mod cut;
mod decimal;
mod defuzzify;
mod elementary;
mod engine;
mod expr;
mod literal;
mod lu;
mod mr;
mod operators;
mod rounding;
mod samples;
pub(crate) mod selftest;
mod shapes;
pub(crate) mod sort;
mod text;
mod verbs;
mod widths;

pub use array::{LuArray, MrArray};
pub use compare::{Distance, Relation};
pub use cuda::text::device_source;
pub use cut::Cut;
pub use defuzzify::Defuzzifier;
pub use expr::{Expr, Method};
pub use lu::FuzzyLu;
pub use mr::FuzzyMr;
pub use shapes::Reference;
pub use sort::sorted_order;
pub use widths::{Widening, widenings};

#[cfg(test)]
mod tests;

/// Runs the examples of the room's README.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;
