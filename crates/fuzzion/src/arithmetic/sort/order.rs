//! Sort orders of keys, and dispatch to the device.

use super::cpu;
#[cfg(feature = "cuda")]
use super::cuda;
use super::key::{Key, bits};
use crate::arithmetic::error::{ArithmeticError, Result};
use crate::device::{Device, Processor};

/// Minimum number of keys sorted on a GPU; the CPU sorts fewer keys faster than they can be transferred.
pub(super) const MIN_GPU_KEYS: usize = 1 << 16;

/// Indices that sort the keys in ascending order (argsort).
///
/// The sort is stable. Floats are sorted in total order (−0 before 0) with NaN last.
///
/// ```
/// use fuzzion::Device;
/// use fuzzion::arithmetic::sorted_order;
/// let order = sorted_order(&[2.5, f64::NAN, -1.0, 2.5], &Device::cpu()?)?;
/// assert_eq!(order, [2, 0, 3, 1]);
/// # Ok::<(), fuzzion::Error>(())
/// ```
///
/// # Errors
/// [`ArithmeticError::TooManyKeys`] for more than `u32::MAX` keys, and device errors.
pub fn sorted_order<K: Key>(keys: &[K], device: &Device) -> Result<Vec<u32>> {
    check_count(keys.len())?;
    match device.processor(keys.len() < MIN_GPU_KEYS) {
        Processor::Cpu(cpu) => Ok(cpu::order::<K>(cpu, bits(keys))),
        #[cfg(feature = "cuda")]
        Processor::Cuda(cuda) => Ok(cuda::order(keys, cuda, device.progress())?),
    }
}

/// Checks that indices fit in `u32`.
pub(super) fn check_count(keys: usize) -> Result<()> {
    match keys > u32::MAX as usize {
        true => Err(ArithmeticError::TooManyKeys { keys, most: u32::MAX }),
        false => Ok(()),
    }
}
