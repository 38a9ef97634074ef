//! Detection of SIMD instruction sets.

/// SIMD instruction set of a CPU kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SimdLevel {
    /// The baseline of the architecture (SSE2 on x86-64, NEON on AArch64).
    Baseline,
    /// AVX2 with fused multiply-add: 8 single or 4 double lanes.
    Avx2,
    /// AVX-512 (F, BW, CD, DQ, VL): 16 single or 8 double lanes.
    Avx512,
}

impl SimdLevel {
    /// Display name, such as `AVX2`.
    pub fn name(self) -> &'static str {
        match self {
            SimdLevel::Baseline if cfg!(target_arch = "aarch64") => "NEON",
            SimdLevel::Baseline if cfg!(target_arch = "x86_64") => "SSE2",
            SimdLevel::Baseline => "baseline",
            SimdLevel::Avx2 => "AVX2",
            SimdLevel::Avx512 => "AVX-512",
        }
    }
}

/// Proof that this machine supports a [`SimdLevel`]: it is created only by detection.
///
/// ```
/// use fuzzion::device::{Simd, SimdLevel};
/// assert!(Simd::all().contains(&Simd::detect()));
/// assert_eq!(Simd::detect().at_most(SimdLevel::Baseline).level(), SimdLevel::Baseline);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simd(SimdLevel);

impl Simd {
    /// The highest level of this machine.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
            let avx512 = avx2
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512cd")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl");
            if avx512 {
                return Simd(SimdLevel::Avx512);
            }
            if avx2 {
                return Simd(SimdLevel::Avx2);
            }
        }
        Simd(SimdLevel::Baseline)
    }

    /// Limits the level to `level`, to test and time narrower code paths.
    pub fn at_most(self, level: SimdLevel) -> Self {
        Simd(self.0.min(level))
    }

    /// The level.
    pub fn level(self) -> SimdLevel {
        self.0
    }

    /// All levels of this machine, narrowest first.
    pub fn all() -> Vec<Simd> {
        let best = Simd::detect();
        [SimdLevel::Baseline, SimdLevel::Avx2, SimdLevel::Avx512]
            .into_iter()
            .filter(|level| *level <= best.0)
            .map(Simd)
            .collect()
    }
}

/// Type-level proof that the CPU has AVX2 and FMA, without which the vectors of that level cannot be named.
///
/// # Safety
/// Only functions that run after detection of these features may name an implementing type.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub(crate) unsafe trait Avx2Detected: Copy {}

/// [`Avx2Detected`] for AVX-512 (F, BW, CD, DQ, VL).
///
/// # Safety
/// The same as for [`Avx2Detected`].
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub(crate) unsafe trait Avx512Detected: Copy {}

/// `a·b + c`, fused if `FMA` instructions are available (otherwise `f32::mul_add` would call a slow library function).
#[inline(always)]
pub fn mul_add_f32<const FMA: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FMA || cfg!(target_arch = "aarch64") { a.mul_add(b, c) } else { a * b + c }
}

/// [`mul_add_f32`] in double precision.
#[inline(always)]
pub fn mul_add_f64<const FMA: bool>(a: f64, b: f64, c: f64) -> f64 {
    if FMA || cfg!(target_arch = "aarch64") { a.mul_add(b, c) } else { a * b + c }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_most_never_exceeds_the_level_of_the_machine() {
        let best = Simd::detect();
        assert_eq!(best.at_most(SimdLevel::Avx512), best);
        assert_eq!(best.at_most(SimdLevel::Baseline).level(), SimdLevel::Baseline);
    }
}
