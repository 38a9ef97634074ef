//! Single fuzzy numbers: α-cuts, the two encodings, shapes, defuzzification and comparison.

pub(in crate::arithmetic) mod compare;
pub(crate) mod cut;
pub(in crate::arithmetic) mod defuzzify;
pub(in crate::arithmetic) mod lu;
pub(in crate::arithmetic) mod mr;
mod operators;
pub(in crate::arithmetic) mod shapes;
