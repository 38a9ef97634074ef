//! Arrays in GPU memory, and synchronous copies.

use super::pool;
use super::view::CudaArrayView;
use crate::device::cuda::context::Cuda;
use crate::device::cuda::driver::{WhileDoing, bind};
#[cfg(test)]
use crate::device::cuda::emulator::DeviceArray;
use crate::device::cuda::stream::Stream;
use crate::device::error::{DeviceError, Result};
use cudarc::driver::{CudaSlice, DevicePtr, DeviceRepr, ValidAsZeroBits, sys};
use std::mem::size_of;
#[cfg(test)]
use std::sync::Arc;
use std::sync::OnceLock;

/// Element types with the same representation on host and GPU.
pub trait Element: DeviceRepr + ValidAsZeroBits + bytemuck::Pod + Default + Send + Sync {}
impl<T: DeviceRepr + ValidAsZeroBits + bytemuck::Pod + Default + Send + Sync> Element for T {}

/// An array in GPU memory; dropping it frees the memory in stream order.
pub struct Buffer<T> {
    memory: Memory<T>,
    pointer: sys::CUdeviceptr,
    len: usize,
}

enum Memory<T> {
    /// At least one element, since the allocator rejects empty allocations.
    Driver(CudaSlice<T>),
    /// Memory of another library, which frees it; always `Some` until the buffer is dropped.
    Borrowed(Option<CudaSlice<T>>),
    #[cfg(test)]
    Emulated(Arc<DeviceArray>),
}

impl<T: Element> Buffer<T> {
    /// Number of elements.
    #[allow(clippy::len_without_is_empty)] // an internal type
    pub fn len(&self) -> usize {
        self.len
    }

    /// Device address, for kernel arguments.
    pub(in crate::device::cuda) fn pointer(&self) -> u64 {
        self.pointer
    }

    /// Device address, for other libraries.
    pub(crate) fn address(&self) -> u64 {
        self.pointer
    }

    #[cfg(test)]
    pub(in crate::device::cuda) fn emulated(&self) -> Option<&Arc<DeviceArray>> {
        match &self.memory {
            Memory::Driver(_) | Memory::Borrowed(_) => None,
            Memory::Emulated(array) => Some(array),
        }
    }
}

impl<T> Drop for Buffer<T> {
    fn drop(&mut self) {
        match &mut self.memory {
            // Freeing memory needs the GPU context, which is not current on every thread. Without it the memory stays
            // allocated, which a drop cannot report.
            Memory::Driver(slice) => {
                let _ = bind(slice.context());
            }
            Memory::Borrowed(slice) => {
                let _ = slice.take().map(CudaSlice::leak); // does not free the memory
            }
            #[cfg(test)]
            Memory::Emulated(_) => {}
        }
    }
}

const BORROWED: &str = "invariant: arrays of other libraries are only read";
/// Alignment that kernels require of an array.
const ALIGNMENT: u64 = 16;

/// Limit of the GPU memory in bytes, for tests: the environment variable FUZZION_GPU_MEMORY, in megabytes.
fn memory_limit() -> Option<u64> {
    static LIMIT: OnceLock<Option<u64>> = OnceLock::new();
    *LIMIT.get_or_init(|| {
        Some(std::env::var("FUZZION_GPU_MEMORY").ok()?.parse::<u64>().ok()?.saturating_mul(1_000_000))
    })
}

impl Cuda {
    /// An array of `len` zeros.
    ///
    /// # Errors
    /// [`DeviceError::OutOfMemory`].
    #[doc(hidden)]
    pub fn zeros<T: Element>(&self, len: usize) -> Result<Buffer<T>> {
        let mut buffer = self.alloc(len)?;
        if len > 0 {
            self.clear(&mut buffer, self.stream())?;
        }
        Ok(buffer)
    }

    /// Sets every element of `buffer` to zero; can be captured in a graph.
    pub(crate) fn clear<T: Element>(&self, buffer: &mut Buffer<T>, stream: &Stream) -> Result<()> {
        match &mut buffer.memory {
            Memory::Driver(slice) => stream.raw().memset_zeros(slice).while_doing("clearing GPU memory"),
            Memory::Borrowed(_) => unreachable!("{BORROWED}"),
            #[cfg(test)]
            Memory::Emulated(array) => {
                let array = Arc::downgrade(array);
                stream.emulated().execute(move || {
                    array.upgrade().expect("invariant: a captured array is still allocated").memory.clear();
                });
                Ok(())
            }
        }
    }

    /// A copy of `values` on the GPU.
    ///
    /// # Errors
    /// Those of [`Cuda::zeros`].
    #[doc(hidden)]
    pub fn upload<T: Element>(&self, values: &[T]) -> Result<Buffer<T>> {
        let mut buffer = self.alloc(values.len())?;
        self.write(values, &mut buffer)?;
        Ok(buffer)
    }

