//! Streams and events.

use super::driver::{WhileDoing, bind};
#[cfg(test)]
use super::emulator::EmulatedStream;
use crate::device::error::Result;
use cudarc::driver::{CudaEvent, CudaStream, result, sys};
use std::sync::Arc;
#[cfg(test)]
use std::time::Instant;

/// A CUDA stream: a queue of GPU work executed in order.
#[derive(Clone)]
pub enum Stream {
    Driver(Arc<CudaStream>),
    #[cfg(test)]
    Emulated(EmulatedStream),
}

impl Stream {
    /// Waits until all work in the stream is complete.
    pub fn synchronize(&self) -> Result<()> {
        #[cfg(test)]
        if let Stream::Emulated(stream) = self {
            stream.synchronize();
            return Ok(());
        }
        bind(self.raw().context())?;
        // SAFETY: the stream is alive. cudarc's own method is not used because it returns without waiting after any
        // failed drop on any thread.
        unsafe { result::stream::synchronize(self.raw().cu_stream()) }.while_doing("waiting for the GPU")
    }

    /// Records an event after the work queued so far.
    pub(crate) fn record_event(&self) -> Result<Event> {
        self.record(sys::CUevent_flags::CU_EVENT_DEFAULT)
    }

    /// Like [`Stream::record_event`], without timing, which is cheaper.
    pub(in crate::device::cuda) fn record_untimed_event(&self) -> Result<Event> {
        self.record(sys::CUevent_flags::CU_EVENT_DISABLE_TIMING)
    }

    fn record(&self, flags: sys::CUevent_flags) -> Result<Event> {
        match self {
            Stream::Driver(stream) => {
                Ok(Event::Driver(stream.record_event(Some(flags)).while_doing("recording an event")?))
            }
            #[cfg(test)]
            Stream::Emulated(_) => Ok(Event::Emulated(Instant::now())),
        }
    }

    /// Makes later work in this stream wait for `event`.
    pub(crate) fn wait_for_event(&self, event: &Event) -> Result<()> {
        match event {
            Event::Driver(event) => self.raw().wait(event).while_doing("waiting for an event"),
            #[cfg(test)]
            Event::Emulated(_) => Ok(()),
        }
    }

    #[cfg(test)]
    pub(in crate::device::cuda) fn emulated(&self) -> &EmulatedStream {
        match self {
            Stream::Driver(_) => unreachable!("invariant: the stream belongs to the same GPU"),
            Stream::Emulated(stream) => stream,
        }
    }

    pub(in crate::device::cuda) fn raw(&self) -> &Arc<CudaStream> {
        match self {
            Stream::Driver(stream) => stream,
            #[cfg(test)]
            Stream::Emulated(_) => unreachable!("invariant: an emulated GPU has no driver"),
        }
    }
}

/// A CUDA event.
pub(crate) enum Event {
    Driver(CudaEvent),
    /// An event that was complete when it was recorded.
    #[cfg(test)]
    Emulated(Instant),
}

impl Event {
    /// Waits until the work before the event is complete.
    pub(crate) fn synchronize(&self) -> Result<()> {
        match self {
            Event::Driver(event) => {
                bind(event.context())?;
                // SAFETY: the event is alive; cudarc's own method is not used for the reason given in
                // `Stream::synchronize`.
                unsafe { result::event::synchronize(event.cu_event()) }.while_doing("waiting for the GPU")
            }
            #[cfg(test)]
            Event::Emulated(_) => Ok(()),
        }
    }

    /// Whether the work before the event is complete.
    pub(in crate::device::cuda) fn is_complete(&self) -> Result<bool> {
        match self {
            Event::Driver(event) => {
                bind(event.context())?;
                // SAFETY: the event is alive.
                match unsafe { sys::cuEventQuery(event.cu_event()) } {
                    sys::CUresult::CUDA_ERROR_NOT_READY => Ok(false),
                    status => status.result().while_doing("waiting for the GPU").map(|()| true),
                }
            }
            #[cfg(test)]
            Event::Emulated(_) => Ok(true),
        }
    }

    /// GPU time in seconds from this event to a later one.
    pub(crate) fn seconds_until(&self, later: &Event) -> Result<f64> {
        later.synchronize()?;
        match (self, later) {
            (Event::Driver(start), Event::Driver(end)) => {
                Ok(f64::from(start.elapsed_ms(end).while_doing("timing GPU work")?) * 1e-3)
            }
            #[cfg(test)]
            (Event::Emulated(start), Event::Emulated(end)) => Ok((*end - *start).as_secs_f64()),
            #[cfg(test)]
            _ => unreachable!("invariant: both events belong to the same GPU"),
        }
    }
}
