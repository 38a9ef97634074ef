//! Variables, rules and systems.

mod check;
mod defuzzifier;
mod dialect;
mod rule;
mod system;
mod variable;

pub use defuzzifier::{Defuzzifier, WeightedKind};
pub use dialect::Dialect;
pub use rule::{
    Activation, Antecedent, Comparison, Conclusion, Conjunction, Proposition, Rule, RuleBlock, VariableIndex,
};
pub use system::System;
pub use variable::{NamedSet, Output, Variable};
