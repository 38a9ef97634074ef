//! Compilation and caching of kernels, and grids for a GPU.

use super::compile::{self, CacheCounts, Compiler};
use super::grid::{Grid, THREADS};
use super::launch::{Function, Kernel};
use super::modules::Modules;
use crate::device::cuda::context::Cuda;
use crate::device::cuda::driver::{WhileDoing, bind};
use crate::device::error::{DeviceError, Result};
use crate::device::program::Program;
use crate::progress::Progress;
use cudarc::driver::{CudaContext, CudaModule};
use cudarc::nvrtc::Ptx;
use std::mem::size_of;
use std::sync::Arc;

/// The modules of a GPU, compiled or read from the disk cache.
pub(in crate::device::cuda) fn modules(
    context: Arc<CudaContext>,
    compiler: Arc<Compiler>,
) -> Modules<Arc<CudaModule>> {
    Modules::new(compile::threads(), move |program| {
        bind(&context)?;
        let load = |cubin| context.load_module(Ptx::from_binary(cubin)).while_doing("loading a kernel");
        // A cache entry that the driver rejects is compiled again.
        match compiler.cached(program).and_then(|cubin| load(cubin).ok()) {
            Some(module) => Ok(module),
            None => load(compiler.compile(program)?),
        }
    })
}

impl Cuda {
    /// The kernel `name` of `program`, compiled for this GPU on first use and then cached in memory and on disk.
    #[doc(hidden)]
    pub fn kernel(&self, program: &Program, name: &str) -> Result<Kernel> {
        #[cfg(test)]
        if let Some(gpu) = self.emulated_gpu() {
            return Ok(Kernel { function: Function::Emulated(gpu.kernel(program, name)) });
        }
        bind(self.context())?;
        let module = self.modules().get(program)?;
        let function = module.load_function(name).while_doing("looking up a kernel")?;
        let kernel = Kernel { function: Function::Driver(function) };
        kernel.allow_max_shared_memory(self.gpu().shared_per_block)?;
        Ok(kernel)
    }

    /// The kernel `name` of the program that `program` creates, looked up by `key`, which determines the program. For
    /// operations that take less time than creating and hashing a source text.
    pub(crate) fn kernel_by_key(
        &self,
        key: String,
        name: &'static str,
        program: impl FnOnce() -> Program,
    ) -> Result<Kernel> {
        #[cfg(test)]
        if self.emulated_gpu().is_some() {
            return self.kernel(&program(), name);
        }
        let key = (key, name);
        if let Some(function) = self.kernels_by_key().get(&key) {
            return Ok(Kernel { function: Function::Driver(function.clone()) });
        }
        let kernel = self.kernel(&program(), name)?;
        match &kernel.function {
            Function::Driver(function) => self.kernels_by_key().insert(key, function.clone()),
            #[cfg(test)]
            Function::Emulated(_) => unreachable!("invariant: an emulated GPU has no driver"),
        };
        Ok(kernel)
    }

    /// Version and path of the kernel compiler.
    pub(crate) fn compiler(&self) -> String {
        #[cfg(test)]
        if self.emulated_gpu().is_some() {
            return "emulator".into();
        }
        self.kernel_compiler().nvrtc.description()
    }

    /// Starts compiling the programs that are not in the disk cache, concurrently on background threads, and returns at
    /// once. [`Cuda::kernel`] waits for them and reports their errors.
    #[doc(hidden)]
    pub fn prefetch(&self, programs: Vec<Program>) {
        #[cfg(test)]
        if let Some(gpu) = self.emulated_gpu() {
            return gpu.prefetch(programs);
        }
        self.modules().prefetch(programs, |program| self.kernel_compiler().cached(program).is_none());
    }

    /// Compiles the programs that are not in the disk cache, concurrently, and waits for them.
    pub(crate) fn precompile(&self, programs: Vec<Program>, progress: &Progress) -> Result<CacheCounts> {
        self.kernel_compiler().fill_cache(programs, progress)
    }

    /// See [`EmulatedGpu::prefetch_mismatch`](crate::device::cuda::emulator::EmulatedGpu::prefetch_mismatch).
    #[cfg(test)]
    pub(crate) fn prefetch_mismatch(&self) -> [Vec<&'static str>; 2] {
        self.emulated_gpu().expect("invariant: only tests on an emulated GPU call this").prefetch_mismatch()
    }

    /// A grid with one thread per work item: a grid that fills the GPU once and strides over the rest copies 7 %
    /// slower on an H200.
    #[doc(hidden)]
    pub fn grid_for(&self, n: usize) -> Grid {
        // Beyond 2³¹ blocks FOR_EACH loops.
        let blocks = n.div_ceil(THREADS as usize).clamp(1, i32::MAX as usize);
        Grid::new(blocks as u32, THREADS)
    }

    /// A grid with one thread per 16 bytes of `n` elements and one per remaining element (`Packet` in the kernel).
    #[doc(hidden)]
    pub fn grid_for_packets<T>(&self, n: usize) -> Grid {
        let lanes = const { 16 / size_of::<T>() };
        self.grid_for(n / lanes + n % lanes)
    }

    /// The largest cooperative grid of blocks with `threads` threads and `shared` bytes.
    ///
    /// # Errors
    /// [`DeviceError::Cuda`] if not even one block fits.
    #[doc(hidden)]
    pub fn cooperative_grid(&self, kernel: &Kernel, threads: u32, shared: u32) -> Result<Grid> {
        let blocks = kernel.blocks_per_multiprocessor(threads, shared)? * self.gpu().multiprocessors;
        if blocks == 0 {
            let reason =
                format!("a block of {threads} threads and {shared} bytes of shared memory does not fit");
            return Err(DeviceError::Cuda { doing: "sizing a cooperative grid", reason });
        }
        Ok(Grid::new(blocks, threads).shared(shared).cooperative())
    }
}
