//! The bus between host and GPU, to be timed: what no streaming can outrun.

use super::Cuda;
use super::memory::{Buffer, Pinned};
use super::stream::Stream;
use crate::error::Result;

/// An array for each direction, pinned on the host's side.
pub(crate) struct Bus {
    sent: Pinned,
    input: Buffer<u8>,
    inward: Stream,
    output: Buffer<u8>,
    received: Pinned,
    outward: Stream,
}

impl Bus {
    /// With arrays of `bytes` bytes.
    pub(crate) fn new(cuda: &Cuda, bytes: usize) -> Result<Self> {
        let bus = Bus {
            sent: cuda.pinned(bytes)?,
            input: cuda.reserve(bytes)?,
            inward: cuda.new_stream()?,
            output: cuda.zeros(bytes)?,
            received: cuda.pinned(bytes)?,
            outward: cuda.new_stream()?,
        };
        cuda.stream().synchronize()?; // the arrays were taken on the device's stream
        Ok(bus)
    }

    /// Carries bytes there and back at once and waits for both; no more of them than the arrays have.
    pub(crate) fn carry(&mut self, there: usize, back: usize) -> Result<()> {
        assert!(there <= self.input.len() && back <= self.output.len());
        // SAFETY: the arrays are this long, no one else has them, and both copies have ended when we return.
        let started = unsafe {
            let there = self.inward.start_upload(&self.sent, self.input.pointer(), there);
            there.and(self.outward.start_download(self.output.pointer(), &self.received, back))
        };
        let ended = [&self.inward, &self.outward].map(Stream::synchronize);
        ended.into_iter().fold(started, Result::and)
    }
}
