//! Execution of the library's operations: without the global interpreter lock, with progress, interruptible.

use crate::device::Device;
use crate::error::exception;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::any::Any;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// Time between two checks for signals and two calls of the progress callback.
const INTERVAL: Duration = Duration::from_millis(50);

/// State shared by the calling thread and the worker.
#[derive(Default)]
struct Shared {
    canceled: AtomicBool,
    finished: AtomicBool,
    done: AtomicU64,
    total: AtomicU64,
}

/// Runs `work` on a worker thread, which calls no Python code. The calling thread handles signals, such as Ctrl-C, and
/// calls `progress(done, total)`; an exception of either cancels the work.
pub(crate) fn run<T: Send, E: Into<fuzzion::Error>>(
    py: Python<'_>,
    device: &Device,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&fuzzion::Device) -> Result<T, E> + Send,
) -> PyResult<T> {
    let shared = Arc::new(Shared::default());
    let device = {
        let shared = shared.clone();
        device.0.with_progress(move |done, total| {
            shared.done.store(done, Ordering::Relaxed);
            shared.total.store(total, Ordering::Relaxed);
            match shared.canceled.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })
    };
    let report = || {
        py.check_signals()?;
        if let Some(progress) = progress {
            let [done, total] = [&shared.done, &shared.total].map(|n| n.load(Ordering::Relaxed));
            progress.call1((done, total))?;
        }
        Ok(())
    };
    let caller = thread::current();
    let (result, interruption) = thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let result = catch_unwind(AssertUnwindSafe(|| {
                work(&device).map_err(|error| -> fuzzion::Error { error.into() })
            }));
            shared.finished.store(true, Ordering::Release);
            caller.unpark();
            result
        });
        let mut interruption = None;
        while !shared.finished.load(Ordering::Acquire) {
            py.detach(|| thread::park_timeout(INTERVAL));
            if interruption.is_none()
                && !shared.finished.load(Ordering::Acquire)
                && let Err(error) = report()
            {
                shared.canceled.store(true, Ordering::Relaxed);
                interruption = Some(error);
            }
        }
        (worker.join().flatten(), interruption)
    });
    match (interruption, result) {
        (Some(error), _) => Err(error),
        (None, Ok(Ok(value))) => {
            if progress.is_some() {
                report()?; // the final state
            }
            Ok(value)
        }
        (None, Ok(Err(error))) => Err(exception(error)),
        (None, Err(panic)) => Err(internal_error(&*panic)),
    }
}

/// The exception for a panic of the library.
fn internal_error(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let message = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
    PyRuntimeError::new_err(format!("internal error: {message}; please report it"))
}
