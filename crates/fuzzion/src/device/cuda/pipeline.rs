//! Who does what while rows travel through a GPU: several threads fill and drain pinned memory, one thread sends it.
//!
//! A chunk of rows travels at a time, a piece of a chunk is what one thread copies at a time. A thread that has nothing
//! to do takes the next piece to drain, or else the next piece to fill, so that filling, sending, computing, receiving
//! and draining overlap whichever of them is the slowest. Nothing here knows CUDA.

use crate::error::{Error, Result};
use crate::progress::Progress;
use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

/// How long the sending thread asks again and again whether a copy has ended before it sleeps in between.
const PATIENCE: Duration = Duration::from_millis(1);
const NAP: Duration = Duration::from_micros(50);

/// Rows cut into chunks and chunks into pieces; results do not depend on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    rows: usize,
    chunk_rows: usize,
    piece_rows: usize,
}

impl Cut {
    /// At least a row to a piece, and no piece larger than a chunk.
    pub(super) fn new(rows: usize, chunk_rows: usize, piece_rows: usize) -> Self {
        let chunk_rows = chunk_rows.clamp(1, rows.max(1));
        Cut { rows, chunk_rows, piece_rows: piece_rows.clamp(1, chunk_rows) }
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

    /// The rows of the piece numbered `piece`, counting over all chunks.
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

/// What takes chunks to the processor and back; called by one thread only, for chunks in order.
pub(super) trait Transport {
    /// Starts sending, computing and receiving a chunk, whose input is filled and whose output is drained of what was
    /// there before.
    fn start(&mut self, chunk: usize) -> Result<()>;
    /// Whether the chunk's input has left, so that its place may be filled again.
    fn has_uploaded(&self, chunk: usize) -> Result<bool>;
    /// Whether the chunk's output is there.
    fn has_downloaded(&self, chunk: usize) -> Result<bool>;
}

/// Fills or drains the piece of this number.
pub(super) type Job<'a> = dyn Fn(usize) -> Result<()> + Sync + 'a;

/// Carries every chunk of `cut` through `transport`, chunk i at place i modulo `slots`, with `threads` threads that
/// fill and drain. Pieces are taken in order but end in any order; of several failures the one of the first rows counts.
/// A panic in a job goes on in the caller. Whatever happens, no job runs any more when this returns.
pub(super) fn run(
    (cut, slots, threads): (Cut, usize, usize),
    progress: Progress<'_>,
    transport: &mut impl Transport,
    fill: &Job<'_>,
    drain: &Job<'_>,
) -> Result<()> {
    let pipeline = Pipeline { cut, slots, state: Mutex::new(State::new(slots)), opened: Condvar::new() };
    let carried = thread::scope(|scope| {
        // Dropped even by a panic: without it the threads would wait for ever, and the scope for them.
        let _over = Over(&pipeline);
        pipeline.start_threads(scope, threads, fill, drain)?;
        pipeline.carry(progress, transport)
    });
    let state = pipeline.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    match state.failure {
        Some((_, Failure::Panic(payload))) => resume_unwind(payload),
        Some((_, Failure::Error(error))) => Err(error),
        None => carried,
    }
}

struct Pipeline {
    cut: Cut,
    slots: usize,
    state: Mutex<State>,
    /// Pieces may be taken that might not before, or the work is over.
    opened: Condvar,
}

struct State {
    filling: Side,
    draining: Side,
    /// What went wrong and in which piece.
    failure: Option<(usize, Failure)>,
    over: bool,
}

enum Failure {
    Error(Error),
    Panic(Box<dyn Any + Send>),
}

/// The pieces to be filled, or those to be drained.
struct Side {
    /// The next piece to be taken.
    next: usize,
    /// Pieces of the chunks before this one may be taken.
    open: usize,
    /// For each slot, how many pieces of the chunk last begun there have not ended.
    left: Vec<usize>,
}

impl Side {
    fn take(&mut self, cut: &Cut) -> Option<usize> {
        let (piece, chunk) = (self.next, cut.chunk_of(self.next));
        if piece >= cut.pieces() || chunk >= self.open {
            return None;
        }
        if piece % cut.pieces_per_chunk() == 0 {
            let slot = chunk % self.left.len();
            self.left[slot] = cut.pieces_in(chunk);
        }
        self.next += 1;
        Some(piece)
    }

    fn end(&mut self, cut: &Cut, piece: usize) {
        let slot = cut.chunk_of(piece) % self.left.len();
        self.left[slot] -= 1;
    }

    /// Whether every piece of `chunk` has ended; asked before a later chunk takes its slot.
    fn has_ended(&self, cut: &Cut, chunk: usize) -> bool {
        let past = cut.pieces().min((chunk + 1) * cut.pieces_per_chunk());
        self.next >= past && self.left[chunk % self.left.len()] == 0
    }

    fn has_ended_all(&self, cut: &Cut) -> bool {
        self.next == cut.pieces() && self.left.iter().all(|left| *left == 0)
    }
}

impl State {
    fn new(slots: usize) -> Self {
        let side = || Side { next: 0, open: 0, left: vec![0; slots] };
        State { filling: side(), draining: side(), failure: None, over: false }
    }
}

/// Ends the work of the threads when it is dropped.
struct Over<'a>(&'a Pipeline);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.state().over = true;
        self.0.opened.notify_all();
    }
}

