//! Values in host memory or in the memory of a GPU.

use super::backend::{Device, Processor};
#[cfg(feature = "cuda")]
use super::cuda::Cuda;
#[cfg(feature = "cuda")]
use super::error::DeviceError;
use super::error::Result;
#[cfg(feature = "cuda")]
use crate::progress::Progress;
use std::borrow::Cow;
#[cfg(feature = "cuda")]
use std::ops::Deref;
#[cfg(feature = "cuda")]
use std::sync::Arc;

/// Number of values below which the device `best` keeps data in host memory.
pub(crate) const MIN_GPU_VALUES: usize = 1 << 18;

/// Values that can be copied to the memory of a GPU.
#[cfg(feature = "cuda")]
pub(crate) trait Transferable: ToOwned {
    /// Their copy in GPU memory.
    type Copied: Send + Sync;
    fn upload(&self, cuda: &Cuda, progress: &Progress) -> Result<Self::Copied>;
}

/// Values in builds without CUDA.
#[cfg(not(feature = "cuda"))]
pub(crate) trait Transferable: ToOwned {}

#[cfg(not(feature = "cuda"))]
impl<H: ToOwned + ?Sized> Transferable for H {}

/// Values in host memory or in the memory of a GPU.
pub(crate) enum Storage<'a, H: Transferable + ?Sized> {
    Host(Cow<'a, H>),
    #[cfg(feature = "cuda")]
    Gpu {
        cuda: Cuda,
        values: Arc<H::Copied>,
    },
}

impl<H: Transferable + ?Sized> Clone for Storage<'_, H> {
    fn clone(&self) -> Self {
        match self {
            Storage::Host(host) => Storage::Host(host.clone()),
            #[cfg(feature = "cuda")]
            Storage::Gpu { cuda, values } => Storage::Gpu { cuda: cuda.clone(), values: values.clone() },
        }
    }
}

impl<'a, H: Transferable + ?Sized> Storage<'a, H> {
    /// Copies `count` values to the memory of a GPU, if the device uses one for so many values.
    pub(crate) fn new(host: Cow<'a, H>, count: usize, device: &Device) -> Result<Self> {
        match device.processor(count < MIN_GPU_VALUES) {
            Processor::Cpu(_) => Ok(Storage::Host(host)),
            #[cfg(feature = "cuda")]
            Processor::Cuda(cuda) => Ok(Storage::on_gpu(host.upload(cuda, device.progress())?, cuda)),
        }
    }

    #[cfg(feature = "cuda")]
    pub(crate) fn on_gpu(values: H::Copied, cuda: &Cuda) -> Self {
        Storage::Gpu { cuda: cuda.clone(), values: Arc::new(values) }
    }

    /// Index of the GPU whose memory contains the values.
    pub(crate) fn gpu(&self) -> Option<usize> {
        match self {
            Storage::Host(_) => None,
            #[cfg(feature = "cuda")]
            Storage::Gpu { cuda, .. } => Some(cuda.index()),
        }
    }

    /// Name of the device in whose memory the values are.
    pub(crate) fn memory(&self) -> String {
        self.gpu().map_or("cpu".to_owned(), |gpu| format!("cuda:{gpu}"))
    }

    /// The values of an operation for which [`processor_of`] has returned a CPU.
    pub(crate) fn host(&self) -> &H {
        match self {
            Storage::Host(host) => host,
            #[cfg(feature = "cuda")]
            Storage::Gpu { .. } => unreachable!("invariant: a CPU operation has no operand in GPU memory"),
        }
    }

    /// [`host`](Self::host) by value.
    pub(crate) fn into_host(self) -> H::Owned {
        match self {
            Storage::Host(host) => host.into_owned(),
            #[cfg(feature = "cuda")]
            Storage::Gpu { .. } => unreachable!("invariant: a CPU operation has no operand in GPU memory"),
        }
    }

    /// The values in the memory of `cuda`, for an operation for which [`processor_of`] has returned this GPU; values in
    /// host memory are copied.
    #[cfg(feature = "cuda")]
    pub(crate) fn operand(&self, cuda: &Cuda, progress: &Progress) -> Result<GpuOperand<H::Copied>> {
        let (values, other_stream) = match self {
            Storage::Host(host) => (Arc::new(host.upload(cuda, progress)?), false),
            Storage::Gpu { cuda: owner, values } => (values.clone(), !owner.has_same_stream(cuda)),
        };
        if let (Storage::Gpu { cuda: owner, .. }, true) = (self, other_stream) {
            owner.stream().synchronize()?; // the values may not be complete yet
        }
        Ok(GpuOperand { values, reader: other_stream.then(|| cuda.clone()) })
    }
}

/// Operand of a GPU operation.
#[cfg(feature = "cuda")]
pub(crate) struct GpuOperand<C> {
    values: Arc<C>,
    /// The GPU of the operation, if it was opened separately from the GPU of the values and so has another stream.
    reader: Option<Cuda>,
}

#[cfg(feature = "cuda")]
impl<C> Deref for GpuOperand<C> {
    type Target = C;
    fn deref(&self) -> &C {
        &self.values
    }
}

#[cfg(feature = "cuda")]
impl<C> Drop for GpuOperand<C> {
    fn drop(&mut self) {
        // Memory is freed in the order of its own stream, which does not wait for the stream of the operation. An error
        // is reported by the next operation.
        if let Some(cuda) = &self.reader {
            let _ = cuda.stream().synchronize();
        }
    }
}

/// The processor of an operation whose operands are in the memory of the given GPUs (`None`: in host memory); `what` names the
/// operands in messages.
///
/// # Errors
/// [`DeviceError::OtherDevice`] if an operand is in the memory of a GPU that the
/// device does not use.
pub(crate) fn processor_of<'d>(
    what: &'static str,
    gpus: impl IntoIterator<Item = Option<usize>>,
    device: &'d Device,
) -> Result<Processor<'d>> {
    let mut processor = device.processor(true);
    for index in gpus.into_iter().flatten() {
        processor = device.processor(false);
        #[cfg(feature = "cuda")]
        if !matches!(&processor, Processor::Cuda(cuda) if cuda.index() == index) {
            let memory = format!("cuda:{index}");
            return Err(DeviceError::OtherDevice { what, memory, device: device.to_string() });
        }
        #[cfg(not(feature = "cuda"))]
        let _ = (index, what);
    }
    Ok(processor)
}
