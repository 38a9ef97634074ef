//! Memory on the GPU, drawn from the driver's pool, and pinned memory on the host.

use super::Cuda;
use super::failure::While;
use super::stream::Stream;
use crate::error::{Error, Result};
use cudarc::driver::{
    CudaContext, CudaSlice, DevicePtr, DeviceRepr, PinnedHostSlice, ValidAsZeroBits, result, sys,
};
use std::marker::PhantomData;
use std::mem::size_of;

/// Numbers that mean the same on both sides of the bus.
pub(crate) trait Element:
    DeviceRepr + ValidAsZeroBits + bytemuck::Pod + Default + Send + Sync
{
}
impl<T: DeviceRepr + ValidAsZeroBits + bytemuck::Pod + Default + Send + Sync> Element for T {}

/// An array on the GPU; dropping it gives its memory back to the pool in stream order.
pub(crate) struct Buffer<T> {
    /// Room for one number more than none: the pool refuses to give nothing.
    slice: CudaSlice<T>,
    pointer: sys::CUdeviceptr,
    len: usize,
}

impl<T: Element> Buffer<T> {
    /// How many numbers it holds.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Where it lies, for a kernel's argument.
    pub(super) fn pointer(&self) -> u64 {
        self.pointer
    }
}

impl<T> Drop for Buffer<T> {
    fn drop(&mut self) {
        // Giving memory back needs the GPU's context, which is not current on every thread.
        bind(self.slice.context());
    }
}

/// Makes the GPU's context current on this thread. A failure shows in the call that follows.
pub(super) fn bind(context: &CudaContext) {
    // SAFETY: the context is alive while `CudaContext` is. cudarc's own way would also hand us a failure that some
    // other thread's drop has left behind.
    let _ = unsafe { result::ctx::set_current(context.cu_ctx()) };
}

/// Bytes of a piece of pinned memory. Taking one from the system costs milliseconds, so the device keeps those given
/// back; larger arrays are taken for themselves.
pub(super) const PINNED_BYTES: usize = 16 << 20;

/// An array on the host that the copy engines read and write without a detour.
pub(crate) struct Pinned<T> {
    /// `None` only while it is being dropped.
    memory: Option<PinnedHostSlice<u8>>,
    len: usize,
    home: Cuda,
    marker: PhantomData<T>,
}

impl<T: Element> Pinned<T> {
    /// Its numbers; copies that write them must have ended.
    pub(crate) fn as_slice(&self) -> Result<&[T]> {
        let bytes = match &self.memory {
            Some(memory) => memory.as_slice().while_("reading pinned memory")?,
            None => &[],
        };
        Ok(bytemuck::cast_slice(&bytes[..self.len * size_of::<T>()]))
    }

    /// Its numbers, to be filled; copies that read them must have ended.
    pub(crate) fn as_mut_slice(&mut self) -> Result<&mut [T]> {
        let bytes = match &mut self.memory {
            Some(memory) => memory.as_mut_slice().while_("writing pinned memory")?,
            None => &mut [],
        };
        Ok(bytemuck::cast_slice_mut(&mut bytes[..self.len * size_of::<T>()]))
    }
}

impl<T> Drop for Pinned<T> {
    fn drop(&mut self) {
        if let Some(memory) = self.memory.take().filter(|memory| memory.len() == PINNED_BYTES) {
            self.home.spare_pinned().push(memory);
        }
    }
}

impl Cuda {
    /// An array of `len` zeros.
    ///
    /// # Errors
    /// [`Error::OutOfDeviceMemory`] with what was asked for and what is free.
    pub(crate) fn zeros<T: Element>(&self, len: usize) -> Result<Buffer<T>> {
        let mut buffer = self.reserve(len)?;
        if len > 0 {
            self.stream().raw().memset_zeros(&mut buffer.slice).while_("clearing GPU memory")?;
        }
        Ok(buffer)
    }

    /// Sets every number of `buffer` to zero; may be recorded.
    #[allow(dead_code)] // for the counters of rooms to come
    pub(crate) fn clear<T: Element>(&self, buffer: &mut Buffer<T>, stream: &Stream) -> Result<()> {
        stream.raw().memset_zeros(&mut buffer.slice).while_("clearing GPU memory")
    }

    /// A copy of `values` on the GPU.
    ///
    /// # Errors
    /// As [`Cuda::zeros`].
    pub(crate) fn upload<T: Element>(&self, values: &[T]) -> Result<Buffer<T>> {
        let mut buffer = self.reserve(values.len())?;
        self.write(values, &mut buffer)?;
        Ok(buffer)
    }

    /// Copies `values` over the first numbers of `buffer`.
    pub(crate) fn write<T: Element>(&self, values: &[T], buffer: &mut Buffer<T>) -> Result<()> {
        assert!(values.len() <= buffer.len());
        if values.is_empty() {
            return Ok(());
        }
        self.stream().raw().memcpy_htod(values, &mut buffer.slice).while_("copying to the GPU")?;
        // `values` may go when we return, so the copy must have left it.
        self.stream().synchronize()
    }

    /// A copy of `buffer` on the host; waits for the work before it.
    pub(crate) fn download<T: Element>(&self, buffer: &Buffer<T>) -> Result<Vec<T>> {
        let mut values = vec![T::default(); buffer.len()];
        self.read(buffer, &mut values)?;
        Ok(values)
    }

