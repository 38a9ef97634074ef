//! Memberships on a CPU or a GPU.

use super::Set;
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

impl Set {
    /// μ(x), bit-identical to [`Set::memberships`] on the CPU.
    ///
    /// For a Linear, x is the only input, and for a Function the variable `x`; all other inputs are NaN.
    pub fn membership(&self, x: f64) -> f64 {
        let mut y = [0.0];
        cpu::memberships_f64(*DETECTED_SIMD.get_or_init(Simd::detect), self, &[x], &mut y);
        y[0]
    }

    /// μ(x) of every x.
    ///
    /// ```
    /// use fuzzion::{Device, sets::Set};
    /// let ramp = Set::ramp(0.0, 4.0)?;
    /// assert_eq!(ramp.memberships(&[-1.0, 1.0, 9.0], &Device::cpu()?)?, [0.0, 0.25, 1.0]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// CUDA errors; never fails on a CPU.
    pub fn memberships(&self, x: &[f64], device: &Device) -> Result<Vec<f64>> {
        match device.processor(TOO_SMALL_FOR_GPU) {
            Processor::Cpu(cpu) => Ok(self.on_cpu(x, cpu)),
            #[cfg(feature = "cuda")]
            Processor::Cuda(cuda) => Ok(cuda::memberships(cuda, self, x)?),
        }
    }

    /// μ(x) of every x, with parameters rounded to single precision.
    ///
    /// A set with a parameter above 1e30 or a nonzero width below 1e-30 is computed in double precision and rounded.
    ///
    /// # Errors
    /// See [`Set::memberships`].
    pub fn memberships_f32(&self, x: &[f32], device: &Device) -> Result<Vec<f32>> {
        match device.processor(TOO_SMALL_FOR_GPU) {
            Processor::Cpu(cpu) => Ok(self.on_cpu_f32(x, cpu)),
            #[cfg(feature = "cuda")]
            Processor::Cuda(cuda) => Ok(cuda::memberships(cuda, self, x)?),
        }
    }

    pub(in crate::sets) fn on_cpu(&self, x: &[f64], cpu: &Cpu) -> Vec<f64> {
        let mut out = vec![0.0; x.len()];
        self.fill(x, &mut out, cpu);
        out
    }

    pub(in crate::sets) fn on_cpu_f32(&self, x: &[f32], cpu: &Cpu) -> Vec<f32> {
        let mut out = vec![0.0; x.len()];
        self.fill_f32(x, &mut out, cpu);
        out
    }

    /// Writes μ(x) of every x to `out`, on all threads.
    pub(in crate::sets) fn fill(&self, x: &[f64], out: &mut [f64], cpu: &Cpu) {
        cpu::fill(x, out, cpu, |simd, x, out| cpu::memberships_f64(simd, self, x, out));
    }

    /// [`Set::fill`] in single precision.
    pub(in crate::sets) fn fill_f32(&self, x: &[f32], out: &mut [f32], cpu: &Cpu) {
        cpu::fill(x, out, cpu, |simd, x, out| cpu::memberships_f32(simd, self, x, out));
    }

    /// Writes μ(x) of every x to `out` on the calling thread; for kernels of other modules.
    #[allow(dead_code)] // called by other modules
    pub(crate) fn memberships_into(&self, simd: Simd, x: &[f64], out: &mut [f64]) {
        cpu::memberships_f64(simd, self, x, out);
    }

    /// [`Set::memberships_into`] in single precision.
    #[allow(dead_code)] // called by other modules
    pub(crate) fn memberships_into_f32(&self, simd: Simd, x: &[f32], out: &mut [f32]) {
        cpu::memberships_f32(simd, self, x, out);
    }
}
