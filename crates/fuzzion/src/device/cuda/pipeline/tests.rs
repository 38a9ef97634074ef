//! The pipeline over a bus of the host's own memory, slow on purpose: a copy reads and writes at its very end, so that
//! whoever fills or drains at the wrong time is found out by wrong numbers.

use super::*;
use proptest::prelude::*;
use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};

/// Rows of one number each, on the host's side of the bus, for every slot.
struct Places {
    cut: Cut,
    slots: usize,
    sent: Vec<Vec<AtomicU64>>,
    received: Vec<Vec<AtomicU64>>,
}

impl Places {
    fn new(cut: Cut, slots: usize) -> Self {
        let side = || {
            let slot = || (0..cut.chunk_rows()).map(|_| AtomicU64::new(u64::MAX)).collect();
            (0..slots).map(|_| slot()).collect()
        };
        Places { cut, slots, sent: side(), received: side() }
    }

    fn place<'a>(&self, side: &'a [Vec<AtomicU64>], row: usize) -> &'a AtomicU64 {
        let chunk = row / self.cut.chunk_rows();
        &side[chunk % self.slots][row - self.cut.chunk(chunk).start]
    }

    fn fill(&self, piece: usize) {
        for row in self.cut.piece(piece) {
            self.place(&self.sent, row).store(row as u64, SeqCst);
        }
    }

    fn drain(&self, piece: usize, out: &[AtomicU64]) {
        for row in self.cut.piece(piece) {
            out[row].store(self.place(&self.received, row).load(SeqCst), SeqCst);
        }
    }
}

/// A bus whose copies end when they were asked for often enough.
struct SlowBus<'a> {
    places: &'a Places,
    /// Questions a copy takes.
    delay: usize,
    started: usize,
    uploaded: Cell<(usize, usize)>,
    downloaded: Cell<(usize, usize)>,
    fail_at: Option<usize>,
    panic_at: Option<usize>,
    device: Vec<AtomicU64>,
}

impl<'a> SlowBus<'a> {
    fn new(places: &'a Places, delay: usize) -> Self {
        let device = (0..places.cut.rows()).map(|_| AtomicU64::new(0)).collect();
        let (uploaded, downloaded) = (Cell::new((0, 0)), Cell::new((0, 0)));
        SlowBus { places, delay, started: 0, uploaded, downloaded, fail_at: None, panic_at: None, device }
    }

    /// Counts a question about `chunk`; `copy` is done when it was the last one.
    fn ask(&self, chunk: usize, copied: &Cell<(usize, usize)>, copy: impl Fn(usize)) -> bool {
        let (ended, asked) = copied.get();
        assert!(chunk <= ended && chunk < self.started);
        if chunk < ended {
            return true;
        }
        if asked < self.delay {
            copied.set((ended, asked + 1));
            return false;
        }
        self.places.cut.chunk(chunk).for_each(copy);
        copied.set((ended + 1, 0));
        true
    }
}

impl Transport for SlowBus<'_> {
    fn start(&mut self, chunk: usize) -> Result<()> {
        assert_eq!(chunk, self.started, "chunks start in order");
        assert!(self.panic_at != Some(chunk), "the bus broke");
        if self.fail_at == Some(chunk) {
            return Err(Error::Interrupted);
        }
        self.started += 1;
        Ok(())
    }

    fn has_uploaded(&self, chunk: usize) -> Result<bool> {
        Ok(self.ask(chunk, &self.uploaded, |row| {
            self.device[row].store(self.places.place(&self.places.sent, row).load(SeqCst), SeqCst);
        }))
    }

    fn has_downloaded(&self, chunk: usize) -> Result<bool> {
        let is_there = chunk < self.uploaded.get().0;
        Ok(is_there
            && self.ask(chunk, &self.downloaded, |row| {
                let result = self.device[row].load(SeqCst).wrapping_mul(3).wrapping_add(1);
                self.places.place(&self.places.received, row).store(result, SeqCst);
            }))
    }
}

fn rows_of(rows: usize) -> Vec<AtomicU64> {
    (0..rows).map(|_| AtomicU64::new(u64::MAX)).collect()
}

