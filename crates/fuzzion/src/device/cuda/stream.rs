//! Queues of GPU work, marks in them, and recorded work that is replayed with one call.

use super::Cuda;
use super::failure::While;
use crate::error::{Error, Result};
use cudarc::driver::{CudaEvent, CudaGraph, CudaStream, sys};
use std::sync::Arc;

/// A queue of GPU work, done in order.
#[derive(Clone)]
pub(crate) struct Stream(pub(super) Arc<CudaStream>);

impl Stream {
    /// Waits until all work in it is done.
    pub(crate) fn synchronize(&self) -> Result<()> {
        self.0.synchronize().while_("waiting for the GPU")
    }

    /// Marks the point the queue has now reached.
    pub(crate) fn mark(&self) -> Result<Event> {
        let timed = sys::CUevent_flags::CU_EVENT_DEFAULT;
        Ok(Event(self.0.record_event(Some(timed)).while_("recording an event")?))
    }

    /// Lets later work in this queue start only when the work before `event` is done.
    pub(crate) fn wait_for_event(&self, event: &Event) -> Result<()> {
        self.0.wait(&event.0).while_("joining two streams")
    }

    pub(super) fn raw(&self) -> &Arc<CudaStream> {
        &self.0
    }
}

/// A mark in a stream.
pub(crate) struct Event(CudaEvent);

impl Event {
    /// Waits until the work before the mark is done.
    pub(crate) fn synchronize(&self) -> Result<()> {
        self.0.synchronize().while_("waiting for the GPU")
    }

    /// Seconds of GPU time from this mark to a later one.
    pub(crate) fn seconds_until(&self, later: &Event) -> Result<f64> {
        later.synchronize()?;
        Ok(f64::from(self.0.elapsed_ms(&later.0).while_("timing GPU work")?) * 1e-3)
    }
}

/// Recorded GPU work; a replay costs one call however many launches it holds.
pub(crate) struct Graph(CudaGraph);

impl Graph {
    /// Queues the recorded work once more.
    pub(crate) fn replay(&self) -> Result<()> {
        self.0.launch().while_("replaying a graph")
    }
}

impl Cuda {
    /// A further queue beside the device's own.
    pub(crate) fn new_stream(&self) -> Result<Stream> {
        Ok(Stream(self.context().new_stream().while_("making a stream")?))
    }

    /// Records what `work` launches instead of running it; `work` must neither allocate nor wait.
    pub(crate) fn record(&self, work: impl FnOnce() -> Result<()>) -> Result<Graph> {
        let stream = self.stream().raw();
        // Thread-local, so that other threads may go on calling the driver meanwhile.
        let mode = sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
        stream.begin_capture(mode).while_("starting to record a graph")?;
        let done = work();
        let graph = stream.end_capture(sys::CUgraphInstantiate_flags(0)).while_("recording a graph");
        done?;
        let nothing = || Error::Cuda { doing: "recording a graph", reason: "nothing was launched".into() };
        graph?.map(Graph).ok_or_else(nothing)
    }

    /// Seconds of GPU time that `work` takes, by events around it.
    pub(crate) fn time(&self, work: impl FnOnce() -> Result<()>) -> Result<f64> {
        let start = self.stream().mark()?;
        work()?;
        start.seconds_until(&self.stream().mark()?)
    }
}
