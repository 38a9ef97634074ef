//! The commands for fuzzy systems: `infer`, `convert`, `show`, `explain`, `grid` and `export`.

mod convert;
mod explain;
mod export;
mod grid;
mod infer;
mod show;
