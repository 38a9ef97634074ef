//! Vector types of every SIMD level, and the dispatch macro.

#[cfg(target_arch = "x86_64")]
use super::avx2::{NearestF32, NearestF64};
#[cfg(target_arch = "x86_64")]
use super::avx512::{RoundedF32, RoundedF64};
#[cfg(target_arch = "x86_64")]
use crate::device::simd::level::{Avx2Detected, Avx512Detected};

/// Vector types of a number type.
#[cfg(target_arch = "x86_64")]
pub(crate) trait RoundedVectors {
    type Avx512<P: Avx512Detected>;
    type Avx2<P: Avx2Detected>;
}

#[cfg(target_arch = "x86_64")]
impl RoundedVectors for f32 {
    type Avx512<P: Avx512Detected> = RoundedF32<P>;
    type Avx2<P: Avx2Detected> = NearestF32<P>;
}

#[cfg(target_arch = "x86_64")]
impl RoundedVectors for f64 {
    type Avx512<P: Avx512Detected> = RoundedF64<P>;
    type Avx2<P: Avx2Detected> = NearestF64<P>;
}

/// Compiles a body once per [`SimdLevel`](crate::device::SimdLevel) with vectors with directed rounding, and selects
/// one at run time.
///
/// `rounded! { fn add(x: &mut [f32]) = add_body::<f32>, or Lanes; }` defines `fn add(simd: Simd, x)`, which calls
/// `add_body::<V>` with the vectors `V` of AVX-512 or AVX2, or otherwise with `Lanes<f32>`; several types may be given.
/// The body and all functions it calls must be `#[inline(always)]`.
macro_rules! rounded {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) = $body:ident::<$($real:ty),+>, or $lanes:ident;) => {
        $(#[$meta])*
        #[allow(unsafe_code, clippy::too_many_arguments)]
        $vis fn $name(simd: $crate::device::Simd, $($arg: $type),*) {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma")]
                fn avx512($($arg: $type),*) {
                    #[derive(Clone, Copy)]
                    enum Detected {}
                    // SAFETY: only this function names the type, and it is called only after detection.
                    unsafe impl $crate::device::Avx512Detected for Detected {}
                    $body::<$(<$real as $crate::device::RoundedVectors>::Avx512<Detected>),+>($($arg),*)
                }
                #[target_feature(enable = "avx2,fma")]
                fn avx2($($arg: $type),*) {
                    #[derive(Clone, Copy)]
                    enum Detected {}
                    // SAFETY: only this function names the type, and it is called only after detection.
                    unsafe impl $crate::device::Avx2Detected for Detected {}
                    $body::<$(<$real as $crate::device::RoundedVectors>::Avx2<Detected>),+>($($arg),*)
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
            $body::<$($lanes<$real>),+>($($arg),*)
        }
    };
}
pub(crate) use rounded;
