//! Tests of the pipeline with a simulated bus in host memory. Copies take effect as late as possible, so that filling
//! or draining too early gives wrong values.

use super::*;
use proptest::prelude::*;
use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};

/// Host memory of every slot, for rows of one value.
struct HostMemory {
    chunking: Chunking,
    slots: usize,
    inputs: Vec<Vec<AtomicU64>>,
    outputs: Vec<Vec<AtomicU64>>,
}

impl HostMemory {
    fn new(chunking: Chunking, slots: usize) -> Self {
        let arrays = || {
            let slot = || (0..chunking.chunk_rows()).map(|_| AtomicU64::new(u64::MAX)).collect();
            (0..slots).map(|_| slot()).collect()
        };
        HostMemory { chunking, slots, inputs: arrays(), outputs: arrays() }
    }

    fn at<'a>(&self, arrays: &'a [Vec<AtomicU64>], row: usize) -> &'a AtomicU64 {
        let chunk = row / self.chunking.chunk_rows();
        &arrays[chunk % self.slots][row - self.chunking.chunk(chunk).start]
    }

    fn fill(&self, piece: usize) {
        for row in self.chunking.piece(piece) {
            self.at(&self.inputs, row).store(row as u64, SeqCst);
        }
    }

    fn drain(&self, piece: usize, out: &[AtomicU64]) {
        for row in self.chunking.piece(piece) {
            out[row].store(self.at(&self.outputs, row).load(SeqCst), SeqCst);
        }
    }
}

/// A bus whose copies finish after a number of polls.
struct SlowBus<'a> {
    memory: &'a HostMemory,
    /// Number of polls per copy.
    delay: usize,
    started: usize,
    uploaded: Cell<(usize, usize)>,
    downloaded: Cell<(usize, usize)>,
    fail_at: Option<usize>,
    panic_at: Option<usize>,
    device: Vec<AtomicU64>,
}

impl<'a> SlowBus<'a> {
    fn new(memory: &'a HostMemory, delay: usize) -> Self {
        let device = (0..memory.chunking.rows()).map(|_| AtomicU64::new(0)).collect();
        let (uploaded, downloaded) = (Cell::new((0, 0)), Cell::new((0, 0)));
        SlowBus { memory, delay, started: 0, uploaded, downloaded, fail_at: None, panic_at: None, device }
    }

    /// Counts a poll of `chunk`; the last one performs `copy`.
    fn poll(&self, chunk: usize, copied: &Cell<(usize, usize)>, copy: impl Fn(usize)) -> bool {
        let (finished, polls) = copied.get();
        assert!(chunk <= finished && chunk < self.started);
        if chunk < finished {
            return true;
        }
        if polls < self.delay {
            copied.set((finished, polls + 1));
            return false;
        }
        self.memory.chunking.chunk(chunk).for_each(copy);
        copied.set((finished + 1, 0));
        true
    }
}

impl Transport for SlowBus<'_> {
    fn start(&mut self, chunk: usize) -> Result<()> {
        assert_eq!(chunk, self.started, "chunks start in order");
        assert!(self.panic_at != Some(chunk), "the bus broke");
        if self.fail_at == Some(chunk) {
            return Err(DeviceError::Interrupted);
        }
        self.started += 1;
        Ok(())
    }

    fn has_uploaded(&self, chunk: usize) -> Result<bool> {
        Ok(self.poll(chunk, &self.uploaded, |row| {
            self.device[row].store(self.memory.at(&self.memory.inputs, row).load(SeqCst), SeqCst);
        }))
    }

    fn has_downloaded(&self, chunk: usize) -> Result<bool> {
        let is_uploaded = chunk < self.uploaded.get().0;
        Ok(is_uploaded
            && self.poll(chunk, &self.downloaded, |row| {
                let result = self.device[row].load(SeqCst).wrapping_mul(3).wrapping_add(1);
                self.memory.at(&self.memory.outputs, row).store(result, SeqCst);
            }))
    }
}

fn rows_of(rows: usize) -> Vec<AtomicU64> {
    (0..rows).map(|_| AtomicU64::new(u64::MAX)).collect()
}

