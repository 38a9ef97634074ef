//! Transfers of large arrays: several threads copy between pageable and pinned memory while other chunks are
//! transferred.

use super::chunks::{CHUNK_BYTES, PIECE_BYTES, PinnedPointer, SLOTS};
use super::pipeline::{self, Chunking, Transport};
use crate::device::copy_non_temporal;
use crate::device::cuda::context::Cuda;
use crate::device::cuda::memory::{Buffer, Element, Pinned};
use crate::device::cuda::stream::Event;
use crate::device::error::Result;
use crate::progress::Progress;
use std::mem::take;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

#[derive(Clone, Copy, PartialEq)]
enum Direction {
    Upload,
    Download,
}

/// Elements in GPU memory; an element may be a row of several values.
#[derive(Clone, Copy)]
struct GpuElements {
    /// Device address of the first element.
    address: u64,
    len: usize,
    element_bytes: usize,
}

/// Transfers of the chunks in flight to or from one array. Dropping it waits for all of them, so that no transfer is in
/// progress when the pinned memory is freed.
struct Transfer<'a> {
    cuda: &'a Cuda,
    chunking: Chunking,
    slots: Vec<(Pinned, Option<Event>)>,
    elements: GpuElements,
    direction: Direction,
}

impl Drop for Transfer<'_> {
    fn drop(&mut self) {
        let _ = self.cuda.stream().synchronize(); // without a panic, the caller has waited and returned any error
    }
}

impl Transport for Transfer<'_> {
    fn start(&mut self, chunk: usize) -> Result<()> {
        let (elements, count) = (self.chunking.chunk(chunk), self.slots.len());
        let (pinned, transferred) = &mut self.slots[chunk % count];
        let GpuElements { address, element_bytes, .. } = self.elements;
        let address = address + (elements.start * element_bytes) as u64;
        let (bytes, stream) = (elements.len() * element_bytes, self.cuda.stream());
        // SAFETY: the array has all elements of the chunking, and the caller has exclusive access to it for an upload.
        // The pipeline does not access the pinned memory before the event, and dropping `self` waits for the transfer.
        unsafe {
            match self.direction {
                Direction::Upload => stream.upload_async(pinned, address, bytes),
                Direction::Download => stream.download_async(address, pinned, bytes),
            }
        }?;
        *transferred = Some(stream.record_untimed_event()?);
        Ok(())
    }

    fn has_uploaded(&self, chunk: usize) -> Result<bool> {
        let transferred = self.slots[chunk % self.slots.len()].1.as_ref();
        transferred.expect("invariant: a started chunk has an event").is_complete()
    }

    fn has_downloaded(&self, chunk: usize) -> Result<bool> {
        self.has_uploaded(chunk) // one event for either direction
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
        let to = GpuElements {
            address: buffer.pointer() + (first * size_of::<T>()) as u64,
            len: values.len(),
            element_bytes: size_of::<T>(),
        };
        self.transfer(Direction::Upload, to, progress, |_, elements, pinned| {
            pinned.copy_from_slice(bytemuck::cast_slice(&values[elements]));
        })
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
        let buffer = self.alloc(rows * width)?;
        let to = GpuElements { address: buffer.pointer(), len: rows, element_bytes: width * size_of::<T>() };
        self.transfer(Direction::Upload, to, progress, |_, rows, pinned| {
            fill(rows, bytemuck::cast_slice_mut(pinned));
        })?;
        Ok(buffer)
    }

    /// Copies `buffer` to `values`, which has the same length. Faster than [`Cuda::read`] for arrays of many megabytes,
    /// which it copies from pinned memory with several threads.
    ///
    /// # Errors
    /// Those of [`Cuda::read`], and `Interrupted` if the progress callback requests it.
    pub(crate) fn read_large<T: Element>(
        &self,
        buffer: &Buffer<T>,
        values: &mut [T],
        progress: &Progress,
    ) -> Result<()> {
        assert!(values.len() == buffer.len());
        if size_of_val(values) <= CHUNK_BYTES {
            return self.read(buffer, values);
        }
        let from =
            GpuElements { address: buffer.pointer(), len: values.len(), element_bytes: size_of::<T>() };
        let (chunking, mut rest) = (from.chunking(), values);
        let pieces: Vec<Mutex<&mut [T]>> = (0..chunking.pieces())
            .map(|piece| {
                let (part, tail) = take(&mut rest).split_at_mut(chunking.piece(piece).len());
                rest = tail;
                Mutex::new(part)
            })
            .collect();
        self.transfer(Direction::Download, from, progress, |piece, _, pinned| {
            let mut part = pieces[piece].lock().unwrap_or_else(PoisonError::into_inner);
            copy_non_temporal(pinned, bytemuck::cast_slice_mut(&mut part));
        })
    }

    /// Transfers all elements; `copy(piece, elements, pinned)` copies a piece to or from pinned memory.
    fn transfer(
        &self,
        direction: Direction,
        elements: GpuElements,
        progress: &Progress,
        copy: impl Fn(usize, Range<usize>, &mut [u8]) + Sync,
    ) -> Result<()> {
        let (chunking, element_bytes) = (elements.chunking(), elements.element_bytes);
        let slot = |_| Ok((self.pinned(chunking.chunk_rows() * element_bytes)?, None));
        let slots = (0..SLOTS.min(chunking.chunks())).map(slot).collect::<Result<Vec<_>>>()?;
        let memory: Vec<PinnedPointer> =
            slots.iter().map(|(pinned, _)| PinnedPointer::new(pinned, element_bytes)).collect();
        let copy_piece = |piece: usize| {
            let (elements, chunk) = (chunking.piece(piece), chunking.chunk_of(piece));
            let start = chunking.chunk(chunk).start;
            let part = elements.start - start..elements.end - start;
            // SAFETY: the pipeline assigns every piece to one thread, and no transfer of the slot is in progress: pieces
            // are filled before the transfer of their chunk starts, and drained after it has finished. The slots outlive
            // the pipeline.
            copy(piece, elements, unsafe { memory[chunk % memory.len()].rows(part) });
            Ok(())
        };
        let nothing = |_| Ok(());
        let (fill, drain): (&pipeline::Job<'_>, &pipeline::Job<'_>) = match direction {
            Direction::Upload => (&copy_piece, &nothing),
            Direction::Download => (&nothing, &copy_piece),
        };
        let count = slots.len().max(1);
        let mut transfer = Transfer { cuda: self, chunking, slots, elements, direction };
        let threads = rayon::current_num_threads().saturating_sub(1);
        pipeline::run((chunking, count, threads), progress, &mut transfer, fill, drain)?;
        self.stream().synchronize()
    }
}

impl GpuElements {
    fn chunking(&self) -> Chunking {
        let count = |bytes: usize| (bytes / self.element_bytes).max(1);
        Chunking::new(self.len, count(CHUNK_BYTES), count(PIECE_BYTES))
    }
}
