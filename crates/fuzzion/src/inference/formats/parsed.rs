//! Result of parsing a system file.

use crate::inference::error::{InferenceError, Result};
use crate::inference::type2::TypeReduction;
use crate::inference::{Dialect, System, VariableIndex};
use crate::sets::Set;
use std::collections::HashMap;

/// Upper sets of an interval type-2 system, by variable and set index.
pub(in crate::inference) type UpperSets = HashMap<(VariableIndex, usize), Set>;

/// Contents of a system file.
pub(in crate::inference) struct ParsedSystem {
    pub(in crate::inference) system: System,
    pub(in crate::inference) dialect: Option<Dialect>,
    /// Upper sets of an interval type-2 system.
    pub(in crate::inference) uppers: UpperSets,
    pub(in crate::inference) type_reduction: Option<TypeReduction>,
    /// Warnings about the file, without its name.
    pub(in crate::inference) warnings: Vec<String>,
}

impl ParsedSystem {
    pub(in crate::inference) fn from_system(system: System) -> Self {
        ParsedSystem {
            system,
            dialect: None,
            uppers: UpperSets::new(),
            type_reduction: None,
            warnings: Vec::new(),
        }
    }

    /// The system and its dialect; an error for interval type-2 systems.
    pub(in crate::inference) fn into_type1(self, format: &str) -> Result<(System, Option<Dialect>)> {
        if self.uppers.is_empty() && self.type_reduction.is_none() {
            Ok((self.system, self.dialect))
        } else {
            Err(InferenceError::IntervalSystem { location: format.to_owned() })
        }
    }
}
