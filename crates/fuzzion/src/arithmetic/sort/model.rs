//! The verbs of sorting and the one match on the device.

use super::key::{Key, bits};
use super::value::value_order;
use super::{cpu, cuda};
use crate::arithmetic::array::{Element, LuArray, MrArray};
use crate::arithmetic::defuzzify::Defuzzifier;
use crate::arithmetic::rounding::Holds;
use crate::device::{Device, Processor};
use crate::error::{Error, Result};

/// Fewer keys than this are sorted on the CPU before a GPU has been reached.
const WORTH_A_GPU: usize = 1 << 16;

/// The places of the keys, that of the least key first: key `order[0]` is not above key `order[1]`, and so on.
///
/// Equal keys stay in their order. Floats are in their total order (−0 before 0), NaN last.
///
/// ```
/// use fuzzion::Device;
/// use fuzzion::arithmetic::sorted_order;
/// let order = sorted_order(&[2.5, f64::NAN, -1.0, 2.5], &Device::cpu()?)?;
/// assert_eq!(order, [2, 0, 3, 1]);
/// # Ok::<(), fuzzion::Error>(())
/// ```
///
/// # Errors
/// [`Error::TooManyKeys`] for more than `u32` counts, and what the device refuses.
pub fn sorted_order<K: Key>(keys: &[K], device: &Device) -> Result<Vec<u32>> {
    check_count(keys.len())?;
    match device.processor(keys.len() < WORTH_A_GPU) {
        Processor::Cpu(cpu) => Ok(cpu::order::<K>(cpu, bits(keys))),
        Processor::Cuda(cuda) => cuda::order::<K>(cuda, bits(keys)),
    }
}

/// Places are counted by `u32`.
pub(super) fn check_count(keys: usize) -> Result<()> {
    match keys > u32::MAX as usize {
        true => Err(Error::TooManyKeys { keys, most: u32::MAX }),
        false => Ok(()),
    }
}

fn check_keys(keys: usize, numbers: usize) -> Result<()> {
    match keys == numbers {
        true => Ok(()),
        false => Err(Error::KeyCount { keys, numbers }),
    }
}

fn check_order(order: &[u32], numbers: usize) -> Result<()> {
    match order.iter().position(|number| *number as usize >= numbers) {
        Some(at) => Err(Error::NoSuchNumber { at, number: order[at], numbers }),
        None => Ok(()),
    }
}

/// Number `order[i]` of `from` becomes number i of `to`, in blocks of `planes` planes.
fn gather<T: Element>(from: &[T], planes: usize, order: &[u32], to: &mut [T], device: &Device) -> Result<()> {
    match device.processor(order.len() < WORTH_A_GPU) {
        Processor::Cpu(cpu) => cpu::gather(cpu, from, planes, order, to),
        Processor::Cuda(cuda) => cuda::gather(cuda, from, planes, order, to)?,
    }
    Ok(())
}

/// What both arrays do with an order.
macro_rules! sorting {
    (<$($parameter:ident: $bound:path $(, $and:path)?);*> $type:ty, |$self:ident, $order:ident, $device:ident| $select:block) => {
        impl<$($parameter: $bound $(+ $and)?),*> $type {
            /// The numbers by their keys, the least first; numbers with equal keys stay in their order.
            ///
            /// Keys are `u32`, `u64`, `f32` or `f64`, as [`sorted_order`] has them.
            ///
            /// # Errors
            /// [`Error::KeyCount`] for more or fewer keys than numbers, [`Error::TooManyKeys`] for more than `u32`
            /// counts, and what the device refuses.
            pub fn sort_by_key<K: Key>(&self, keys: &[K], device: &Device) -> Result<Self> {
                check_keys(keys.len(), self.len())?;
                self.select(&sorted_order(keys, device)?, device)
            }

            /// The numbers by their defuzzified value, those without one last; equal ones by their bounds, from the core
            /// outwards, as in [`FuzzyLu::order`](crate::arithmetic::FuzzyLu::order).
            ///
            /// # Errors
            /// [`Error::TooManyKeys`] for more numbers than `u32` counts, and what the device refuses.
            pub fn sort_by_value(&self, by: Defuzzifier, device: &Device) -> Result<Self> {
                self.select(&self.value_order(by, device)?, device)
            }

            /// The places of the numbers, that of the least number first: the order of
            /// [`sort_by_value`](Self::sort_by_value).
            ///
            /// # Errors
            /// As there.
            pub fn value_order(&self, by: Defuzzifier, device: &Device) -> Result<Vec<u32>> {
                value_order(self, by, device)
            }

            /// Numbers of this array in any order, and any of them any number of times: number `order[i]` becomes
            /// number i.
            ///
            /// # Errors
            /// [`Error::NoSuchNumber`] where there is no such number, and what the device refuses.
            pub fn select(&$self, $order: &[u32], $device: &Device) -> Result<Self> {
                check_order($order, $self.len())?;
                $select
            }
        }
    };
}

sorting!(<T: Element> LuArray<T>, |self, order, device| {
    let mut selected = Self::sized(self.cuts(), order.len());
    gather(self.bounds(), 2 * self.cuts(), order, selected.bounds_mut(), device)?;
    Ok(selected)
});

sorting!(<T: Element, Holds<R>; R: Element> MrArray<T, R>, |self, order, device| {
    let mut selected = Self::sized(self.cuts(), order.len());
    let (midpoints, radii) = self.planes();
    let (to_midpoints, to_radii) = selected.planes_mut();
    gather(midpoints, 1, order, to_midpoints, device)?;
    gather(radii, self.cuts(), order, to_radii, device)?;
    Ok(selected)
});
