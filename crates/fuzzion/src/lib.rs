//! Fuzzy computing at scale.

pub mod device;
mod error;
mod progress;

pub use device::Device;
pub use error::{Error, Result};
pub use progress::Progress;
