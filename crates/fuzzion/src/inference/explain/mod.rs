//! Explanation of the outputs of one row.
//!
//! An [`Explanation`] contains the memberships of the inputs, the propositions, firing strength and status of every rule,
//! and for every output its origin and the contributions of the rules. The contributions to an output have fractions fᵣ
//! that sum to 1. If the defuzzified value is an average or a sum, they also have addends pᵣ that sum to that value
//! (before scaling and before clamping to a locked range).
//!
//! fᵣ = wᵣ / Σ w,  pᵣ = fᵣ·zᵣ for a weighted average, pᵣ = wᵣ·zᵣ for a weighted sum (1)
//!
//! If a dialect combines several activations of a set into one w, this w is divided in proportion to their strengths.
//!
//! fᵣ = Σₛ aᵣ(yₛ) / Σₛ μ(yₛ),  pᵣ = fᵣ·zᵣ with zᵣ = Σₛ yₛ·aᵣ(yₛ) / Σₛ aᵣ(yₛ) for the centroid (2)
//!
//! aᵣ(y) is the part of the aggregated membership μ(y) attributed to rule r. For the maximum, μ(y) is divided equally
//! among the rules whose implied membership equals μ(y). For any other aggregation, μ(y) is divided in proportion to the
//! implied memberships. The bisector and the methods based on the maximum are not sums; their contributions have
//! fractions (2) but no addends.
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
//!     .output(Output::new("valve", 0.0, 1.0).set("shut", Set::constant(0.2)?).set("open", Set::constant(1.0)?))
//!     .rule("if room is cold then valve is open")?
//!     .rule("if room is warm then valve is shut")?;
//! let explanation = heating.explain(&[17.0], Dialect::Fuzzylite8)?;
//! let valve = &explanation.outputs[0];
//! assert_eq!(valve.contributions[0].fraction, 0.75);
//! assert_eq!(valve.contributions[1].addend, Some(0.25 * 0.2));
//! assert_eq!(explanation.rules[0].propositions[0].membership, 0.75);
//! assert!(explanation.to_string().contains("if room is cold then valve is open"));
//! # Ok::<(), fuzzion::Error>(())
//! ```

mod compute;
mod model;
mod number_format;
mod report;
mod set_text;

pub use model::{
    AggregatedSet, Contribution, ExplainedInput, ExplainedOutput, ExplainedProposition, ExplainedRule,
    Explanation, RuleStatus,
};
pub use number_format::format_short;
