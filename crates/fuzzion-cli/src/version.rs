//! Version of the program, and how it was built.

use std::env::consts::{ARCH, OS};
use std::sync::LazyLock;

/// Version, target and compiled features, for `--version`.
pub(crate) static LONG: LazyLock<String> = LazyLock::new(|| {
    let features: &[&str] = if cfg!(feature = "parquet") { &["cuda", "parquet"] } else { &["cuda"] };
    format!(
        "{}\ntarget: {}\nfeatures: {}\ndevices: see `fuzzion doctor`",
        env!("CARGO_PKG_VERSION"),
        target(),
        features.join(", ")
    )
});

/// Processor, operating system and C library.
pub(crate) fn target() -> String {
    let library = if cfg!(target_env = "musl") {
        ", musl"
    } else if cfg!(target_env = "gnu") {
        ", gnu"
    } else if cfg!(target_env = "msvc") {
        ", msvc"
    } else {
        ""
    };
    format!("{ARCH}, {OS}{library}")
}
