//! Ctrl-C handling. The first Ctrl-C requests a clean stop; if the command does not respond in time, for example while
//! it waits for a pipe, the handler exits the program. A second Ctrl-C exits immediately.

use crate::console;
use fuzzion::data::output;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Exit code of an interrupted program, as shells expect it (128 + SIGINT).
pub(crate) const EXIT_CODE: u8 = 130;
/// Time limit for the command to respond to the request.
const GRACE_PERIOD: Duration = Duration::from_millis(300);

static REQUESTED: AtomicBool = AtomicBool::new(false);
static SAVES_ON_STOP: AtomicBool = AtomicBool::new(false);
static ACKNOWLEDGED: AtomicBool = AtomicBool::new(false);
static EXIT_HOOK: Mutex<Option<ExitHook>> = Mutex::new(None);

/// Runs before the handler exits the program; returns the message to print, or `None` for the default one.
type ExitHook = Box<dyn FnOnce() -> Option<String> + Send>;

/// Installs the handler. If this fails, Ctrl-C terminates the program immediately, as by default.
pub(crate) fn install() {
    // The handler runs on its own thread, where waiting and locking are allowed.
    let _ = ctrlc::set_handler(|| match REQUESTED.swap(true, Ordering::Relaxed) {
        // On another thread, because the handler of a second Ctrl-C waits until that of the first one returns.
        false => drop(std::thread::spawn(exit_unless_acknowledged)),
        true => exit(false),
    });
}

/// Exits the program unless the command responds to the request in time.
fn exit_unless_acknowledged() {
    let requested_at = Instant::now();
    while SAVES_ON_STOP.load(Ordering::Relaxed) || requested_at.elapsed() < GRACE_PERIOD {
        if ACKNOWLEDGED.load(Ordering::Relaxed) {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    exit(true);
}

/// Exits the program, with the message of the exit hook after the `first` Ctrl-C.
fn exit(first: bool) {
    let hook = EXIT_HOOK.lock().ok().and_then(|mut hook| hook.take());
    let message = hook.filter(|_| first).and_then(|hook| hook());
    // The guard lives until the exit, so that no output file can be finished after the message.
    let _guard = output::discard_unfinished();
    console::print_error(&message.unwrap_or_else(|| fuzzion::Error::Interrupted.to_string()));
    // The main thread may be compiling kernels.
    fuzzion::device::exit(i32::from(EXIT_CODE));
}

/// Makes the first Ctrl-C wait without a time limit, because the command saves its state; a second one still exits.
pub(crate) fn wait_for_save() {
    SAVES_ON_STOP.store(true, Ordering::Relaxed);
}

/// Sets the hook that runs if the command does not react to the first Ctrl-C in time.
pub(crate) fn set_exit_hook(hook: impl FnOnce() -> Option<String> + Send + 'static) {
    if let Ok(mut current) = EXIT_HOOK.lock() {
        *current = Some(Box::new(hook));
    }
}

/// Breaks after Ctrl-C.
pub(crate) fn check() -> ControlFlow<()> {
    if !REQUESTED.load(Ordering::Relaxed) {
        return ControlFlow::Continue(());
    }
    ACKNOWLEDGED.store(true, Ordering::Relaxed);
    ControlFlow::Break(())
}
