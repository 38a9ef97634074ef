//! Uploads of large arrays: several threads copy to pinned memory while earlier chunks are transferred.

use super::chunks::{CHUNK_BYTES, PIECE_BYTES, PinnedPointer, SLOTS};
use super::pipeline::{self, Chunking, Transport};
use crate::device::cuda::context::Cuda;
use crate::device::cuda::memory::{Buffer, Element, Pinned};
use crate::device::cuda::stream::Event;
use crate::device::error::Result;
use crate::progress::Progress;
use std::ops::Range;

/// Transfers of the chunks in flight to one array. Dropping it waits for all of them, so that no transfer is in
/// progress when the pinned memory is freed.
struct Upload<'a> {
    cuda: &'a Cuda,
    chunking: Chunking,
    slots: Vec<(Pinned, Option<Event>)>,
    /// Device address of the array.
    to: u64,
    row_bytes: usize,
}

impl Drop for Upload<'_> {
    fn drop(&mut self) {
        let _ = self.cuda.stream().synchronize(); // without a panic, the caller has waited and returned any error
    }
}

impl Transport for Upload<'_> {
    fn start(&mut self, chunk: usize) -> Result<()> {
        let (rows, count) = (self.chunking.chunk(chunk), self.slots.len());
        let (pinned, uploaded) = &mut self.slots[chunk % count];
        let to = self.to + (rows.start * self.row_bytes) as u64;
        // SAFETY: the array has all rows of the chunking, and the caller has exclusive access to it. The pipeline
        // does not fill the pinned memory before `has_uploaded`, and dropping `self` waits for the transfer.
        unsafe { self.cuda.stream().upload_async(pinned, to, rows.len() * self.row_bytes) }?;
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
        let copy = |elements: Range<usize>, to: &mut [T]| to.copy_from_slice(&values[elements]);
        self.fill_rows(buffer, first, (values.len(), 1), &copy, progress)
    }

    /// An array of `rows` rows with `width` values each on the GPU. Several threads call `fill` with the indices of the
    /// rows and their values to set, in pinned memory.
    ///
    /// # Errors
    /// Those of [`Cuda::upload_large`].
    pub(crate) fn upload_rows<T: Element>(
        &self,
        (rows, width): (usize, usize),
        fill: impl Fn(Range<usize>, &mut [T]) + Sync,
        progress: &Progress,
    ) -> Result<Buffer<T>> {
        let mut buffer = self.alloc(rows * width)?;
        self.fill_rows(&mut buffer, 0, (rows, width), &fill, progress)?;
        Ok(buffer)
    }

    /// Sets `rows` rows of `width` values each in `buffer`, starting at value `first`.
    fn fill_rows<T: Element>(
        &self,
        buffer: &mut Buffer<T>,
        first: usize,
        (rows, width): (usize, usize),
        fill: &(dyn Fn(Range<usize>, &mut [T]) + Sync),
        progress: &Progress,
    ) -> Result<()> {
        assert!(first + rows * width <= buffer.len());
        let row_bytes = width * size_of::<T>();
        let chunking =
            Chunking::new(rows, (CHUNK_BYTES / row_bytes).max(1), (PIECE_BYTES / row_bytes).max(1));
        let slot = |_| Ok((self.pinned(chunking.chunk_rows() * row_bytes)?, None));
        let slots = (0..SLOTS.min(chunking.chunks())).map(slot).collect::<Result<Vec<_>>>()?;
        let memory: Vec<PinnedPointer> =
            slots.iter().map(|(pinned, _)| PinnedPointer::new(pinned, row_bytes)).collect();
        let fill = |piece: usize| {
            let (rows, chunk) = (chunking.piece(piece), chunking.chunk_of(piece));
            let start = chunking.chunk(chunk).start;
            let part = rows.start - start..rows.end - start;
            // SAFETY: the pipeline assigns every piece to one thread, after the last upload of the slot has finished and
            // before its next one starts; the slots outlive the pipeline.
            let to = unsafe { memory[chunk % memory.len()].rows(part) };
            fill(rows, bytemuck::cast_slice_mut(to));
            Ok(())
        };
        let count = slots.len().max(1);
        let to = buffer.pointer() + (first * size_of::<T>()) as u64;
        let mut upload = Upload { cuda: self, chunking, slots, to, row_bytes };
        let threads = rayon::current_num_threads().saturating_sub(1);
        pipeline::run((chunking, count, threads), progress, &mut upload, &fill, &|_| Ok(()))?;
        self.stream().synchronize()
    }
}
