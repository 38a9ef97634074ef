//! How files of fuzzy systems are read: the words that every command with a system has in common.

use super::words::{clipped, counted};
use fuzzion::inference::image::READY;
use fuzzion::inference::{Dialect, Loaded, System, SystemFormat};
use fuzzion::{Error, Result};
use std::path::{Path, PathBuf};

/// A system and whose numbers are wanted.
#[derive(clap::Args, Clone)]
pub(crate) struct SystemWords {
    /// The file with the system: .fll, .fis, .fcl or .json, or a ready system (see `fuzzion image --help`)
    #[arg(value_name = "SYSTEM")]
    pub(crate) file: PathBuf,
    /// Whose numbers: fuzzylite8, fuzzylite6, matlab or iec (default: what the file says, else .fis matlab, .fcl iec, others fuzzylite8)
    #[arg(long, value_name = "DIALECT", value_parser = dialect)]
    pub(crate) dialect: Option<Dialect>,
}

fn dialect(word: &str) -> std::result::Result<Dialect, String> {
    let names = Dialect::ALL.map(Dialect::name).join(", ");
    Dialect::from_name(word).ok_or_else(|| format!("use one of {names}"))
}

impl SystemWords {
    /// The system of the file, and the dialect that was asked for or is the file's own.
    pub(crate) fn load(&self) -> Result<(System, Dialect)> {
        let loaded = load(&self.file)?;
        Ok((loaded.system, self.dialect.unwrap_or(loaded.dialect)))
    }
}

/// The system in the file at `path`, or the ready one of that name.
///
/// # Errors
/// As [`System::load`].
pub(crate) fn load(path: &Path) -> Result<Loaded> {
    match READY.iter().find(|(name, _)| path == Path::new(name)) {
        Some((_, text)) => {
            let format = SystemFormat::Fll;
            Ok(Loaded { system: System::from_fll(text)?, dialect: format.dialect(), format })
        }
        None => System::load(path),
    }
}

/// The inputs that a text such as `3,7.5` or `service=3,food=7.5` gives to `--at`, `None` where it gives none.
///
/// # Errors
/// [`Error::System`] names what is expected.
pub(crate) fn inputs_at(text: &str, system: &System) -> Result<Vec<Option<f64>>> {
    let names: Vec<String> = system.inputs.iter().map(|input| clipped(&input.name)).collect();
    if text.trim().is_empty() {
        let (inputs, names) = (counted(names.len() as u64, "input"), names.join(","));
        return Err(refused(format!(
            "gives no value, but the system has {inputs}; give {names} in this order"
        )));
    }
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    if parts.iter().any(|part| part.contains('=')) {
        return by_name(&parts, &names, system);
    }
    if parts.len() != names.len() {
        let found = counted(parts.len() as u64, "value");
        let inputs = counted(names.len() as u64, "input");
        let names = names.join(",");
        return Err(refused(format!(
            "holds {found}, but the system has {inputs}; give {names} in this order"
        )));
    }
    parts.iter().zip(&names).map(|(part, name)| number(part, name).map(Some)).collect()
}

fn by_name(parts: &[&str], names: &[String], system: &System) -> Result<Vec<Option<f64>>> {
    let mut values = vec![None; names.len()];
    for part in parts {
        let (name, value) = part.rsplit_once('=').ok_or_else(|| {
            refused(format!(
                "mixes names and bare values at {}; write it like {}=7.5",
                quoted(part),
                names[0]
            ))
        })?;
        let place = system.inputs.iter().position(|input| input.name.trim() == name.trim());
        let i = place.ok_or_else(|| {
            let names = names.join(",");
            refused(format!("names {}, which is no input; the inputs are {names}", quoted(name.trim())))
        })?;
        if values[i].replace(number(value.trim(), &names[i])?).is_some() {
            return Err(refused(format!("gives `{}` twice; give every input once", names[i])));
        }
    }
    Ok(values)
}

fn number(text: &str, name: &str) -> Result<f64> {
    text.parse().map_err(|_| {
        refused(format!("gives {} for `{name}`, which is not a number; write it like 7.5", quoted(text)))
    })
}

fn refused(problem: String) -> Error {
    Error::System { place: "`--at`".into(), problem }
}

fn quoted(text: &str) -> String {
    if text.is_empty() { "nothing".into() } else { format!("`{}`", clipped(text)) }
}
