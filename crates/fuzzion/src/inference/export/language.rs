//! Target languages.

use crate::macros::named;
use serde::{Deserialize, Serialize};

named! {
    /// Target language of an export.
    ///
    /// ```
    /// use fuzzion::inference::Language;
    /// assert_eq!("cuda".parse(), Ok(Language::Cuda));
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    #[non_exhaustive]
    pub enum Language("language") {
        /// Rust code that requires only `core`.
        Rust = "rust",
        /// C99 code that requires no library.
        C = "c",
        /// CUDA C++ code for nvcc and NVRTC, with a kernel that processes many rows.
        Cuda = "cuda",
    }
}
