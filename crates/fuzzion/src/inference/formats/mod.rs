//! File formats of systems.

pub mod fcl;
mod files;
pub mod fis;
mod fld;
pub mod fll;
pub mod json;
mod parsed;

pub use files::{LoadedSystem, SystemFormat};
pub(in crate::inference) use files::{
    load_parsed, parse_text, read_format, with_path, write_format, write_text,
};
pub use fld::{GridPoints, InputGrid};
pub(in crate::inference) use parsed::{ParsedSystem, UpperSets};