    /// Copies `values` to the beginning of `buffer`.
    pub(crate) fn write<T: Element>(&self, values: &[T], buffer: &mut Buffer<T>) -> Result<()> {
        assert!(values.len() <= buffer.len());
        if values.is_empty() {
            return Ok(());
        }
        match &mut buffer.memory {
            Memory::Driver(slice) => {
                self.stream().raw().memcpy_htod(values, slice).while_doing("copying to the GPU")?;
            }
            Memory::Borrowed(_) => unreachable!("{BORROWED}"),
            #[cfg(test)]
            Memory::Emulated(array) => array.memory.write(0, bytemuck::cast_slice(values)),
        }
        // `values` may be freed after we return, so the copy must be complete.
        self.stream().synchronize()
    }

    /// A copy of `buffer` on the host; waits for preceding work.
    #[doc(hidden)]
    pub fn download<T: Element>(&self, buffer: &Buffer<T>) -> Result<Vec<T>> {
        let mut values = vec![T::default(); buffer.len()];
        self.read(buffer, &mut values)?;
        Ok(values)
    }

    /// Copies the beginning of `buffer` to `values`; waits for preceding work.
    pub(crate) fn read<T: Element>(&self, buffer: &Buffer<T>, values: &mut [T]) -> Result<()> {
        self.read_from(buffer, 0, values)
    }

    /// Like [`Cuda::read`], starting at index `first`.
    pub(crate) fn read_from<T: Element>(
        &self,
        buffer: &Buffer<T>,
        first: usize,
        values: &mut [T],
    ) -> Result<()> {
        assert!(first + values.len() <= buffer.len());
        if !values.is_empty() {
            match &buffer.memory {
                Memory::Driver(slice) | Memory::Borrowed(Some(slice)) => {
                    let source = slice.slice(first..first + values.len());
                    self.stream().raw().memcpy_dtoh(&source, values).while_doing("copying from the GPU")?;
                }
                Memory::Borrowed(None) => unreachable!("invariant: the buffer was not dropped"),
                #[cfg(test)]
                Memory::Emulated(array) => {
                    array.memory.read(first * size_of::<T>(), bytemuck::cast_slice_mut(values));
                }
            }
        }
        self.stream().synchronize()
    }

    /// Free and total memory in bytes; unused memory of the pool counts as free.
    #[doc(hidden)]
    pub fn memory(&self) -> Result<(u64, u64)> {
        #[cfg(test)]
        if let Some(gpu) = self.emulated_gpu() {
            return Ok((gpu.free(), gpu.description().memory));
        }
        let (free, total) = self.context().mem_get_info().while_doing("querying free GPU memory")?;
        let usage = pool::usage(self.context())?;
        let free = (free as u64).saturating_add(usage.unused);
        let limit = memory_limit().map_or(u64::MAX, |limit| limit.saturating_sub(usage.used));
        Ok((free.min(limit), total as u64))
    }

    /// The array of another library, without a copy unless it is not aligned as kernels require.
    ///
    /// # Safety
    /// The buffer is dropped before the lifetime of `view` ends.
    pub(crate) unsafe fn borrow<T: Element>(&self, view: CudaArrayView<'_, T>) -> Result<Buffer<T>> {
        let (pointer, len) = (view.address, view.len);
        // SAFETY: the creator of the view guarantees that it has `len` values; the slice is never freed.
        let slice = unsafe { self.stream().raw().upgrade_device_ptr::<T>(pointer, len) };
        let borrowed = Buffer { memory: Memory::Borrowed(Some(slice)), pointer, len };
        if pointer.is_multiple_of(ALIGNMENT) || len == 0 {
            return Ok(borrowed);
        }
        let mut copy = self.alloc(len)?;
        if let (Memory::Borrowed(Some(from)), Memory::Driver(to)) = (&borrowed.memory, &mut copy.memory) {
            self.stream().raw().memcpy_dtod(from, to).while_doing("copying in GPU memory")?;
        }
        self.stream().synchronize()?;
        Ok(copy)
    }

    /// Uninitialized memory for `len` elements: every user writes before it reads.
    #[doc(hidden)]
    pub fn alloc<T: Element>(&self, len: usize) -> Result<Buffer<T>> {
        let bytes = len.checked_mul(size_of::<T>());
        let asked = bytes.map_or(u64::MAX, |bytes| bytes as u64);
        let out_of_memory = || match self.memory() {
            Ok((free, _)) => DeviceError::OutOfMemory { asked, free },
            Err(failed_query) => failed_query,
        };
        if bytes.is_none_or(|bytes| bytes > isize::MAX as usize) {
            return Err(out_of_memory());
        }
        #[cfg(test)]
        if let Some(gpu) = self.emulated_gpu() {
            let array = gpu.alloc(len * size_of::<T>()).ok_or_else(out_of_memory)?;
            let pointer = array.memory.start() as u64;
            return Ok(Buffer { memory: Memory::Emulated(array), pointer, len });
        }
        if memory_limit().is_some() && self.memory()?.0 < asked {
            return Err(out_of_memory());
        }
        // SAFETY: all element types are plain data, valid for any bit pattern.
        match unsafe { self.stream().raw().alloc::<T>(len.max(1)) } {
            Ok(slice) => {
                let pointer = slice.device_ptr(slice.stream()).0;
                Ok(Buffer { memory: Memory::Driver(slice), pointer, len })
            }
            Err(failure) if failure.0 == sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => Err(out_of_memory()),
            Err(failure) => Err(failure).while_doing("allocating GPU memory"),
        }
    }
}
