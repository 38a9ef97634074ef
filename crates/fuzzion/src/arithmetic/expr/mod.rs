//! Formulas over fuzzy numbers.
//!
//! | Precedence | Syntax |
//! |---|---|
//! | highest | `x ^ n` with an integer n |
//! | | `-x` `+x`, so −2 ^ 2 is −4 |
//! | | `x * y` `x / y` |
//! | lowest | `x + y` `x - y` |
//!
//! Functions: `recip` `sqr` `sqrt` `exp` `log` `abs` of one argument, `min` and `max` of two, and `fma(x, y, z)` for
//! x · y + z rounded once. Literals are `tri(1, 2, 3)`, `trap(…)`, `gauss(…)`, `bell(…)`, `[1, 3]`, `cuts(…)`,
//! `mid(…)` and decimal numbers; a decimal number that is not representable is enclosed. Every other name is a
//! variable.

mod affine;
mod algebra;
mod columns;
mod decimal_places;
mod evaluate;
mod evaluation;
mod formula;
mod gradient;
mod parser;
mod postfix;
mod vertex;

pub use columns::Column;
pub(in crate::arithmetic) use columns::HostColumn;
pub use evaluate::FuzzyNumber;
pub use evaluation::Evaluation;
pub use formula::Expr;
pub(in crate::arithmetic) use postfix::{Binary, PostfixOp, Unary};