    /// Copies the first numbers of `buffer` over `values`; waits for the work before it.
    pub(crate) fn read<T: Element>(&self, buffer: &Buffer<T>, values: &mut [T]) -> Result<()> {
        assert!(values.len() <= buffer.len());
        if !values.is_empty() {
            let source = buffer.slice.slice(0..values.len());
            self.stream().raw().memcpy_dtoh(&source, values).while_("copying from the GPU")?;
        }
        self.stream().synchronize()
    }

    /// Pinned memory for `len` numbers of any value.
    pub(crate) fn pinned<T: Element>(&self, len: usize) -> Result<Pinned<T>> {
        let bytes = len.saturating_mul(size_of::<T>());
        let spare = if bytes <= PINNED_BYTES { self.spare_pinned().pop() } else { None };
        let memory = match spare {
            Some(memory) => memory,
            None => {
                // Flags 0: ordinary cached memory, quick to read back (write-combined memory is not).
                // SAFETY: the memory is unset, and is filled with zeros before anyone can read it.
                let memory =
                    unsafe { self.context().alloc_pinned_with_flags::<u8>(bytes.max(PINNED_BYTES), 0) };
                let mut memory = memory.while_("taking pinned memory")?;
                memory.as_mut_slice().while_("clearing pinned memory")?.fill(0);
                memory
            }
        };
        Ok(Pinned { memory: Some(memory), len, home: self.clone(), marker: PhantomData })
    }

    /// Bytes free and bytes in all; what the pool holds unused counts as free.
    pub(crate) fn memory(&self) -> Result<(u64, u64)> {
        let (free, total) = self.context().mem_get_info().while_("asking for free GPU memory")?;
        Ok(((free as u64).saturating_add(self.pool_unused()), total as u64))
    }

    /// Memory for `len` numbers, unset: every user writes before it reads.
    pub(crate) fn reserve<T: Element>(&self, len: usize) -> Result<Buffer<T>> {
        let bytes = len.checked_mul(size_of::<T>());
        let asked = bytes.map_or(u64::MAX, |bytes| bytes as u64);
        let out_of_memory =
            || Error::OutOfDeviceMemory { asked, free: self.memory().map_or(0, |(free, _)| free) };
        if bytes.is_none_or(|bytes| bytes > isize::MAX as usize) {
            return Err(out_of_memory());
        }
        // SAFETY: all element types are plain numbers, valid whatever their bits.
        match unsafe { self.stream().raw().alloc::<T>(len.max(1)) } {
            Ok(slice) => {
                let pointer = slice.device_ptr(slice.stream()).0;
                Ok(Buffer { slice, pointer, len })
            }
            Err(failure) if failure.0 == sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => Err(out_of_memory()),
            Err(failure) => Err(failure).while_("taking GPU memory"),
        }
    }

    /// Keeps freed memory in the pool instead of handing it back to the driver at every wait.
    pub(super) fn keep_pool(&self) -> Result<()> {
        if let Some(pool) = self.pool() {
            let mut keep = u64::MAX;
            let keep: *mut u64 = &mut keep;
            // SAFETY: the pool is the device's default pool, and this attribute is read as one u64.
            unsafe {
                sys::cuMemPoolSetAttribute(
                    pool,
                    sys::CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD,
                    keep.cast(),
                )
            }
            .result()
            .while_("setting up the memory pool")?;
        }
        Ok(())
    }

    fn pool(&self) -> Option<sys::CUmemoryPool> {
        // SAFETY: the context holds a device the driver gave us.
        let pool = || unsafe { result::device::get_default_mem_pool(self.context().cu_device()) };
        self.context().has_async_alloc().then(pool)?.ok()
    }

    fn pool_unused(&self) -> u64 {
        let Some(pool) = self.pool() else { return 0 };
        let amount = |which| {
            let mut bytes = 0u64;
            let out: *mut u64 = &mut bytes;
            // SAFETY: these attributes are written as one u64.
            unsafe { sys::cuMemPoolGetAttribute(pool, which, out.cast()) }.result().map_or(0, |()| bytes)
        };
        amount(sys::CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT)
            .saturating_sub(amount(sys::CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_USED_MEM_CURRENT))
    }
}

impl Stream {
    /// Starts copying the first `len` numbers of `from` to `to`; `from` may be refilled once the stream is past it.
    pub(crate) fn start_upload<T: Element>(
        &self,
        from: &Pinned<T>,
        len: usize,
        to: &mut Buffer<T>,
    ) -> Result<()> {
        assert!(len <= from.len && len <= to.len());
        let values = &from.as_slice()?[..len];
        // SAFETY: `to` holds at least `len` numbers; `from` is pinned, and the caller keeps it and waits for an
        // event of this stream before it writes there again.
        unsafe { result::memcpy_htod_async(to.pointer, values, self.raw().cu_stream()) }
            .while_("copying to the GPU")
    }

    /// Starts copying the first `len` numbers of `from` to `to`; `to` may be read once the stream is past it.
    pub(crate) fn start_download<T: Element>(
        &self,
        from: &Buffer<T>,
        len: usize,
        to: &mut Pinned<T>,
    ) -> Result<()> {
        assert!(len <= from.len() && len <= to.len);
        let values = &mut to.as_mut_slice()?[..len];
        // SAFETY: as in `start_upload`, with the sides exchanged.
        unsafe { result::memcpy_dtoh_async(values, from.pointer, self.raw().cu_stream()) }
            .while_("copying from the GPU")
    }
}
