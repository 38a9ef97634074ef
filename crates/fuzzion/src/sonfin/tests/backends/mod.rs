//! Back ends compared with the textbook implementation.

mod adam;
mod cpu;
pub(in crate::sonfin) mod emulated;
mod laws;
