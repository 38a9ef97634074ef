//! CUDA source code and the constants that specialize it.

use std::fmt::Write as _;

/// Definitions available to every kernel; they differ between a GPU and the emulator of the tests.
pub(crate) const PRELUDE: &str = include_str!("cuda/kernel/prelude.cuh");
/// Half-precision tensor-core operations, for [`Program::with`].
pub(crate) const TENSOR: &str = include_str!("cuda/kernel/tensor.cuh");
/// Double-precision tensor-core operations, for [`Program::with`].
pub(crate) const TENSOR_F64: &str = include_str!("cuda/kernel/tensor_f64.cuh");

/// CUDA C++ source with constants that specialize it. NVRTC compiles it for a GPU, the emulator of the tests for a CPU.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Program {
    /// Name in messages and compiler logs.
    pub(crate) name: &'static str,
    constants: Vec<(&'static str, String)>,
    parts: Vec<String>,
    options: Vec<String>,
}

impl Program {
    /// A program from the text of a `.cu` file.
    pub fn new(name: &'static str, source: impl Into<String>) -> Self {
        Program { name, constants: Vec::new(), parts: vec![source.into()], options: Vec::new() }
    }

    /// Adds `#define name value` before the source.
    #[must_use]
    pub fn constant(mut self, name: &'static str, value: impl ToString) -> Self {
        self.constants.push((name, value.to_string()));
        self
    }

    /// Adds a header, such as device functions of another module, before the source.
    #[must_use]
    pub(crate) fn with(mut self, part: impl Into<String>) -> Self {
        let own = self.parts.len() - 1;
        self.parts.insert(own, part.into());
        self
    }

    /// Adds an NVRTC option, such as `--fmad=false`; the emulator ignores options.
    #[must_use]
    #[cfg_attr(not(test), allow(dead_code))] // so far only tests need an option
    pub(crate) fn option(mut self, option: impl Into<String>) -> Self {
        self.options.push(option.into());
        self
    }

    /// Additional NVRTC options.
    pub(crate) fn options(&self) -> &[String] {
        &self.options
    }

    /// The values of the constants.
    #[cfg(test)]
    pub(crate) fn constants_text(&self) -> String {
        self.constants.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
    }

    /// The complete source passed to the compiler.
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
