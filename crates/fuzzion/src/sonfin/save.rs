//! A model as JSON, and back to the bit.

use super::model::Model;
use super::report::Report;
use super::scale::Scale;
use super::state::State;
use crate::data::output::Output;
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::io::Write as _;
use std::path::Path;

const FORMAT: &str = "fuzzion sonfin";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Saved {
    format: String,
    version: u32,
    inputs: Vec<String>,
    outputs: Vec<String>,
    classes: Vec<String>,
    report: Report,
    scale: Scale,
    state: State,
    #[serde(default)]
    shares: Vec<f32>,
}

/// What every version begins with.
#[derive(Deserialize)]
struct Header {
    format: String,
    version: u32,
}

impl Model {
    /// The model as JSON text: the rules, how values are scaled, and all that learning needs to go on.
    ///
    /// # Errors
    /// [`Error::Malformed`] where a number is not finite, which JSON cannot hold.
    pub fn to_json(&self) -> Result<String> {
        let path = Path::new("the model");
        let saved = Saved {
            format: FORMAT.into(),
            version: VERSION,
            inputs: self.inputs.clone(),
            outputs: self.outputs.clone(),
            classes: self.classes.clone(),
            report: self.report.clone(),
            scale: self.scale.clone(),
            state: self.state.clone(),
            shares: self.shares.clone(),
        };
        let text = serde_json::to_string(&saved).map_err(|e| malformed(path, &e.to_string()))?;
        // A number that is not finite is written as `null`, which does not come back.
        parse(&text, path).map(|_| text)
    }

    /// The model that `text` holds.
    ///
    /// # Errors
    /// [`Error::Malformed`].
    pub fn from_json(text: &str) -> Result<Self> {
        parse(text, Path::new("the model"))
    }

    /// Writes the model to `path`, under a temporary name until it is complete.
    ///
    /// # Errors
    /// [`Error::File`], and as [`Model::to_json`].
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let text = self.to_json()?;
        let mut output = Output::create(path)?;
        output
            .write_all(text.as_bytes())
            .and_then(|()| output.write_all(b"\n"))
            .map_err(|e| output.error(e))?;
        output.finish()
    }

    /// Reads a model from `path`.
    ///
    /// # Errors
    /// [`Error::File`] and [`Error::Malformed`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let refused = |cause| Error::File { doing: "read", path: path.to_path_buf(), cause };
        let bytes = std::fs::read(path).map_err(refused)?;
        let text = String::from_utf8(bytes).map_err(|_| malformed(path, "it is no text"))?;
        parse(&text, path)
    }
}

fn parse(text: &str, path: &Path) -> Result<Model> {
    // Read first, so that another kind of file is not called a damaged one.
    let header: Header = serde_json::from_str(text).map_err(|e| match e.is_eof() {
        true => malformed(path, "it ends too early"),
        false => malformed(path, &e.to_string()),
    })?;
    if header.format != FORMAT {
        return Err(malformed(path, &format!("it says that it is `{}`", header.format)));
    }
    if header.version != VERSION {
        let reason = format!("it is of version {}, and this program reads version {VERSION}", header.version);
        return Err(malformed(path, &reason));
    }
    let saved: Saved = serde_json::from_str(text).map_err(|e| malformed(path, &e.to_string()))?;
    if !is_whole(&saved) {
        return Err(malformed(path, "its parts do not fit together"));
    }
    let Saved { inputs, outputs, classes, report, scale, state, shares, .. } = saved;
    Ok(Model { inputs, outputs, classes, report, state, scale, shares })
}

/// Whether every part has the size that the others ask for, and numbers mean something.
fn is_whole(saved: &Saved) -> bool {
    let (dims, width) = (saved.inputs.len(), saved.classes.len().max(saved.outputs.len()));
    let classes = saved.classes.is_empty() || (saved.outputs.len() == 1 && saved.classes.len() > 1);
    let shares = saved.shares.is_empty() || saved.shares.len() == saved.state.kept().rules();
    dims > 0
        && width > 0
        && classes
        && shares
        && saved.scale.is_whole(dims, width)
        && saved.state.is_whole(dims, width)
}

fn malformed(path: &Path, reason: &str) -> Error {
    let reason = format!("{reason}; give a file that `sonfin fit --model` wrote");
    Error::Malformed { path: path.to_path_buf(), format: "a sonfin model", reason }
}
