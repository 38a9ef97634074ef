//! FLL, the FuzzyLite Language.
//!
//! A file consists of lines `key: value` in blocks that start with `Engine`, `InputVariable`, `OutputVariable` or
//! `RuleBlock`; `#` starts a comment. Rules may precede the variables they refer to. Written numbers parse back
//! to exactly the same values.
//!
//! The first line `# dialect: fuzzion` enables Fuzzion's extensions: `else tip is cheap`, `not ( … )` in an antecedent,
//! `conjunction: Mean`, `scale: 2` of an output, and, for [interval type-2 systems](crate::inference::type2),
//! `upper: Shape numbers` after a term and `type-reduction: EIASC` in the Engine block.
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

mod field_value;
mod fields;
mod names;
mod parser;
mod writer;

pub(in crate::inference) use parser::read;
pub(in crate::inference) use writer::{identifiers, write};

/// First line that enables Fuzzion's extensions.
const DIALECT_LINE: &str = "# dialect: fuzzion";
