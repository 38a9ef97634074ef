//! Ctrl-C: the first asks the work to end cleanly, and ends the program itself where the work does not answer, as when
//! it waits for a pipe that stays silent; the second ends the program at once.

use crate::console;
use fuzzion::data::output;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a shell expects of a program that was interrupted.
pub(crate) const EXIT_CODE: u8 = 130;
/// How long the work has to answer.
const PATIENCE: Duration = Duration::from_millis(300);

static ASKED: AtomicBool = AtomicBool::new(false);
static SAVING: AtomicBool = AtomicBool::new(false);
static ANSWERED: AtomicBool = AtomicBool::new(false);
static LAST: Mutex<Option<Last>> = Mutex::new(None);

/// What is done before the program is ended, and what is said then, if it did something.
type Last = Box<dyn FnOnce() -> Option<String> + Send>;

/// Starts listening. Where the system does not allow it, Ctrl-C ends the program at once, as without us.
pub(crate) fn listen() {
    // The handler is called on a thread of its own, where waiting and locking are allowed.
    let _ = ctrlc::set_handler(|| {
        let first = !ASKED.swap(true, Ordering::Relaxed);
        let asked = Instant::now();
        while first && (SAVING.load(Ordering::Relaxed) || asked.elapsed() < PATIENCE) {
            if ANSWERED.load(Ordering::Relaxed) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let last = LAST.lock().ok().and_then(|mut last| last.take());
        let said = last.filter(|_| first).and_then(|last| last());
        // Held to the end, so that no file gets its name after we have said that none was half-written.
        let _abandoned = output::abandon_all();
        console::complain(&said.unwrap_or_else(|| fuzzion::Error::Interrupted.to_string()));
        std::process::exit(i32::from(EXIT_CODE));
    });
}

/// From now on the work has something to save when it is interrupted, and is waited for; a second Ctrl-C still ends it.
pub(crate) fn wait_for_the_work() {
    SAVING.store(true, Ordering::Relaxed);
}

/// From now on `last` is done where the work does not answer to a first Ctrl-C.
pub(crate) fn before_the_end(last: impl FnOnce() -> Option<String> + Send + 'static) {
    if let Ok(mut place) = LAST.lock() {
        *place = Some(Box::new(last));
    }
}

/// Whether the work should go on.
pub(crate) fn check() -> ControlFlow<()> {
    if !ASKED.load(Ordering::Relaxed) {
        return ControlFlow::Continue(());
    }
    ANSWERED.store(true, Ordering::Relaxed);
    ControlFlow::Break(())
}
