//! Compilation of the CUDA kernels of typical problems in advance.
//!
//! Kernels are specialized for the sizes and settings of a problem, compiled on first use, and stored on disk. This
//! module compiles the most common ones before they are needed.

use crate::device::cuda::Program;
use crate::device::{Cuda, Device, Processor};
use crate::error::Result;
#[cfg(feature = "images")]
use crate::inference::image::{BUILT_IN, Operator, cuda::operator_programs};
use serde::Serialize;
use std::time::Instant;

/// Widths of images whose rows are and are not aligned; the kernels depend only on that.
#[cfg(feature = "images")]
const WIDTHS: [usize; 2] = [1920, 1921];

/// Result of [`precompile_kernels`].
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PrecompiledKernels {
    /// Number of programs that were compiled.
    pub compiled: usize,
    /// Number of programs that were already in the cache.
    pub cached: usize,
    /// Time taken.
    pub seconds: f64,
}

/// Compiles the kernels of typical problems for the GPUs of `device`, concurrently, and stores them in the kernel cache:
/// fuzzy c-means with 2 to 5 clusters and 2 to 4 columns, the built-in image operators, and sorting. Other kernels are
/// compiled on first use. A CPU needs no compilation.
///
/// ```
/// use fuzzion::{Device, precompile_kernels};
/// assert_eq!(precompile_kernels(&Device::cpu()?)?.compiled, 0);
/// # Ok::<(), fuzzion::Error>(())
/// ```
///
/// # Errors
/// [`DeviceError::Compile`](crate::device::DeviceError::Compile), and
/// [`Error::Interrupted`](crate::Error::Interrupted) if the progress callback of the device requests it.
pub fn precompile_kernels(device: &Device) -> Result<PrecompiledKernels> {
    let start = Instant::now();
    let mut kernels = PrecompiledKernels::default();
    let gpus = match device.processor(false) {
        Processor::Cuda(cuda) => device.gpus_with(cuda),
        Processor::Cpu(_) => &[],
    };
    for cuda in gpus {
        let counts = cuda.precompile(typical_programs(cuda)?, device.progress())?;
        kernels.compiled += counts.compiled;
        kernels.cached += counts.cached;
    }
    kernels.seconds = start.elapsed().as_secs_f64();
    Ok(kernels)
}

/// The programs of typical problems.
#[cfg_attr(not(feature = "clustering"), allow(unused_variables))]
fn typical_programs(cuda: &Cuda) -> Result<Vec<Program>> {
    #[allow(unused_mut)] // without features, there are none
    let mut programs = Vec::new();
    #[cfg(feature = "clustering")]
    programs.extend(crate::clustering::cuda::prefetch::typical_programs(cuda));
    #[cfg(feature = "arithmetic")]
    programs.extend(crate::arithmetic::sort::cuda::programs());
    #[cfg(feature = "images")]
    for (name, _) in BUILT_IN {
        let operator = Operator::named(name)?;
        for width in WIDTHS {
            programs.extend(operator_programs::<u8>(&operator, width));
        }
    }
    Ok(programs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cuda::emulator::Order;
    use crate::device::cuda::nvrtc::testing::nvrtc_or_skip;
    use std::collections::HashSet;

    #[test]
    fn typical_programs_compile() {
        let (Some(nvrtc), Some(cuda)) = (nvrtc_or_skip(), Cuda::emulated(Order::Forward)) else { return };
        let programs: HashSet<Program> = typical_programs(&cuda).unwrap().into_iter().collect();
        assert!(programs.len() > 50, "{} programs", programs.len());
        // Every tenth one: all programs are variants of those that are compiled by the tests of all kernels.
        for program in programs.iter().step_by(10) {
            nvrtc.compile(program, "sm_90").unwrap();
        }
    }
}
