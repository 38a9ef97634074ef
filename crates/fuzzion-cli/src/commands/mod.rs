//! The commands, grouped by topic.

pub(crate) mod calc;
pub(crate) mod cluster;
mod common;
pub(crate) mod images;
pub(crate) mod machine;
pub(crate) mod shell;
pub(crate) mod sonfin;
#[cfg(feature = "studio")]
pub(crate) mod studio;
pub(crate) mod systems;
pub(crate) mod table;
pub(crate) mod tour;
pub(crate) mod tune;
