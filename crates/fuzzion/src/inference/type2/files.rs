//! Interval type-2 systems in files: FLL with Fuzzion's extensions, and JSON.

use super::model::IntervalSystem;
use crate::inference::error::{InferenceError, Result};
use crate::inference::formats::{
    ParsedSystem, load_parsed, parse_text, read_format, with_path, write_format, write_text,
};
use crate::inference::{Dialect, SystemFormat, fll, json};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::path::Path;

/// An interval type-2 system loaded from a file.
///
/// ```
/// # use fuzzion::inference::type2::{IntervalSet, IntervalSystem};
/// # use fuzzion::inference::{Dialect, Output, System, Variable};
/// # use fuzzion::sets::Set;
/// # let system = System::new("heating").input(Variable::new("room", 10.0, 30.0)).output(Output::new("valve", 0.0, 1.0));
/// # let heating = IntervalSystem::new(system)
/// #     .set("room", "cold", IntervalSet::blurred(&Set::ramp(20.0, 16.0)?, 1.0)?)?
/// #     .set("valve", "open", IntervalSet::constant(0.75, 1.0)?)?
/// #     .rule("if room is cold then valve is open")?;
/// let path = std::env::temp_dir().join("fuzzion-loaded-interval-system.json");
/// heating.save(&path, Dialect::Iec)?;
/// let loaded = IntervalSystem::load(&path)?;
/// assert_eq!((loaded.system, loaded.dialect), (heating, Dialect::Iec));
/// # std::fs::remove_file(path).unwrap();
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LoadedIntervalSystem {
    /// The system.
    pub system: IntervalSystem,
    /// Dialect named in the file, or else the default of its format.
    pub dialect: Dialect,
    /// Format of the file.
    pub format: SystemFormat,
}

impl LoadedIntervalSystem {
    /// Parses the text of a file in the given format, for programs that do not read it from a path. A type-1 system
    /// becomes one without upper sets.
    ///
    /// ```
    /// # use fuzzion::inference::type2::{IntervalSet, IntervalSystem};
    /// # use fuzzion::inference::{Dialect, Output, System, Variable};
    /// # use fuzzion::sets::Set;
    /// # let system = System::new("heating").input(Variable::new("room", 10.0, 30.0)).output(Output::new("valve", 0.0, 1.0));
    /// # let heating = IntervalSystem::new(system)
    /// #     .set("room", "cold", IntervalSet::blurred(&Set::ramp(20.0, 16.0)?, 1.0)?)?
    /// #     .set("valve", "open", IntervalSet::constant(0.75, 1.0)?)?
    /// #     .rule("if room is cold then valve is open")?;
    /// use fuzzion::inference::{SystemFormat, type2::LoadedIntervalSystem};
    /// let loaded = LoadedIntervalSystem::parse(&heating.to_json_with(Dialect::Iec)?, SystemFormat::Json)?;
    /// assert_eq!((loaded.system, loaded.dialect), (heating, Dialect::Iec));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`LoadedSystem::parse`](crate::inference::LoadedSystem::parse) and [`IntervalSystem::check`].
    pub fn parse(text: &str, format: SystemFormat) -> Result<Self> {
        LoadedIntervalSystem::from_parsed(parse_text(text, format, None)?, format)
    }

    fn from_parsed(parts: ParsedSystem, format: SystemFormat) -> Result<Self> {
        let dialect = parts.dialect.unwrap_or(format.dialect());
        Ok(LoadedIntervalSystem { system: IntervalSystem::from_parsed(parts)?, dialect, format })
    }
}

impl IntervalSystem {
    /// Parses FLL. A type-1 system becomes one without upper sets.
    ///
    /// ```
    /// use fuzzion::inference::{Dialect, type2::IntervalSystem};
    ///
    /// let dimmer = IntervalSystem::from_fll(
    ///     "# dialect: fuzzion
    ///      Engine: dimmer
    ///        type-reduction: EIASC
    ///      InputVariable: ambient
    ///        range: 0 1
    ///        term: dark Ramp 0.5 0
    ///        upper: Ramp 1 0
    ///      OutputVariable: power
    ///        range: 0 2
    ///        defuzzifier: WeightedAverage
    ///        term: high Constant 1.5
    ///        upper: Constant 2
    ///        term: low Constant 0
    ///      RuleBlock:
    ///        rule: if ambient is dark then power is high
    ///        rule: else power is low",
    /// )?;
    /// let row = dimmer.infer_row(&[0.25], Dialect::Fuzzylite8)?; // dark: ½ to ¾, else: ¼ to ½
    /// assert_eq!((row.intervals[0].lower, row.intervals[0].upper), (0.75, 1.5)); // ½·1.5 / 1, ¾·2 / 1
    /// assert_eq!(IntervalSystem::from_fll(&dimmer.to_fll()?)?, dimmer);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`InferenceError::Syntax`] with the position of the problem, and those of [`IntervalSystem::check`].
    pub fn from_fll(text: &str) -> Result<Self> {
        IntervalSystem::from_parsed(fll::read(text)?)
    }

