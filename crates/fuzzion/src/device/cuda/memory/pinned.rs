//! Pinned host memory, and asynchronous copies.

use crate::device::cuda::context::Cuda;
use crate::device::cuda::driver::{WhileDoing, bind};
#[cfg(test)]
use crate::device::cuda::emulator::GuardedMemory;
use crate::device::cuda::stream::Stream;
use crate::device::error::Result;
use cudarc::driver::{PinnedHostSlice, sys};

/// Number of bytes of a reusable pinned allocation. Allocating pinned memory takes milliseconds, so the device keeps
/// freed allocations of this size; larger ones are not reused.
pub(in crate::device::cuda) const PINNED_BYTES: usize = 8 << 20;

/// Pinned host memory, which the copy engines access directly.
pub(in crate::device::cuda) struct Pinned {
    /// `None` only while it is being dropped.
    memory: Option<HostMemory>,
    start: *mut u8,
    len: usize,
    cuda: Cuda,
}

enum HostMemory {
    Driver(PinnedHostSlice<u8>),
    /// Only owns the memory, which is accessed by its address.
    #[cfg(test)]
    Emulated {
        _memory: GuardedMemory,
    },
}

impl Pinned {
    /// Address of the first byte, aligned for every element type. The bytes are initialized; the caller is
    /// responsible for synchronizing accesses.
    pub(in crate::device::cuda) fn start(&self) -> *mut u8 {
        self.start
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        if let Some(HostMemory::Driver(memory)) = self.memory.take()
            && memory.len() == PINNED_BYTES
        {
            self.cuda.spare_pinned().push(memory);
        }
    }
}

impl Cuda {
    /// Pinned memory of `len` bytes with arbitrary content.
    pub(in crate::device::cuda) fn pinned(&self, len: usize) -> Result<Pinned> {
        #[cfg(test)]
        if self.emulated_gpu().is_some() {
            let memory = GuardedMemory::new(len);
            let start = memory.start();
            let memory = Some(HostMemory::Emulated { _memory: memory });
            return Ok(Pinned { memory, start, len, cuda: self.clone() });
        }
        let spare = if len <= PINNED_BYTES { self.spare_pinned().pop() } else { None };
        let mut memory = match spare {
            Some(memory) => memory,
            None => {
                // Flags 0: cached memory, which is fast to read (write-combined memory is not).
                // SAFETY: the uninitialized memory is filled with zeros before it is read.
                let memory =
                    unsafe { self.context().alloc_pinned_with_flags::<u8>(len.max(PINNED_BYTES), 0) };
                let mut memory = memory.while_doing("allocating pinned memory")?;
                memory.as_mut_slice().while_doing("clearing pinned memory")?.fill(0);
                memory
            }
        };
        let start = memory.as_mut_ptr().while_doing("accessing pinned memory")?;
        Ok(Pinned { memory: Some(HostMemory::Driver(memory)), start, len, cuda: self.clone() })
    }
}

impl Stream {
    /// Starts copying the first `bytes` bytes of `from` to the device address `to`.
    ///
    /// # Safety
    /// The `bytes` bytes at `to` are allocated on the GPU and not used by other work; until the copy is complete,
    /// `from` stays alive and is not written.
    pub(in crate::device::cuda) unsafe fn upload_async(
        &self,
        from: &Pinned,
        to: u64,
        bytes: usize,
    ) -> Result<()> {
        assert!(bytes <= from.len);
        if bytes == 0 {
            return Ok(());
        }
        #[cfg(test)]
        if let Stream::Emulated(stream) = self {
            // SAFETY: as below.
            unsafe { stream.upload(from.start, to, bytes) };
            return Ok(());
        }
        bind(self.raw().context())?;
        // SAFETY: `from` has that many bytes; the rest is guaranteed by the caller.
        unsafe { sys::cuMemcpyHtoDAsync_v2(to, from.start.cast(), bytes, self.raw().cu_stream()) }
            .result()
            .while_doing("copying to the GPU")
    }

    /// Starts copying `bytes` bytes from the device address `from` to the beginning of `to`.
    ///
    /// # Safety
    /// The `bytes` bytes at `from` are allocated on the GPU and not written by other work; until the copy is
    /// complete, `to` stays alive and is not accessed.
    pub(in crate::device::cuda) unsafe fn download_async(
        &self,
        from: u64,
        to: &Pinned,
        bytes: usize,
    ) -> Result<()> {
        assert!(bytes <= to.len);
        if bytes == 0 {
            return Ok(());
        }
        #[cfg(test)]
        if let Stream::Emulated(stream) = self {
            // SAFETY: as below.
            unsafe { stream.download(from, to.start, bytes) };
            return Ok(());
        }
        bind(self.raw().context())?;
        // SAFETY: `to` has that many bytes; the rest is guaranteed by the caller.
        unsafe { sys::cuMemcpyDtoHAsync_v2(to.start.cast(), from, bytes, self.raw().cu_stream()) }
            .result()
            .while_doing("copying from the GPU")
    }
}