/// What the sending thread does next.
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
        let threads = threads.clamp(1, self.cut.pieces().max(1));
        for i in 0..threads {
            let name = format!("fuzzion-copy-{i}");
            let started = thread::Builder::new().name(name).spawn_scoped(scope, || self.work(fill, drain));
            match started {
                Err(refused) if i == 0 => {
                    return Err(Error::ThreadPool { threads, reason: refused.to_string() });
                }
                Err(_) => break, // those that run do the work of all
                Ok(_) => {}
            }
        }
        Ok(())
    }

    /// What every thread does until nothing is left.
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
                None if is_drain => state.draining.end(&self.cut, piece),
                None => state.filling.end(&self.cut, piece),
                Some(failure) => {
                    // Pieces are taken in order, so the first that fails has always been taken.
                    if state.failure.as_ref().is_none_or(|(first, _)| piece < *first) {
                        state.failure = Some((piece, failure));
                    }
                    self.opened.notify_all();
                }
            }
        }
    }

    /// The next piece and whether it is to be drained; `None` when nothing is left.
    fn take(&self) -> Option<(usize, bool)> {
        let mut state = self.state();
        loop {
            if state.over || state.failure.is_some() || state.draining.next == self.cut.pieces() {
                return None;
            }
            if let Some(piece) = state.draining.take(&self.cut) {
                return Some((piece, true));
            }
            if let Some(piece) = state.filling.take(&self.cut) {
                return Some((piece, false));
            }
            state = self.opened.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Sends the chunks in order as they are filled.
    fn carry(&self, progress: Progress<'_>, transport: &mut impl Transport) -> Result<()> {
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
                    progress.report(self.cut.chunk(started).start as u64, self.cut.rows as u64)?;
                    transport.start(started)?;
                    started += 1;
                    last_change = Instant::now();
                }
                Step::End => return Ok(()),
                Step::Wait if before != (uploaded, downloaded) => last_change = Instant::now(),
                Step::Wait if last_change.elapsed() < PATIENCE => thread::yield_now(),
                Step::Wait => thread::sleep(NAP),
            }
        }
    }

    /// Opens what may now be filled and drained, and says what is to be done.
    fn step(&self, started: usize, uploaded: usize, downloaded: usize) -> Step {
        let cut = &self.cut;
        let mut state = self.state();
        let may_fill = uploaded + self.slots;
        if state.filling.open != may_fill || state.draining.open != downloaded {
            (state.filling.open, state.draining.open) = (may_fill, downloaded);
            self.opened.notify_all();
        }
        if state.failure.is_some() || state.draining.has_ended_all(cut) {
            return Step::End;
        }
        let is_filled = started < cut.chunks() && state.filling.has_ended(cut, started);
        let has_room =
            || started.checked_sub(self.slots).is_none_or(|old| state.draining.has_ended(cut, old));
        if is_filled && has_room() { Step::Start } else { Step::Wait }
    }
}

#[cfg(test)]
mod tests;
