//! Vectors with directed rounding.
//!
//! AVX-512 encodes the rounding mode in the instruction, so the rounding mode of the processor is not changed. AVX2
//! rounds to nearest, and the caller derives the directed results; on other levels the caller supplies its own vectors.
//! Directed results are unique except for the sign of an exact zero, so they are bit-identical on all levels.

/// Methods with one instruction each.
#[cfg(target_arch = "x86_64")]
macro_rules! methods {
    ($($method:ident($($other:ident),*) = $instruction:ident $(::<$rounding:ident>)?;)*) => {
        $(
            #[inline(always)]
            fn $method(self $(, $other: Self)*) -> Self {
                // SAFETY: as in `splat` of the vector.
                unsafe { Self($instruction $(::<$rounding>)? (self.0 $(, $other.0)*), PhantomData) }
            }
        )*
    };
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod levels;
mod operations;

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::{NearestF32, NearestF64};
#[cfg(target_arch = "x86_64")]
pub(crate) use levels::RoundedVectors;
pub(crate) use levels::rounded;
pub(crate) use operations::{ElementaryVector, Narrow, Nearest, PLANE, Plane, Rounded};
