//! Captured graphs, and timing of GPU work.

use super::context::Cuda;
use super::driver::{WhileDoing, bind};
#[cfg(test)]
use super::emulator::{EmulatedStream, RecordedWork};
use super::stream::Stream;
use crate::device::error::{DeviceError, Result};
use cudarc::driver::{CudaGraph, result, sys};

/// A captured CUDA graph; a replay takes one call for any number of launches.
pub struct Graph {
    work: CapturedWork,
    cuda: Cuda,
}

enum CapturedWork {
    Driver(CudaGraph),
    #[cfg(test)]
    Emulated(RecordedWork),
}

impl Graph {
    /// Queues the captured work on the device's stream.
    ///
    /// # Safety
    /// Every captured buffer and kernel is still alive.
    pub unsafe fn replay(&self) -> Result<()> {
        match &self.work {
            CapturedWork::Driver(graph) => {
                bind(self.cuda.context())?;
                // SAFETY: the graph and the stream are alive, and the caller guarantees that the captured resources
                // are.
                unsafe { result::graph::launch(graph.cu_graph_exec(), self.cuda.stream().raw().cu_stream()) }
                    .while_doing("replaying a graph")
            }
            #[cfg(test)]
            CapturedWork::Emulated(work) => {
                work.iter().for_each(|launch| launch());
                Ok(())
            }
        }
    }
}

/// Ends a capture that was left by an error or a panic.
struct Capture<'a>(Option<&'a Stream>);

impl Drop for Capture<'_> {
    fn drop(&mut self) {
        if let Some(stream) = self.0 {
            // SAFETY: the stream is alive and capturing; the unfinished graph has no other owner.
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
    /// A new stream besides the device's own.
    pub(crate) fn new_stream(&self) -> Result<Stream> {
        #[cfg(test)]
        if let Some(gpu) = self.emulated_gpu() {
            return Ok(Stream::Emulated(EmulatedStream::new(gpu.clone())));
        }
        Ok(Stream::Driver(self.context().new_stream().while_doing("creating a stream")?))
    }

    /// Captures the launches of `work` on the given stream in a graph instead of running them; `work` must neither
    /// allocate nor synchronize. The stream is a new one, so that work of other threads on the device's stream is not
    /// captured.
    #[doc(hidden)]
    pub fn capture(&self, work: impl FnOnce(&Stream) -> Result<()>) -> Result<Graph> {
        let nothing =
            || DeviceError::Cuda { doing: "capturing a graph", reason: "nothing was launched".into() };
        #[cfg(test)]
        if let Some(gpu) = self.emulated_gpu() {
            let stream = EmulatedStream::capturing(gpu.clone());
            work(&Stream::Emulated(stream.clone()))?;
            let launches = stream.end_capture();
            let work =
                if launches.is_empty() { Err(nothing()) } else { Ok(CapturedWork::Emulated(launches)) };
            return Ok(Graph { work: work?, cuda: self.clone() });
        }
        let stream = self.new_stream()?;
        // Thread-local, so that other threads can call the driver during the capture.
        let mode = sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
        stream.raw().begin_capture(mode).while_doing("starting a graph capture")?;
        let mut capture = Capture(Some(&stream));
        work(&stream)?;
        capture.0 = None;
        let graph =
            stream.raw().end_capture(sys::CUgraphInstantiate_flags(0)).while_doing("capturing a graph")?;
        Ok(Graph { work: CapturedWork::Driver(graph.ok_or_else(nothing)?), cuda: self.clone() })
    }

    /// GPU time of `work` in seconds, measured by events.
    #[doc(hidden)]
    pub fn time<E: From<DeviceError>>(&self, work: impl FnOnce() -> Result<(), E>) -> Result<f64, E> {
        let start = self.stream().record_event()?;
        work()?;
        Ok(start.seconds_until(&self.stream().record_event()?)?)
    }
}
