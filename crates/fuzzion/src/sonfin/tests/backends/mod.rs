//! Back ends compared with the textbook.

mod cpu;
pub(in crate::sonfin) mod emulated;
mod laws;
