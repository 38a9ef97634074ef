//! Streams and events.

use super::driver::{WhileDoing, bind};
use crate::device::error::Result;
use cudarc::driver::{CudaEvent, CudaStream, result, sys};
use std::sync::Arc;

/// A CUDA stream: a queue of GPU work executed in order.
#[derive(Clone)]
pub(crate) struct Stream(pub(in crate::device::cuda) Arc<CudaStream>);

impl Stream {
    /// Waits until all work in the stream is complete.
    pub(crate) fn synchronize(&self) -> Result<()> {
        bind(self.0.context())?;
        // SAFETY: the stream is alive. cudarc's own method is not used because it returns without waiting after any
        // failed drop on any thread.
        unsafe { result::stream::synchronize(self.0.cu_stream()) }.while_doing("waiting for the GPU")
    }

    /// Records an event after the work queued so far.
    pub(crate) fn record_event(&self) -> Result<Event> {
        let timed = sys::CUevent_flags::CU_EVENT_DEFAULT;
        Ok(Event(self.0.record_event(Some(timed)).while_doing("recording an event")?))
    }

    /// Like [`Stream::record_event`], without timing, which is cheaper.
    pub(in crate::device::cuda) fn record_untimed_event(&self) -> Result<Event> {
        let untimed = sys::CUevent_flags::CU_EVENT_DISABLE_TIMING;
        Ok(Event(self.0.record_event(Some(untimed)).while_doing("recording an event")?))
    }

    /// Makes later work in this stream wait for `event`.
    pub(crate) fn wait_for_event(&self, event: &Event) -> Result<()> {
        self.0.wait(&event.0).while_doing("waiting for an event")
    }

    pub(in crate::device::cuda) fn raw(&self) -> &Arc<CudaStream> {
        &self.0
    }
}

/// A CUDA event.
pub(crate) struct Event(CudaEvent);

impl Event {
    /// Waits until the work before the event is complete.
    pub(crate) fn synchronize(&self) -> Result<()> {
        bind(self.0.context())?;
        // SAFETY: the event is alive; cudarc's own method is not used for the reason given in `Stream::synchronize`.
        unsafe { result::event::synchronize(self.0.cu_event()) }.while_doing("waiting for the GPU")
    }

    /// Whether the work before the event is complete.
    pub(in crate::device::cuda) fn is_complete(&self) -> Result<bool> {
        bind(self.0.context())?;
        // SAFETY: the event is alive.
        match unsafe { sys::cuEventQuery(self.0.cu_event()) } {
            sys::CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            status => status.result().while_doing("waiting for the GPU").map(|()| true),
        }
    }

    /// GPU time in seconds from this event to a later one.
    pub(crate) fn seconds_until(&self, later: &Event) -> Result<f64> {
        later.synchronize()?;
        Ok(f64::from(self.0.elapsed_ms(&later.0).while_doing("timing GPU work")?) * 1e-3)
    }
}
