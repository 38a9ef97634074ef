//! Commands about fuzzy systems: `infer`, `convert`, `show`, `explain`, `grid` and `export`.

pub(crate) mod convert;
mod counts;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod grid;
pub(crate) mod infer;
pub(crate) mod show;
