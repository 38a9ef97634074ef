//! Helpers for the tests of all modules.
#![allow(clippy::print_stderr, clippy::panic)] // reports to the user who runs the tests

use super::Device;

/// The first GPU; without one, prints a message to stderr and returns `None`.
///
/// # Panics
/// With `FUZZION_REQUIRE_CUDA=1`, if there is no usable GPU.
pub(crate) fn gpu_or_skip() -> Option<Device> {
    match Device::cuda(0) {
        Ok(device) => Some(device),
        Err(error) if std::env::var("FUZZION_REQUIRE_CUDA").as_deref() == Ok("1") => panic!("{error}"),
        Err(error) => {
            eprintln!("skipped: {error}");
            None
        }
    }
}
