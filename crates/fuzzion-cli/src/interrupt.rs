//! Ctrl-C: the first asks the work to end cleanly, the second ends the program.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a shell expects of a program that was interrupted.
pub(crate) const EXIT_CODE: u8 = 130;

static ASKED: AtomicBool = AtomicBool::new(false);

/// Starts listening. Where the system does not allow it, Ctrl-C ends the program at once, as without us.
pub(crate) fn listen() {
    let _ = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(EXIT_CODE));
        }
    });
}

/// Whether the work should go on.
pub(crate) fn check() -> ControlFlow<()> {
    if ASKED.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
