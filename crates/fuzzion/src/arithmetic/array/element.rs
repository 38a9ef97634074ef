//! Element types of arrays.

use crate::arithmetic::cpu::{LuKernels, MrKernels};
use crate::arithmetic::rounding::{Real, WidensFrom};
use crate::device::{self, PLANE};

/// Numbers per block.
pub const LANES: usize = PLANE;

/// Element type of arrays: `f32` or `f64`. The trait is sealed.
///
/// ```
/// use fuzzion::arithmetic::{ArithmeticError, Element, LuArray};
///
/// fn lower_sum<T: Element>(numbers: &LuArray<T>) -> Result<f64, ArithmeticError> {
///     Ok(numbers.sum(&fuzzion::Device::cpu()?)?.cut(0, 0).lower.to_f64())
/// }
///
/// assert_eq!(lower_sum(&LuArray::<f32>::parse(1, &["[1, 2]", "[3, 5]"])?)?, 4.0);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[allow(private_bounds)] // seals the trait
pub trait Element: Real + bytemuck::Pod + device::Element + LuKernels {}
impl Element for f32 {}
impl Element for f64 {}

/// Element type of midpoints with radii of type `R`: the same type, or `f64` with `f32`. The trait is sealed.
///
/// ```
/// use fuzzion::arithmetic::{Element, Midpoint, MrArray};
///
/// fn midpoints<T: Midpoint<R>, R: Element>(numbers: &MrArray<T, R>) -> Vec<T> {
///     (0..numbers.len()).map(|index| numbers.midpoint(index)).collect()
/// }
///
/// assert_eq!(midpoints(&MrArray::<f64, f32>::parse(1, &["[1, 2]", "3"])?), [1.5, 3.0]);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[allow(private_bounds)] // seals the trait
pub trait Midpoint<R: Element>: Element + WidensFrom<R> + MrKernels<R> {}
impl Midpoint<f32> for f32 {}
impl Midpoint<f64> for f64 {}
impl Midpoint<f32> for f64 {}
