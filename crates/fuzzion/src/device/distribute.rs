//! Work that is distributed over several GPUs.

use super::backend::Device;
#[cfg(feature = "cuda")]
use super::{backend::Gpus, cuda::Cuda};
use crate::device::error::DeviceError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

impl Device {
    /// The same device with only the first of its GPUs, which computes what cannot be distributed.
    ///
    /// ```
    /// use fuzzion::Device;
    /// assert_eq!(Device::cpu()?.with_first_gpu().to_string(), "cpu");
    /// if let Ok(device) = "cuda:0,0".parse::<Device>() {
    ///     assert_eq!(device.with_first_gpu().to_string(), "cuda:0");
    /// }
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    #[must_use]
    pub fn with_first_gpu(&self) -> Self {
        self.each_gpu().swap_remove(0)
    }

    /// For each GPU, the same device with only this GPU; the device itself if it does not have several GPUs.
    pub(crate) fn each_gpu(&self) -> Vec<Self> {
        #[cfg(feature = "cuda")]
        if let Some(cudas) = self.multiple_gpus() {
            let with_gpu = |cuda: &Cuda| {
                let mut device = self.clone();
                device.gpus = Gpus::Required(vec![cuda.clone()]);
                device
            };
            return cudas.iter().map(with_gpu).collect();
        }
        vec![self.clone()]
    }
}

/// Calls `work` with every item, each on a thread of its own; results are in the order of the items.
pub(crate) fn concurrently<T: Send, R: Send, E: From<DeviceError> + Send>(
    items: Vec<T>,
    work: impl Fn(T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    if items.len() < 2 {
        return items.into_iter().map(work).collect();
    }
    thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = items.into_iter().map(|item| scope.spawn(move || work(item))).collect();
        let panicked = |_| {
            let (doing, reason) = ("computing on several GPUs", "a thread panicked".into());
            Err(DeviceError::Cuda { doing, reason }.into())
        };
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(panicked)).collect()
    })
}

/// Calls `work(device, job)` for every job in `0..jobs`, one at a time on each device in `0..devices`; results are in the
/// order of the jobs. The device of a job depends only on its index, so that the result is reproducible. If jobs fail, the
/// error is that of the first of them in this order.
pub(crate) fn distribute<R: Send, E: From<DeviceError> + Send>(
    devices: usize,
    jobs: usize,
    work: impl Fn(usize, usize) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    // Successive rounds start with another device, because every second job may be the longer one.
    let device_of = |job: usize| (job + job / devices) % devices;
    let first_failed = AtomicUsize::new(usize::MAX);
    let run_jobs = |device: usize| {
        let mut results = Vec::new();
        for job in (0..jobs).filter(|job| device_of(*job) == device) {
            if job > first_failed.load(Ordering::Relaxed) {
                break;
            }
            let result = work(device, job);
            if result.is_err() {
                first_failed.fetch_min(job, Ordering::Relaxed);
            }
            results.push((job, result));
        }
        Ok(results)
    };
    let mut results: Vec<_> =
        concurrently::<_, _, E>((0..devices).collect(), run_jobs)?.into_iter().flatten().collect();
    results.sort_by_key(|(job, _)| *job);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    fn failure(job: usize) -> DeviceError {
        DeviceError::UnknownDevice(job.to_string())
    }

    #[test]
    fn results_are_in_the_order_of_the_jobs_and_devices_take_turns() {
        for devices in 1..5 {
            let counts = Mutex::new(vec![[0; 2]; devices]);
            let work = |device: usize, job: usize| {
                counts.lock().unwrap()[device][job % 2] += 1;
                Ok::<_, DeviceError>(10 * job)
            };
            let found = distribute(devices, 4 * devices, work).unwrap();
            assert_eq!(found, (0..4 * devices).map(|job| 10 * job).collect::<Vec<_>>());
            let counts = counts.into_inner().unwrap();
            assert!(counts.iter().all(|[even, odd]| even + odd == 4), "{counts:?}");
            assert!(devices > 2 || counts.iter().all(|[even, odd]| even == odd), "{counts:?}");
        }
        assert!(distribute(3, 0, |_, job| Err::<(), _>(failure(job))).unwrap().is_empty());
    }

    #[test]
    fn an_error_or_a_panic_of_a_job_is_returned() {
        let work = |_, job: usize| if job >= 5 { Err(failure(job)) } else { Ok(job) };
        for devices in 1..5 {
            assert_eq!(distribute(devices, 9, work).unwrap_err().to_string(), failure(5).to_string());
        }
        let error = concurrently(vec![1, 2], |item| match item {
            2 => panic!("expected by this test"),
            item => Ok::<_, DeviceError>(item),
        });
        assert!(error.unwrap_err().to_string().contains("a thread panicked"));
    }
}