proptest! {
    #[test]
    fn every_row_goes_through_once_and_comes_back_to_its_place(
        rows in 0usize..300, chunk_rows in 1usize..60, piece_rows in 1usize..20,
        slots in 1usize..5, threads in 0usize..5, delay in 0usize..4,
    ) {
        let cut = Cut::new(rows, chunk_rows, piece_rows);
        let (places, out) = (Places::new(cut, slots), rows_of(rows));
        let (filled, drained) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let fill = |piece| { places.fill(piece); filled.fetch_add(1, SeqCst); Ok(()) };
        let drain = |piece| { places.drain(piece, &out); drained.fetch_add(1, SeqCst); Ok(()) };
        let mut bus = SlowBus::new(&places, delay);
        run((cut, slots, threads), Progress::none(), &mut bus, &fill, &drain).unwrap();
        prop_assert_eq!(bus.started, cut.chunks());
        prop_assert_eq!((filled.into_inner(), drained.into_inner()), (cut.pieces(), cut.pieces()));
        let expected: Vec<u64> = (0..rows as u64).map(|row| 3 * row + 1).collect();
        let found: Vec<u64> = out.into_iter().map(AtomicU64::into_inner).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn pieces_cover_every_row_once_and_lie_inside_their_chunk(
        rows in 0usize..300, chunk_rows in 0usize..400, piece_rows in 0usize..400,
    ) {
        let cut = Cut::new(rows, chunk_rows, piece_rows);
        let covered: Vec<usize> = (0..cut.pieces()).flat_map(|piece| cut.piece(piece)).collect();
        prop_assert_eq!(covered, (0..rows).collect::<Vec<_>>());
        for piece in 0..cut.pieces() {
            let (rows, chunk) = (cut.piece(piece), cut.chunk(cut.chunk_of(piece)));
            prop_assert!(!rows.is_empty() && chunk.start <= rows.start && rows.end <= chunk.end);
        }
    }
}

/// Runs 100 rows in chunks of 10 and pieces of 3 with what `change` makes of the bus and the two jobs.
fn run_with(
    progress: Progress<'_>,
    change: impl FnOnce(&mut SlowBus<'_>),
    fill: &Job<'_>,
    drain: &Job<'_>,
) -> Result<()> {
    let cut = Cut::new(100, 10, 3);
    let places = Places::new(cut, 2);
    let mut bus = SlowBus::new(&places, 2);
    change(&mut bus);
    run((cut, 2, 3), progress, &mut bus, fill, drain)
}

fn fine(_: usize) -> Result<()> {
    Ok(())
}

/// Fails from piece 13 on, the earlier ones later.
fn fail(piece: usize) -> Result<()> {
    if piece < 13 {
        return Ok(());
    }
    thread::sleep(Duration::from_millis(40_usize.saturating_sub(10 * (piece - 13)) as u64));
    Err(Error::Threads { found: piece.to_string(), most: 0 })
}

#[test]
fn of_several_failures_the_one_of_the_first_rows_is_told() {
    for (fill, drain) in [(&fail as &Job<'_>, &fine as &Job<'_>), (&fine, &fail)] {
        let done = run_with(Progress::none(), |_| {}, fill, drain);
        assert!(matches!(done, Err(Error::Threads { found, .. }) if found == "13"));
    }
}

#[test]
fn a_failing_bus_ends_the_work_of_all_threads() {
    assert!(matches!(
        run_with(Progress::none(), |bus| bus.fail_at = Some(4), &fine, &fine),
        Err(Error::Interrupted)
    ));
}

#[test]
fn the_caller_can_stop_the_work() {
    let reports = AtomicUsize::new(0);
    let stop = |done, total| {
        assert_eq!((done, total), (10 * reports.fetch_add(1, SeqCst) as u64, 100));
        if done >= 50 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let drained = AtomicUsize::new(0);
    let drain = |piece| {
        drained.fetch_max(piece, SeqCst);
        Ok(())
    };
    let done = run_with(Progress::new(&stop), |_| {}, &fine, &drain);
    assert!(matches!(done, Err(Error::Interrupted)));
    assert!(drained.into_inner() < 5 * 4, "no piece of the chunk that was not started");
}

#[test]
fn a_panic_of_any_part_goes_on_in_the_caller_and_no_job_runs_after_it() {
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
        thread::sleep(Duration::from_millis(1)); // so that others end after the one that panics
        running.fetch_sub(1, SeqCst);
        done.unwrap_or_else(|payload| resume_unwind(payload))
    };
    let cases: [(&Job<'_>, &Job<'_>, Change, &str); 3] = [
        (&panicking, &fine, keep, "on purpose"),
        (&fine, &panicking, keep, "on purpose"),
        (&fine, &fine, break_bus, "the bus broke"),
    ];
    for (fill, drain, change, words) in cases {
        let (fill, drain) = (|piece| counted(fill, piece), |piece| counted(drain, piece));
        let result =
            catch_unwind(AssertUnwindSafe(|| run_with(Progress::none(), change, &fill, &drain).map(drop)));
        let Err(payload) = result else { panic!("no panic") };
        assert_eq!(payload.downcast_ref(), Some(&words));
        assert_eq!(running.load(SeqCst), 0);
    }
}
