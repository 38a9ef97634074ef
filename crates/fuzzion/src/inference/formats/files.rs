//! Loading and saving systems; the extension of the file selects the format.

use super::parsed::ParsedSystem;
use super::{fcl, fis, fll, json};
use crate::data::DataError;
use crate::data::error::read_error;
use crate::data::output::write_file;
use crate::inference::error::{InferenceError, Result};
use crate::inference::syntax::MAX_SYSTEM_BYTES;
use crate::inference::{Dialect, System};
use crate::macros::named;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

const READABLE: &str = "`.fll`, `.fis`, `.fcl` and `.json`";
const WRITABLE: &str = "`.fll`, `.fis` and `.json`";

named! {
    /// File format of a fuzzy system.
    ///
    /// ```
    /// use fuzzion::inference::{Dialect, SystemFormat};
    /// let format = SystemFormat::from_path("plant/valve.FIS").unwrap();
    /// assert_eq!((format, format.dialect()), (SystemFormat::Fis, Dialect::Matlab));
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    #[non_exhaustive]
    pub enum SystemFormat("system format") {
        /// FuzzyLite Language.
        Fll = "fll",
        /// MATLAB Fuzzy Logic Toolbox.
        Fis = "fis",
        /// Fuzzy Control Language of IEC 61131-7 (read-only).
        Fcl = "fcl",
        /// JSON format of Fuzzion.
        Json = "json",
    }
}

impl SystemFormat {
    /// Format of a file by its extension, ignoring case.
    pub fn from_path(path: impl AsRef<Path>) -> Option<Self> {
        path.as_ref().extension()?.to_str()?.to_ascii_lowercase().parse().ok()
    }

    /// Default dialect of files in this format.
    pub fn dialect(self) -> Dialect {
        match self {
            SystemFormat::Fll | SystemFormat::Json => Dialect::Fuzzylite8,
            SystemFormat::Fis => Dialect::Matlab,
            SystemFormat::Fcl => Dialect::Iec,
        }
    }
}

/// A system loaded from a file.
///
/// ```
/// # use fuzzion::inference::{Dialect, Output, System, Variable};
/// # use fuzzion::sets::Set;
/// # let room = Variable::new("room", 10.0, 30.0).set("cold", Set::ramp(20.0, 16.0)?).set("warm", Set::ramp(16.0, 20.0)?);
/// # let valve = Output::new("valve", 0.0, 1.0).set("shut", Set::constant(0.0)?).set("open", Set::constant(1.0)?);
/// # let heating = System::new("heating")
/// #     .input(room)
/// #     .output(valve)
/// #     .rule("if room is cold then valve is open")?
/// #     .rule("if room is warm then valve is shut")?;
/// use fuzzion::inference::{LoadedSystem, SystemFormat};
/// let path = std::env::temp_dir().join("fuzzion-loaded-system.json");
/// heating.save(&path, Dialect::Matlab)?;
/// let loaded = System::load(&path)?;
/// assert_eq!((loaded.dialect, loaded.format), (Dialect::Matlab, SystemFormat::Json));
/// assert_eq!(loaded.system, heating);
/// # std::fs::remove_file(path).unwrap();
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LoadedSystem {
    /// The system.
    pub system: System,
    /// Dialect specified in the file, or the default of the format: `.fll` and `.json` fuzzylite8, `.fis` matlab,
    /// `.fcl` iec.
    pub dialect: Dialect,
    /// Format of the file.
    pub format: SystemFormat,
    /// Warnings about the file: additional parameters of membership functions in `.fis` files, which are ignored, repeated names,
    /// weights outside 0 to 1, and negative standard deviations.
    pub warnings: Vec<String>,
}

