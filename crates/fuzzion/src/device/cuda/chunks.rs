//! Data larger than the GPU's memory, streamed through it: while one chunk is computed, the next ones travel in and
//! the last results travel out, and the host's threads copy from and to ordinary memory.

use super::Cuda;
use super::lanes::{Input, Lanes, Output};
use super::memory::PINNED_BYTES;
use super::pipeline::{self, Cut, Transport};
use super::stream::{Event, Stream};
use crate::error::Result;
use crate::progress::Progress;
use std::ops::Range;

/// Bytes that travel at a time, in the direction that has more of them: enough to hide the latency of a copy, and few
/// enough for the chunks in flight to stay in the host's cache between the threads and the bus.
const CHUNK_BYTES: usize = PINNED_BYTES;

/// Bytes that one thread copies at a time.
const PIECE_BYTES: usize = 256 << 10;

/// Chunks in flight: one is filled, one travels in, one is computed or travels out, one is drained.
const SLOTS: usize = 4;

/// Work that is streamed: its rows, what of them goes to the GPU and what comes back.
pub(crate) struct Chunked<'a> {
    rows: usize,
    chunk_rows: Option<usize>,
    inputs: Vec<Input<'a>>,
    outputs: Vec<Output<'a>>,
}

impl<'a> Chunked<'a> {
    /// `rows` rows of nothing yet.
    pub(crate) fn new(rows: usize) -> Self {
        Chunked { rows, chunk_rows: None, inputs: Vec::new(), outputs: Vec::new() }
    }

    /// Sends one more array along.
    #[must_use]
    pub(crate) fn input(mut self, input: Input<'a>) -> Self {
        self.inputs.push(input);
        self
    }

    /// Gets one more array back.
    #[must_use]
    pub(crate) fn output(mut self, output: Output<'a>) -> Self {
        self.outputs.push(output);
        self
    }

    /// Rows per chunk, where it shall not be what suits the bus; results do not depend on it.
    #[must_use]
    pub(crate) fn chunk_rows(self, rows: usize) -> Self {
        Chunked { chunk_rows: Some(rows), ..self }
    }

    fn cut(&self) -> Cut {
        let sent: usize = self.inputs.iter().map(|input| input.kind.row_bytes).sum();
        let received: usize = self.outputs.iter().map(|output| output.kind.row_bytes).sum();
        let row_bytes = sent.max(received).max(1);
        Cut::new(self.rows, self.chunk_rows.unwrap_or(CHUNK_BYTES / row_bytes), PIECE_BYTES / row_bytes)
    }
}

/// One chunk's places on both sides of the bus and the marks that say when they are free again.
struct Slot {
    inputs: Lanes,
    outputs: Lanes,
    uploaded: Option<Event>,
    computed: Option<Event>,
    downloaded: Option<Event>,
}

/// The start of a lane's pinned memory.
struct Place {
    start: *mut u8,
    row_bytes: usize,
}

// SAFETY: it is the address of memory that any thread may use; who may use which part when is said where it is used.
unsafe impl Send for Place {}
// SAFETY: as above.
unsafe impl Sync for Place {}

impl Place {
    fn all(lanes: &Lanes) -> Vec<Place> {
        lanes.0.iter().map(|lane| Place { start: lane.pinned.start(), row_bytes: lane.row_bytes }).collect()
    }

    /// The bytes of `rows`, counted from the chunk's first row.
    ///
    /// # Safety
    /// The rows are the chunk's, the memory is still there, and meanwhile no one else uses this part of it.
    #[allow(clippy::mut_from_ref)] // it is an address, not the owner of what is there
    unsafe fn rows(&self, rows: Range<usize>) -> &mut [u8] {
        // SAFETY: as the caller promises.
        unsafe {
            std::slice::from_raw_parts_mut(
                self.start.add(rows.start * self.row_bytes),
                rows.len() * self.row_bytes,
            )
        }
    }
}

/// The way through the GPU, with every copy under way. Dropping it waits for them, whatever happened (a closure may
/// fail or panic): no copy may still be under way when its memory is given back, which happens after.
struct Journey<'a, C> {
    cuda: &'a Cuda,
    cut: Cut,
    inward: Stream,
    outward: Stream,
    slots: Vec<Slot>,
    compute: C,
}

impl<C> Journey<'_, C> {
    /// Waits for all of them and tells the first failure.
    fn wait(&self) -> Result<()> {
        [&self.inward, &self.outward, self.cuda.stream()].map(Stream::synchronize).into_iter().collect()
    }
}

impl<C> Drop for Journey<'_, C> {
    fn drop(&mut self) {
        let _ = self.wait(); // where it matters, `wait` was called and its failure told
    }
}

