//! FLL, the language of fuzzylite's files.
//!
//! Lines `key: value` in blocks that begin with `Engine`, `InputVariable`, `OutputVariable` and `RuleBlock`; `#` begins a
//! comment. Rules may stand before the variables they name. Numbers are written so that they read back to the bit.
//!
//! What FLL cannot say is written after a first line `# dialect: fuzzion`, and read only there: `else tip is cheap`,
//! `not ( … )` in an antecedent, `conjunction: Mean`, `scale: 2` of an output, and what makes an [interval type-2 system](super::type2): `upper:
//! Shape numbers` after a term, and `type-reduction: EIASC` in the Engine block.
//!
//! ```
//! use fuzzion::inference::{Dialect, System};
//!
//! let dimmer = System::from_fll(
//!     "InputVariable: ambient
//!        range: 0 1
//!        term: dark Ramp 1 0
//!      OutputVariable: power
//!        range: 0 2
//!        defuzzifier: WeightedAverage
//!        term: high Ramp 0 2
//!      RuleBlock:
//!        rule: if ambient is dark then power is high",
//! )?;
//! assert_eq!(dimmer.infer_row(&[0.25], Dialect::Fuzzylite8)?.outputs, [1.5]); // Tsukamoto: ¾ of the way up
//! assert_eq!(System::from_fll(&dimmer.to_fll()?)?, dimmer);
//! # Ok::<(), fuzzion::Error>(())
//! ```

mod read;
mod settings;
mod write;

pub(super) use read::{Value, read};
pub(super) use settings::{activation, defuzzifier};
pub(super) use write::{activation_text, defuzzifier_text, identifiers, write};

/// The line that allows what only Fuzzion has.
const MARK: &str = "# dialect: fuzzion";
