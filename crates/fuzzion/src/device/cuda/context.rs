//! An open GPU.

use super::driver::{self, Gpu, WhileDoing};
#[cfg(test)]
use super::emulator::{EmulatedGpu, EmulatedStream, Order};
use super::kernel::{self, Compiler, KernelCache, Modules};
use super::memory::keep_freed_memory;
use super::nvrtc::Nvrtc;
use super::stream::Stream;
use crate::device::error::Result;
use cudarc::driver::{CudaContext, CudaFunction, CudaModule, PinnedHostSlice};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One NVIDIA GPU: its context, its stream and its compiled kernels. Clones share them.
#[derive(Clone)]
pub struct Cuda(Arc<Inner>);

struct Inner {
    index: usize,
    gpu: Gpu,
    stream: Stream,
    backend: Backend,
}

/// What runs the kernels.
#[cfg_attr(test, allow(clippy::large_enum_variant))] // one per GPU
enum Backend {
    Driver(Driver),
    #[cfg(test)]
    Emulated(Arc<EmulatedGpu>),
}

/// Kernels by the key of their program and their name.
type KernelsByKey = HashMap<(String, &'static str), CudaFunction>;

/// State of a GPU of the driver.
struct Driver {
    context: Arc<CudaContext>,
    compiler: Arc<Compiler>,
    modules: Modules<Arc<CudaModule>>,
    /// See [`Cuda::kernel_by_key`].
    kernels: Mutex<KernelsByKey>,
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
        let stream = Stream::Driver(context.new_stream().while_doing("creating a stream")?);
        keep_freed_memory(&context)?;
        let compiler = Arc::new(Compiler::new(nvrtc, KernelCache::new(), gpu.capability));
        let modules = kernel::modules(context.clone(), compiler.clone());
        let driver =
            Driver { context, compiler, modules, kernels: Mutex::default(), spare_pinned: Mutex::default() };
        Ok(Cuda(Arc::new(Inner { index, gpu, stream, backend: Backend::Driver(driver) })))
    }

    /// A GPU that runs its kernels in the emulator, blocks and threads in the given order; without a C++ compiler,
    /// prints a message to stderr and returns `None`.
    ///
    /// # Panics
    /// With `CI=true`, if there is no compiler.
    #[cfg(test)]
    pub(crate) fn emulated(order: Order) -> Option<Self> {
        Self::emulated_gpu_with(order, 99 << 10, 0)
    }

    /// Like [`Cuda::emulated`], with the given index.
    #[cfg(test)]
    pub(crate) fn emulated_with_index(order: Order, index: usize) -> Option<Self> {
        Self::emulated_gpu_with(order, 99 << 10, index)
    }

    /// Like [`Cuda::emulated`], with `bytes` bytes of shared memory per block.
    #[cfg(test)]
    pub(crate) fn emulated_with_shared(order: Order, bytes: i32) -> Option<Self> {
        Self::emulated_gpu_with(order, bytes, 0)
    }

    #[cfg(test)]
    fn emulated_gpu_with(order: Order, shared_bytes: i32, index: usize) -> Option<Self> {
        let emulated = EmulatedGpu::new(order, shared_bytes)?;
        let stream = Stream::Emulated(EmulatedStream::new(emulated.clone()));
        let gpu = emulated.description().clone();
        Some(Cuda(Arc::new(Inner { index, gpu, stream, backend: Backend::Emulated(emulated) })))
    }

    fn driver(&self) -> &Driver {
        match &self.0.backend {
            Backend::Driver(driver) => driver,
            #[cfg(test)]
            Backend::Emulated(_) => unreachable!("invariant: an emulated GPU has no driver"),
        }
    }

    #[cfg(test)]
    pub(in crate::device::cuda) fn emulated_gpu(&self) -> Option<&Arc<EmulatedGpu>> {
        match &self.0.backend {
            Backend::Driver(_) => None,
            Backend::Emulated(gpu) => Some(gpu),
        }
    }

    /// Failures to inject into an emulated GPU.
    #[cfg(test)]
    pub(crate) fn faults(&self) -> &crate::device::cuda::emulator::Faults {
        self.emulated_gpu().expect("invariant: failures are injected only into emulated GPUs").faults()
    }

    /// Index of the GPU, from 0.
    pub fn index(&self) -> usize {
        self.0.index
    }

    /// Whether work on both is executed in the order in which it is queued.
    pub(crate) fn has_same_stream(&self, other: &Cuda) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Name of the GPU.
    pub fn name(&self) -> &str {
        &self.0.gpu.name
    }

    /// The stream of all work of this device.
    #[doc(hidden)]
    pub fn stream(&self) -> &Stream {
        &self.0.stream
    }

    #[doc(hidden)]
    pub fn gpu(&self) -> &Gpu {
        &self.0.gpu
    }

    pub(in crate::device::cuda) fn context(&self) -> &Arc<CudaContext> {
        &self.driver().context
    }

    pub(in crate::device::cuda) fn spare_pinned(&self) -> MutexGuard<'_, Vec<PinnedHostSlice<u8>>> {
        self.driver().spare_pinned.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(in crate::device::cuda) fn kernels_by_key(&self) -> MutexGuard<'_, KernelsByKey> {
        self.driver().kernels.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(in crate::device::cuda) fn kernel_compiler(&self) -> &Arc<Compiler> {
        &self.driver().compiler
    }

    pub(in crate::device::cuda) fn modules(&self) -> &Modules<Arc<CudaModule>> {
        &self.driver().modules
    }
}

impl fmt::Debug for Cuda {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cuda({}, {})", self.0.index, self.0.gpu.name)
    }
}
