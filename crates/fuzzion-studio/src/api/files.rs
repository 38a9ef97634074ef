//! Formats and files: `api/parse`, `api/write`, `api/open`, `api/save` and `api/files`.

use super::document::{Document, Model};
use super::{ApiError, ApiResult, Context, body, code};
use crate::http::{Request, Response};
use fuzzion::data::Precision;
use fuzzion::inference::type2::LoadedIntervalSystem;
use fuzzion::inference::{InferenceError, Language, LoadedSystem, MAX_SYSTEM_BYTES, System, SystemFormat};
use serde::Deserialize;
use serde_json::{Value, json};

/// Extensions of system files.
const EXTENSIONS: [&str; 4] = ["fll", "fis", "fcl", "json"];

/// Parses a file, or a function block of it: its JSON as the page edits it, and its warnings; or the names of its function blocks,
/// if none of several is selected.
fn parse_text(text: &str, format: SystemFormat, block: Option<&str>) -> Result<Value, ApiError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let loaded = match block {
        None => LoadedSystem::parse(text, format),
        Some(block) => LoadedSystem::parse_block(text, format, block),
    };
    let (json, dialect, warnings) = match loaded {
        Ok(loaded) => (loaded.system.to_json_with(loaded.dialect)?, loaded.dialect, loaded.warnings),
        Err(InferenceError::FunctionBlock { block: None, .. }) => {
            return Ok(json!({ "blocks": System::fcl_blocks(text)? }));
        }
        Err(InferenceError::IntervalSystem { .. }) => {
            let loaded = LoadedIntervalSystem::parse(text, format)?;
            (loaded.system.to_json_with(loaded.dialect)?, loaded.dialect, Vec::new())
        }
        Err(error) => return Err(error.into()),
    };
    let system: Value = serde_json::from_str(&json)
        .map_err(|cause| ApiError::new(format!("internal error: {cause}; please report it")))?;
    Ok(json!({ "system": system, "dialect": dialect.name(), "format": format.name(), "warnings": warnings }))
}

#[derive(Deserialize)]
struct ParseRequest {
    text: String,
    /// Name of the file or of the format.
    format: String,
    /// The function block, if there are several.
    #[serde(default)]
    block: Option<String>,
}

/// The format of a file name, or with this name.
fn format_of(name: &str) -> Result<SystemFormat, ApiError> {
    let format = name.parse().ok().or_else(|| SystemFormat::from_path(name));
    format.ok_or_else(|| {
        ApiError::new(format!(
            "unsupported format of `{name}`; supported formats: .fll, .fis, .fcl and .json"
        ))
    })
}

/// Parses a text in any format.
pub(super) fn parse(_: &Context, request: &Request) -> ApiResult {
    let request: ParseRequest = body(request)?;
    Ok(Response::json(&parse_text(&request.text, format_of(&request.format)?, request.block.as_deref())?))
}

#[derive(Deserialize)]
struct WriteRequest {
    system: Value,
    format: String,
}

/// Writes a system in a file format or as source code.
fn text_of(system: &Value, format: &str) -> Result<String, ApiError> {
    let document = Document::read(system)?;
    let (model, dialect) = (&document.model, document.dialect);
    let export = |language| Ok(model.type1("The export")?.export(language, dialect, Precision::F64)?);
    match format {
        "c" => export(Language::C),
        "rust" => export(Language::Rust),
        "cuda" => export(Language::Cuda),
        "python" => code::python(system),
        "rust-builder" => code::rust(system, dialect),
        _ => match (format_of(format)?, model) {
            (SystemFormat::Fll, Model::Type1(system)) => Ok(system.to_fll()?),
            (SystemFormat::Fll, Model::Interval(system)) => Ok(system.to_fll()?),
            (SystemFormat::Fis, model) => Ok(model.type1("The format .fis")?.to_fis()?),
            (SystemFormat::Json, Model::Type1(system)) => Ok(system.to_json_with(dialect)?),
            (SystemFormat::Json, Model::Interval(system)) => Ok(system.to_json_with(dialect)?),
            _ => Err(ApiError::new("FCL is read-only; use .fll, .fis or .json")),
        },
    }
}

/// The text of a system in a file format or programming language.
pub(super) fn write(_: &Context, request: &Request) -> ApiResult {
    let request: WriteRequest = body(request)?;
    Ok(Response::json(&json!({ "text": text_of(&request.system, &request.format)? })))
}

#[derive(Deserialize)]
struct OpenRequest {
    path: String,
    /// The function block, if there are several.
    #[serde(default)]
    block: Option<String>,
}

/// Opens a system file of the start folder.
pub(super) fn open(context: &Context, request: &Request) -> ApiResult {
    let OpenRequest { path, block } = body(request)?;
    let format = format_of(&path)?;
    let bytes = context.folder.read(&path, MAX_SYSTEM_BYTES)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| ApiError::new(format!("`{path}` is not UTF-8 text; save it as UTF-8")))?;
    let mut response = parse_text(&text, format, block.as_deref())?;
    response["path"] = Value::from(path);
    Ok(Response::json(&response))
}

#[derive(Deserialize)]
struct SaveRequest {
    path: String,
    system: Value,
    /// The format, by default that of the path.
    #[serde(default)]
    format: Option<String>,
    /// Whether an existing file may be replaced.
    #[serde(default)]
    replace: bool,
}

/// Extensions of the source code of each language.
const CODE: [(&str, &str); 5] =
    [("c", "c"), ("rust", "rs"), ("cuda", "cu"), ("python", "py"), ("rust-builder", "rs")];

/// Saves a system in the start folder; the extension selects the format.
pub(super) fn save(context: &Context, request: &Request) -> ApiResult {
    let request: SaveRequest = body(request)?;
    let path = request.path.trim();
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    let format = match &request.format {
        Some(code) if CODE.contains(&(code.as_str(), extension.as_str())) => code.clone(),
        Some(code) if CODE.iter().any(|(known, _)| known == code) => {
            let expected =
                CODE.iter().find(|(known, _)| known == code).map_or("", |(_, extension)| extension);
            return Err(ApiError::new(format!("`{path}` must end in `.{expected}`; change the name")));
        }
        _ => format_of(path)?.name().to_owned(),
    };
    let text = text_of(&request.system, &format)?;
    if context.folder.exists(path)? && !request.replace {
        return Ok(Response::json(&json!({ "exists": true })));
    }
    context.folder.write(path, text.as_bytes())?;
    Ok(Response::json(&json!({ "saved": path })))
}

/// The system files of the start folder.
pub(super) fn list(context: &Context, _: &Request) -> ApiResult {
    Ok(Response::json(&json!({ "files": context.folder.list(&EXTENSIONS) })))
}

/// The system of the gallery with this text.
pub(super) fn example(text: &str) -> Result<Value, ApiError> {
    Ok(parse_text(text, SystemFormat::Fll, None)?["system"].take())
}