impl<C: FnMut(Range<usize>, &Lanes, &mut Lanes) -> Result<()>> Transport for Journey<'_, C> {
    fn start(&mut self, chunk: usize) -> Result<()> {
        let (rows, count) = (self.cut.chunk(chunk), self.slots.len());
        let slot = &mut self.slots[chunk % count];
        if let Some(computed) = slot.computed.take() {
            self.inward.wait_for_event(&computed)?; // the inputs may be overwritten
        }
        for lane in &slot.inputs.0 {
            // SAFETY: lane and pinned memory hold a chunk. The pipeline lets no one fill the pinned memory before
            // `has_uploaded`, and the drop of `self` waits for the copy.
            unsafe { self.inward.start_upload(&lane.pinned, lane.pointer, rows.len() * lane.row_bytes) }?;
        }
        let uploaded = self.inward.mark_order()?;
        self.cuda.stream().wait_for_event(&uploaded)?;
        slot.uploaded = Some(uploaded);
        (self.compute)(rows.clone(), &slot.inputs, &mut slot.outputs)?;
        let computed = self.cuda.stream().mark_order()?;
        self.outward.wait_for_event(&computed)?;
        slot.computed = Some(computed);
        for lane in &slot.outputs.0 {
            // SAFETY: as above; no one reads the pinned memory between its last drain, which has ended, and
            // `has_downloaded`. The slot is computed again only after that.
            unsafe { self.outward.start_download(lane.pointer, &lane.pinned, rows.len() * lane.row_bytes) }?;
        }
        slot.downloaded = Some(self.outward.mark_order()?);
        Ok(())
    }

    fn has_uploaded(&self, chunk: usize) -> Result<bool> {
        self.slots[chunk % self.slots.len()].uploaded.as_ref().map_or(Ok(true), Event::has_passed)
    }

    fn has_downloaded(&self, chunk: usize) -> Result<bool> {
        self.slots[chunk % self.slots.len()].downloaded.as_ref().map_or(Ok(true), Event::has_passed)
    }
}

impl Cuda {
    /// Sends every row through the GPU: `compute(rows, inputs, outputs)` launches the work for a chunk on the device's
    /// stream and sees the chunks in order, on the calling thread. The inputs are filled and the outputs drained by
    /// as many other threads as rayon has (one fewer, for the calling one), in any order.
    pub(crate) fn stream_chunks(
        &self,
        work: Chunked<'_>,
        progress: Progress<'_>,
        compute: impl FnMut(Range<usize>, &Lanes, &mut Lanes) -> Result<()>,
    ) -> Result<()> {
        let cut = work.cut();
        let Chunked { inputs, outputs, .. } = work;
        let slot = |_| {
            Ok(Slot {
                inputs: Lanes::new(self, cut.chunk_rows(), inputs.iter().map(|input| input.kind))?,
                outputs: Lanes::new(self, cut.chunk_rows(), outputs.iter().map(|output| output.kind))?,
                uploaded: None,
                computed: None,
                downloaded: None,
            })
        };
        let slots = (0..SLOTS.min(cut.chunks())).map(slot).collect::<Result<Vec<Slot>>>()?;
        let (inward, outward) = (self.new_stream()?, self.new_stream()?);
        // The buffers were taken on the device's stream; the copies must not run ahead of that.
        self.stream().synchronize()?;
        let count = slots.len().max(1);
        let sent: Vec<Vec<Place>> = slots.iter().map(|slot| Place::all(&slot.inputs)).collect();
        let received: Vec<Vec<Place>> = slots.iter().map(|slot| Place::all(&slot.outputs)).collect();
        let drains: Vec<_> = outputs.into_iter().map(|output| (output.split)(&cut)).collect();
        let in_chunk = |piece: usize| {
            let (rows, chunk) = (cut.piece(piece), cut.chunk_of(piece));
            let first = cut.chunk(chunk).start;
            (chunk % count, rows.clone(), rows.start - first..rows.end - first)
        };
        let fill = |piece: usize| {
            let (slot, rows, part) = in_chunk(piece);
            inputs.iter().zip(&sent[slot]).try_for_each(|(input, place)| {
                // SAFETY: the pipeline gives every piece to one thread, once the slot's last upload has ended and
                // before its next one starts; the slots live longer than the pipeline runs.
                (input.fill)(rows.clone(), unsafe { place.rows(part.clone()) })
            })
        };
        let drain = |piece: usize| {
            let (slot, rows, part) = in_chunk(piece);
            drains.iter().zip(&received[slot]).try_for_each(|(drain, place)| {
                // SAFETY: as above, between the end of a download and the start of the next one into the slot.
                drain(piece, rows.clone(), unsafe { place.rows(part.clone()) })
            })
        };
        let mut journey = Journey { cuda: self, cut, inward, outward, slots, compute };
        let threads = rayon::current_num_threads().saturating_sub(1);
        pipeline::run((cut, count, threads), progress, &mut journey, &fill, &drain)?;
        journey.wait()?;
        progress.report(cut.rows() as u64, cut.rows() as u64)
    }
}
