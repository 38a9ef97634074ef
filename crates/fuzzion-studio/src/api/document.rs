//! The system of a request.

use super::ApiError;
use fuzzion::inference::type2::IntervalSystem;
use fuzzion::inference::{Dialect, LoadedSystem, System, SystemFormat};
use serde::Deserialize as _;
use serde_json::Value;

/// A system and its dialect.
pub(super) struct Document {
    pub(super) model: Model,
    pub(super) dialect: Dialect,
}

/// A system of either type.
#[derive(Clone)]
pub(super) enum Model {
    Type1(System),
    Interval(Box<IntervalSystem>),
}

impl Model {
    /// The system, or the one of the lower sets.
    pub(super) fn lower(&self) -> &System {
        match self {
            Model::Type1(system) => system,
            Model::Interval(system) => system.lower(),
        }
    }

    /// The type-1 system; an error for interval type-2 systems. `what` begins with a capital letter.
    pub(super) fn type1(&self, what: &str) -> Result<&System, ApiError> {
        match self {
            Model::Type1(system) => Ok(system),
            Model::Interval(_) => {
                let advice = "remove its upper sets to make it a type-1 system";
                Err(ApiError::new(format!("{what} does not support interval type-2 systems; {advice}")))
            }
        }
    }
}

impl Document {
    /// Reads the JSON of a system.
    pub(super) fn read(value: &Value) -> Result<Self, ApiError> {
        let dialect = dialect_of(value);
        if is_interval(value) {
            let system = IntervalSystem::deserialize(value);
            let system = system.or_else(|_| IntervalSystem::from_json(&value.to_string()))?;
            return Ok(Document { model: Model::Interval(Box::new(system)), dialect });
        }
        // The error of the text has a location.
        let system = System::deserialize(value);
        let system = system
            .or_else(|_| LoadedSystem::parse(&value.to_string(), SystemFormat::Json).map(|l| l.system))?;
        Ok(Document { model: Model::Type1(system), dialect })
    }
}

/// The dialect in the JSON of a system.
pub(super) fn dialect_of(value: &Value) -> Dialect {
    value["dialect"].as_str().and_then(|name| name.parse().ok()).unwrap_or_default()
}

/// Whether a set has an upper set.
pub(super) fn is_interval(value: &Value) -> bool {
    let variables = ["inputs", "outputs"].into_iter().filter_map(|kind| value[kind].as_array()).flatten();
    let mut sets = variables.filter_map(|variable| variable["sets"].as_array()).flatten();
    value.get("type_reduction").is_some() || sets.any(|set| set.get("upper").is_some())
}