proptest! {
    #[test]
    fn every_row_is_processed_once_and_returned_to_its_position(
        rows in 0usize..300, chunk_rows in 1usize..60, piece_rows in 1usize..20,
        slots in 1usize..5, threads in 0usize..5, delay in 0usize..4,
    ) {
        let chunking = Chunking::new(rows, chunk_rows, piece_rows);
        let (memory, out) = (HostMemory::new(chunking, slots), rows_of(rows));
        let (filled, drained) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let fill = |piece| { memory.fill(piece); filled.fetch_add(1, SeqCst); Ok(()) };
        let drain = |piece| { memory.drain(piece, &out); drained.fetch_add(1, SeqCst); Ok(()) };
        let mut bus = SlowBus::new(&memory, delay);
        run((chunking, slots, threads), &Progress::none(), &mut bus, &fill, &drain).unwrap();
        prop_assert_eq!(bus.started, chunking.chunks());
        prop_assert_eq!((filled.into_inner(), drained.into_inner()), (chunking.pieces(), chunking.pieces()));
        let expected: Vec<u64> = (0..rows as u64).map(|row| 3 * row + 1).collect();
        let found: Vec<u64> = out.into_iter().map(AtomicU64::into_inner).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn pieces_cover_every_row_once_and_are_within_their_chunk(
        rows in 0usize..300, chunk_rows in 0usize..400, piece_rows in 0usize..400,
    ) {
        let chunking = Chunking::new(rows, chunk_rows, piece_rows);
        let covered: Vec<usize> = (0..chunking.pieces()).flat_map(|piece| chunking.piece(piece)).collect();
        prop_assert_eq!(covered, (0..rows).collect::<Vec<_>>());
        for piece in 0..chunking.pieces() {
            let (rows, chunk) = (chunking.piece(piece), chunking.chunk(chunking.chunk_of(piece)));
            prop_assert!(!rows.is_empty() && chunk.start <= rows.start && rows.end <= chunk.end);
        }
    }
}

/// Runs 100 rows in chunks of 10 and pieces of 3 with the two jobs and a bus modified by `change`.
fn run_with(
    progress: &Progress,
    change: impl FnOnce(&mut SlowBus<'_>),
    fill: &Job<'_>,
    drain: &Job<'_>,
) -> Result<()> {
    let chunking = Chunking::new(100, 10, 3);
    let memory = HostMemory::new(chunking, 2);
    let mut bus = SlowBus::new(&memory, 2);
    change(&mut bus);
    run((chunking, 2, 3), progress, &mut bus, fill, drain)
}

fn succeed(_: usize) -> Result<()> {
    Ok(())
}

/// Fails from piece 13 on, earlier pieces later.
fn fail(piece: usize) -> Result<()> {
    if piece < 13 {
        return Ok(());
    }
    thread::sleep(Duration::from_millis(40_usize.saturating_sub(10 * (piece - 13)) as u64));
    Err(DeviceError::ThreadCount { found: piece.to_string(), most: 0 })
}

#[test]
fn of_several_errors_the_one_of_the_first_rows_is_returned() {
    for (fill, drain) in [(&fail as &Job<'_>, &succeed as &Job<'_>), (&succeed, &fail)] {
        let done = run_with(&Progress::none(), |_| {}, fill, drain);
        assert!(matches!(done, Err(DeviceError::ThreadCount { found, .. }) if found == "13"));
    }
}

#[test]
fn a_failing_bus_stops_all_threads() {
    assert!(matches!(
        run_with(&Progress::none(), |bus| bus.fail_at = Some(4), &succeed, &succeed),
        Err(DeviceError::Interrupted)
    ));
}

#[test]
fn the_caller_can_cancel_the_work() {
    let reports = AtomicUsize::new(0);
    let stop = move |done, total| {
        assert_eq!((done, total), (10 * reports.fetch_add(1, SeqCst) as u64, 100));
        if done >= 50 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let drained = AtomicUsize::new(0);
    let drain = |piece| {
        drained.fetch_max(piece, SeqCst);
        Ok(())
    };
    let done = run_with(&Progress::new(stop), |_| {}, &succeed, &drain);
    assert!(matches!(done, Err(DeviceError::Interrupted)));
    assert!(drained.into_inner() < 5 * 4, "a piece of a chunk that was not started");
}

#[test]
fn a_panic_resumes_in_the_caller_and_no_job_runs_afterwards() {
    let panicking = |piece: usize| {
        assert!(piece != 13, "on purpose");
        Ok(())
    };
    type Change = fn(&mut SlowBus<'_>);
    let keep: Change = |_| {};
    let break_bus: Change = |bus| bus.panic_at = Some(4);
    let running = AtomicUsize::new(0);
    let counted = |job: &Job<'_>, piece| {
        running.fetch_add(1, SeqCst);
        let done = catch_unwind(AssertUnwindSafe(|| job(piece)));
        thread::sleep(Duration::from_millis(1)); // so that others finish after the one that panics
        running.fetch_sub(1, SeqCst);
        done.unwrap_or_else(|payload| resume_unwind(payload))
    };
    let cases: [(&Job<'_>, &Job<'_>, Change, &str); 3] = [
        (&panicking, &succeed, keep, "on purpose"),
        (&succeed, &panicking, keep, "on purpose"),
        (&succeed, &succeed, break_bus, "the bus broke"),
    ];
    for (fill, drain, change, message) in cases {
        let (fill, drain) = (|piece| counted(fill, piece), |piece| counted(drain, piece));
        let result =
            catch_unwind(AssertUnwindSafe(|| run_with(&Progress::none(), change, &fill, &drain).map(drop)));
        let Err(payload) = result else { panic!("no panic") };
        assert_eq!(payload.downcast_ref(), Some(&message));
        assert_eq!(running.load(SeqCst), 0);
    }
}
