//! The text of a CUDA program and the constants that specialise it.

use std::fmt::Write as _;

/// What every kernel may rely on: vocabulary that differs between a GPU and the emulator of the tests.
pub(crate) const PRELUDE: &str = include_str!("prelude.cuh");
/// Tensor cores and pairs of halves, for [`Program::with`].
pub(crate) const TENSOR: &str = include_str!("tensor.cuh");
/// Products of double precision on tensor cores.
pub(crate) const DOUBLES: &str = include_str!("doubles.cuh");

/// CUDA C++ text with the constants it is specialised by; NVRTC compiles it for a GPU, the tests' emulator for a CPU.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Program {
    /// What messages and cache files call it.
    pub(crate) name: &'static str,
    constants: Vec<(&'static str, String)>,
    parts: Vec<String>,
    options: Vec<String>,
}

impl Program {
    /// A program made of `source`, the text of a `kernels.cu`.
    pub(crate) fn new(name: &'static str, source: impl Into<String>) -> Self {
        Program { name, constants: Vec::new(), parts: vec![source.into()], options: Vec::new() }
    }

    /// Puts `#define name value` in front of the source.
    #[must_use]
    pub(crate) fn constant(mut self, name: &'static str, value: impl ToString) -> Self {
        self.constants.push((name, value.to_string()));
        self
    }

    /// Puts a shared text (another room's device twins) in front of the source.
    #[must_use]
    pub(crate) fn with(mut self, part: impl Into<String>) -> Self {
        let own = self.parts.len() - 1;
        self.parts.insert(own, part.into());
        self
    }

    #[cfg_attr(not(test), allow(dead_code))] // for programs of rooms to come
    /// Gives NVRTC one more option, such as `--fmad=false`; the emulator takes none.
    #[must_use]
    pub(crate) fn option(mut self, option: impl Into<String>) -> Self {
        self.options.push(option.into());
        self
    }

    /// NVRTC's options beyond those of every program.
    pub(crate) fn options(&self) -> &[String] {
        &self.options
    }

    /// The whole text the compiler sees.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for (name, value) in &self.constants {
            let _ = writeln!(text, "#define {name} {value}");
        }
        text.push_str(PRELUDE);
        for part in &self.parts {
            text.push('\n');
            text.push_str(part);
        }
        text
    }
}
