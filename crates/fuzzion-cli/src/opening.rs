//! Opening a device while the command reads its table.

use fuzzion::device::Cpu;
use fuzzion::{Device, Result};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

/// A device that is opened on a thread of its own, because opening a GPU takes a few tenths of a second.
pub(crate) struct OpeningDevice {
    cpu: Device,
    /// `None` after `wait`.
    thread: Option<JoinHandle<Result<Device>>>,
    failed: Arc<AtomicBool>,
}

impl OpeningDevice {
    /// Begins to open a device whose CPU is `cpu`.
    pub(crate) fn begin(cpu: Cpu, open: impl FnOnce(Cpu) -> Result<Device> + Send + 'static) -> Self {
        let failed = Arc::new(AtomicBool::new(false));
        let (flag, host) = (failed.clone(), cpu.clone());
        let thread = thread::spawn(move || {
            let device = open(host);
            flag.store(device.is_err(), Ordering::Relaxed);
            device
        });
        OpeningDevice { cpu: cpu.into(), thread: Some(thread), failed }
    }

    /// The CPU of the device. Its progress callback calls `callback`, and stops the operation if the device cannot be opened.
    pub(crate) fn cpu(
        &self,
        callback: impl Fn(u64, u64) -> ControlFlow<()> + Send + Sync + 'static,
    ) -> Device {
        let failed = self.failed.clone();
        self.cpu.with_progress(move |done, total| match failed.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => callback(done, total),
        })
    }

    /// Waits until the device is open.
    pub(crate) fn wait(mut self) -> Result<Device> {
        let thread = self.thread.take().expect("invariant: a device is waited for once");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

impl Drop for OpeningDevice {
    /// Waits: the driver may crash if the process exits while a GPU is opened.
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl From<&Device> for OpeningDevice {
    /// A device that is already open.
    fn from(device: &Device) -> Self {
        let opened = device.clone();
        OpeningDevice::begin(device.host_cpu().clone(), move |_| Ok(opened))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fuzzion::Error;
    use fuzzion::device::DeviceError;

    #[test]
    fn an_operation_ends_if_the_device_cannot_be_opened() {
        let cpu = Cpu::with_threads(1).unwrap();
        let opening = OpeningDevice::begin(cpu, |_| Err(DeviceError::NoDriver.into()));
        let device = opening.cpu(|_, _| ControlFlow::Continue(()));
        while device.progress().report(1, 2).is_ok() {
            thread::yield_now();
        }
        assert!(matches!(opening.wait(), Err(Error::Device(DeviceError::NoDriver))));
    }

    #[test]
    fn the_callback_stops_an_operation_and_the_device_is_still_opened() {
        let device = Device::named("cpu", Cpu::with_threads(3).unwrap()).unwrap();
        let opening = OpeningDevice::from(&device);
        assert!(opening.cpu(|_, _| ControlFlow::Break(())).progress().report(1, 2).is_err());
        assert!(
            opening
                .cpu(|done, _| match done {
                    1 => ControlFlow::Continue(()),
                    _ => ControlFlow::Break(()),
                })
                .progress()
                .report(1, 2)
                .is_ok()
        );
        assert_eq!(opening.wait().unwrap().threads(), 3);
    }
}
