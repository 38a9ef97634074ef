//! Fuzzy inference systems: variables, rules, inference, file formats and explanations.
//!
//! A [`System`] has inputs x and outputs y, each a [`Variable`] with named sets, and blocks of rules such as
//! `if service is poor or food is rancid then tip is cheap with 0.5`. Inference maps one row of inputs to one row of
//! outputs:
//!
//! wᵣ = weight · (antecedent of rule r: hedged memberships combined by T for `and` and by S for `or`) (1)
//!
//! μ(y) = S over rules r of T(wᵣ, μᵣ(y)), where T is the implication of the block and S the aggregation of the output (2)
//!
//! y* = Σ yₛ·μ(yₛ) / Σ μ(yₛ) over samples yₛ of the output range (centroid); see [`Defuzzifier`] for the others (3)
//!
//! y* = Σ w·z / Σ w over the activated sets, where z is a constant, a linear function or an expression (Takagi-Sugeno),
//! or the y with μ(y) = w (Tsukamoto) (4)
//!
//! Fuzzion has three extensions that fuzzylite and MATLAB lack: an ELSE rule has w = 1 − the largest firing strength of
//! the other rules of its block; `not ( … )` is the complement of the membership of the parenthesized antecedent; and a
//! block can combine the operands of `and` by their mean.
//!
//! [`type2`] implements interval type-2 systems. [`image`] runs a system for every pixel of an image.
//!
//! Engines differ in details; the [`Dialect`] selects the engine whose results are reproduced. If no rule fires or an
//! input is NaN, the dialect defines the output; this is never an error.
//!
//! Sources: E. H. Mamdani, S. Assilian, *An experiment in linguistic synthesis with a fuzzy logic controller*, 1975;
//! T. Takagi, M. Sugeno, *Fuzzy identification of systems*, 1985; J. Rada-Vilela, *The FuzzyLite Libraries*, 2018; R.
//! Luke et al., *Fuzzy logic-based image processing using graphics processor units*, 2008.
//!
//! ```
//! use fuzzion::inference::{Dialect, Output, System, Variable};
//! use fuzzion::sets::Set;
//!
//! let heating = System::new("heating")
//!     .input(
//!         Variable::new("room", 10.0, 30.0)
//!             .set("cold", Set::ramp(20.0, 16.0)?)
//!             .set("warm", Set::ramp(16.0, 20.0)?),
//!     )
//!     .output(Output::new("valve", 0.0, 1.0).set("shut", Set::constant(0.0)?).set("open", Set::constant(1.0)?))
//!     .rule("if room is cold then valve is open")?
//!     .rule("if room is warm then valve is shut")?;
//! let row = heating.infer_row(&[17.0], Dialect::Fuzzylite8)?;
//! assert_eq!(row.outputs, [0.75]); // ¾ cold, ¼ warm
//! # Ok::<(), fuzzion::Error>(())
//! ```

pub(crate) mod error;
#[cfg(any(test, feature = "internals"))]
pub(crate) mod example_systems;
pub mod explain;
mod export;
mod formats;
#[cfg(feature = "images")]
pub mod image;
mod model;
pub(crate) mod plan;
#[cfg(feature = "plot")]
pub mod plot;
mod reference;
mod syntax;
pub mod type2;

pub use error::InferenceError;
pub use export::Language;
pub use formats::{GridPoints, InputGrid, LoadedSystem, SystemFormat, fcl, fis, fll, json};
pub use model::{
    Activation, Antecedent, Comparison, Conclusion, Conjunction, Defuzzifier, Dialect, NamedSet, NarrowSet,
    Output, Proposition, Rule, RuleBlock, System, Variable, VariableIndex, WeightedKind,
};
pub use plan::{InferOptions, InferenceTables, Plan, PlanState};
pub use reference::{ActivatedSet, Inference, OutputSource, RuleFiring};
pub use syntax::MAX_SYSTEM_BYTES;

#[cfg(test)]
mod tests;
