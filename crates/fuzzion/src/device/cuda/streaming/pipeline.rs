//! Scheduling of streamed work: several threads fill and drain pinned memory, one thread starts the copies.
//!
//! A chunk is the number of rows of one transfer, a piece the part of a chunk that one thread copies. An idle thread
//! takes the next piece to drain, or otherwise the next piece to fill, so that filling, uploading, computing,
//! downloading and draining overlap whichever is the slowest. This file is independent of CUDA.

use crate::device::error::{DeviceError, Result};
use crate::progress::Progress;
use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

/// How long the transfer thread polls copies without sleeping, and how long it then sleeps between polls.
const SPIN_TIME: Duration = Duration::from_millis(1);
const SLEEP_TIME: Duration = Duration::from_micros(50);

/// Division of rows into chunks and of chunks into pieces; results do not depend on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunking {
    rows: usize,
    chunk_rows: usize,
    piece_rows: usize,
}

impl Chunking {
    /// A piece has at least one row and is at most a chunk.
    pub(super) fn new(rows: usize, chunk_rows: usize, piece_rows: usize) -> Self {
        let chunk_rows = chunk_rows.clamp(1, rows.max(1));
        Chunking { rows, chunk_rows, piece_rows: piece_rows.clamp(1, chunk_rows) }
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn chunk_rows(&self) -> usize {
        self.chunk_rows
    }

    pub(super) fn chunks(&self) -> usize {
        self.rows.div_ceil(self.chunk_rows)
    }

    pub(super) fn chunk(&self, chunk: usize) -> Range<usize> {
        chunk * self.chunk_rows..self.rows.min((chunk + 1) * self.chunk_rows)
    }

    pub(super) fn pieces(&self) -> usize {
        self.chunks().checked_sub(1).map_or(0, |last| last * self.pieces_per_chunk() + self.pieces_in(last))
    }

    /// Rows of a piece; pieces are numbered over all chunks.
    pub(super) fn piece(&self, piece: usize) -> Range<usize> {
        let chunk = self.chunk(self.chunk_of(piece));
        let start = chunk.start + piece % self.pieces_per_chunk() * self.piece_rows;
        start..chunk.end.min(start + self.piece_rows)
    }

    pub(super) fn chunk_of(&self, piece: usize) -> usize {
        piece / self.pieces_per_chunk()
    }

    fn pieces_per_chunk(&self) -> usize {
        self.chunk_rows.div_ceil(self.piece_rows)
    }

    fn pieces_in(&self, chunk: usize) -> usize {
        self.chunk(chunk).len().div_ceil(self.piece_rows)
    }
}

/// Transfers chunks to the processor and back; called by one thread, for chunks in order.
pub(super) trait Transport {
    /// Starts the upload, computation and download of a chunk, whose input is filled and whose output memory is
    /// drained.
    fn start(&mut self, chunk: usize) -> Result<()>;
    /// Whether the chunk's input is uploaded, so that its memory can be filled again.
    fn has_uploaded(&self, chunk: usize) -> Result<bool>;
    /// Whether the chunk's output is downloaded.
    fn has_downloaded(&self, chunk: usize) -> Result<bool>;
}

/// Fills or drains the piece with the given index.
pub(super) type Job<'a> = dyn Fn(usize) -> Result<()> + Sync + 'a;

/// Passes every chunk through `transport`, chunk i in slot i modulo `slots`, with `threads` threads that fill and
/// drain. Pieces start in order but finish in any order; of several errors the one of the first rows is returned. A
/// panic in a job resumes in the caller. No job is running when this function returns.
pub(super) fn run(
    (chunking, slots, threads): (Chunking, usize, usize),
    progress: &Progress,
    transport: &mut impl Transport,
    fill: &Job<'_>,
    drain: &Job<'_>,
) -> Result<()> {
    let pipeline =
        Pipeline { chunking, slots, state: Mutex::new(State::new(slots)), changed: Condvar::new() };
    let transferred = thread::scope(|scope| {
        // Dropped even after a panic: otherwise the threads would wait forever, and the scope for them.
        let _stop = StopOnDrop(&pipeline);
        pipeline.start_threads(scope, threads, fill, drain)?;
        pipeline.transfer(progress, transport)
    });
    let state = pipeline.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    match state.failure {
        Some((_, Failure::Panic(payload))) => resume_unwind(payload),
        Some((_, Failure::Error(error))) => Err(error),
        None => transferred,
    }
}

struct Pipeline {
    chunking: Chunking,
    slots: usize,
    state: Mutex<State>,
    /// Signals that more pieces are available, or that the threads must stop.
    changed: Condvar,
}

struct State {
    filling: PieceQueue,
    draining: PieceQueue,
    /// The failed piece and its failure.
    failure: Option<(usize, Failure)>,
    stopped: bool,
}

enum Failure {
    Error(DeviceError),
    Panic(Box<dyn Any + Send>),
}

/// Queue of the pieces to be filled, or to be drained.
struct PieceQueue {
    /// The next piece.
    next: usize,
    /// Pieces of the chunks before this one are available.
    available: usize,
    /// For each slot, the number of unfinished pieces of its current chunk.
    unfinished: Vec<usize>,
}

impl PieceQueue {
    fn take(&mut self, chunking: &Chunking) -> Option<usize> {
        let (piece, chunk) = (self.next, chunking.chunk_of(self.next));
        if piece >= chunking.pieces() || chunk >= self.available {
            return None;
        }
        if piece % chunking.pieces_per_chunk() == 0 {
            let slot = chunk % self.unfinished.len();
            self.unfinished[slot] = chunking.pieces_in(chunk);
        }
        self.next += 1;
        Some(piece)
    }

