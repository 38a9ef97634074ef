//! SIMD instruction sets and vectors.

mod aligned;
mod dispatch;
pub(crate) mod huge_pages;
pub(crate) mod level;
mod lookup;
mod non_temporal;
mod rounded;
mod vector;

pub(crate) use aligned::Aligned;
pub(crate) use dispatch::simd;
pub(crate) use huge_pages::zeros_in_huge_pages;
#[cfg(target_arch = "x86_64")]
pub(crate) use level::{Avx2Detected, Avx512Detected};
pub use level::{Simd, SimdLevel};
pub(crate) use level::{mul_add_f32, mul_add_f64};
pub(crate) use lookup::{LOOKUP_ENTRIES, look_up};
#[cfg(target_arch = "x86_64")]
pub(crate) use lookup::{RegisterTable, has_vbmi, load_64, store_64, vbmi};
pub(crate) use non_temporal::copy_non_temporal;
pub(crate) use rounded::{ElementaryVector, Narrow, Nearest, PLANE, Plane, Rounded, rounded};
#[cfg(target_arch = "x86_64")]
pub(crate) use rounded::{NearestF32, NearestF64, RoundedVectors};
pub(crate) use vector::{Vector, Vectors, vectors};
