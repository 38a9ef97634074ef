//! Sorting methods of arrays in the memory of a device.

#[cfg(feature = "cuda")]
use super::cuda::Gather;
use super::device_keys::{DeviceKeys, DeviceOrder};
use super::key::Key;
use super::operations::check_keys;
use crate::arithmetic::DeviceArray;
use crate::arithmetic::array::dispatch::ComputeArray;
use crate::arithmetic::error::{ArithmeticError, Result};
#[cfg(feature = "cuda")]
use crate::device::storage::Storage;
use crate::device::storage::processor_of;
use crate::device::{Device, Processor};

#[allow(private_bounds)] // `LuArray` or `MrArray`
impl<A: ComputeArray> DeviceArray<'_, A> {
    /// Array sorted by `keys` in ascending order, as [`LuArray::sort_by_key`](crate::arithmetic::LuArray::sort_by_key).
    ///
    /// # Errors
    /// [`ArithmeticError::KeyCount`] if there is not one key per number, and device errors.
    pub fn sort_by_key<K: Key>(&self, keys: &DeviceKeys<'_, K>, device: &Device) -> Result<Self> {
        check_keys(keys.len(), self.len())?;
        let processor = processor_of("numbers", [self.storage.gpu(), keys.storage.gpu()], device)?;
        self.select(&keys.order_on(processor, device)?, device)
    }

    /// Array whose element i is the element of this array with index i of `order`.
    ///
    /// # Errors
    /// [`ArithmeticError::LargestIndex`] if an index is out of bounds, and device errors.
    pub fn select(&self, order: &DeviceOrder, device: &Device) -> Result<Self> {
        if let Some(index) = order.largest.filter(|largest| *largest >= self.len()) {
            return Err(ArithmeticError::LargestIndex { index, numbers: self.len() });
        }
        match processor_of("numbers", [self.storage.gpu(), order.storage.gpu()], device)? {
            Processor::Cpu(cpu) => {
                Ok(DeviceArray::in_host_memory(self.storage.host().gather(order.storage.host(), cpu)))
            }
            #[cfg(feature = "cuda")]
            Processor::Cuda(cuda) => {
                let (array, indices) = (
                    self.storage.operand(cuda, device.progress())?,
                    order.storage.operand(cuda, device.progress())?,
                );
                let gathered = A::map_planes(&array, self.cuts(), &Gather { cuda, order: &indices })?;
                Ok(DeviceArray::with_storage(self.cuts(), order.len(), Storage::on_gpu(gathered, cuda)))
            }
        }
    }
}
