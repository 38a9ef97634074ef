//! When the device `best` uses a GPU.
//!
//! The device `best` uses a GPU if the estimated time on the CPU exceeds the time to start the GPU and to transfer the data;
//! the computation itself takes much less time there. The rates below are those of whole commands on a machine with 16
//! cores and an H200 (`fuzzion bench end-to-end`).
//!
//! | Operation | Work | Work per second of one CPU thread |
//! |---|---|---|
//! | fuzzy clustering | rows × columns × clusters, for 20 iterations | 1.1·10¹⁰ |
//! | inference | rows × steps of the compiled system | 4·10⁸ |
//! | image operators, lookup table | pixels | 4·10⁸ |
//! | image operators, general | pixels × steps of the compiled system | 4·10⁸ |
//! | tuning | rows × unknowns × iterations, for about 32 rules | 10⁸ |
//!
//! Other operations on data in host memory use the CPU, because the transfer takes longer than the computation, or a size
//! limit stated in their documentation. Operations on data in GPU memory use the GPU.

use super::Device;

/// Operations that the device `best` may run on a GPU.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operation {
    #[cfg(feature = "clustering")]
    Clustering,
    Inference,
    #[cfg(feature = "images")]
    ImageLookup,
    #[cfg(feature = "tuning")]
    Tuning,
}

impl Operation {
    /// Work per second of one CPU thread.
    fn rate(self) -> f64 {
        match self {
            #[cfg(feature = "clustering")]
            Operation::Clustering => 1.1e10,
            Operation::Inference => 4e8,
            #[cfg(feature = "images")]
            Operation::ImageLookup => 4e8,
            #[cfg(feature = "tuning")]
            Operation::Tuning => 1e8,
        }
    }
}

/// Seconds to open a GPU.
const START: f64 = 0.3;
/// Seconds to load and launch kernels on a GPU that is open.
const LAUNCH: f64 = 2e-3;
/// Bytes per second of a transfer from or to ordinary host memory.
const TRANSFER_RATE: f64 = 1e10;

impl Device {
    /// Whether the device `best` runs an operation with this amount of work, which transfers `bytes`, on the CPU.
    pub(crate) fn prefers_cpu(&self, operation: Operation, work: f64, bytes: f64) -> bool {
        let cpu = work / (operation.rate() * self.threads() as f64);
        let start = if self.has_gpu() { LAUNCH } else { START };
        cpu < start + bytes / TRANSFER_RATE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Cpu;

    #[test]
    fn large_problems_use_the_gpu_and_more_threads_favor_the_cpu() {
        let device = |threads| Device::named("best", Cpu::with_threads(threads).unwrap()).unwrap();
        let prefers_cpu = |threads, work| device(threads).prefers_cpu(Operation::Inference, work, 1e8);
        assert!(prefers_cpu(1, 1e6) && !prefers_cpu(1, 1e9));
        assert!(!prefers_cpu(1, 3e8) && prefers_cpu(4, 3e8));
        assert!(device(1).prefers_cpu(Operation::Inference, 1e9, 1e11)); // limited by the transfer
    }
}
