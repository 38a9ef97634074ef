//! Which vector instructions this machine has, and one macro that compiles a plain loop for each of them.

mod aligned;
mod copy;
mod lookup;
mod rounded;
mod vector;

pub(crate) use aligned::Aligned;
pub(crate) use copy::copy_past_caches;
pub(crate) use lookup::{ENTRIES, look_up};
#[cfg(target_arch = "x86_64")]
pub(crate) use lookup::{InRegisters, load_64, permutes, permuting, store_64};
pub(crate) use rounded::{Double, Narrow, Nearest, PLANE, Plane, Rounded, rounded};
#[cfg(target_arch = "x86_64")]
pub(crate) use rounded::{NearestF32, NearestF64, RoundedVectors};
pub(crate) use vector::{Vector, Vectors, vectors};

/// The vector instructions a CPU kernel may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SimdLevel {
    /// What every machine of this architecture has (SSE2 on x86-64, NEON on AArch64).
    Baseline,
    /// AVX2 with fused multiply-add: 8 single or 4 double lanes.
    Avx2,
    /// AVX-512 (F, BW, CD, DQ, VL): 16 single or 8 double lanes.
    Avx512,
}

impl SimdLevel {
    /// The name people know it by.
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

/// Proof that this machine has a [`SimdLevel`]: it is made by looking, never by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simd(SimdLevel);

impl Simd {
    /// The best level of this machine.
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

    /// The same machine using no more than `level` (to test and time the narrower paths).
    pub fn at_most(self, level: SimdLevel) -> Self {
        Simd(self.0.min(level))
    }

    /// The level this is proof of.
    pub fn level(self) -> SimdLevel {
        self.0
    }

    /// Every level this machine has, narrowest first.
    pub fn all() -> Vec<Simd> {
        let best = Simd::detect();
        [SimdLevel::Baseline, SimdLevel::Avx2, SimdLevel::Avx512]
            .into_iter()
            .filter(|level| *level <= best.0)
            .map(Simd)
            .collect()
    }
}

/// `a·b + c`, fused where `FMA` says the instructions are there (an unfused call would go to a slow library).
#[inline(always)]
pub(crate) fn mul_add_f32<const FMA: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FMA || cfg!(target_arch = "aarch64") { a.mul_add(b, c) } else { a * b + c }
}

/// As [`mul_add_f32`], in double precision.
#[inline(always)]
pub(crate) fn mul_add_f64<const FMA: bool>(a: f64, b: f64, c: f64) -> f64 {
    if FMA || cfg!(target_arch = "aarch64") { a.mul_add(b, c) } else { a * b + c }
}

/// Compiles a plain-loop body once per [`SimdLevel`] and picks one at run time.
///
/// `simd! { fn scale(x: &mut [f32], by: f32) = scale_body; }` makes `fn scale(simd: Simd, x, by)`, which calls
/// `scale_body::<FMA>` compiled for the level that `simd` proves; the body must be `#[inline(always)]` and
/// generic over `const FMA: bool` alone.
macro_rules! simd {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) $(-> $out:ty)? = $body:ident;) => {
        $(#[$meta])*
        #[allow(unsafe_code, clippy::too_many_arguments)]
        $vis fn $name(simd: $crate::device::Simd, $($arg: $type),*) $(-> $out)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma")]
                fn avx512($($arg: $type),*) $(-> $out)? {
                    $body::<true>($($arg),*)
                }
                #[target_feature(enable = "avx2,fma")]
                fn avx2($($arg: $type),*) $(-> $out)? {
                    $body::<true>($($arg),*)
                }
                // SAFETY: a `Simd` exists only where `Simd::detect` found every feature of its level.
                match simd.level() {
                    $crate::device::SimdLevel::Avx512 => return unsafe { avx512($($arg),*) },
                    $crate::device::SimdLevel::Avx2 => return unsafe { avx2($($arg),*) },
                    $crate::device::SimdLevel::Baseline => {}
                }
            }
            let _ = simd;
            $body::<false>($($arg),*)
        }
    };
}
pub(crate) use simd;

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn at_most_never_promises_more_than_the_machine_has() {
        let best = Simd::detect();
        assert_eq!(best.at_most(SimdLevel::Avx512), best);
        assert_eq!(best.at_most(SimdLevel::Baseline).level(), SimdLevel::Baseline);
    }
}
