//! Fuzzion's own files: a system as JSON that is pleasant to read and to edit, and that holds all of it.
//!
//! Sets are written by their shape and its numbers in the order of FLL, activations and defuzzifiers as in FLL, rules as
//! text; `else`, `not ( … )` and `"conjunction": "Mean"` need no mark. What is left out has its usual value: no
//! description, enabled, an infinite range, not locked, height 1, no norm, the activation General; an output must say its
//! defuzzifier. JSON has no infinite numbers; they are written `"inf"` and `"-inf"`.
//!
//! Names may be any text. Where rules cannot use one as it is (it has blanks, is a keyword, or stands twice), a `"word"`
//! beside it is what rules say instead. A `"dialect"` says whose numbers are wanted.
//!
//! An [interval type-2 system](super::type2) has a `"type_reduction"`, and sets with an `"upper": {"shape": "Ramp",
//! "parameters": [0, 2]}`.
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

mod read;
mod saved;
mod write;

pub(super) use read::read;
pub(super) use write::write;

const FORMAT: &str = "JSON";
/// What the field `fuzzion` says.
const KIND: &str = "system";
const VERSION: u32 = 1;