    fn finish(&mut self, chunking: &Chunking, piece: usize) {
        let slot = chunking.chunk_of(piece) % self.unfinished.len();
        self.unfinished[slot] -= 1;
    }

    /// Whether every piece of `chunk` is finished; called before a later chunk takes its slot.
    fn is_finished(&self, chunking: &Chunking, chunk: usize) -> bool {
        let end = chunking.pieces().min((chunk + 1) * chunking.pieces_per_chunk());
        self.next >= end && self.unfinished[chunk % self.unfinished.len()] == 0
    }

    fn all_finished(&self, chunking: &Chunking) -> bool {
        self.next == chunking.pieces() && self.unfinished.iter().all(|unfinished| *unfinished == 0)
    }
}

impl State {
    fn new(slots: usize) -> Self {
        let queue = || PieceQueue { next: 0, available: 0, unfinished: vec![0; slots] };
        State { filling: queue(), draining: queue(), failure: None, stopped: false }
    }
}

/// Stops the threads when dropped.
struct StopOnDrop<'a>(&'a Pipeline);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.state().stopped = true;
        self.0.changed.notify_all();
    }
}

/// Next action of the transfer thread.
enum Step {
    Start,
    Wait,
    End,
}

impl Pipeline {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start_threads<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        threads: usize,
        fill: &'scope Job<'_>,
        drain: &'scope Job<'_>,
    ) -> Result<()> {
        let threads = threads.clamp(1, self.chunking.pieces().max(1));
        for i in 0..threads {
            let name = format!("fuzzion-copy-{i}");
            let started = thread::Builder::new().name(name).spawn_scoped(scope, || self.work(fill, drain));
            match started {
                Err(error) if i == 0 => {
                    return Err(DeviceError::ThreadPool { threads, reason: error.to_string() });
                }
                Err(_) => break, // continue with fewer threads
                Ok(_) => {}
            }
        }
        Ok(())
    }

    /// Loop of a thread: fills and drains pieces until none is left.
    fn work(&self, fill: &Job<'_>, drain: &Job<'_>) {
        while let Some((piece, is_drain)) = self.take() {
            let job = if is_drain { drain } else { fill };
            let failure = match catch_unwind(AssertUnwindSafe(|| job(piece))) {
                Ok(Ok(())) => None,
                Ok(Err(error)) => Some(Failure::Error(error)),
                Err(payload) => Some(Failure::Panic(payload)),
            };
            let mut state = self.state();
            match failure {
                None if is_drain => state.draining.finish(&self.chunking, piece),
                None => state.filling.finish(&self.chunking, piece),
                Some(failure) => {
                    // Pieces start in order, so the first failing piece has always started.
                    if state.failure.as_ref().is_none_or(|(first, _)| piece < *first) {
                        state.failure = Some((piece, failure));
                    }
                    self.changed.notify_all();
                }
            }
        }
    }

    /// The next piece and whether it is to be drained; `None` if no work is left.
    fn take(&self) -> Option<(usize, bool)> {
        let mut state = self.state();
        loop {
            if state.stopped || state.failure.is_some() || state.draining.next == self.chunking.pieces() {
                return None;
            }
            if let Some(piece) = state.draining.take(&self.chunking) {
                return Some((piece, true));
            }
            if let Some(piece) = state.filling.take(&self.chunking) {
                return Some((piece, false));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Starts the chunks in order as they are filled.
    fn transfer(&self, progress: &Progress, transport: &mut impl Transport) -> Result<()> {
        let (mut started, mut uploaded, mut downloaded) = (0, 0, 0);
        let mut last_change = Instant::now();
        loop {
            let before = (uploaded, downloaded);
            while uploaded < started && transport.has_uploaded(uploaded)? {
                uploaded += 1;
            }
            while downloaded < started && transport.has_downloaded(downloaded)? {
                downloaded += 1;
            }
            match self.step(started, uploaded, downloaded) {
                Step::Start => {
                    progress.report(self.chunking.chunk(started).start as u64, self.chunking.rows as u64)?;
                    transport.start(started)?;
                    started += 1;
                    last_change = Instant::now();
                }
                Step::End => return Ok(()),
                Step::Wait if before != (uploaded, downloaded) => last_change = Instant::now(),
                Step::Wait if last_change.elapsed() < SPIN_TIME => thread::yield_now(),
                Step::Wait => thread::sleep(SLEEP_TIME),
            }
        }
    }

    /// Updates the available pieces and returns the next action.
    fn step(&self, started: usize, uploaded: usize, downloaded: usize) -> Step {
        let chunking = &self.chunking;
        let mut state = self.state();
        let fillable = uploaded + self.slots;
        if state.filling.available != fillable || state.draining.available != downloaded {
            (state.filling.available, state.draining.available) = (fillable, downloaded);
            self.changed.notify_all();
        }
        if state.failure.is_some() || state.draining.all_finished(chunking) {
            return Step::End;
        }
        let is_filled = started < chunking.chunks() && state.filling.is_finished(chunking, started);
        let slot_is_free =
            || started.checked_sub(self.slots).is_none_or(|old| state.draining.is_finished(chunking, old));
        if is_filled && slot_is_free() { Step::Start } else { Step::Wait }
    }
}

#[cfg(test)]
mod tests;
