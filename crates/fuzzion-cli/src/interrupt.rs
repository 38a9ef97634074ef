//! Handling of Ctrl-C, SIGTERM and SIGHUP. The first signal requests a clean stop; if the command does not respond in time,
//! for example while it waits for a pipe, the handler exits the program. A second signal exits at once. Signals that were
//! ignored when the program was started stay ignored, as with `nohup` and in background jobs.

use crate::console;
use fuzzion::data::output;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Time limit for the command to respond to the request, and for removing its unfinished files.
const GRACE_PERIOD: Duration = Duration::from_millis(300);
/// SIGINT.
const CTRL_C: u8 = 2;

/// The first signal; 0 if there was none.
static SIGNAL: AtomicU8 = AtomicU8::new(0);
static SAVES_ON_STOP: AtomicBool = AtomicBool::new(false);
static ACKNOWLEDGED: AtomicBool = AtomicBool::new(false);
/// Set by SIGXFSZ; the failed write reports the error.
#[cfg(unix)]
static FILE_TOO_LARGE: AtomicBool = AtomicBool::new(false);

/// Installs the handler. If this fails, a signal terminates the program immediately, as by default.
#[cfg(unix)]
pub(crate) fn install() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use std::io::Read as _;
    // With a handler, writing beyond the limit of the file size is an error instead of the end of the program.
    let _ = signal_hook::flag::register(SIGXFSZ, &FILE_TOO_LARGE);
    let ignored = ignored_signals();
    for signal in [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0) {
        // A pipe counts signals in quick succession. Each has a thread of its own, where waiting and locking are allowed.
        let Ok((mut signals, sender)) = std::io::pipe() else { return };
        if signal_hook::low_level::pipe::register(signal, sender).is_ok() {
            thread::spawn(move || {
                while signals.read_exact(&mut [0]).is_ok() {
                    handle(signal as u8);
                }
            });
        }
    }
}

/// Installs the handler. If this fails, Ctrl-C terminates the program immediately, as by default.
#[cfg(not(unix))]
pub(crate) fn install() {
    let _ = ctrlc::set_handler(|| handle(CTRL_C));
}

/// Mask of the signals that are ignored, the first in the lowest bit; 0 if the system does not tell.
#[cfg(unix)]
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Handles `signal` on the thread of the handler, which must be free for the next signal.
fn handle(signal: u8) {
    match SIGNAL.compare_exchange(0, signal, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => drop(thread::spawn(exit_unless_acknowledged)),
        Err(first) => {
            thread::spawn(exit);
            // A full pipe or a slow disk must not keep the program alive.
            thread::sleep(GRACE_PERIOD);
            exit_without_cleanup(128 + first);
        }
    }
}

/// Exits the program unless the command responds to the request in time.
fn exit_unless_acknowledged() {
    let requested_at = Instant::now();
    while SAVES_ON_STOP.load(Ordering::Relaxed) || requested_at.elapsed() < GRACE_PERIOD {
        if ACKNOWLEDGED.load(Ordering::Relaxed) {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    exit();
}

/// Removes unfinished files and exits the program.
fn exit() {
    // The guard lives until the exit, so that no output file can be finished after the message.
    let _guard = output::discard_unfinished();
    console::print_error(&fuzzion::Error::Interrupted.to_string());
    // The main thread may be compiling kernels.
    fuzzion::device::exit((128 + SIGNAL.load(Ordering::Relaxed)).into());
}

#[cfg(unix)]
fn exit_without_cleanup(code: u8) {
    signal_hook::low_level::exit(code.into());
}

#[cfg(not(unix))]
fn exit_without_cleanup(_: u8) {
    std::process::abort();
}

/// Exit code of an interrupted program, as shells expect it: 128 plus the signal.
pub(crate) fn exit_code() -> ExitCode {
    let signal = match SIGNAL.load(Ordering::Relaxed) {
        0 => CTRL_C, // an interruption without a signal
        signal => signal,
    };
    ExitCode::from(128 + signal)
}

/// Makes the first signal wait without a time limit, because the command saves its state; a second one still exits.
pub(crate) fn wait_for_save() {
    SAVES_ON_STOP.store(true, Ordering::Relaxed);
}

/// Breaks after a signal.
pub(crate) fn check() -> ControlFlow<()> {
    if SIGNAL.load(Ordering::Relaxed) == 0 {
        return ControlFlow::Continue(());
    }
    ACKNOWLEDGED.store(true, Ordering::Relaxed);
    ControlFlow::Break(())
}
