//! Sorting methods of arrays.

use super::by_value::value_order;
use super::cpu;
#[cfg(feature = "cuda")]
use super::cuda;
use super::key::{Key, bits};
use super::order::{MIN_GPU_KEYS, check_count};
use crate::arithmetic::array::{Element, LuArray, Midpoint, MrArray};
use crate::arithmetic::cpu::CpuArray;
use crate::arithmetic::error::{ArithmeticError, Result};
use crate::arithmetic::number::defuzzify::NumberDefuzzifier;
use crate::device::{Device, Processor};
use rayon::prelude::*;

pub(super) fn check_keys(keys: usize, numbers: usize) -> Result<()> {
    match keys == numbers {
        true => Ok(()),
        false => Err(ArithmeticError::KeyCount { keys, numbers }),
    }
}

fn check_order(order: &[u32], numbers: usize) -> Result<()> {
    match order.par_iter().position_first(|number| *number as usize >= numbers) {
        Some(at) => Err(ArithmeticError::IndexOutOfRange { at, number: order[at], numbers }),
        None => Ok(()),
    }
}

/// Starts compiling the kernel that gathers arrays of `planes` planes, while the keys are sorted.
#[cfg_attr(not(feature = "cuda"), allow(unused_variables))]
fn prefetch_gather<T: Element>(planes: usize, numbers: usize, device: &Device) {
    #[cfg(feature = "cuda")]
    if let Processor::Cuda(cuda) = device.processor(numbers < MIN_GPU_KEYS) {
        cuda.prefetch(vec![cuda::gather_program::<T>(planes)]);
    }
}

/// Sorting methods of both array types.
macro_rules! sorting {
    (
        <$($parameter:ident: $bound:path $(, $and:path)?);*> $type:ty,
        prefetch $prefetch:expr
    ) => {
        impl<$($parameter: $bound $(+ $and)?),*> $type {
            /// Array sorted by `keys` in ascending order; the sort is stable.
            ///
            /// Keys are `u32`, `u64`, `f32` or `f64`, ordered as in [`sorted_order`](crate::arithmetic::sorted_order).
            ///
            /// # Errors
            /// [`ArithmeticError::KeyCount`] if there is not one key per number, [`ArithmeticError::TooManyKeys`] for more than `u32::MAX`
            /// keys, and device errors.
            pub fn sort_by_key<K: Key>(&self, keys: &[K], device: &Device) -> Result<Self> {
                check_keys(keys.len(), self.len())?;
                check_count(keys.len())?;
                match device.processor(keys.len() < MIN_GPU_KEYS) {
                    Processor::Cpu(cpu) => Ok(self.gather(&cpu::order::<K>(cpu, bits(keys)), cpu)),
                    #[cfg(feature = "cuda")]
                    Processor::Cuda(cuda) => {
                        ($prefetch)(self, device);
                        Ok(cuda::sort_by_key(self, keys, cuda, device.progress())?)
                    }
                }
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
            pub fn select(&self, order: &[u32], device: &Device) -> Result<Self> {
                check_order(order, self.len())?;
                match device.processor(order.len() < MIN_GPU_KEYS) {
                    Processor::Cpu(cpu) => Ok(self.gather(order, cpu)),
                    #[cfg(feature = "cuda")]
                    Processor::Cuda(cuda) => Ok(cuda::select(self, order, cuda, device.progress())?),
                }
            }
        }
    };
}

sorting!(<T: Element> LuArray<T>, prefetch |array: &Self, device| {
    prefetch_gather::<T>(2 * array.cuts(), array.len(), device);
});

sorting!(<T: Midpoint<R>; R: Element> MrArray<T, R>, prefetch |array: &Self, device| {
    prefetch_gather::<T>(1, array.len(), device);
    prefetch_gather::<R>(array.cuts(), array.len(), device);
});
