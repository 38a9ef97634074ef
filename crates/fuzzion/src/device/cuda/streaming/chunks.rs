//! Streaming of data larger than GPU memory: computation, uploads, downloads, and copies between pageable and pinned
//! memory by host threads overlap.

use super::arrays::{ChunkBuffers, StreamInput, StreamOutput};
use super::pipeline::{self, Chunking, Transport};
use crate::device::cuda::context::Cuda;
use crate::device::cuda::memory::{PINNED_BYTES, Pinned};
use crate::device::cuda::stream::{Event, Stream};
use crate::device::error::Result;
use crate::progress::Progress;
use std::ops::Range;

/// Number of bytes per copy, in the direction with more data: enough to hide the latency of a copy, and few enough
/// for the chunks in flight to stay in the host cache.
pub(super) const CHUNK_BYTES: usize = PINNED_BYTES;

/// Number of bytes that one host thread copies at a time.
pub(super) const PIECE_BYTES: usize = 256 << 10;

/// Number of chunks in flight: one is filled, one uploaded, one computed or downloaded, one drained.
pub(super) const SLOTS: usize = 4;

/// Streamed work: its rows, inputs and outputs.
pub struct Chunked<'a> {
    rows: usize,
    chunk_rows: Option<usize>,
    group: usize,
    inputs: Vec<StreamInput<'a>>,
    outputs: Vec<StreamOutput<'a>>,
}

impl<'a> Chunked<'a> {
    /// Work on `rows` rows without inputs and outputs.
    pub fn new(rows: usize) -> Self {
        Chunked { rows, chunk_rows: None, group: 1, inputs: Vec::new(), outputs: Vec::new() }
    }

    /// Adds an input.
    #[must_use]
    pub fn input(mut self, input: StreamInput<'a>) -> Self {
        self.inputs.push(input);
        self
    }

    /// Adds an output.
    #[must_use]
    pub fn output(mut self, output: StreamOutput<'a>) -> Self {
        self.outputs.push(output);
        self
    }

    /// Sets the number of rows per chunk, by default chosen for the bus; results do not depend on it.
    #[must_use]
    pub fn chunk_rows(self, rows: usize) -> Self {
        Chunked { chunk_rows: Some(rows), ..self }
    }

    /// Makes the number of rows of every chunk but the last a multiple of `group`.
    #[must_use]
    pub(crate) fn whole_groups(self, group: usize) -> Self {
        Chunked { group, ..self }
    }

    fn chunking(&self) -> Chunking {
        let uploaded: usize = self.inputs.iter().map(|input| input.layout.row_bytes).sum();
        let downloaded: usize = self.outputs.iter().map(|output| output.layout.row_bytes).sum();
        let row_bytes = uploaded.max(downloaded).max(1);
        let chunk_rows = self.chunk_rows.unwrap_or(CHUNK_BYTES / row_bytes);
        let chunk_rows = (chunk_rows / self.group).max(1) * self.group;
        Chunking::new(self.rows, chunk_rows, PIECE_BYTES / row_bytes)
    }
}

/// Memory of one chunk in flight, and the events that signal when it can be reused.
struct Slot {
    inputs: ChunkBuffers,
    outputs: ChunkBuffers,
    uploaded: Option<Event>,
    computed: Option<Event>,
    downloaded: Option<Event>,
}

/// Start of the pinned memory of an array.
pub(super) struct PinnedPointer {
    start: *mut u8,
    row_bytes: usize,
}

// SAFETY: an address of memory that any thread may access; accesses are synchronized where it is used.
unsafe impl Send for PinnedPointer {}
// SAFETY: as above.
unsafe impl Sync for PinnedPointer {}

impl PinnedPointer {
    pub(super) fn new(memory: &Pinned, row_bytes: usize) -> Self {
        PinnedPointer { start: memory.start(), row_bytes }
    }

    fn all(buffers: &ChunkBuffers) -> Vec<PinnedPointer> {
        buffers.0.iter().map(|array| PinnedPointer::new(&array.pinned, array.row_bytes)).collect()
    }

    /// The bytes of `rows`, relative to the first row of the chunk.
    ///
    /// # Safety
    /// The rows are within the chunk, the memory is alive, and this part of it is not accessed elsewhere meanwhile.
    #[allow(clippy::mut_from_ref)] // an address, not the owner of the memory
    pub(super) unsafe fn rows(&self, rows: Range<usize>) -> &mut [u8] {
        // SAFETY: guaranteed by the caller.
        unsafe {
            std::slice::from_raw_parts_mut(
                self.start.add(rows.start * self.row_bytes),
                rows.len() * self.row_bytes,
            )
        }
    }
}

/// Uploads, computation and downloads of the chunks in flight. Dropping it waits for all copies, even after a failed or
/// panicking closure: no copy may be in progress when its memory is freed, which happens afterwards.
struct CopyPipeline<'a, C> {
    cuda: &'a Cuda,
    chunking: Chunking,
    upload_stream: Stream,
    download_stream: Stream,
    slots: Vec<Slot>,
    compute: C,
}

impl<C> CopyPipeline<'_, C> {
    /// Waits for all copies and returns the first error.
    fn wait(&self) -> Result<()> {
        [&self.upload_stream, &self.download_stream, self.cuda.stream()]
            .map(Stream::synchronize)
            .into_iter()
            .collect()
    }
}

impl<C> Drop for CopyPipeline<'_, C> {
    fn drop(&mut self) {
        let _ = self.wait(); // without a panic, `wait` was already called and its error returned
    }
}

