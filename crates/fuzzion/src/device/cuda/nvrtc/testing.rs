//! Helpers for tests that compile kernels.

use super::library::Nvrtc;
use super::resources::KernelResources;
use crate::device::cuda::program::Program;
use crate::device::error::Result;
use std::sync::OnceLock;

/// Architectures for which every kernel must compile.
pub(crate) const ARCHITECTURES: [&str; 3] = ["sm_80", "sm_90", "sm_100"];

/// NVRTC; without it, prints a message to stderr and returns `None`.
///
/// # Panics
/// With `CI=true`, if NVRTC is not found.
#[allow(clippy::print_stderr)] // reports to the user who runs the tests
pub(crate) fn nvrtc_or_skip() -> Option<&'static Nvrtc> {
    static LOADED: OnceLock<Result<Nvrtc>> = OnceLock::new();
    match LOADED.get_or_init(|| Nvrtc::load(None, None)) {
        Ok(nvrtc) => Some(nvrtc),
        Err(error) => {
            assert!(std::env::var("CI").as_deref() != Ok("true"), "{error}");
            eprintln!("skipped: {error}");
            None
        }
    }
}

/// Resource usage of the kernels of `program` on each of [`ARCHITECTURES`]; `None` without NVRTC.
///
/// # Panics
/// If it does not compile, or the compiler log has no complete report on a kernel.
pub(crate) fn compiled_everywhere(program: &Program) -> Option<Vec<(&'static str, Vec<KernelResources>)>> {
    let nvrtc = nvrtc_or_skip()?;
    let compile = |architecture| {
        let compiled = nvrtc.compile(program, architecture).unwrap_or_else(|error| panic!("{error}"));
        (architecture, compiled.resources().unwrap_or_else(|problem| panic!("{problem}")))
    };
    Some(ARCHITECTURES.map(compile).to_vec())
}
