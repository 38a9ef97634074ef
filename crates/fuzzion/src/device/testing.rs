//! What the rooms' tests share.
#![allow(clippy::print_stderr, clippy::panic)] // speaks to whoever runs the tests

use super::Device;

/// The first GPU, or nothing, and a word on stderr, where there is none.
///
/// # Panics
/// With `FUZZION_REQUIRE_CUDA=1`, when there is no usable GPU.
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
