//! Uploads of large arrays: several threads copy to pinned memory while earlier chunks are transferred.

use super::chunks::{CHUNK_BYTES, PIECE_BYTES, PinnedPointer, SLOTS};
use super::pipeline::{self, Chunking, Transport};
use crate::device::cuda::context::Cuda;
use crate::device::cuda::memory::{Buffer, Element, Pinned};
use crate::device::cuda::stream::Event;
use crate::device::error::Result;
use crate::progress::Progress;

/// Transfers of the chunks in flight to one array. Dropping it waits for all of them, so that no transfer is in
/// progress when the pinned memory is freed.
struct Upload<'a> {
    cuda: &'a Cuda,
    chunking: Chunking,
    slots: Vec<(Pinned, Option<Event>)>,
    /// Device address of the array.
    to: u64,
    element_bytes: usize,
}

impl Drop for Upload<'_> {
    fn drop(&mut self) {
        let _ = self.cuda.stream().synchronize(); // without a panic, the caller has waited and returned any error
    }
}

impl Transport for Upload<'_> {
    fn start(&mut self, chunk: usize) -> Result<()> {
        let (elements, count) = (self.chunking.chunk(chunk), self.slots.len());
        let (pinned, uploaded) = &mut self.slots[chunk % count];
        let to = self.to + (elements.start * self.element_bytes) as u64;
        // SAFETY: the array has all elements of the chunking, and the caller has exclusive access to it. The pipeline
        // does not fill the pinned memory before `has_uploaded`, and dropping `self` waits for the transfer.
        unsafe { self.cuda.stream().upload_async(pinned, to, elements.len() * self.element_bytes) }?;
        *uploaded = Some(self.cuda.stream().record_untimed_event()?);
        Ok(())
    }

    fn has_uploaded(&self, chunk: usize) -> Result<bool> {
        let uploaded = self.slots[chunk % self.slots.len()].1.as_ref();
        uploaded.expect("invariant: a started chunk has an upload event").is_complete()
    }

    fn has_downloaded(&self, chunk: usize) -> Result<bool> {
        self.has_uploaded(chunk) // nothing is downloaded
    }
}

impl Cuda {
    /// A copy of `values` on the GPU. Faster than [`Cuda::upload`] for arrays of many megabytes, which it copies to
    /// pinned memory with several threads.
    ///
    /// # Errors
    /// Those of [`Cuda::upload`], and `Interrupted` if the progress callback requests it.
    pub(crate) fn upload_large<T: Element>(&self, values: &[T], progress: &Progress) -> Result<Buffer<T>> {
        if size_of_val(values) <= CHUNK_BYTES {
            return self.upload(values);
        }
        let mut buffer = self.alloc(values.len())?;
        self.write_large(values, &mut buffer, 0, progress)?;
        Ok(buffer)
    }

    /// Copies `values` to `buffer`, starting at index `first`, like [`Cuda::upload_large`].
    pub(crate) fn write_large<T: Element>(
        &self,
        values: &[T],
        buffer: &mut Buffer<T>,
        first: usize,
        progress: &Progress,
    ) -> Result<()> {
        assert!(first + values.len() <= buffer.len());
        let element_bytes = size_of::<T>();
        let chunking = Chunking::new(values.len(), CHUNK_BYTES / element_bytes, PIECE_BYTES / element_bytes);
        let slot = |_| Ok((self.pinned(chunking.chunk_rows() * element_bytes)?, None));
        let slots = (0..SLOTS.min(chunking.chunks())).map(slot).collect::<Result<Vec<_>>>()?;
        let memory: Vec<PinnedPointer> =
            slots.iter().map(|(pinned, _)| PinnedPointer::new(pinned, element_bytes)).collect();
        let fill = |piece: usize| {
            let (elements, chunk) = (chunking.piece(piece), chunking.chunk_of(piece));
            let start = chunking.chunk(chunk).start;
            let part = elements.start - start..elements.end - start;
            // SAFETY: the pipeline assigns every piece to one thread, after the last upload of the slot has finished and
            // before its next one starts; the slots outlive the pipeline.
            let to = unsafe { memory[chunk % memory.len()].rows(part) };
            to.copy_from_slice(bytemuck::cast_slice(&values[elements]));
            Ok(())
        };
        let count = slots.len().max(1);
        let to = buffer.pointer() + (first * element_bytes) as u64;
        let mut upload = Upload { cuda: self, chunking, slots, to, element_bytes };
        let threads = rayon::current_num_threads().saturating_sub(1);
        pipeline::run((chunking, count, threads), progress, &mut upload, &fill, &|_| Ok(()))?;
        self.stream().synchronize()
    }
}
