//! An open GPU.

use super::driver::{self, Gpu, WhileDoing};
use super::kernel::KernelCache;
use super::memory::keep_freed_memory;
use super::nvrtc::Nvrtc;
use super::stream::Stream;
use crate::device::error::Result;
use crate::device::program::Program;
use cudarc::driver::{CudaContext, CudaModule, PinnedHostSlice};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One NVIDIA GPU: its context, its stream and its compiled kernels. Clones share them.
#[derive(Clone)]
pub struct Cuda(Arc<Inner>);

struct Inner {
    index: usize,
    gpu: Gpu,
    context: Arc<CudaContext>,
    stream: Stream,
    nvrtc: Nvrtc,
    cache: KernelCache,
    modules: Mutex<HashMap<Program, Arc<CudaModule>>>,
    /// Pinned memory for reuse.
    spare_pinned: Mutex<Vec<PinnedHostSlice<u8>>>,
}

impl Cuda {
    /// Opens the GPU with the given index, from 0.
    ///
    /// # Errors
    /// [`DeviceError::NoDriver`](crate::device::DeviceError::NoDriver), [`DeviceError::OldDriver`](crate::device::DeviceError::OldDriver), [`DeviceError::NoGpu`](crate::device::DeviceError::NoGpu),
    /// [`DeviceError::NoSuchGpu`](crate::device::DeviceError::NoSuchGpu), [`DeviceError::NoNvrtc`](crate::device::DeviceError::NoNvrtc), [`DeviceError::Cuda`](crate::device::DeviceError::Cuda).
    pub fn new(index: usize) -> Result<Self> {
        let gpu = driver::gpu(index)?;
        // The driver may not support the output of a newer compiler.
        let nvrtc = Nvrtc::load(Some(driver::version()?.0), Some(gpu.capability))?;
        let context = CudaContext::new(index).while_doing("opening the GPU")?;
        // SAFETY: event tracking synchronizes streams through events on every buffer, which breaks graph capture.
        // Without it, streams must be synchronized explicitly: all work is queued on `stream`, and `chunks`
        // synchronizes its two copy streams with it by events before any buffer they use is reused or dropped.
        unsafe { context.disable_event_tracking() };
        let stream = Stream(context.new_stream().while_doing("creating a stream")?);
        let cuda = Cuda(Arc::new(Inner {
            index,
            gpu,
            context,
            stream,
            nvrtc,
            cache: KernelCache::new(),
            modules: Mutex::default(),
            spare_pinned: Mutex::default(),
        }));
        keep_freed_memory(cuda.context())?;
        Ok(cuda)
    }

    /// Index of the GPU, from 0.
    pub fn index(&self) -> usize {
        self.0.index
    }

    /// Name of the GPU.
    pub fn name(&self) -> &str {
        &self.0.gpu.name
    }

    /// The stream of all work of this device.
    pub(crate) fn stream(&self) -> &Stream {
        &self.0.stream
    }

    pub(crate) fn gpu(&self) -> &Gpu {
        &self.0.gpu
    }

    pub(in crate::device::cuda) fn context(&self) -> &Arc<CudaContext> {
        &self.0.context
    }

    pub(in crate::device::cuda) fn spare_pinned(&self) -> MutexGuard<'_, Vec<PinnedHostSlice<u8>>> {
        self.0.spare_pinned.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(in crate::device::cuda) fn nvrtc(&self) -> &Nvrtc {
        &self.0.nvrtc
    }

    pub(in crate::device::cuda) fn cache(&self) -> &KernelCache {
        &self.0.cache
    }

    /// The loaded modules.
    pub(in crate::device::cuda) fn modules(&self) -> MutexGuard<'_, HashMap<Program, Arc<CudaModule>>> {
        self.0.modules.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Cuda {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cuda({}, {})", self.0.index, self.0.gpu.name)
    }
}
