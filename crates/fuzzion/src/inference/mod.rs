//! Fuzzy systems: variables, rules, and what they conclude from a row of inputs.
//!
//! A [`System`] has inputs x and outputs y, each a [`Variable`] with named sets, and blocks of rules
//! `if service is poor or food is rancid then tip is cheap with 0.5`. One row of inputs gives one row of outputs:
//!
//! wᵣ = weight · (the antecedent of rule r: memberships joined by T for `and`, S for `or`, bent by hedges) (1)
//!
//! μ(y) = S over rules r of T(wᵣ, μᵣ(y)), with the block's implication T and the output's aggregation S (2)
//!
//! y* = Σ yₛ·μ(yₛ) / Σ μ(yₛ) over samples yₛ of the output's range, the centroid; other [`Defuzzifier`]s stand beside
//! it (3)
//!
//! y* = Σ w·z / Σ w over the concluded sets, with z a constant, a linear form, a function (Takagi-Sugeno) or the
//! x whose membership is w (Tsukamoto) (4)
//!
//! An ELSE rule has w = 1 − the largest strength of the other rules of its block; `not ( … )` is 1 − the membership of
//! what stands in the parentheses; a block may join what `and` joins by its mean. None of the engines below has these.
//!
//! Sets may also be known only between two bounds: [`type2`] has systems of them. [`image`] runs a system for every pixel
//! of a picture.
//!
//! Where engines disagree a [`Dialect`] decides, so that the numbers are those of the engine a file was written for.
//! Where nothing fires, or an input is NaN, the output is what the dialect says, and the row is never an error.
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

pub(crate) mod bench;
mod check;
mod defuzzifier;
mod defuzzify;
mod dialect;
pub mod explain;
mod export;
pub mod fcl;
mod files;
pub mod fis;
pub mod fll;
mod grid;
pub mod image;
pub mod json;
pub(crate) mod plan;
pub mod plot;
mod row;
mod rule;
mod rule_text;
pub(crate) mod samples;
pub(crate) mod selftest;
mod system;
mod text;
pub mod type2;
mod variable;

pub use defuzzifier::{Defuzzifier, Weighted};
pub use dialect::Dialect;
pub use export::Language;
pub use files::{Loaded, SystemFormat};
pub use grid::{Grid, Points};
pub use plan::{Inferred, Memory, Plan, Want};
pub use row::{Activated, Firing, Inference, Source};
pub use rule::{
    Activation, Antecedent, Comparison, Conclusion, Conjunction, Place, Proposition, Rule, RuleBlock,
};
pub use system::System;
pub use text::MOST_BYTES;
pub use variable::{NamedSet, Output, Variable};

#[cfg(test)]
mod tests;
