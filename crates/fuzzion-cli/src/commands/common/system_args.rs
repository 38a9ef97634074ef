//! Arguments of commands that read a fuzzy system.

use crate::commands::common::names::names;
use crate::console::print_warning;
use crate::format::{count_of, display_path, ellipsize, quoted_list};
use fuzzion::data::DataError;
use fuzzion::inference::InferenceError;
use fuzzion::inference::image::BUILT_IN;
use fuzzion::inference::{Dialect, LoadedSystem, System, SystemFormat};
use fuzzion::sonfin::Model;
use fuzzion::tuning::TunedSystem;
use fuzzion::{Error, Result};
use std::path::{Path, PathBuf};

/// A system file and its dialect.
#[derive(clap::Args, Clone)]
pub(crate) struct SystemArgs {
    /// System file (.fll, .fis, .fcl or .json), model file of `tune` or `sonfin` (.json), or name of a built-in system (see `fuzzion image --help`)
    #[arg(value_name = "SYSTEM")]
    pub(crate) file: PathBuf,
    /// Evaluation dialect: fuzzylite8, fuzzylite6, matlab or iec [default: set by the file, or else matlab for .fis, iec for .fcl and fuzzylite8 otherwise]
    #[arg(long, value_name = "DIALECT")]
    #[arg(value_parser = names::<Dialect>(Dialect::ALL.map(|value| value.name())), hide_possible_values = true)]
    pub(crate) dialect: Option<Dialect>,
    /// Function block of an .fcl file that has several
    #[arg(long, value_name = "NAME")]
    pub(crate) block: Option<String>,
}

impl SystemArgs {
    /// The system, and the dialect of `--dialect` or else of the file.
    pub(crate) fn load(&self) -> Result<(System, Dialect)> {
        let loaded = load_block(&self.file, self.block.as_deref())?;
        Ok((loaded.system, self.dialect.unwrap_or(loaded.dialect)))
    }
}

/// Loads the system file at `path`, the system of a model file of `tune` or `sonfin`, or the built-in system of that name.
///
/// # Errors
/// Those of [`System::load`], [`TunedSystem::load`] and [`Model::load`], and [`InferenceError::UnknownOperator`] for a name that is neither a file nor a built-in system.
pub(crate) fn load(path: &Path) -> Result<LoadedSystem> {
    load_block(path, None)
}

/// Like [`load`], or loads a function block of an .fcl file. Prints the warnings about the file.
///
/// # Errors
/// Those of [`load`] and [`System::load_block`].
pub(crate) fn load_block(path: &Path, block: Option<&str>) -> Result<LoadedSystem> {
    if let Some(block) = block {
        return Ok(System::load_block(path, block)?);
    }
    if let Some((_, text)) = BUILT_IN.iter().find(|(name, _)| path == Path::new(name)) {
        return Ok(with_default_dialect(System::from_fll(text)?, SystemFormat::Fll));
    }
    if path == Path::new("-") {
        let problem = "cannot be read from standard input; save it to a file".into();
        return Err(Error::Inference(InferenceError::InvalidSystem { location: "a system".into(), problem }));
    }
    if path.extension().is_none() && !path.exists() {
        let known = quoted_list(&BUILT_IN.map(|(name, _)| name));
        return Err(Error::Inference(InferenceError::UnknownOperator { name: display_path(path), known }));
    }
    match model_format(path).as_deref() {
        Some("fuzzion tuning") => {
            Ok(with_default_dialect(TunedSystem::load(path)?.system, SystemFormat::Json))
        }
        Some("fuzzion sonfin") => {
            Ok(with_default_dialect(Model::load(path)?.to_system()?, SystemFormat::Json))
        }
        Some("fuzzion partition") => {
            let (model, command) = ("a clustering model", "fuzzion cluster --apply");
            Err(Error::Data(DataError::OtherModel { path: path.to_path_buf(), model, command }))
        }
        _ => {
            let loaded = System::load(path)?;
            loaded.warnings.iter().for_each(|warning| print_warning(warning));
            Ok(loaded)
        }
    }
}

fn with_default_dialect(system: System, format: SystemFormat) -> LoadedSystem {
    LoadedSystem { system, dialect: format.dialect(), format, warnings: Vec::new() }
}

/// The format of a model file; `None` for other files, and for files that cannot be read.
fn model_format(path: &Path) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Header {
        format: String,
    }
    let is_json = SystemFormat::from_path(path) == Some(SystemFormat::Json);
    let text = is_json.then(|| std::fs::read_to_string(path).ok())??;
    serde_json::from_str::<Header>(&text).ok().map(|header| header.format)
}

/// Parses the value of `--at`, such as `3,7.5` or `service=3,food=7.5`; inputs without a value are `None`.
///
/// # Errors
/// `InferenceError::InvalidSystem` if the text does not match the inputs of the system.
pub(crate) fn inputs_at(text: &str, system: &System) -> Result<Vec<Option<f64>>> {
    let names: Vec<String> = system.inputs.iter().map(|input| ellipsize(&input.name)).collect();
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    if parts.iter().any(|part| part.contains('=')) {
        return by_name(&parts, &names, system);
    }
    if parts.len() != names.len() || text.trim().is_empty() {
        let values = if text.trim().is_empty() { 0 } else { parts.len() as u64 };
        let [values, inputs] =
            [(values, "value"), (names.len() as u64, "input")].map(|(n, noun)| count_of(n, noun));
        let names = quoted_list(&names);
        return Err(invalid_at(format!(
            "has {values}, but the system has {inputs}; give one value for each of {names}"
        )));
    }
    parts.iter().zip(&names).map(|(part, name)| number(part, name).map(Some)).collect()
}

fn by_name(parts: &[&str], names: &[String], system: &System) -> Result<Vec<Option<f64>>> {
    let mut values = vec![None; names.len()];
    for part in parts {
        let (name, value) = part.rsplit_once('=').ok_or_else(|| {
            invalid_at(format!(
                "mixes named and unnamed values; write {} with its name, such as `{}=7.5`",
                quoted(part),
                names[0]
            ))
        })?;
        let index = system.inputs.iter().position(|input| input.name.trim() == name.trim());
        let i = index.ok_or_else(|| {
            let (name, known) = (quoted(name.trim()), quoted_list(names));
            invalid_at(format!("names the unknown input {name}; available inputs: {known}"))
        })?;
        if values[i].replace(number(value.trim(), &names[i])?).is_some() {
            return Err(invalid_at(format!("sets `{}` twice; set every input once", names[i])));
        }
    }
    Ok(values)
}

fn number(text: &str, name: &str) -> Result<f64> {
    text.parse()
        .map_err(|_| invalid_at(format!("sets `{name}` to {}; expected a number such as 7.5", quoted(text))))
}

fn invalid_at(problem: String) -> Error {
    Error::Inference(InferenceError::InvalidSystem { location: "`--at`".into(), problem })
}

fn quoted(text: &str) -> String {
    if text.is_empty() { "an empty value".into() } else { format!("`{}`", ellipsize(text)) }
}
