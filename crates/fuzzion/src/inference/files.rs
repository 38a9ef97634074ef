//! Systems in files, known by the endings of their names.

use super::dialect::Dialect;
use super::fll;
use super::json;
use super::system::System;
use super::text::MOST_BYTES;
use super::type2::{TypeReduction, Uppers};
use crate::data::output::Output;
use crate::error::{Error, Result};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

const KNOWN: &str = "`.fll`, `.fis`, `.fcl` and `.json`";

/// A kind of file that holds a fuzzy system.
///
/// ```
/// use fuzzion::inference::{Dialect, SystemFormat};
/// let format = SystemFormat::of_name("plant/valve.FIS").unwrap();
/// assert_eq!((format, format.dialect()), (SystemFormat::Fis, Dialect::Matlab));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SystemFormat {
    /// Fuzzylite's language.
    Fll,
    /// MATLAB's.
    Fis,
    /// IEC 61131-7's, which is only read.
    Fcl,
    /// Fuzzion's own.
    Json,
}

impl SystemFormat {
    /// The format that the ending of a name says, in any case.
    pub fn of_name(path: impl AsRef<Path>) -> Option<Self> {
        let ending = path.as_ref().extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "fll" => Some(SystemFormat::Fll),
            "fis" => Some(SystemFormat::Fis),
            "fcl" => Some(SystemFormat::Fcl),
            "json" => Some(SystemFormat::Json),
            _ => None,
        }
    }

    /// The dialect whose numbers such a file means, unless it says so itself.
    pub fn dialect(self) -> Dialect {
        match self {
            SystemFormat::Fll | SystemFormat::Json => Dialect::Fuzzylite8,
            SystemFormat::Fis => Dialect::Matlab,
            SystemFormat::Fcl => Dialect::Iec,
        }
    }
}

/// A system out of a file, and the engine whose numbers the file means.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The system.
    pub system: System,
    /// What the file says, or else what its format means: `.fll` fuzzylite8, `.fis` matlab, `.fcl` iec, `.json`
    /// fuzzylite8.
    pub dialect: Dialect,
    /// What kind of file it was.
    pub format: SystemFormat,
}

/// All that a text may say about a system.
pub(super) struct Parts {
    pub(super) system: System,
    pub(super) dialect: Option<Dialect>,
    /// Of an interval type-2 system.
    pub(super) uppers: Uppers,
    pub(super) type_reduction: Option<TypeReduction>,
}

impl Parts {
    pub(super) fn of(system: System) -> Self {
        Parts { system, dialect: None, uppers: Uppers::new(), type_reduction: None }
    }

    /// The system and its dialect, unless it is of interval type 2.
    pub(super) fn ordinary(self, format: &str) -> Result<(System, Option<Dialect>)> {
        if self.uppers.is_empty() && self.type_reduction.is_none() {
            Ok((self.system, self.dialect))
        } else {
            Err(Error::IntervalSystem { place: format.to_owned() })
        }
    }
}

pub(super) fn format_of(path: &Path) -> Result<SystemFormat> {
    SystemFormat::of_name(path).ok_or_else(|| Error::UnknownFormat { path: path.to_path_buf(), known: KNOWN })
}

impl System {
    /// Reads the system in the file at `path`, whose format its ending says.
    ///
    /// # Errors
    /// [`Error::UnknownFormat`], [`Error::File`], [`Error::NotUtf8`], [`Error::Malformed`] for a file of more than 16 MB,
    /// and those of [`System::from_fll`], [`System::from_fis`], [`System::from_fcl`] and [`System::from_json`], which
    /// begin with the file's name; [`Error::IntervalSystem`] among them says that
    /// [`IntervalSystem::load`](super::type2::IntervalSystem::load) reads the file.
    pub fn load(path: impl AsRef<Path>) -> Result<Loaded> {
        let path = path.as_ref();
        let format = format_of(path)?;
        let read = load_parts(path, format)?.ordinary("");
        let (system, dialect) = read.map_err(|cause| within(path, cause))?;
        Ok(Loaded { system, dialect: dialect.unwrap_or(format.dialect()), format })
    }

    /// Writes the system to `path` in the format its ending says; the file appears when it is complete.
    ///
    /// Only JSON remembers `dialect`. FLL and `.fis` may give names another form; JSON holds everything.
    ///
    /// # Errors
    /// [`Error::UnknownFormat`], [`Error::File`], [`Error::System`] for what the format cannot hold, and for `.fcl`, which
    /// is only read; nothing is written then.
    pub fn save(&self, path: impl AsRef<Path>, dialect: Dialect) -> Result<()> {
        let path = path.as_ref();
        let text = match format_of(path)? {
            SystemFormat::Fll => self.to_fll()?,
            SystemFormat::Fis => self.to_fis()?,
            SystemFormat::Json => json::write(self, Some(dialect), None)?,
            SystemFormat::Fcl => {
                let problem = "cannot be written as FCL, which is only read; write `.fll`, `.fis` or `.json`";
                return Err(Error::System { place: "the system".into(), problem: problem.into() });
            }
        };
        write_text(path, &text)
    }
}

/// What the file at `path` says.
pub(super) fn load_parts(path: &Path, format: SystemFormat) -> Result<Parts> {
    let text = read_text(path)?;
    let read = match format {
        SystemFormat::Fll => fll::read(&text),
        SystemFormat::Fis => System::from_fis(&text).map(Parts::of),
        SystemFormat::Fcl => System::from_fcl(&text).map(Parts::of),
        SystemFormat::Json => json::read(&text),
    };
    read.map_err(|cause| within(path, cause))
}

/// Writes `text` to `path`; the file appears when it is complete.
pub(super) fn write_text(path: &Path, text: &str) -> Result<()> {
    let mut output = Output::create(path)?;
    output.put(text.as_bytes())?;
    output.finish()
}

/// The text of a file, without the mark that some programs put before UTF-8.
fn read_text(path: &Path) -> Result<String> {
    let fail = |cause| Error::File { doing: "read", path: path.to_path_buf(), cause };
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(fail)?;
    if file.metadata().map_err(fail)?.is_dir() {
        return Err(fail(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder; name a file in it")));
    }
    file.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(fail)?;
    if bytes.len() > MOST_BYTES {
        return Err(Error::Malformed {
            path: path.to_path_buf(),
            format: "a fuzzy system",
            reason: format!("it has more than {MOST_BYTES} bytes; split the system, or name another file"),
        });
    }
    let text = String::from_utf8(bytes).map_err(|cause| {
        let before = &cause.as_bytes()[..cause.utf8_error().valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |i| i + 1);
        let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
        Error::NotUtf8 { path: path.to_path_buf(), line, column }
    })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// `cause` with the name of the file.
pub(super) fn within(path: &Path, cause: Error) -> Error {
    let plain = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    let name: String = path.to_string_lossy().chars().map(plain).collect();
    match cause {
        Error::Syntax { place, line, column, problem, text, caret } => {
            // `JSON, blocks[0].rules[1]` keeps what comes after the format.
            let place = place.split_once(", ").map_or(name.clone(), |(_, rest)| format!("{name}, {rest}"));
            Error::Syntax { place, line, column, problem, text, caret }
        }
        Error::System { place, problem } => Error::System { place: format!("{name}: {place}"), problem },
        Error::IntervalSystem { .. } => Error::IntervalSystem { place: name },
        other => other,
    }
}
