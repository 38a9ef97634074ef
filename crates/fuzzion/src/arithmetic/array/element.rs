//! Element types of arrays.

use crate::arithmetic::cpu::{LuKernels, MrKernels};
use crate::arithmetic::rounding::{Real, WidensFrom};
use crate::device::{self, PLANE};

/// Numbers per block.
pub(in crate::arithmetic) const LANES: usize = PLANE;

/// Element type of the bounds: `f32` or `f64`.
///
/// The trait is sealed because its module is private.
#[allow(private_bounds)] // not reachable from outside the crate
pub trait Element: Real + bytemuck::Pod + device::Element + LuKernels {}
impl Element for f32 {}
impl Element for f64 {}

/// Element type of midpoints with radii of type `R`: the same type, or `f64` with `f32`.
///
/// The trait is sealed because its module is private.
#[allow(private_bounds)] // not reachable from outside the crate
pub trait Midpoint<R: Element>: Element + WidensFrom<R> + MrKernels<R> {}
impl Midpoint<f32> for f32 {}
impl Midpoint<f64> for f64 {}
impl Midpoint<f32> for f64 {}
