//! Memberships on a CPU or a GPU.

use super::Set;
use crate::data::Scalar;
use crate::device::Element;
use crate::device::{Cpu, Device, Processor, Simd};
use crate::sets::cpu;
#[cfg(feature = "cuda")]
use crate::sets::cuda;
use crate::sets::error::Result;
use std::sync::OnceLock;

/// `Device::best()` computes memberships on the CPU: transferring x and μ to and from a GPU takes longer.
const TOO_SMALL_FOR_GPU: bool = true;

/// Instruction set for a single x, detected once; the same as for slices, so that the results are bit-identical.
static DETECTED_SIMD: OnceLock<Simd> = OnceLock::new();

/// Number type of the x and μ(x) of [`Set::memberships`]: `f32` or `f64`. The trait is sealed.
///
/// ```
/// use fuzzion::{Device, sets::{Set, SetError, SetNumber}};
/// fn count<T: SetNumber>(set: &Set, x: &[T]) -> Result<usize, SetError> {
///     Ok(set.memberships(x, &Device::cpu()?)?.len())
/// }
/// assert_eq!(count(&Set::ramp(0.0, 1.0)?, &[0.5f32, 1.0])?, 2);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[allow(private_bounds)] // seals the trait
pub trait SetNumber: cpu::Memberships + Element + Scalar {}
impl SetNumber for f32 {}
impl SetNumber for f64 {}

impl Set {
    /// μ(x), bit-identical to [`Set::memberships`] on the CPU.
    ///
    /// For a Linear, x is the only input, and for a Function the variable `x`; all other inputs are NaN.
    pub fn membership(&self, x: f64) -> f64 {
        let mut y = [0.0];
        self.memberships_into(*DETECTED_SIMD.get_or_init(Simd::detect), &[x], &mut y);
        y[0]
    }

    /// μ(x) of every x, in single or double precision.
    ///
    /// In single precision, the parameters are rounded too; a set with a parameter above 1e30 or a nonzero width below
    /// 1e-30 is computed in double precision, and its memberships are rounded.
    ///
    /// ```
    /// use fuzzion::{Device, sets::Set};
    /// let (ramp, device) = (Set::ramp(0.0, 4.0)?, Device::cpu()?);
    /// assert_eq!(ramp.memberships(&[-1.0, 1.0, 9.0], &device)?, [0.0, 0.25, 1.0]);
    /// assert_eq!(ramp.memberships(&[1.0f32], &device)?, [0.25f32]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// CUDA errors; never fails on a CPU.
    pub fn memberships<T: SetNumber>(&self, x: &[T], device: &Device) -> Result<Vec<T>> {
        match device.processor(TOO_SMALL_FOR_GPU) {
            Processor::Cpu(cpu) => Ok(self.on_cpu(x, cpu)),
            #[cfg(feature = "cuda")]
            Processor::Cuda(cuda) => Ok(cuda::memberships(cuda, self, x)?),
        }
    }

    #[doc(hidden)]
    pub fn on_cpu<T: SetNumber>(&self, x: &[T], cpu: &Cpu) -> Vec<T> {
        let mut out = vec![T::default(); x.len()];
        self.fill(x, &mut out, cpu);
        out
    }

    /// Writes μ(x) of every x to `out`, on all threads.
    #[doc(hidden)]
    pub fn fill<T: SetNumber>(&self, x: &[T], out: &mut [T], cpu: &Cpu) {
        cpu::fill(x, out, cpu, |simd, x, out| T::memberships(simd, self, x, out));
    }

    /// Writes μ(x) of every x to `out` on the calling thread; for kernels of other modules.
    pub(crate) fn memberships_into<T: SetNumber>(&self, simd: Simd, x: &[T], out: &mut [T]) {
        T::memberships(simd, self, x, out);
    }
}
