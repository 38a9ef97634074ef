//! Queues of GPU work, marks in them, and recorded work that is replayed with one call.

use super::Cuda;
use super::failure::While;
use super::memory::bind;
use crate::error::{Error, Result};
use cudarc::driver::{CudaEvent, CudaGraph, CudaStream, result, sys};
use std::sync::Arc;

/// A queue of GPU work, done in order.
#[derive(Clone)]
pub(crate) struct Stream(pub(super) Arc<CudaStream>);

impl Stream {
    /// Waits until all work in it is done.
    pub(crate) fn synchronize(&self) -> Result<()> {
        bind(self.0.context());
        // SAFETY: the stream is alive. Not through cudarc, which returns at once, without waiting, when some earlier
        // drop on any thread has failed.
        unsafe { result::stream::synchronize(self.0.cu_stream()) }.while_("waiting for the GPU")
    }

    /// Marks the point the queue has now reached.
    pub(crate) fn mark(&self) -> Result<Event> {
        let timed = sys::CUevent_flags::CU_EVENT_DEFAULT;
        Ok(Event(self.0.record_event(Some(timed)).while_("recording an event")?))
    }

    /// As [`Stream::mark`], for order alone: it costs less and has no time.
    pub(super) fn mark_order(&self) -> Result<Event> {
        let untimed = sys::CUevent_flags::CU_EVENT_DISABLE_TIMING;
        Ok(Event(self.0.record_event(Some(untimed)).while_("recording an event")?))
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
        bind(self.0.context());
        // SAFETY: the event is alive; not through cudarc for the reason given at `Stream::synchronize`.
        unsafe { result::event::synchronize(self.0.cu_event()) }.while_("waiting for the GPU")
    }

    /// Whether the work before the mark is done.
    pub(super) fn has_passed(&self) -> Result<bool> {
        bind(self.0.context());
        // SAFETY: the event is alive.
        match unsafe { sys::cuEventQuery(self.0.cu_event()) } {
            sys::CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            answer => answer.result().while_("waiting for the GPU").map(|()| true),
        }
    }

    /// Seconds of GPU time from this mark to a later one.
    pub(crate) fn seconds_until(&self, later: &Event) -> Result<f64> {
        later.synchronize()?;
        Ok(f64::from(self.0.elapsed_ms(&later.0).while_("timing GPU work")?) * 1e-3)
    }
}

/// Recorded GPU work; a replay costs one call however many launches it holds.
pub(crate) struct Graph {
    graph: CudaGraph,
    home: Cuda,
}

impl Graph {
    /// Queues the recorded work once more on the device's stream.
    ///
    /// # Safety
    /// Every buffer and kernel that was recorded is still there.
    pub(crate) unsafe fn replay(&self) -> Result<()> {
        bind(self.home.context());
        // SAFETY: the graph and the stream are alive, and the caller vouches for what the graph touches.
        unsafe { result::graph::launch(self.graph.cu_graph_exec(), self.home.stream().raw().cu_stream()) }
            .while_("replaying a graph")
    }
}

/// Ends a recording that its work has left by a panic.
struct Recording<'a>(Option<&'a Stream>);

impl Drop for Recording<'_> {
    fn drop(&mut self) {
        if let Some(stream) = self.0 {
            // SAFETY: the stream is alive and recording; the unfinished graph is ours to destroy.
            unsafe {
                if let Ok(graph) = result::stream::end_capture(stream.raw().cu_stream())
                    && !graph.is_null()
                {
                    let _ = result::graph::destroy(graph);
                }
            }
        }
    }
}

impl Cuda {
    /// A further queue beside the device's own.
    pub(crate) fn new_stream(&self) -> Result<Stream> {
        Ok(Stream(self.context().new_stream().while_("making a stream")?))
    }

    /// Records what `work` launches on the stream it is given, instead of running it; `work` must neither allocate nor
    /// wait. The stream is a new one, so that other threads' work on the device's own stream is not recorded too.
    pub(crate) fn record(&self, work: impl FnOnce(&Stream) -> Result<()>) -> Result<Graph> {
        let stream = self.new_stream()?;
        // Thread-local, so that other threads may go on calling the driver meanwhile.
        let mode = sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
        stream.raw().begin_capture(mode).while_("starting to record a graph")?;
        let mut recording = Recording(Some(&stream));
        work(&stream)?;
        recording.0 = None;
        let graph = stream.raw().end_capture(sys::CUgraphInstantiate_flags(0)).while_("recording a graph")?;
        let nothing = || Error::Cuda { doing: "recording a graph", reason: "nothing was launched".into() };
        Ok(Graph { graph: graph.ok_or_else(nothing)?, home: self.clone() })
    }

    /// Seconds of GPU time that `work` takes, by events around it.
    pub(crate) fn time(&self, work: impl FnOnce() -> Result<()>) -> Result<f64> {
        let start = self.stream().mark()?;
        work()?;
        start.seconds_until(&self.stream().mark()?)
    }
}