impl LoadedSystem {
    /// Parses the text of a file in the given format, for programs that do not read it from a path.
    ///
    /// ```
    /// use fuzzion::inference::{Dialect, LoadedSystem, SystemFormat};
    /// let text = "InputVariable: a
    ///   range: 0 1
    ///   term: on Ramp 0 1
    /// OutputVariable: b
    ///   range: 0 1
    ///   defuzzifier: WeightedAverage
    ///   term: high Constant 1
    /// RuleBlock:
    ///   rule: if a is on then b is high with 2";
    /// let loaded = LoadedSystem::parse(text, SystemFormat::Fll)?;
    /// assert_eq!((loaded.dialect, loaded.warnings.len()), (Dialect::Fuzzylite8, 1)); // the weight
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`System::from_fll`], [`System::from_fis`], [`System::from_fcl`] and [`System::from_json`].
    pub fn parse(text: &str, format: SystemFormat) -> Result<Self> {
        LoadedSystem::from_parsed(parse_text(text, format, None)?, format)
    }

    /// Parses the function block with the given name from the text of an `.fcl` file, which can have several.
    ///
    /// # Errors
    /// Those of [`System::from_fcl_block`].
    pub fn parse_block(text: &str, format: SystemFormat, block: &str) -> Result<Self> {
        LoadedSystem::from_parsed(parse_text(text, format, Some(block))?, format)
    }

    fn from_parsed(mut parsed: ParsedSystem, format: SystemFormat) -> Result<Self> {
        let mut warnings = std::mem::take(&mut parsed.warnings);
        let (system, dialect) = parsed.into_type1("the text")?;
        warnings.extend(system.warnings(matches!(format, SystemFormat::Fll | SystemFormat::Fcl)));
        Ok(LoadedSystem { system, dialect: dialect.unwrap_or(format.dialect()), format, warnings })
    }

    fn load(path: &Path, block: Option<&str>) -> Result<Self> {
        let format = read_format(path)?;
        let parsed = load_parsed(path, format, block)?;
        let mut loaded = LoadedSystem::from_parsed(parsed, format).map_err(|cause| with_path(path, cause))?;
        for warning in &mut loaded.warnings {
            *warning = format!("{}, {warning}", name_of(path));
        }
        Ok(loaded)
    }
}

/// The format of a file to read.
pub(in crate::inference) fn read_format(path: &Path) -> Result<SystemFormat> {
    let unknown = || DataError::unknown_format("read", path, READABLE);
    Ok(SystemFormat::from_path(path).ok_or_else(unknown)?)
}

/// The format of a file to write.
pub(in crate::inference) fn write_format(path: &Path) -> Result<SystemFormat> {
    let unknown = || DataError::unknown_format("write", path, WRITABLE);
    Ok(SystemFormat::from_path(path).ok_or_else(unknown)?)
}

impl System {
    /// Loads a system from a file; the extension selects the format.
    ///
    /// # Errors
    /// [`DataError::UnknownFormat`], [`DataError::File`], [`DataError::NotUtf8`], [`DataError::Malformed`] for files larger than 16
    /// MiB, and the errors of [`System::from_fll`], [`System::from_fis`], [`System::from_fcl`] and
    /// [`System::from_json`], prefixed by the file name. For [`InferenceError::IntervalSystem`] use
    /// [`IntervalSystem::load`](crate::inference::type2::IntervalSystem::load).
    pub fn load(path: impl AsRef<Path>) -> Result<LoadedSystem> {
        LoadedSystem::load(path.as_ref(), None)
    }

    /// Loads the function block with the given name from an `.fcl` file, which can have several.
    ///
    /// ```
    /// # use fuzzion::inference::System;
    /// # let block = |name: &str| {
    /// #     format!(
    /// #         "FUNCTION_BLOCK {name} VAR_INPUT a : REAL; END_VAR VAR_OUTPUT b : REAL; END_VAR FUZZIFY a TERM on := 1; END_FUZZIFY
    /// #          DEFUZZIFY b TERM on := 1; END_DEFUZZIFY RULEBLOCK r RULE 1 : IF a IS on THEN b IS on; END_RULEBLOCK END_FUNCTION_BLOCK\n"
    /// #     )
    /// # };
    /// let path = std::env::temp_dir().join("fuzzion-load-block.fcl");
    /// std::fs::write(&path, block("heating") + &block("cooling")).unwrap();
    /// assert_eq!(System::load_block(&path, "cooling")?.system.name, "cooling");
    /// assert!(System::load(&path).is_err()); // several function blocks
    /// # std::fs::remove_file(path).unwrap();
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`System::load`], and [`InferenceError::FunctionBlock`] if there is no function block of this name.
    pub fn load_block(path: impl AsRef<Path>, block: &str) -> Result<LoadedSystem> {
        LoadedSystem::load(path.as_ref(), Some(block))
    }

    /// Saves the system atomically; the extension of the path selects the format.
    ///
    /// Only JSON stores `dialect` and represents every system exactly; other programs read changed names in FLL.
    ///
    /// # Errors
    /// [`DataError::UnknownFormat`], [`DataError::File`], and [`InferenceError::InvalidSystem`] if the format cannot represent the system or is
    /// `.fcl`, which is read-only, or if the file would exceed [`MAX_SYSTEM_BYTES`]. No file is written in these cases.
    pub fn save(&self, path: impl AsRef<Path>, dialect: Dialect) -> Result<()> {
        let path = path.as_ref();
        let text = match write_format(path)? {
            SystemFormat::Fll => self.to_fll()?,
            SystemFormat::Fis => self.to_fis()?,
            SystemFormat::Json => self.to_json_with(dialect)?,
            SystemFormat::Fcl => {
                let problem = "cannot be saved as FCL, which is read-only; use `.fll`, `.fis` or `.json`";
                return Err(InferenceError::InvalidSystem {
                    location: "the system".into(),
                    problem: problem.into(),
                });
            }
        };
        write_text(path, &text)
    }
}

