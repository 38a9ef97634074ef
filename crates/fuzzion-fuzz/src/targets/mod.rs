//! What is read, and what must hold for every input.

mod images;
mod models;
mod systems;
mod tables;
mod texts;

use fuzzion::internals::Random;
use fuzzion::{Device, Error};
use std::path::Path;

/// An input, which is a file.
pub(crate) struct Input<'a> {
    pub(crate) path: &'a Path,
    pub(crate) bytes: &'a [u8],
    pub(crate) device: &'a Device,
}

impl Input<'_> {
    /// The file as text, replacing what is not UTF-8.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(self.bytes).into_owned()
    }
}

/// How an input was read.
pub(crate) enum Outcome {
    /// It is valid.
    Accepted,
    /// It is not, with this message.
    Rejected(String),
}

impl Outcome {
    pub(crate) fn rejected(error: impl Into<Error>) -> Result<Outcome, String> {
        Ok(Outcome::Rejected(error.into().message()))
    }
}

/// A format, or several with the same reader.
pub(crate) struct Target {
    pub(crate) name: &'static str,
    /// The start of the names of files that are read.
    prefix: &'static str,
    extensions: &'static [&'static str],
    /// Whether the files are text.
    pub(crate) is_text: bool,
    /// Reads an input; an error is a violated property.
    pub(crate) check: Check,
}

impl Target {
    pub(crate) fn reads(&self, file: &Path) -> bool {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with(self.prefix) && self.extensions.contains(&extension(file))
    }
}

/// What follows the first dot of the name of a file, such as `csv.gz`.
pub(crate) fn extension(file: &Path) -> &str {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.split_once('.').map_or("", |(_, extension)| extension)
}

type Check = fn(&Input<'_>, &mut Random) -> Result<Outcome, String>;

const fn text(name: &'static str, extensions: &'static [&'static str], check: Check) -> Target {
    Target { name, prefix: "", extensions, is_text: true, check }
}

const fn binary(name: &'static str, extensions: &'static [&'static str], check: Check) -> Target {
    Target { is_text: false, ..text(name, extensions, check) }
}

const fn model(name: &'static str, prefix: &'static str, check: Check) -> Target {
    Target { prefix, ..text(name, &["json"], check) }
}

pub(crate) const TARGETS: [Target; 17] = [
    text("FLL system", &["fll"], systems::check),
    text("FIS system", &["fis"], systems::check),
    text("FCL system", &["fcl"], systems::check),
    text("JSON system", &["json"], systems::check),
    text("CSV table", &["csv", "tsv"], tables::check),
    text("gzip table", &["csv"], tables::check_gzip),
    binary("damaged gzip table", &["csv.gz"], tables::check),
    binary("NPY table", &["npy"], tables::check),
    binary("Parquet table", &["parquet"], tables::check),
    binary("PNG image", &["png"], images::check_png),
    binary("JPEG image", &["jpg"], images::check),
    binary("PGM or PPM image", &["pgm", "ppm"], images::check),
    binary("Y4M video", &["y4m"], images::check_video),
    model("cluster model", "cluster", models::check_clusters),
    model("SONFIN model", "sonfin", models::check_sonfin),
    model("tuned model", "tuned", models::check_tuned),
    text("number, formula or set", &["txt"], texts::check),
];

/// Whether a message is one sentence, possibly followed by a line of the input and a mark below it.
pub(crate) fn is_sentence(message: &str) -> bool {
    let lines: Vec<&str> = message.split('\n').collect();
    match lines.as_slice() {
        [sentence] => !sentence.is_empty(),
        [sentence, _, mark] => !sentence.is_empty() && mark.trim() == "^",
        _ => false,
    }
}

/// `Ok` if a property holds, otherwise the description of the violation.
fn ensure(holds: bool, violation: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(violation()) }
}

/// The value of a step that must succeed.
fn must<T, E: Into<Error>>(step: &str, result: Result<T, E>) -> Result<T, String> {
    result.map_err(|error| format!("{step}: {}", error.into().message()))
}

/// Whether two numbers are the same, or both not a number.
fn same(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan())
}

fn all_same(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(*a, *b))
}
