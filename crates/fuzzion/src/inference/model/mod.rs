//! Variables, rules and systems.

mod block;
mod check;
mod defuzzifier;
mod dialect;
mod narrow;
mod rule;
mod system;
mod variable;
mod warnings;

pub use block::{Activation, Comparison, Conjunction, RuleBlock};
pub use defuzzifier::{Defuzzifier, WeightedKind};
pub use dialect::Dialect;
pub use narrow::NarrowSet;
pub use rule::{Antecedent, Conclusion, Proposition, Rule, VariableIndex};
pub use system::System;
pub use variable::{NamedSet, Output, Variable};
