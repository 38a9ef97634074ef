//! JSON format of Fuzzion, which represents every system completely.
//!
//! Sets are specified by shape and parameters in the order of FLL, activations and defuzzifiers as in FLL, and rules
//! as text. The extensions `else`, `not ( … )` and `"conjunction": "Mean"` are always enabled. Optional fields have
//! these defaults: no description, enabled, infinite range, not locked, height 1, no operators, General activation.
//! The defuzzifier of an output is required. Infinite numbers are written as `"inf"` and `"-inf"`.
//!
//! Names may be any text. If a name cannot be used in rules (because it contains spaces, is a keyword or is not unique),
//! the field `"word"` specifies the name to use in rules. The field `"dialect"` specifies the dialect.
//!
//! An [interval type-2 system](crate::inference::type2) has a `"type_reduction"`, and sets with an `"upper":
//! {"shape": "Ramp", "parameters": [0, 2]}`.
//!
//! ```
//! use fuzzion::inference::{Dialect, System};
//!
//! let dimmer = System::from_json(
//!     r#"{
//!       "fuzzion": "system",
//!       "version": 1,
//!       "inputs": [
//!         {"name": "ambient light", "word": "ambient", "range": [0, 1], "sets": [
//!           {"name": "dark", "shape": "Ramp", "parameters": [1, 0]}
//!         ]}
//!       ],
//!       "outputs": [
//!         {"name": "power", "range": [0, 2], "defuzzifier": "WeightedAverage", "sets": [
//!           {"name": "high", "shape": "Constant", "parameters": [2]},
//!           {"name": "low", "shape": "Function", "expression": "x / 2"}
//!         ]}
//!       ],
//!       "blocks": [
//!         {"rules": ["if ambient is dark then power is high", "else power is low"]}
//!       ]
//!     }"#,
//! )?;
//! let row = dimmer.infer_row(&[0.25], Dialect::Fuzzylite8)?;
//! assert_eq!(row.outputs, [0.75 * 2.0 + 0.25 * 0.125]); // ¾ dark, ¼ not
//! assert_eq!(System::from_json(&dimmer.to_json()?)?, dimmer);
//! # Ok::<(), fuzzion::Error>(())
//! ```
//!
//! This is also the form in which serde serializes systems, variables, outputs and named sets. Rules refer to variables
//! by index, so they are serialized only as part of a system.

mod layout;
mod parser;
mod serialized;
mod values;
mod writer;

pub(in crate::inference) use parser::{deserialize, read};
pub(in crate::inference) use writer::{serialize, write};

const FORMAT: &str = "JSON";
/// Value of the field `fuzzion`.
const KIND: &str = "system";
const VERSION: u32 = 1;
