//! Interval type-2 fuzzy systems: the memberships of sets are intervals.
//!
//! An [`IntervalSet`] has a lower and an upper membership function, μ̲(x) ≤ μ̄(x). An [`IntervalSystem`] is a type-1
//! [`System`](super::System) of the lower sets with optional upper sets; a set without an upper set is of type 1. Rules,
//! hedges, norms, dialects and files are the same as for type-1 systems.
//!
//! [w̲ᵣ, w̄ᵣ] = weight · \[T(μ̲₁, μ̲₂, …), T(μ̄₁, μ̄₂, …)\], the firing interval of rule r, with S for `or`; `not` and
//! ELSE swap the bounds: \[1 − w̄, 1 − w̲\] (1)
//!
//! y̲ = min Σ wᵣ·z̲ᵣ / Σ wᵣ, ȳ = max Σ wᵣ·z̄ᵣ / Σ wᵣ over all wᵣ in [w̲ᵣ, w̄ᵣ], the type-reduced interval (2)
//!
//! y* = (y̲ + ȳ) / 2, the output (3)
//!
//! With z̲ in ascending order, the minimum is at a switch point k: w = w̄ up to z̲ₖ and w̲ after it. The maximum has w̲ up to
//! its own switch point and w̄ after it. [`TypeReduction`] selects the algorithm.
//!
//! The output's defuzzifier determines z:
//!
//! | defuzzifier | consequents | z | name in the literature |
//! |---|---|---|---|
//! | WeightedAverage | Constant, Linear, Function | the interval from the lower to the upper value; for Linear Σ [c̲ₖ, c̄ₖ]·xₖ + [c̲₀, c̄₀] | Takagi-Sugeno, A2-C1 |
//! | WeightedAverage | sets | the centroid (2) of the set itself, computed once | center of sets |
//! | Centroid | sets | the samples of the range, with \[S T(w̲ᵣ, μ̲ᵣ), S T(w̄ᵣ, μ̄ᵣ)\] in place of \[w̲, w̄\] | centroid |
//!
//! Other defuzzifiers, Tsukamoto consequents and activation methods other than General are not supported, because they
//! compare or invert intervals. Memberships outside [0, 1], which are possible with a height or a Function, are clamped.
//! If all lower and upper sets coincide, the outputs equal those of the type-1 system.
//!
//! Rules of strength [0, 0] are ignored in (2). If all lower bounds are 0, (2) is the limit: the smallest and the largest
//! z of the rules that may fire. If no rule fires or an input is NaN, the dialect determines the output and both bounds;
//! a rule fires if its upper strength does.
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
//! let system = System::new("heating")
//!     .input(Variable::new("room", 10.0, 30.0))
//!     .output(Output::new("valve", 0.0, 1.0));
//! let heating = IntervalSystem::new(system)
//!     .set("room", "cold", IntervalSet::blurred(&Set::ramp(20.0, 16.0)?, 1.0)?)?
//!     .set("room", "warm", IntervalSet::blurred(&Set::ramp(16.0, 20.0)?, 1.0)?)?
//!     .set("valve", "shut", IntervalSet::constant(0.0, 0.0)?)?
//!     .set("valve", "open", IntervalSet::constant(0.75, 1.0)?)?
//!     .rule("if room is cold then valve is open")?
//!     .rule("if room is warm then valve is shut")?;
//! let row = heating.infer_row(&[18.0], Dialect::Fuzzylite8)?;
//! assert_eq!((row.firing_intervals[0].lower, row.firing_intervals[0].upper), (0.25, 0.75));
//! // Minimum: ¼ open at ¾ against ¾ shut; maximum: ¾ open at 1 against ¼ shut.
//! assert_eq!((row.intervals[0].lower, row.intervals[0].upper), (0.1875, 0.75));
//! assert_eq!(row.outputs, [0.46875]);
//! # Ok::<(), fuzzion::Error>(())
//! ```

mod blur;
mod files;
mod infer;
mod interval;
mod model;
mod plan;
mod reduce;
mod row;
mod set;

pub use crate::sets::Interval;
pub use files::LoadedIntervalSystem;
pub use infer::IntervalTables;
pub use model::IntervalSystem;
pub use plan::IntervalPlan;
pub use reduce::{TypeReduction, WeightedInterval};
pub use row::IntervalInference;
pub use set::IntervalSet;
