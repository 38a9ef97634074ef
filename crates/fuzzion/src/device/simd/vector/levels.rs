//! Vector types of every SIMD level, and the dispatch macro.

#[cfg(target_arch = "aarch64")]
use super::neon;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
use super::portable;
#[cfg(target_arch = "x86_64")]
use super::x86;
#[cfg(target_arch = "x86_64")]
use crate::device::simd::level::{Avx2Detected, Avx512Detected};

/// Vector types of a number type on every level, 64, 32 and 16 bytes long.
pub(crate) trait Vectors {
    #[cfg(target_arch = "x86_64")]
    type Avx512<P: Avx512Detected>;
    #[cfg(target_arch = "x86_64")]
    type Avx2<P: Avx2Detected>;
    type Baseline;
}

impl Vectors for f32 {
    #[cfg(target_arch = "x86_64")]
    type Avx512<P: Avx512Detected> = x86::Avx512F32<P>;
    #[cfg(target_arch = "x86_64")]
    type Avx2<P: Avx2Detected> = x86::Avx2F32<P>;
    #[cfg(target_arch = "x86_64")]
    type Baseline = x86::Sse2F32<()>;
    #[cfg(target_arch = "aarch64")]
    type Baseline = neon::NeonF32<()>;
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    type Baseline = portable::Portable<f32, 4>;
}

impl Vectors for f64 {
    #[cfg(target_arch = "x86_64")]
    type Avx512<P: Avx512Detected> = x86::Avx512F64<P>;
    #[cfg(target_arch = "x86_64")]
    type Avx2<P: Avx2Detected> = x86::Avx2F64<P>;
    #[cfg(target_arch = "x86_64")]
    type Baseline = x86::Sse2F64<()>;
    #[cfg(target_arch = "aarch64")]
    type Baseline = neon::NeonF64<()>;
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    type Baseline = portable::Portable<f64, 2>;
}

/// Compiles a body once per [`SimdLevel`](crate::device::SimdLevel) with the vectors of that level, and selects one
/// at run time.
///
/// `vectors! { fn sweep(x: &[f32]) = sweep_body::<f32>; }` defines `fn sweep(simd: Simd, x)`, which calls
/// `sweep_body::<f32, V, FMA, L>` with vectors `V` of `L` lanes. The body and all functions it calls must be
/// `#[inline(always)]`.
macro_rules! vectors {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) = $body:ident::<$real:ty>;) => {
        $(#[$meta])*
        #[allow(unsafe_code, clippy::too_many_arguments)]
        $vis fn $name(simd: $crate::device::Simd, $($arg: $type),*) {
            type Of = $real;
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma")]
                fn avx512($($arg: $type),*) {
                    #[derive(Clone, Copy)]
                    enum Detected {}
                    // SAFETY: only this function names the type, and it is called only after detection.
                    unsafe impl $crate::device::Avx512Detected for Detected {}
                    $body::<Of, <Of as $crate::device::Vectors>::Avx512<Detected>, true, { 64 / size_of::<Of>() }>($($arg),*)
                }
                #[target_feature(enable = "avx2,fma")]
                fn avx2($($arg: $type),*) {
                    #[derive(Clone, Copy)]
                    enum Detected {}
                    // SAFETY: only this function names the type, and it is called only after detection.
                    unsafe impl $crate::device::Avx2Detected for Detected {}
                    $body::<Of, <Of as $crate::device::Vectors>::Avx2<Detected>, true, { 32 / size_of::<Of>() }>($($arg),*)
                }
                match simd.level() {
                    // SAFETY: `Simd::detect` returns this level only if the CPU has all features enabled on `avx512`.
                    $crate::device::SimdLevel::Avx512 => return unsafe { avx512($($arg),*) },
                    // SAFETY: as above, or `Simd::at_most` lowered AVX-512, which requires AVX2 and FMA too.
                    $crate::device::SimdLevel::Avx2 => return unsafe { avx2($($arg),*) },
                    $crate::device::SimdLevel::Baseline => {}
                }
            }
            let _ = simd;
            $body::<Of, <Of as $crate::device::Vectors>::Baseline, false, { 16 / size_of::<Of>() }>($($arg),*)
        }
    };
}
pub(crate) use vectors;
