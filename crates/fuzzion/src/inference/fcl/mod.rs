//! FCL, the Fuzzy Control Language of IEC 61131-7, read.
//!
//! A `FUNCTION_BLOCK` holds `VAR_INPUT` and `VAR_OUTPUT`, a `FUZZIFY` for each input, a `DEFUZZIFY` for each output and
//! `RULEBLOCK`s. Keywords and names may be written in any case; comments are `(* … *)`, `/* … */` and `// …`; `OPTION`s are
//! passed over.
//!
//! | `TERM name :=` | set |
//! |---|---|
//! | `(x, y) (x, y) …` | Discrete: straight lines, level beyond the outer points |
//! | `5`, `(5, 1)` | a singleton: of an output a Constant, of an input a Rectangle without width |
//! | `trian a b c`, `trape a b c d`, `gauss mean sd`, `gauss2 mean sd mean sd` | as fuzzylite's |
//! | `gbell width slope center`, `sigm slope center`, `cosine half_width center` | Bell, Sigmoid, Cosine |
//! | `dsigm` or `sigm_difference`, each `slope center slope center` | SigmoidDifference |
//! | `function …` | Function |
//! | `Triangle a b c`, … | fuzzylite's shapes, in its own order; case counts where the word has two meanings (`Cosine`) |
//!
//! | word | meaning |
//! |---|---|
//! | `METHOD` | `COG`, `COGF` centroid, `COGS` weighted average, `COGSS` weighted sum, `COA` bisector, `LM`, `RM`, `MM` smallest, largest, mean of maximum; none, or `NONE`: `COG`. `COG` of singletons is `COGS` |
//! | `AND`, `OR` | without one: the partner of the other (`MIN` and `MAX`, `PROD` and `ASUM`, `BDIF` and `BSUM`), else `MIN` and `MAX` |
//! | `ACT`, `ACCU` | without one `MIN` and `MAX`; an `ACCU` may also stand in a `DEFUZZIFY` |
//! | `DEFAULT := 5`, `NC`, `5 \| NC` | the value where there is none; `NC` keeps the one of the row before |
//!
//! Without a `RANGE` a variable reaches from where the first of its sets begins to where the last one ends; a set that only
//! fades ends where it has 1/100 of its height, and one that never falls where it has reached its height (99/100 of it if
//! it only nears it). An output's centroid depends on its range: write it if it matters.
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

mod finish;
mod lexer;
mod read;
mod terms;

const FORMAT: &str = "FCL";
