//! FCL, the Fuzzy Control Language of IEC 61131-7 (read-only).
//!
//! A `FUNCTION_BLOCK` consists of `VAR_INPUT` and `VAR_OUTPUT`, a `FUZZIFY` block per input, a `DEFUZZIFY` block per output
//! and `RULEBLOCK`s. Keywords and names are case-insensitive. Comments are `(* … *)`, `/* … */` and `// …`. `OPTION`
//! blocks are ignored. One of several function blocks is selected by its name.
//!
//! | `TERM name :=` | set |
//! |---|---|
//! | `(x, y) (x, y) …` | Discrete: piecewise linear, constant beyond the outer points |
//! | `5`, `(5, 1)` | singleton: a Constant for an output, a Rectangle of width 0 for an input |
//! | `trian a b c`, `trape a b c d`, `gauss mean sd`, `gauss2 mean sd mean sd` | Triangle, Trapezoid, Gaussian, GaussianProduct |
//! | `gbell width slope center`, `sigm slope center`, `cosine half_width center` | Bell, Sigmoid, Cosine |
//! | `dsigm` or `sigm_difference`, each `slope center slope center` | SigmoidDifference |
//! | `function …` | Function |
//! | `(name, y)`, `trian`, `trape`, `name` | the positions of points, the parameters of `trian` and `trape`, and singletons can be inputs: a Function, or a Linear for a singleton of an output |
//! | `Triangle a b c`, … | shapes of fuzzylite with its parameter order; case matters for `Cosine`, because `cosine` has the parameters above |
//!
//! | keyword | meaning |
//! |---|---|
//! | `METHOD` | `COG`, `COGF` centroid, `COGS` weighted average of the terms, after `ACCU` has combined the strengths of each, `COGSS` weighted sum, `COA` bisector, `LM`, `RM`, `MM` smallest, largest, mean of maximum. The default, also for `NONE`, is `COG`; `COG` of singletons is `COGS` |
//! | `AND`, `OR` | default: the dual of the other (`MIN` and `MAX`, `PROD` and `ASUM`, `BDIF` and `BSUM`), otherwise `MIN` and `MAX` |
//! | `ACT`, `ACCU` | default: `MIN` and `MAX`; `ACCU` may also be in a `DEFUZZIFY` block |
//! | `DEFAULT := 5`, `NC`, `5 \| NC` | value if there is no defuzzified value; `NC` keeps the value of the previous row |
//!
//! Without a `RANGE`, the range of a variable is the union of the supports of its sets. The support of a set with
//! infinite tails is cut where the membership is 1/100 of the height; a side on which the set does not decrease ends
//! where the set reaches its height, or 99/100 of the height if the set only approaches it. The centroid of an output
//! depends on its range, so specify a range for every output.
//!
//! Source: IEC 61131-7, *Programmable controllers, part 7: Fuzzy control programming*, 2000.
//!
//! ```
//! use fuzzion::inference::{Dialect, System};
//!
//! let heating = System::from_fcl(
//!     "FUNCTION_BLOCK heating
//!      VAR_INPUT  room : REAL; END_VAR
//!      VAR_OUTPUT valve : REAL; END_VAR
//!      FUZZIFY room
//!        TERM cold := (16, 1) (20, 0);
//!        TERM warm := (16, 0) (20, 1);
//!      END_FUZZIFY
//!      DEFUZZIFY valve
//!        TERM shut := 0;
//!        TERM open := 1;
//!        METHOD : COGS;
//!        DEFAULT := 0;
//!      END_DEFUZZIFY
//!      RULEBLOCK all
//!        RULE 1 : IF room IS cold THEN valve IS open;
//!        RULE 2 : IF room IS NOT cold THEN valve IS shut; (* the rest *)
//!      END_RULEBLOCK
//!      END_FUNCTION_BLOCK",
//! )?;
//! assert_eq!(heating.infer_row(&[17.0], Dialect::Iec)?.outputs, [0.75]);
//! # Ok::<(), fuzzion::Error>(())
//! ```

mod build;
mod lexer;
mod parser;
mod terms;

pub(in crate::inference) use parser::read;

const FORMAT: &str = "FCL";
