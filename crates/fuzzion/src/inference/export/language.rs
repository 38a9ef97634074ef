//! Target languages.

/// Target language of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// Rust that requires only `core`.
    Rust,
    /// C99 that requires no library.
    C,
    /// CUDA C++ for nvcc and NVRTC, with a kernel over rows.
    Cuda,
}

impl Language {
    /// All languages.
    pub const ALL: [Language; 3] = [Language::Rust, Language::C, Language::Cuda];

    /// Name of the language, as accepted by [`Language::from_name`].
    pub fn name(self) -> &'static str {
        match self {
            Language::Rust => "rust",
            Language::C => "c",
            Language::Cuda => "cuda",
        }
    }

    /// Parses the name of a language.
    pub fn from_name(name: &str) -> Option<Self> {
        Language::ALL.into_iter().find(|language| language.name() == name)
    }
}
