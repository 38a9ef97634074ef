//! Certified fuzzy numbers.

mod cut;
mod elementary;
mod lu;
mod mr;
mod operators;
mod rounding;

pub use cut::Cut;
pub use lu::FuzzyLu;
pub use mr::FuzzyMr;

#[cfg(test)]
mod tests;
