//! Reference implementation: inference of one row in double precision.

mod defuzzify;
mod result;
mod row;

pub use result::{ActivatedSet, Inference, OutputSource, RuleFiring};
pub(in crate::inference) use row::{RowState, evaluation_order, finite_strength, resolve_set};
