//! How files of fuzzy systems are read: the words that every command with a system has in common.

use super::words::{clipped, counted, shown};
use fuzzion::inference::{Dialect, System};
use fuzzion::{Error, Result};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// A file longer than this is refused by every reader, so no more of it is read.
const MOST_BYTES: u64 = (16 << 20) + 1;

/// A system and whose numbers are wanted.
#[derive(clap::Args, Clone)]
pub(crate) struct SystemWords {
    /// The system: fuzzylite's .fll or MATLAB's .fis
    #[arg(value_name = "SYSTEM")]
    pub(crate) file: PathBuf,
    /// Whose numbers: fuzzylite8, fuzzylite6, matlab or iec (default: those of the file's own engine)
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
        let (system, own) = load(&self.file)?;
        Ok((system, self.dialect.unwrap_or(own)))
    }
}

fn load(path: &Path) -> Result<(System, Dialect)> {
    let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
    let read: fn(&str) -> Result<System> = match ending.to_str() {
        Some("fll") => System::from_fll,
        Some("fis") => System::from_fis,
        _ => return Err(Error::UnknownFormat { path: path.into(), known: "`.fll` and `.fis`" }),
    };
    let own = if ending == "fis" { Dialect::Matlab } else { Dialect::Fuzzylite8 };
    let system = read(&text(path)?).map_err(|error| match error {
        Error::Syntax { line, column, problem, text, caret, .. } => {
            Error::Syntax { place: shown(path), line, column, problem, text, caret }
        }
        other => other,
    })?;
    Ok((system, own))
}

fn text(path: &Path) -> Result<String> {
    let refused = |cause| Error::File { doing: "read", path: path.into(), cause };
    let file = std::fs::File::open(path).map_err(refused)?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes).map_err(refused)?;
    String::from_utf8(bytes).map_err(|error| {
        let valid =
            String::from_utf8_lossy(&error.as_bytes()[..error.utf8_error().valid_up_to()]).into_owned();
        let last = valid.rsplit('\n').next().unwrap_or_default();
        Error::NotUtf8 {
            path: path.into(),
            line: valid.matches('\n').count() as u64 + 1,
            column: last.chars().count() + 1,
        }
    })
}

/// The inputs that a text such as `3,7.5` or `service=3,food=7.5` gives to `--at`, `None` where it gives none.
///
/// # Errors
/// [`Error::System`] names what is expected.
pub(crate) fn inputs_at(text: &str, system: &System) -> Result<Vec<Option<f64>>> {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    if parts.iter().any(|part| part.contains('=')) {
        return by_name(&parts, system);
    }
    let names: Vec<String> = system.inputs.iter().map(|input| clipped(&input.name)).collect();
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

fn by_name(parts: &[&str], system: &System) -> Result<Vec<Option<f64>>> {
    let names: Vec<String> = system.inputs.iter().map(|input| clipped(&input.name)).collect();
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