impl<C: FnMut(Range<usize>, &ChunkBuffers, &mut ChunkBuffers) -> Result<()>> Transport
    for CopyPipeline<'_, C>
{
    fn start(&mut self, chunk: usize) -> Result<()> {
        let (rows, count) = (self.chunking.chunk(chunk), self.slots.len());
        let slot = &mut self.slots[chunk % count];
        if let Some(computed) = slot.computed.take() {
            self.upload_stream.wait_for_event(&computed)?; // the inputs may be overwritten
        }
        for array in &slot.inputs.0 {
            // SAFETY: device and pinned memory are large enough for a chunk. The pipeline does not fill the pinned
            // memory before `has_uploaded`, and dropping `self` waits for the copy.
            unsafe {
                self.upload_stream.upload_async(&array.pinned, array.pointer, rows.len() * array.row_bytes)
            }?;
        }
        let uploaded = self.upload_stream.record_untimed_event()?;
        self.cuda.stream().wait_for_event(&uploaded)?;
        slot.uploaded = Some(uploaded);
        (self.compute)(rows.clone(), &slot.inputs, &mut slot.outputs)?;
        let computed = self.cuda.stream().record_untimed_event()?;
        self.download_stream.wait_for_event(&computed)?;
        slot.computed = Some(computed);
        for array in &slot.outputs.0 {
            // SAFETY: as above; the pinned memory is not read between the end of its last drain and `has_downloaded`.
            // The slot is computed again only after that.
            unsafe {
                self.download_stream.download_async(
                    array.pointer,
                    &array.pinned,
                    rows.len() * array.row_bytes,
                )
            }?;
        }
        slot.downloaded = Some(self.download_stream.record_untimed_event()?);
        Ok(())
    }

    fn has_uploaded(&self, chunk: usize) -> Result<bool> {
        let uploaded = self.slots[chunk % self.slots.len()].uploaded.as_ref();
        uploaded.expect("invariant: a started chunk has an upload event").is_complete()
    }

    fn has_downloaded(&self, chunk: usize) -> Result<bool> {
        let downloaded = self.slots[chunk % self.slots.len()].downloaded.as_ref();
        downloaded.expect("invariant: a started chunk has a download event").is_complete()
    }
}

impl Cuda {
    /// Streams all rows through the GPU. `compute(rows, inputs, outputs)` launches the work of a chunk on the
    /// device's stream; it is called on the calling thread, for the chunks in order. Other threads fill the inputs
    /// and drain the outputs in any order; their number is that of rayon's threads minus the calling one.
    #[doc(hidden)]
    pub fn stream_chunks(
        &self,
        work: Chunked<'_>,
        progress: &Progress,
        compute: impl FnMut(Range<usize>, &ChunkBuffers, &mut ChunkBuffers) -> Result<()>,
    ) -> Result<()> {
        let chunking = work.chunking();
        let Chunked { inputs, outputs, .. } = work;
        let slot = |_| {
            Ok(Slot {
                inputs: ChunkBuffers::new(
                    self,
                    chunking.chunk_rows(),
                    inputs.iter().map(|input| input.layout),
                )?,
                outputs: ChunkBuffers::new(
                    self,
                    chunking.chunk_rows(),
                    outputs.iter().map(|output| output.layout),
                )?,
                uploaded: None,
                computed: None,
                downloaded: None,
            })
        };
        let slots = (0..SLOTS.min(chunking.chunks())).map(slot).collect::<Result<Vec<Slot>>>()?;
        let (upload_stream, download_stream) = (self.new_stream()?, self.new_stream()?);
        // The buffers were allocated on the device's stream; the copies must not start before.
        self.stream().synchronize()?;
        let count = slots.len().max(1);
        let input_memory: Vec<Vec<PinnedPointer>> =
            slots.iter().map(|slot| PinnedPointer::all(&slot.inputs)).collect();
        let output_memory: Vec<Vec<PinnedPointer>> =
            slots.iter().map(|slot| PinnedPointer::all(&slot.outputs)).collect();
        let drains: Vec<_> = outputs.into_iter().map(|output| (output.split)(&chunking)).collect();
        let in_chunk = |piece: usize| {
            let (rows, chunk) = (chunking.piece(piece), chunking.chunk_of(piece));
            let first = chunking.chunk(chunk).start;
            (chunk % count, rows.clone(), rows.start - first..rows.end - first)
        };
        let fill = |piece: usize| {
            let (slot, rows, part) = in_chunk(piece);
            inputs.iter().zip(&input_memory[slot]).try_for_each(|(input, memory)| {
                // SAFETY: the pipeline assigns every piece to one thread, after the last upload of the slot has
                // finished and before its next one starts; the slots outlive the pipeline.
                (input.fill)(rows.clone(), unsafe { memory.rows(part.clone()) })
            })
        };
        let drain = |piece: usize| {
            let (slot, rows, part) = in_chunk(piece);
            drains.iter().zip(&output_memory[slot]).try_for_each(|(drain, memory)| {
                // SAFETY: as above, between the end of a download and the start of the next one into the slot.
                drain(piece, rows.clone(), unsafe { memory.rows(part.clone()) })
            })
        };
        let mut copy_pipeline =
            CopyPipeline { cuda: self, chunking, upload_stream, download_stream, slots, compute };
        let threads = rayon::current_num_threads().saturating_sub(1);
        pipeline::run((chunking, count, threads), progress, &mut copy_pipeline, &fill, &drain)?;
        copy_pipeline.wait()?;
        Ok(progress.report(chunking.rows() as u64, chunking.rows() as u64)?)
    }
}
