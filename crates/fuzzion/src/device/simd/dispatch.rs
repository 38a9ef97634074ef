//! Compilation of loops for every SIMD instruction set.

/// Compiles a loop body once per [`SimdLevel`](crate::device::SimdLevel) and selects one at run time.
///
/// `simd! { fn scale(x: &mut [f32], by: f32) = scale_body; }` defines `fn scale(simd: Simd, x, by)`, which calls
/// `scale_body::<FMA>` compiled for the level of `simd`. The body must be `#[inline(always)]` and generic only over
/// `const FMA: bool`, or over a type and `FMA`: `simd! { fn scale<T: Real>(x: &mut [T], by: T) = scale_body; }`.
#[doc(hidden)]
#[macro_export]
macro_rules! simd {
    ($(#[$meta:meta])* $vis:vis fn $name:ident$(<$of:ident: $bound:path>)?($($arg:ident: $type:ty),* $(,)?) $(-> $out:ty)? = $body:ident;) => {
        $(#[$meta])*
        #[allow(unsafe_code, clippy::too_many_arguments)]
        $vis fn $name$(<$of: $bound>)?(simd: $crate::device::Simd, $($arg: $type),*) $(-> $out)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma")]
                fn avx512$(<$of: $bound>)?($($arg: $type),*) $(-> $out)? {
                    $body::<$($of,)? true>($($arg),*)
                }
                #[target_feature(enable = "avx2,fma")]
                fn avx2$(<$of: $bound>)?($($arg: $type),*) $(-> $out)? {
                    $body::<$($of,)? true>($($arg),*)
                }
                match simd.level() {
                    // SAFETY: `Simd::detect` returns this level only if the CPU has all features enabled on `avx512`.
                    $crate::device::SimdLevel::Avx512 => return unsafe { avx512($($arg),*) },
                    // SAFETY: as above, or `Simd::at_most` lowered AVX-512, which requires AVX2 and FMA too.
                    $crate::device::SimdLevel::Avx2 => return unsafe { avx2($($arg),*) },
                    _ => {}
                }
            }
            let _ = simd;
            $body::<$($of,)? false>($($arg),*)
        }
    };
}
pub(crate) use simd;

#[cfg(test)]
mod tests {
    use crate::device::{Simd, mul_add_f32};

    simd! { fn axpy(a: f32, x: &[f32], y: &mut [f32]) = axpy_body; }

    #[inline(always)]
    fn axpy_body<const FMA: bool>(a: f32, x: &[f32], y: &mut [f32]) {
        for (y, x) in y.iter_mut().zip(x) {
            *y = mul_add_f32::<FMA>(a, *x, *y);
        }
    }

    #[test]
    fn every_level_of_this_machine_computes_the_same_loop() {
        let x: Vec<f32> = (0..1003).map(|i| i as f32).collect();
        for simd in Simd::all() {
            let mut y = vec![1.0; x.len()];
            axpy(simd, 2.0, &x, &mut y); // exact in f32, so fused and unfused agree
            assert!(y.iter().enumerate().all(|(i, y)| *y == 2.0 * i as f32 + 1.0), "{simd:?}");
        }
    }
}
