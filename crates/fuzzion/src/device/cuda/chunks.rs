//! Data larger than the GPU's memory, streamed through it: while one chunk is computed, the next one travels in and
//! the last result travels out.

use super::Cuda;
use super::memory::{Buffer, Element, PINNED_BYTES, Pinned};
use super::stream::{Event, Stream};
use crate::error::Result;
use crate::progress::Progress;
use std::ops::Range;

/// Bytes that travel at a time where nothing speaks for another number: as many as a piece of pinned memory has, which
/// is enough to hide the latency of a copy.
const CHUNK_BYTES: usize = PINNED_BYTES;

/// Chunks in flight: one computes while another one travels.
const SLOTS: usize = 2;

/// The shape of streamed work: `rows` rows of `input_width` numbers in, `output_width` numbers out (0 for none).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunked {
    pub(crate) rows: usize,
    pub(crate) input_width: usize,
    pub(crate) output_width: usize,
    /// Rows per chunk; results do not depend on it.
    pub(crate) chunk_rows: usize,
}

impl Chunked {
    /// Chunks of a size that suits the bus.
    pub(crate) fn new<T, U>(rows: usize, input_width: usize, output_width: usize) -> Self {
        let row_bytes = (input_width * size_of::<T>()).max(output_width * size_of::<U>()).max(1);
        let chunk_rows = (CHUNK_BYTES / row_bytes).clamp(1, rows.max(1));
        Chunked { rows, input_width, output_width, chunk_rows }
    }

    fn ranges(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let (rows, chunk) = (self.rows, self.chunk_rows);
        (0..rows.div_ceil(chunk)).map(move |i| i * chunk..rows.min((i + 1) * chunk))
    }
}

/// One chunk's places on both sides of the bus and the marks that say when they are free again.
struct Slot<T, U> {
    sent: Pinned<T>,
    input: Buffer<T>,
    output: Buffer<U>,
    received: Pinned<U>,
    uploaded: Option<Event>,
    computed: Option<Event>,
    downloaded: Option<(Event, Range<usize>)>,
}

/// Streams that must be still before what they copy is dropped.
struct Quiet<'a>([&'a Stream; 3]);

impl Quiet<'_> {
    /// Waits for all of them and tells the first failure.
    fn wait(&self) -> Result<()> {
        self.0.map(Stream::synchronize).into_iter().collect()
    }
}

impl Drop for Quiet<'_> {
    fn drop(&mut self) {
        let _ = self.wait(); // where it matters, `wait` was called and its failure told
    }
}

impl Cuda {
    /// Sends every row through the GPU: `fill(rows, numbers)` provides a chunk, `compute(rows, input, output)`
    /// launches the work on the device's stream, `drain(rows, numbers)` takes a result. All three see the chunks
    /// in order.
    pub(crate) fn stream_chunks<T: Element, U: Element>(
        &self,
        shape: Chunked,
        progress: Progress<'_>,
        mut fill: impl FnMut(Range<usize>, &mut [T]) -> Result<()>,
        mut compute: impl FnMut(Range<usize>, &Buffer<T>, &mut Buffer<U>) -> Result<()>,
        mut drain: impl FnMut(Range<usize>, &[U]) -> Result<()>,
    ) -> Result<()> {
        let shape = Chunked { chunk_rows: shape.chunk_rows.clamp(1, shape.rows.max(1)), ..shape };
        let (inward, outward) = (self.new_stream()?, self.new_stream()?);
        let mut slots = (0..SLOTS.min(shape.rows.div_ceil(shape.chunk_rows)))
            .map(|_| self.slot(&shape))
            .collect::<Result<Vec<Slot<T, U>>>>()?;
        // The buffers were taken on the device's stream; the copies must not run ahead of that.
        self.stream().synchronize()?;
        // Dropped before the slots, whatever happens (a closure may fail or panic): no copy may still be under way
        // when their memory is given back.
        let quiet = Quiet([&inward, &outward, self.stream()]);
        for (i, rows) in shape.ranges().enumerate() {
            let count = slots.len();
            let slot = &mut slots[i % count];
            self.finish(slot, &shape, &mut drain)?;
            progress.report(rows.start as u64, shape.rows as u64)?;
            self.begin(slot, &shape, rows, (&inward, &outward), &mut fill, &mut compute)?;
        }
        // The oldest chunk in flight is the one whose rows start first.
        slots.sort_by_key(|slot| slot.downloaded.as_ref().map(|(_, rows)| rows.start));
        slots.iter_mut().try_for_each(|slot| self.finish(slot, &shape, &mut drain))?;
        quiet.wait()?;
        progress.report(shape.rows as u64, shape.rows as u64)
    }

    fn slot<T: Element, U: Element>(&self, shape: &Chunked) -> Result<Slot<T, U>> {
        // A product past the end of memory becomes a request that is refused.
        let numbers = |width: usize| shape.chunk_rows.saturating_mul(width);
        let (input, output) = (numbers(shape.input_width), numbers(shape.output_width));
        Ok(Slot {
            sent: self.pinned(input)?,
            input: self.reserve(input)?,
            output: self.reserve(output)?,
            received: self.pinned(output)?,
            uploaded: None,
            computed: None,
            downloaded: None,
        })
    }

    fn begin<T: Element, U: Element>(
        &self,
        slot: &mut Slot<T, U>,
        shape: &Chunked,
        rows: Range<usize>,
        (inward, outward): (&Stream, &Stream),
        fill: &mut impl FnMut(Range<usize>, &mut [T]) -> Result<()>,
        compute: &mut impl FnMut(Range<usize>, &Buffer<T>, &mut Buffer<U>) -> Result<()>,
    ) -> Result<()> {
        if let Some(uploaded) = slot.uploaded.take() {
            uploaded.synchronize()?; // `sent` may be refilled
        }
        let sent = rows.len() * shape.input_width;
        fill(rows.clone(), &mut slot.sent.as_mut_slice()?[..sent])?;
        if let Some(computed) = slot.computed.take() {
            inward.wait_for_event(&computed)?; // `input` may be overwritten
        }
        inward.start_upload(&slot.sent, sent, &mut slot.input)?;
        let uploaded = inward.mark()?;
        self.stream().wait_for_event(&uploaded)?;
        slot.uploaded = Some(uploaded);
        compute(rows.clone(), &slot.input, &mut slot.output)?;
        let computed = self.stream().mark()?;
        outward.wait_for_event(&computed)?;
        slot.computed = Some(computed);
        outward.start_download(&slot.output, rows.len() * shape.output_width, &mut slot.received)?;
        slot.downloaded = Some((outward.mark()?, rows));
        Ok(())
    }

    /// Waits for the slot's result, if one is under way, and hands it over.
    fn finish<T: Element, U: Element>(
        &self,
        slot: &mut Slot<T, U>,
        shape: &Chunked,
        drain: &mut impl FnMut(Range<usize>, &[U]) -> Result<()>,
    ) -> Result<()> {
        let Some((downloaded, rows)) = slot.downloaded.take() else { return Ok(()) };
        downloaded.synchronize()?;
        let received = rows.len() * shape.output_width;
        drain(rows, &slot.received.as_slice()?[..received])
    }
}
