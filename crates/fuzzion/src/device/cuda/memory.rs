//! Memory on the GPU, drawn from the driver's pool, and pinned memory on the host.

use super::Cuda;
use super::failure::While;
use super::stream::Stream;
use crate::error::{Error, Result};
use cudarc::driver::{
    CudaContext, CudaSlice, DevicePtr, DeviceRepr, PinnedHostSlice, ValidAsZeroBits, result, sys,
};
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
pub(super) const PINNED_BYTES: usize = 8 << 20;

/// Bytes on the host that the copy engines read and write without a detour.
pub(super) struct Pinned {
    /// `None` only while it is being dropped.
    memory: Option<PinnedHostSlice<u8>>,
    start: *mut u8,
    len: usize,
    home: Cuda,
}

impl Pinned {
    /// Its first byte, aligned for numbers of every type. The bytes have values; who may use them when is the caller's
    /// to say.
    pub(super) fn start(&self) -> *mut u8 {
        self.start
    }
}

impl Drop for Pinned {
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
        self.read_from(buffer, 0, values)
    }

    /// As [`Cuda::read`], from number `first` on.
    pub(crate) fn read_from<T: Element>(
        &self,
        buffer: &Buffer<T>,
        first: usize,
        values: &mut [T],
    ) -> Result<()> {
        assert!(first + values.len() <= buffer.len());
        if !values.is_empty() {
            let source = buffer.slice.slice(first..first + values.len());
            self.stream().raw().memcpy_dtoh(&source, values).while_("copying from the GPU")?;
        }
        self.stream().synchronize()
    }

    /// Pinned memory of `len` bytes of any value.
    pub(super) fn pinned(&self, len: usize) -> Result<Pinned> {
        let spare = if len <= PINNED_BYTES { self.spare_pinned().pop() } else { None };
        let mut memory = match spare {
            Some(memory) => memory,
            None => {
                // Flags 0: ordinary cached memory, quick to read back (write-combined memory is not).
                // SAFETY: the memory is unset, and is filled with zeros before anyone can read it.
                let memory =
                    unsafe { self.context().alloc_pinned_with_flags::<u8>(len.max(PINNED_BYTES), 0) };
                let mut memory = memory.while_("taking pinned memory")?;
                memory.as_mut_slice().while_("clearing pinned memory")?.fill(0);
                memory
            }
        };
        let start = memory.as_mut_ptr().while_("finding pinned memory")?;
        Ok(Pinned { memory: Some(memory), start, len, home: self.clone() })
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
    /// Starts copying the first `bytes` bytes of `from` to the GPU's memory at `to`.
    ///
    /// # Safety
    /// So many bytes at `to` are the GPU's and no other work uses them; until the stream is past the copy, `from` stays
    /// and no one writes there.
    pub(super) unsafe fn start_upload(&self, from: &Pinned, to: u64, bytes: usize) -> Result<()> {
        assert!(bytes <= from.len);
        if bytes == 0 {
            return Ok(());
        }
        bind(self.raw().context());
        // SAFETY: `from` holds that many bytes; the rest is the caller's promise.
        unsafe { sys::cuMemcpyHtoDAsync_v2(to, from.start.cast(), bytes, self.raw().cu_stream()) }
            .result()
            .while_("copying to the GPU")
    }

    /// Starts copying `bytes` bytes of the GPU's memory at `from` to the beginning of `to`.
    ///
    /// # Safety
    /// As [`Stream::start_upload`], with the sides exchanged; until the stream is past the copy, no one uses `to`.
    pub(super) unsafe fn start_download(&self, from: u64, to: &Pinned, bytes: usize) -> Result<()> {
        assert!(bytes <= to.len);
        if bytes == 0 {
            return Ok(());
        }
        bind(self.raw().context());
        // SAFETY: `to` holds that many bytes; the rest is the caller's promise.
        unsafe { sys::cuMemcpyDtoHAsync_v2(to.start.cast(), from, bytes, self.raw().cu_stream()) }
            .result()
            .while_("copying from the GPU")
    }
}
