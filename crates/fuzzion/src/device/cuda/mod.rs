//! NVIDIA GPUs through the CUDA driver, loaded when there is one.
//!
//! Nothing of CUDA is needed to build: the driver library is opened at run time, kernels are CUDA C++ text that
//! NVRTC compiles for the GPU at hand. Rooms see [`Cuda`], [`Buffer`], [`Kernel`] and [`Stream`]; the binding crate's
//! name stays inside this folder.
#![allow(unsafe_code)] // calls into the driver; each states why it is sound

mod bus;
mod cache;
mod chunks;
pub(crate) mod driver;
#[cfg(test)]
pub(crate) mod emulator;
mod failure;
mod kernel;
mod lanes;
mod memory;
pub(crate) mod nvrtc;
mod pages;
mod pipeline;
pub(crate) mod program;
mod stream;
#[cfg(test)]
mod tests;

pub(crate) use bus::Bus;
pub(crate) use cache::Cache;
pub(crate) use chunks::Chunked;
pub(crate) use kernel::{Grid, Kernel, Launch};
pub(crate) use lanes::{Input, Lanes, Output};
pub(crate) use memory::{Buffer, Element};
pub(crate) use pages::zeros_in_large_pages;
pub(crate) use program::Program;
pub(crate) use stream::{Graph, Stream};

use crate::error::Result;
use cudarc::driver::{CudaContext, CudaModule, PinnedHostSlice};
use cudarc::nvrtc::Ptx;
use driver::Gpu;
use failure::While;
use nvrtc::Nvrtc;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One NVIDIA GPU: its context, its queue of work and its compiled kernels. Clones share them.
#[derive(Clone)]
pub struct Cuda(Arc<Inner>);

struct Inner {
    index: usize,
    gpu: Gpu,
    context: Arc<CudaContext>,
    stream: Stream,
    nvrtc: Nvrtc,
    cache: Cache,
    modules: Mutex<HashMap<Program, Arc<CudaModule>>>,
    /// Pinned memory that was given back.
    spare_pinned: Mutex<Vec<PinnedHostSlice<u8>>>,
}

impl Cuda {
    /// Opens the GPU numbered `index`, counting from 0.
    ///
    /// # Errors
    /// [`NoDriver`](crate::Error::NoDriver), [`OldDriver`](crate::Error::OldDriver), [`NoGpu`](crate::Error::NoGpu),
    /// [`NoSuchGpu`](crate::Error::NoSuchGpu), [`NoNvrtc`](crate::Error::NoNvrtc), [`Cuda`](crate::Error::Cuda).
    pub fn new(index: usize) -> Result<Self> {
        let gpu = driver::gpu(index)?;
        // A compiler newer than the driver may write what the driver cannot read.
        let nvrtc = Nvrtc::load(Some(driver::version()?.0), Some(gpu.capability))?;
        let context = CudaContext::new(index).while_("opening the GPU")?;
        // SAFETY: tracking orders streams through events on every buffer, which breaks graph recording. Without
        // it we must order streams ourselves: all work goes to `stream`, and `chunks` joins its two copy streams
        // to it by events before any buffer they touch is reused or dropped.
        unsafe { context.disable_event_tracking() };
        let stream = Stream(context.new_stream().while_("making a stream")?);
        let cuda = Cuda(Arc::new(Inner {
            index,
            gpu,
            context,
            stream,
            nvrtc,
            cache: Cache::new(),
            modules: Mutex::default(),
            spare_pinned: Mutex::default(),
        }));
        cuda.keep_pool()?;
        Ok(cuda)
    }

    /// Which GPU this is, counting from 0.
    pub fn index(&self) -> usize {
        self.0.index
    }

    /// The name the driver gives it.
    pub fn name(&self) -> &str {
        &self.0.gpu.name
    }

    /// The kernel `name` of `program`, compiled for this GPU the first time and then taken from memory or disk.
    pub(crate) fn kernel(&self, program: &Program, name: &str) -> Result<Kernel> {
        memory::bind(self.context());
        let module = self.module(program)?;
        let kernel = Kernel { function: module.load_function(name).while_("looking up a kernel")? };
        kernel.allow_shared(self.gpu().shared_per_block)?;
        Ok(kernel)
    }

    /// The compiler of its kernels, with its version and place.
    pub(crate) fn compiler(&self) -> String {
        let Nvrtc { version: (major, minor), path, .. } = &self.0.nvrtc;
        format!("NVRTC {major}.{minor}, {}", path.display())
    }

    /// The queue all work of this device goes to.
    pub(crate) fn stream(&self) -> &Stream {
        &self.0.stream
    }

    pub(crate) fn gpu(&self) -> &Gpu {
        &self.0.gpu
    }

    fn context(&self) -> &Arc<CudaContext> {
        &self.0.context
    }

    fn spare_pinned(&self) -> MutexGuard<'_, Vec<PinnedHostSlice<u8>>> {
        self.0.spare_pinned.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn module(&self, program: &Program) -> Result<Arc<CudaModule>> {
        let known = || self.0.modules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(module) = known().get(program) {
            return Ok(module.clone());
        }
        let architecture = format!("sm_{}{}", self.0.gpu.capability.0, self.0.gpu.capability.1);
        let (major, minor) = self.0.nvrtc.version;
        let options = Nvrtc::options(program, &architecture).join(" ");
        let key = format!(
            "NVRTC {major}.{minor} {options}
{}",
            program.text()
        );
        let load = |cubin| self.context().load_module(Ptx::from_binary(cubin)).while_("loading a kernel");
        // An entry the driver refuses is as good as none.
        let cached = self.0.cache.get(&key).and_then(|cubin| load(cubin).ok());
        let module = match cached {
            Some(module) => module,
            None => {
                let cubin = self.0.nvrtc.compile(program, &architecture)?.cubin;
                self.0.cache.put(&key, &cubin);
                load(cubin)?
            }
        };
        known().insert(program.clone(), module.clone());
        Ok(module)
    }
}

impl fmt::Debug for Cuda {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cuda({}, {})", self.0.index, self.0.gpu.name)
    }
}