/// Writes the text of a system atomically, unless it is too long to be read.
pub(in crate::inference) fn write_text(path: &Path, text: &str) -> Result<()> {
    if text.len() <= MAX_SYSTEM_BYTES {
        return Ok(write_file(path, text.as_bytes())?);
    }
    let (name, limit) = (name_of(path), MAX_SYSTEM_BYTES >> 20);
    Err(InferenceError::InvalidSystem {
        location: "the system".into(),
        problem: format!(
            "would make `{name}` larger than {limit} MiB, which cannot be read; reduce the number of rules"
        ),
    })
}

/// Reads and parses the file at `path`, or a function block of it.
pub(in crate::inference) fn load_parsed(
    path: &Path,
    format: SystemFormat,
    block: Option<&str>,
) -> Result<ParsedSystem> {
    parse_text(&read_text(path)?, format, block).map_err(|cause| with_path(path, cause))
}

/// Parses the text of a file, or a function block of it.
pub(in crate::inference) fn parse_text(
    text: &str,
    format: SystemFormat,
    block: Option<&str>,
) -> Result<ParsedSystem> {
    match (format, block) {
        (SystemFormat::Fcl, _) => fcl::read(text, block).map(ParsedSystem::from_system),
        (_, Some(block)) => Err(InferenceError::FunctionBlock {
            location: String::new(),
            block: Some(block.to_owned()),
            available: "none".into(),
        }),
        (SystemFormat::Fll, None) => fll::read(text),
        (SystemFormat::Fis, None) => fis::read(text),
        (SystemFormat::Json, None) => json::read(text),
    }
}

/// Reads a UTF-8 file without its byte order mark.
fn read_text(path: &Path) -> Result<String> {
    let fail = read_error(path);
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(fail)?;
    if file.metadata().map_err(fail)?.is_dir() {
        return Err(
            fail(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder; specify a file")).into()
        );
    }
    file.take(MAX_SYSTEM_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(fail)?;
    if bytes.len() > MAX_SYSTEM_BYTES {
        return Err(DataError::Malformed {
            path: path.to_path_buf(),
            format: "a fuzzy system",
            reason: format!("it has more than {MAX_SYSTEM_BYTES} bytes; split the system"),
        }
        .into());
    }
    let text = String::from_utf8(bytes).map_err(|cause| {
        let before = &cause.as_bytes()[..cause.utf8_error().valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |i| i + 1);
        let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
        DataError::NotUtf8 { path: path.to_path_buf(), line, column }
    })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Adds the file name to the location of an error.
pub(in crate::inference) fn with_path(path: &Path, cause: InferenceError) -> InferenceError {
    let name = name_of(path);
    match cause {
        InferenceError::Syntax { location, line, column, problem, text, caret } => {
            // `JSON, blocks[0].rules[1]` keeps the part after the format.
            let location =
                location.split_once(", ").map_or(name.clone(), |(_, rest)| format!("{name}, {rest}"));
            InferenceError::Syntax { location, line, column, problem, text, caret }
        }
        InferenceError::InvalidSystem { location, problem } => {
            InferenceError::InvalidSystem { location: format!("{name}: {location}"), problem }
        }
        InferenceError::IntervalSystem { .. } => InferenceError::IntervalSystem { location: name },
        InferenceError::FunctionBlock { block, available, .. } => {
            InferenceError::FunctionBlock { location: name, block, available }
        }
        other => other,
    }
}

/// The path for messages.
fn name_of(path: &Path) -> String {
    let printable = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    path.to_string_lossy().chars().map(printable).collect()
}
