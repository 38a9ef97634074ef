//! Interval type-2 systems in files: FLL with Fuzzion's mark, and JSON.

use super::model::IntervalSystem;
use crate::error::{Error, Result};
use crate::inference::files::{format_of, load_parts, within, write_text};
use crate::inference::{Dialect, SystemFormat, fll, json};
use std::path::Path;

/// An interval type-2 system out of a file, and the engine whose dialect the file means.
#[derive(Clone, Debug, PartialEq)]
pub struct IntervalLoaded {
    /// The system.
    pub system: IntervalSystem,
    /// What the file says, or else what its format means.
    pub dialect: Dialect,
    /// What kind of file it was.
    pub format: SystemFormat,
}

impl IntervalSystem {
    /// Reads FLL; an ordinary system is one whose sets are all plain.
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
    /// assert_eq!((row.ends[0].lower, row.ends[0].upper), (0.75, 1.5)); // ½·1.5 / 1, ¾·2 / 1
    /// assert_eq!(IntervalSystem::from_fll(&dimmer.to_fll()?)?, dimmer);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Syntax`] with a caret under what was not expected, and those of [`IntervalSystem::check`].
    pub fn from_fll(text: &str) -> Result<Self> {
        IntervalSystem::of_parts(fll::read(text)?)
    }

    /// The system as FLL with Fuzzion's mark.
    ///
    /// # Errors
    /// Those of [`IntervalSystem::check`] and [`System::to_fll`](crate::inference::System::to_fll).
    pub fn to_fll(&self) -> Result<String> {
        self.check()?;
        fll::write(self.lower(), Some(self))
    }

    /// Reads Fuzzion's own JSON; an ordinary system is one whose sets are all plain.
    ///
    /// # Errors
    /// As [`IntervalSystem::from_fll`].
    pub fn from_json(text: &str) -> Result<Self> {
        IntervalSystem::of_parts(json::read(text)?)
    }

    /// The system as Fuzzion's own JSON, which holds all of it.
    ///
    /// # Errors
    /// Those of [`IntervalSystem::check`].
    pub fn to_json(&self) -> Result<String> {
        self.check()?;
        json::write(self.lower(), None, Some(self))
    }

    /// Reads the system in the file at `path`, as [`System::load`](crate::inference::System::load) does; an ordinary system
    /// is one whose sets are all plain.
    ///
    /// # Errors
    /// As [`System::load`](crate::inference::System::load), and those of [`IntervalSystem::check`].
    pub fn load(path: impl AsRef<Path>) -> Result<IntervalLoaded> {
        let path = path.as_ref();
        let format = format_of(path)?;
        let parts = load_parts(path, format)?;
        let dialect = parts.dialect.unwrap_or(format.dialect());
        let system = IntervalSystem::of_parts(parts).map_err(|cause| within(path, cause))?;
        Ok(IntervalLoaded { system, dialect, format })
    }

    /// Writes the system to `path` as `.fll` or `.json`; the file appears when it is complete.
    ///
    /// # Errors
    /// [`Error::UnknownFormat`], [`Error::File`], those of [`IntervalSystem::to_fll`], and [`Error::System`] for `.fis` and
    /// `.fcl`, which have no upper sets.
    pub fn save(&self, path: impl AsRef<Path>, dialect: Dialect) -> Result<()> {
        let path = path.as_ref();
        let text = match format_of(path)? {
            SystemFormat::Fll => self.to_fll()?,
            SystemFormat::Json => {
                self.check()?;
                json::write(self.lower(), Some(dialect), Some(self))?
            }
            SystemFormat::Fis | SystemFormat::Fcl => {
                let problem = "is of interval type 2, which this format cannot hold; write `.fll` or `.json`";
                return Err(Error::System { place: "the system".into(), problem: problem.into() });
            }
        };
        write_text(path, &text)
    }
}
