//! Compilation of programs for one GPU, with the disk cache.

use super::cache::KernelCache;
use crate::device::cuda::nvrtc::Nvrtc;
use crate::device::error::Result;
use crate::device::program::Program;

/// NVRTC and the disk cache for GPUs of one architecture.
#[derive(Debug)]
pub(in crate::device::cuda) struct Compiler {
    pub(super) nvrtc: Nvrtc,
    cache: KernelCache,
    /// Such as `sm_90`.
    architecture: String,
}

impl Compiler {
    /// A compiler for GPUs of the given compute capability.
    pub(in crate::device::cuda) fn new(nvrtc: Nvrtc, cache: KernelCache, capability: (i32, i32)) -> Self {
        Compiler { nvrtc, cache, architecture: format!("sm_{}{}", capability.0, capability.1) }
    }

    /// The cached binary of `program`; `None` if it must be compiled.
    pub(super) fn cached(&self, program: &Program) -> Option<Vec<u8>> {
        self.cache.get(&self.key(program))
    }

    /// Compiles `program` and adds the binary to the cache.
    ///
    /// # Errors
    /// [`DeviceError::Compile`](crate::device::DeviceError::Compile).
    pub(super) fn compile(&self, program: &Program) -> Result<Vec<u8>> {
        let cubin = self.nvrtc.compile(program, &self.architecture)?.cubin;
        self.cache.put(&self.key(program), &cubin);
        Ok(cubin)
    }

    fn key(&self, program: &Program) -> String {
        let (major, minor) = self.nvrtc.version;
        let options = Nvrtc::options(program, &self.architecture).join(" ");
        format!("NVRTC {major}.{minor} {options}\n{}", program.text())
    }
}
