//! Tests of the module.

#![allow(clippy::unwrap_used)] // helpers outside test functions are test code, too

mod accuracy;
mod auto;
mod classes;
mod cpu;
mod datasets;
mod distributed;
mod effects;
pub(super) mod emulated;
mod export;
mod fits;
mod initial;
mod inspect;
mod intervals;
mod invalid;
mod laws;
mod merging;
mod methods;
mod normal_equations;
mod plots;
mod readable;
mod reports;
mod save;
mod shrinkage;
mod solve;
mod steps;
mod texts;
mod tree;
