//! Interval type-2 fuzzy systems: sets whose memberships are known only to lie between two bounds.
//!
//! An [`IntervalSet`] has a lower and an upper set, μ̲(x) ≤ μ̄(x). An [`IntervalSystem`] is an ordinary
//! [`System`](super::System) of the lower sets with an upper set beside each set that has one; a set without one is its
//! own upper set. Rules, hedges, norms, dialects and files are the ordinary ones.
//!
//! [w̲ᵣ, w̄ᵣ] = weight · \[T(μ̲₁, μ̲₂, …), T(μ̄₁, μ̄₂, …)\], the firing interval of rule r; S for `or` likewise; `not` and
//! ELSE swap the ends: \[1 − w̄, 1 − w̲\] (1)
//!
//! y̲ = min Σ wᵣ·z̲ᵣ / Σ wᵣ, ȳ = max Σ wᵣ·z̄ᵣ / Σ wᵣ over all wᵣ in [w̲ᵣ, w̄ᵣ], the type-reduced interval (2)
//!
//! y* = (y̲ + ȳ) / 2, the output (3)
//!
//! With z̲ in ascending order the minimum is at a switch point k: w = w̄ up to z̲ₖ and w̲ after it, and the maximum has w̲
//! up to its own switch point and w̄ after it. [`TypeReduction`] says how they are found.
//!
//! What z is, an output's defuzzifier says:
//!
//! | defuzzifier | consequents | z | name in the literature |
//! |---|---|---|---|
//! | WeightedAverage | Constant, Linear, Function | the interval between the lower and the upper value; for Linear Σ [c̲ₖ, c̄ₖ]·xₖ + [c̲₀, c̄₀] | Takagi-Sugeno, A2-C1 |
//! | WeightedAverage | sets | the interval (2) of the set's own samples, computed once | center of sets |
//! | Centroid | sets | the samples of the range, with \[S T(w̲ᵣ, μ̲ᵣ), S T(w̄ᵣ, μ̄ᵣ)\] in place of \[w̲, w̄\] | centroid |
//!
//! Other defuzzifiers, Tsukamoto's values and activations other than General are refused: they compare or invert
//! numbers where there are intervals. Memberships beyond 0 and 1, which a height or a Function may give, count as 0
//! and 1 here. Where lower and upper sets coincide, the outputs are those of the ordinary system.
//!
//! Rules of strength [0, 0] do not count in (2). Where only the lower ends are 0, (2) is the limit: the smallest and the
//! largest z of the rules that may fire. Where no rule fires, or an input is NaN, the output and both its ends are what
//! the dialect says; a rule fires if its upper strength does.
//!
//! Sources: Q. Liang, J. M. Mendel, *Interval type-2 fuzzy logic systems: theory and design*, 2000; N. N. Karnik, J. M.
//! Mendel, *Centroid of a type-2 fuzzy set*, 2001; M. Nie, W. W. Tan, *Towards an efficient type-reduction method for
//! interval type-2 fuzzy logic systems*, 2008; D. Wu, M. Nie, *Comparison and practical implementation of type-reduction
//! algorithms for type-2 fuzzy sets and systems*, 2011.
//!
//! ```
//! use fuzzion::inference::type2::{IntervalSet, IntervalSystem};
//! use fuzzion::inference::{Dialect, Output, System, Variable};
//! use fuzzion::sets::Set;
//!
//! let rooms = System::new("heating")
//!     .input(Variable::new("room", 10.0, 30.0))
//!     .output(Output::new("valve", 0.0, 1.0));
//! let heating = IntervalSystem::new(rooms)
//!     .set("room", "cold", IntervalSet::blurred(&Set::ramp(20.0, 16.0)?, 1.0)?)?
//!     .set("room", "warm", IntervalSet::blurred(&Set::ramp(16.0, 20.0)?, 1.0)?)?
//!     .set("valve", "shut", IntervalSet::constant(0.0, 0.0)?)?
//!     .set("valve", "open", IntervalSet::constant(0.75, 1.0)?)?
//!     .rule("if room is cold then valve is open")?
//!     .rule("if room is warm then valve is shut")?;
//! let row = heating.infer_row(&[18.0], Dialect::Fuzzylite8)?;
//! assert_eq!((row.firing[0].lower, row.firing[0].upper), (0.25, 0.75));
//! // Least: ¼ open at ¾ against ¾ shut; most: ¾ open at 1 against ¼ shut.
//! assert_eq!((row.ends[0].lower, row.ends[0].upper), (0.1875, 0.75));
//! assert_eq!(row.outputs, [0.46875]);
//! # Ok::<(), fuzzion::Error>(())
//! ```

mod blur;
mod files;
mod interval;
mod model;
mod plan;
mod reduce;
mod row;
mod set;

pub use files::IntervalLoaded;
pub use interval::Interval;
pub use model::IntervalSystem;
pub(super) use model::Uppers;
pub use plan::{IntervalInferred, IntervalPlan};
pub use reduce::{Contribution, TypeReduction};
pub use row::IntervalInference;
pub use set::IntervalSet;
