//! What the tests of every room share: NVRTC where there is one, and all architectures at once.

use super::{KernelResources, Nvrtc};
use crate::device::cuda::program::Program;
use crate::error::Result;
use std::sync::OnceLock;

/// The architectures that every kernel must compile for.
pub(crate) const ARCHITECTURES: [&str; 3] = ["sm_80", "sm_90", "sm_100"];

/// NVRTC, or nothing, and a word on stderr, where there is none.
///
/// # Panics
/// With `CI=true`, when there is none.
#[allow(clippy::print_stderr)] // speaks to whoever runs the tests
pub(crate) fn or_skip() -> Option<&'static Nvrtc> {
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

/// `program` compiled for each of [`ARCHITECTURES`], with what its kernels take; nothing where NVRTC is absent.
///
/// # Panics
/// When it does not compile.
pub(crate) fn compiled_everywhere(program: &Program) -> Option<Vec<(&'static str, Vec<KernelResources>)>> {
    let nvrtc = or_skip()?;
    let compile = |architecture| match nvrtc.compile(program, architecture) {
        Ok(compiled) => (architecture, compiled.resources()),
        Err(error) => panic!("{error}"),
    };
    Some(ARCHITECTURES.map(compile).to_vec())
}
