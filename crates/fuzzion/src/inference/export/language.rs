//! Target languages.

use crate::macros::named;
use serde::{Deserialize, Serialize};

/// Target language of an export.
///
/// ```
/// use fuzzion::inference::Language;
/// assert_eq!("cuda".parse(), Ok(Language::Cuda));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Language {
    /// Rust that requires only `core`.
    Rust,
    /// C99 that requires no library.
    C,
    /// CUDA C++ for nvcc and NVRTC, with a kernel over rows.
    Cuda,
}

named! {
    Language("language") {
        Rust = "rust",
        C = "c",
        Cuda = "cuda",
    }
}
