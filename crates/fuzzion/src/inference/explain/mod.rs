//! Why a system concludes what it does from one row.
//!
//! An [`Explanation`] holds the memberships of the inputs, every rule with the memberships of its propositions, its firing
//! strength and whether it fired, and for every output where its number comes from. What a rule contributes adds up: the
//! shares sᵣ of all conclusions about an output to 1, and, where a number is an average or a sum, their parts pᵣ to the
//! number itself (before its scale, and before it is moved into a locked range).
//!
//! sᵣ = wᵣ / Σ w,  pᵣ = sᵣ·zᵣ for a weighted average, pᵣ = wᵣ·zᵣ for a weighted sum (1)
//!
//! Where a dialect joins the conclusions of one set to one w, that w is divided in proportion to their strengths.
//!
//! sᵣ = Σₛ aᵣ(yₛ) / Σₛ μ(yₛ),  pᵣ = sᵣ·zᵣ with zᵣ = Σₛ yₛ·aᵣ(yₛ) / Σₛ aᵣ(yₛ) for the centroid (2)
//!
//! aᵣ(y) is what rule r supplies of the aggregated membership μ(y): with the maximum all of it where its implied set is
//! the highest (equal parts where several are), nothing where another covers it; with every other aggregation the part
//! of μ(y) that its implied set has in the sum of all implied sets. Bisector and the maxima are no sums, so that their
//! conclusions have shares (2) and no parts.
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
//! assert_eq!(valve.contributions[0].share, 0.75);
//! assert_eq!(valve.contributions[1].part, Some(0.25 * 0.2));
//! assert_eq!(explanation.rules[0].propositions[0].membership, 0.75);
//! assert!(explanation.to_string().contains("if room is cold then valve is open"));
//! # Ok::<(), fuzzion::Error>(())
//! ```

mod model;
mod reasons;
mod text;

pub use model::{
    Aggregated, Contribution, ExplainedInput, ExplainedOutput, ExplainedProposition, ExplainedRule,
    Explanation, Standing,
};
pub use text::brief;
