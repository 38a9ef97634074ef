//! Copies between host and GPU at full bus bandwidth, the ceiling of streamed work.

use crate::device::cuda::context::Cuda;
use crate::device::cuda::memory::{Buffer, Pinned};
use crate::device::cuda::stream::Stream;
use crate::device::error::Result;

/// Pinned and device arrays for both directions.
pub struct Bus {
    upload_from: Pinned,
    upload_to: Buffer<u8>,
    upload_stream: Stream,
    download_from: Buffer<u8>,
    download_to: Pinned,
    download_stream: Stream,
}

impl Bus {
    /// Allocates arrays of `bytes` bytes.
    pub fn new(cuda: &Cuda, bytes: usize) -> Result<Self> {
        let bus = Bus {
            upload_from: cuda.pinned(bytes)?,
            upload_to: cuda.alloc(bytes)?,
            upload_stream: cuda.new_stream()?,
            download_from: cuda.zeros(bytes)?,
            download_to: cuda.pinned(bytes)?,
            download_stream: cuda.new_stream()?,
        };
        cuda.stream().synchronize()?; // the arrays were allocated on the device's stream
        Ok(bus)
    }

    /// Uploads and downloads the given numbers of bytes at the same time, and waits for both.
    pub fn copy(&mut self, upload: usize, download: usize) -> Result<()> {
        assert!(upload <= self.upload_to.len() && download <= self.download_from.len());
        // SAFETY: the arrays are large enough and not used elsewhere, and both copies are complete when we return.
        let started = unsafe {
            let uploaded =
                self.upload_stream.upload_async(&self.upload_from, self.upload_to.pointer(), upload);
            uploaded.and(self.download_stream.download_async(
                self.download_from.pointer(),
                &self.download_to,
                download,
            ))
        };
        let finished = [&self.upload_stream, &self.download_stream].map(Stream::synchronize);
        finished.into_iter().fold(started, Result::and)
    }
}
