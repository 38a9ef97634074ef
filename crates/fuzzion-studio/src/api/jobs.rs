//! Long operations: they run on a thread of their own, publish events, and can be cancelled.

use super::{ApiError, ApiResult, Context};
use crate::http::{Request, Response};
use fuzzion::{Device, Error};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum number of jobs that run at the same time.
const MAX_RUNNING: usize = 8;
/// Maximum number of events that a job keeps; older ones are dropped.
const MAX_EVENTS: usize = 2000;
/// Minimum time between two progress events.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);
/// Time after which a silent stream writes a comment, to notice a closed connection.
const KEEP_ALIVE: Duration = Duration::from_secs(5);

/// The jobs of the server. Finished jobs are kept until their result was read.
#[derive(Default)]
pub(crate) struct Jobs {
    next: AtomicU64,
    jobs: Mutex<HashMap<u64, Arc<Job>>>,
}

/// A job and its events.
#[derive(Default)]
pub(crate) struct Job {
    events: Mutex<Events>,
    changed: Condvar,
    cancelled: AtomicBool,
}

#[derive(Default)]
struct Events {
    /// Name and data.
    list: Vec<(&'static str, Value)>,
    /// Number of events that were dropped from the front of the list.
    dropped: usize,
    finished: bool,
    last_progress: Option<Instant>,
}

/// Locks a mutex, also after a panic of another thread.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // After a panic of another thread the values are still valid.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Jobs {
    /// Starts a job; the response contains its number: `{"job": 3}`.
    pub(crate) fn start(
        &self,
        work: impl FnOnce(&Arc<Job>) -> Result<Value, ApiError> + Send + 'static,
    ) -> ApiResult {
        let mut jobs = lock(&self.jobs);
        jobs.retain(|_, job| Arc::strong_count(job) > 1 || !lock(&job.events).finished);
        if jobs.values().filter(|job| !lock(&job.events).finished).count() >= MAX_RUNNING {
            return Err(ApiError::new(format!("{MAX_RUNNING} jobs are running; wait for one or cancel it")));
        }
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let job = Arc::new(Job::default());
        let running = job.clone();
        let run = move || {
            let end = Finish(&running);
            match work(&running) {
                Ok(result) => end.0.push("result", result),
                Err(error) => end.0.push("failed", json!({ "error": error.message })),
            }
        };
        let started = thread::Builder::new().spawn(run);
        started.map_err(|cause| ApiError::new(format!("cannot start a thread: {cause}")))?;
        jobs.insert(id, job);
        Ok(Response::json(&json!({ "job": id })))
    }

    fn find(&self, id: u64) -> Result<Arc<Job>, ApiError> {
        lock(&self.jobs).get(&id).cloned().ok_or_else(|| ApiError::not_found(format!("there is no job {id}")))
    }

    /// Requests the end of all jobs.
    pub(crate) fn cancel_all(&self) {
        lock(&self.jobs).values().for_each(|job| job.cancelled.store(true, Ordering::Relaxed));
    }
}

/// Marks a job as finished when it is dropped, also after a panic.
struct Finish<'a>(&'a Job);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.push("failed", json!({ "error": "internal error, please report it" }));
        }
        lock(&self.0.events).finished = true;
        self.0.changed.notify_all();
    }
}

impl Job {
    /// Publishes an event.
    pub(crate) fn push(&self, name: &'static str, data: Value) {
        let mut events = lock(&self.events);
        events.list.push((name, data));
        if events.list.len() > MAX_EVENTS {
            events.list.remove(0);
            events.dropped += 1;
        }
        self.changed.notify_all();
    }

    /// Publishes the event `progress`, unless the last one was a moment ago. Breaks if the job was cancelled.
    pub(crate) fn progress(&self, done: u64, total: u64) -> ControlFlow<()> {
        if self.cancelled.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        let mut events = lock(&self.events);
        if events.last_progress.is_none_or(|last| last.elapsed() >= PROGRESS_INTERVAL) {
            events.last_progress = Some(Instant::now());
            drop(events);
            self.push("progress", json!({ "done": done, "total": total }));
        }
        ControlFlow::Continue(())
    }

    /// Like [`Job::progress`], with an error if the job was cancelled.
    pub(crate) fn report(&self, done: usize, total: usize) -> Result<(), ApiError> {
        match self.progress(done as u64, total as u64) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::Interrupted.into()),
        }
    }

    /// `device` with the progress callback of this job.
    pub(crate) fn watch(self: &Arc<Self>, device: &Device) -> Device {
        let job = self.clone();
        device.with_progress(move |done, total| job.progress(done, total))
    }

    /// Writes all events as they happen, until the job is finished.
    fn stream(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut written = 0;
        loop {
            let mut events = lock(&self.events);
            if !events.finished && events.dropped + events.list.len() == written {
                let waited = self.changed.wait_timeout(events, KEEP_ALIVE);
                events = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
            let new: Vec<_> =
                events.list.iter().skip(written.saturating_sub(events.dropped)).cloned().collect();
            written = events.dropped + events.list.len();
            let finished = events.finished;
            drop(events);
            let text: String =
                new.iter().map(|(name, data)| format!("event: {name}\ndata: {data}\n\n")).collect();
            out.write_all(if text.is_empty() { b":\n\n" } else { text.as_bytes() })?;
            out.flush()?;
            if finished {
                return Ok(());
            }
        }
    }
}

/// Answers `jobs/N/events` and `jobs/N/cancel`.
pub(super) fn answer(path: &str, request: &Request, context: &Context) -> ApiResult {
    let unknown = || ApiError::not_found("there is no such call");
    let (id, action) = path.split_once('/').ok_or_else(unknown)?;
    let job = context.jobs.find(id.parse().map_err(|_| unknown())?)?;
    match (action, request.method.as_str()) {
        ("events", "GET") => Ok(Response::events(Box::new(move |out| job.stream(out)))),
        ("cancel", "POST") => {
            job.cancelled.store(true, Ordering::Relaxed);
            Ok(Response::json(&json!({})))
        }
        _ => Err(unknown()),
    }
}