    /// Formats the system as FLL with Fuzzion's extensions.
    ///
    /// # Errors
    /// Those of [`IntervalSystem::check`] and [`System::to_fll`](crate::inference::System::to_fll).
    pub fn to_fll(&self) -> Result<String> {
        self.check()?;
        fll::write(self.lower(), Some(self))
    }

    /// Parses Fuzzion's JSON format. A type-1 system becomes one without upper sets.
    ///
    /// # Errors
    /// Those of [`IntervalSystem::from_fll`].
    pub fn from_json(text: &str) -> Result<Self> {
        IntervalSystem::from_parsed(json::read(text)?)
    }

    /// Formats the system as Fuzzion's JSON, which preserves everything.
    ///
    /// ```
    /// # use fuzzion::inference::type2::{IntervalSet, IntervalSystem};
    /// # use fuzzion::inference::{Dialect, Output, System, Variable};
    /// # use fuzzion::sets::Set;
    /// # let system = System::new("heating").input(Variable::new("room", 10.0, 30.0)).output(Output::new("valve", 0.0, 1.0));
    /// # let heating = IntervalSystem::new(system)
    /// #     .set("room", "cold", IntervalSet::blurred(&Set::ramp(20.0, 16.0)?, 1.0)?)?
    /// #     .set("valve", "open", IntervalSet::constant(0.75, 1.0)?)?
    /// #     .rule("if room is cold then valve is open")?;
    /// assert_eq!(IntervalSystem::from_json(&heating.to_json()?)?, heating);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`IntervalSystem::check`].
    pub fn to_json(&self) -> Result<String> {
        self.check()?;
        json::write(self.lower(), None, Some(self))
    }

    /// Like [`IntervalSystem::to_json`], with the field `dialect`, which [`IntervalSystem::load`] reads.
    ///
    /// # Errors
    /// Those of [`IntervalSystem::check`].
    pub fn to_json_with(&self, dialect: Dialect) -> Result<String> {
        self.check()?;
        json::write(self.lower(), Some(dialect), Some(self))
    }

    /// Loads a system from the file at `path`, like [`System::load`](crate::inference::System::load). A type-1 system
    /// becomes one without upper sets.
    ///
    /// # Errors
    /// Those of [`System::load`](crate::inference::System::load), and those of [`IntervalSystem::check`].
    pub fn load(path: impl AsRef<Path>) -> Result<LoadedIntervalSystem> {
        let path = path.as_ref();
        let format = read_format(path)?;
        let parts = load_parsed(path, format, None)?;
        LoadedIntervalSystem::from_parsed(parts, format).map_err(|cause| with_path(path, cause))
    }

    /// Writes the system to `path` as `.fll` or `.json`. The file is replaced atomically.
    ///
    /// # Errors
    /// [`DataError::UnknownFormat`](crate::data::DataError::UnknownFormat), [`DataError::File`](crate::data::DataError::File), those of [`IntervalSystem::to_fll`], and [`InferenceError::InvalidSystem`] for `.fis` and
    /// `.fcl`, which do not support upper sets.
    pub fn save(&self, path: impl AsRef<Path>, dialect: Dialect) -> Result<()> {
        let path = path.as_ref();
        let text = match write_format(path)? {
            SystemFormat::Fll => self.to_fll()?,
            SystemFormat::Json => self.to_json_with(dialect)?,
            SystemFormat::Fis | SystemFormat::Fcl => {
                let problem =
                    "is an interval type-2 system, which this format does not support; use `.fll` or `.json`";
                return Err(InferenceError::InvalidSystem {
                    location: "the system".into(),
                    problem: problem.into(),
                });
            }
        };
        write_text(path, &text)
    }
}

impl Serialize for IntervalSystem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.check().map_err(serde::ser::Error::custom)?;
        json::serialize(self.lower(), Some(self), serializer)
    }
}

impl<'de> Deserialize<'de> for IntervalSystem {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IntervalSystem::from_parsed(json::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
