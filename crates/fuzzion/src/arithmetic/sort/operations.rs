//! Sorting methods of arrays.

use super::by_value::value_order;
use super::cpu;
#[cfg(feature = "cuda")]
use super::cuda;
use super::key::Key;
use super::order::{MIN_GPU_KEYS, sorted_order};
use crate::arithmetic::array::{Element, LuArray, MrArray};
use crate::arithmetic::error::{ArithmeticError, Result};
use crate::arithmetic::number::defuzzify::NumberDefuzzifier;
use crate::arithmetic::rounding::WidensFrom;
use crate::device::{Device, Processor};

fn check_keys(keys: usize, numbers: usize) -> Result<()> {
    match keys == numbers {
        true => Ok(()),
        false => Err(ArithmeticError::KeyCount { keys, numbers }),
    }
}

fn check_order(order: &[u32], numbers: usize) -> Result<()> {
    match order.iter().position(|number| *number as usize >= numbers) {
        Some(at) => Err(ArithmeticError::IndexOutOfRange { at, number: order[at], numbers }),
        None => Ok(()),
    }
}

/// Copies number `order[i]` of `from` to number i of `to`, in blocks of `planes` planes.
fn gather<T: Element>(from: &[T], planes: usize, order: &[u32], to: &mut [T], device: &Device) -> Result<()> {
    match device.processor(order.len() < MIN_GPU_KEYS) {
        Processor::Cpu(cpu) => cpu::gather(cpu, from, planes, order, to),
        #[cfg(feature = "cuda")]
        Processor::Cuda(cuda) => cuda::gather(cuda, from, planes, order, to)?,
    }
    Ok(())
}

/// Starts compiling the kernel that gathers arrays of `planes` planes, while the keys are sorted.
#[cfg_attr(not(feature = "cuda"), allow(unused_variables))]
fn prefetch_gather<T: Element>(planes: usize, numbers: usize, device: &Device) {
    #[cfg(feature = "cuda")]
    if let Processor::Cuda(cuda) = device.processor(numbers < MIN_GPU_KEYS) {
        cuda.prefetch(vec![cuda::gather_program::<T>(planes).1]);
    }
}

/// Sorting methods of both array types.
macro_rules! sorting {
    (
        <$($parameter:ident: $bound:path $(, $and:path)?);*> $type:ty,
        prefetch $prefetch:expr,
        |$self:ident, $order:ident, $device:ident| $select:block
    ) => {
        impl<$($parameter: $bound $(+ $and)?),*> $type {
            /// Array sorted by `keys` in ascending order; the sort is stable.
            ///
            /// Keys are `u32`, `u64`, `f32` or `f64`, ordered as in [`sorted_order`].
            ///
            /// # Errors
            /// [`ArithmeticError::KeyCount`] if there is not one key per number, [`ArithmeticError::TooManyKeys`] for more than `u32::MAX`
            /// keys, and device errors.
            pub fn sort_by_key<K: Key>(&self, keys: &[K], device: &Device) -> Result<Self> {
                check_keys(keys.len(), self.len())?;
                ($prefetch)(self, device);
                self.select(&sorted_order(keys, device)?, device)
            }

            /// Array sorted by defuzzified value in ascending order, then by bounds from the core outward, as in
            /// [`FuzzyLu::compare_by`](crate::arithmetic::FuzzyLu::compare_by). Numbers without a defuzzified value
            /// are last.
            ///
            /// # Errors
            /// [`ArithmeticError::TooManyKeys`] for more than `u32::MAX` numbers, and device errors.
            pub fn sort_by_value(&self, by: NumberDefuzzifier, device: &Device) -> Result<Self> {
                ($prefetch)(self, device);
                self.select(&self.value_order(by, device)?, device)
            }

            /// Indices that sort the array as [`sort_by_value`](Self::sort_by_value).
            ///
            /// # Errors
            /// Same as [`sort_by_value`](Self::sort_by_value).
            pub fn value_order(&self, by: NumberDefuzzifier, device: &Device) -> Result<Vec<u32>> {
                value_order(self, by, device)
            }

            /// Array whose element i is element `order[i]` of this array; indices may repeat.
            ///
            /// # Errors
            /// [`ArithmeticError::IndexOutOfRange`] if an index is out of bounds, and device errors.
            pub fn select(&$self, $order: &[u32], $device: &Device) -> Result<Self> {
                check_order($order, $self.len())?;
                $select
            }
        }
    };
}

sorting!(<T: Element> LuArray<T>, prefetch |array: &Self, device| {
    prefetch_gather::<T>(2 * array.cuts(), array.len(), device);
}, |self, order, device| {
    let mut selected = Self::zeroed(self.cuts(), order.len());
    gather(self.bounds(), 2 * self.cuts(), order, selected.bounds_mut(), device)?;
    Ok(selected)
});

sorting!(<T: Element, WidensFrom<R>; R: Element> MrArray<T, R>, prefetch |array: &Self, device| {
    prefetch_gather::<T>(1, array.len(), device);
    prefetch_gather::<R>(array.cuts(), array.len(), device);
}, |self, order, device| {
    let mut selected = Self::zeroed(self.cuts(), order.len());
    let (midpoints, radii) = self.planes();
    let (to_midpoints, to_radii) = selected.planes_mut();
    gather(midpoints, 1, order, to_midpoints, device)?;
    gather(radii, self.cuts(), order, to_radii, device)?;
    Ok(selected)
});
