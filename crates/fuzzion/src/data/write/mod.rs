//! Writing tables.

mod chunks;
mod whole;

pub use chunks::TableWriter;
