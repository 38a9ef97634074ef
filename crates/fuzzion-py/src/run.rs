//! Execution of the library's operations: without the global interpreter lock, with progress, interruptible.

use crate::device::Device;
use crate::error::exception;
use crate::rows::BorrowedRows;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::any::Any;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two checks for signals and two calls of the progress callback.
const INTERVAL: Duration = Duration::from_millis(50);

/// Time for which the calling thread waits without giving up its core, because waking it up takes as long as short work.
const SPIN: Duration = Duration::from_micros(50);

/// Largest number of values that is processed on the calling thread. Starting or waking up another one takes longer than
/// processing them once.
const SHORT: usize = 4096;

/// Worker threads that are not in use, with the process that started them. Starting a thread takes longer than short work.
static IDLE: Mutex<Vec<(u32, ThreadPool)>> = Mutex::new(Vec::new());

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
    let worker = idle_worker()?;
    let mut result = None;
    let interruption = worker.in_place_scope(|scope| {
        let result = &mut result;
        let (shared, device) = (&shared, &device);
        scope.spawn(move |_| {
            *result = Some(catch_unwind(AssertUnwindSafe(|| work(device).map_err(Into::into))));
            shared.finished.store(true, Ordering::Release);
            caller.unpark();
        });
        let mut interruption = None;
        while !shared.finished.load(Ordering::Acquire) {
            py.detach(|| wait(&shared.finished));
            if interruption.is_none()
                && !shared.finished.load(Ordering::Acquire)
                && let Err(error) = report()
            {
                shared.canceled.store(true, Ordering::Relaxed);
                interruption = Some(error);
            }
        }
        interruption
    });
    if let Ok(mut idle) = IDLE.try_lock() {
        idle.push((std::process::id(), worker));
    }
    if let Some(error) = interruption {
        return Err(error);
    }
    let value = finished(result.expect("invariant: the scope waits for the work"))?;
    if progress.is_some() {
        report()?; // the final state
    }
    Ok(value)
}

/// Like `run`, for work that processes few rows on the thread that starts it, as clustering and predictions do: it then runs
/// on the calling thread, which checks for signals when the library reports progress.
pub(crate) fn run_on_rows<T: Send>(
    py: Python<'_>,
    device: &Device,
    progress: Option<&Bound<'_, PyAny>>,
    rows: &BorrowedRows<'_>,
    work: impl FnOnce(&fuzzion::Device) -> fuzzion::Result<T> + Send,
) -> PyResult<T> {
    if rows.values() > SHORT || progress.is_some() {
        return run(py, device, progress, work);
    }
    let interruption = Arc::new(Mutex::new(None));
    let device = {
        let (interruption, caller) = (interruption.clone(), thread::current().id());
        let next_check = Mutex::new(Instant::now() + INTERVAL);
        device.0.with_progress(move |_, _| {
            let now = Instant::now();
            let (Ok(mut next_check), true) = (next_check.try_lock(), thread::current().id() == caller) else {
                return ControlFlow::Continue(());
            };
            if now < *next_check {
                return ControlFlow::Continue(());
            }
            *next_check = now + INTERVAL;
            match Python::attach(|py| py.check_signals()) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    *interruption.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    ControlFlow::Break(())
                }
            }
        })
    };
    let result = py.detach(|| catch_unwind(AssertUnwindSafe(|| work(&device))));
    let interruption = interruption.lock().unwrap_or_else(PoisonError::into_inner).take();
    interruption.map_or_else(|| finished(result), Err)
}

/// The value of finished work, or the exception for its error or panic.
fn finished<T>(result: thread::Result<fuzzion::Result<T>>) -> PyResult<T> {
    result.map_err(|panic| internal_error(&*panic))?.map_err(exception)
}

/// Waits until the work is finished or it is time to check for signals.
fn wait(finished: &AtomicBool) {
    let started = Instant::now();
    while started.elapsed() < SPIN {
        if finished.load(Ordering::Acquire) {
            return;
        }
        std::hint::spin_loop();
    }
    thread::park_timeout(INTERVAL);
}

/// A thread that is not in use. The threads of a parent process do not exist after a fork, and a lock that is held during a
/// fork is never released.
fn idle_worker() -> PyResult<ThreadPool> {
    if let Ok(mut idle) = IDLE.try_lock() {
        while let Some((process, worker)) = idle.pop() {
            if process == std::process::id() {
                return Ok(worker);
            }
            std::mem::forget(worker); // cannot be dropped without its thread
        }
    }
    let worker = ThreadPoolBuilder::new().num_threads(1).build();
    worker.map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))
}

/// The exception for a panic of the library.
fn internal_error(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let message = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
    PyRuntimeError::new_err(format!("internal error: {message}; please report it"))
}
