//! Tests of the file formats.

mod equivalence;
mod fcl;
mod files;
mod fis;
mod fll;
mod json;
