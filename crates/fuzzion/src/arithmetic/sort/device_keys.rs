//! Sort keys and sort orders in the memory of a device.

use super::cpu;
#[cfg(feature = "cuda")]
use super::cuda::GpuOrder;
use super::key::{Key, bits};
use super::order::check_count;
use crate::arithmetic::error::Result;
#[cfg(feature = "cuda")]
use crate::device::cuda::Buffer;
#[cfg(feature = "cuda")]
use crate::device::storage::Transferable;
use crate::device::storage::{Storage, processor_of};
#[cfg(feature = "cuda")]
use crate::device::{Cuda, DeviceError};
use crate::device::{Device, Processor};
#[cfg(feature = "cuda")]
use crate::progress::Progress;
use rayon::prelude::*;
use std::borrow::Cow;
use std::fmt;

#[cfg(feature = "cuda")]
impl<K: Key> Transferable for [K] {
    type Copied = Buffer<K::Bits>;
    fn upload(&self, cuda: &Cuda, progress: &Progress) -> Result<Buffer<K::Bits>, DeviceError> {
        cuda.upload_large(bits(self), progress)
    }
}

#[cfg(feature = "cuda")]
impl Transferable for Vec<u32> {
    type Copied = GpuOrder;
    fn upload(&self, cuda: &Cuda, progress: &Progress) -> Result<GpuOrder, DeviceError> {
        GpuOrder::upload(cuda, self, progress)
    }
}

/// Sort keys in the memory of a device, for sorting several
/// [`DeviceArray`](crate::arithmetic::DeviceArray)s, or one array several times. On the CPU no copy is made.
///
/// ```
/// use fuzzion::{Device, arithmetic::DeviceKeys};
/// let device = Device::best()?;
/// let keys = DeviceKeys::new(&[2.5, f64::NAN, -1.0, 2.5], &device)?;
/// assert_eq!(keys.sorted_order(&device)?.to_host()?, [2, 0, 3, 1]);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone)]
pub struct DeviceKeys<'a, K: Key> {
    len: usize,
    pub(super) storage: Storage<'a, [K]>,
}

impl<'a, K: Key> DeviceKeys<'a, K> {
    /// Copies keys to the memory of `device`.
    ///
    /// # Errors
    /// [`ArithmeticError::TooManyKeys`](crate::arithmetic::ArithmeticError::TooManyKeys) for more than `u32::MAX` keys,
    /// errors of the GPU, and `Interrupted` if the progress callback requests it.
    pub fn new(keys: &'a [K], device: &Device) -> Result<Self> {
        check_count(keys.len())?;
        Ok(DeviceKeys { len: keys.len(), storage: Storage::new(Cow::Borrowed(keys), keys.len(), device)? })
    }

    /// Number of keys.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Indices that sort the keys in ascending order, as [`sorted_order`](crate::arithmetic::sorted_order).
    ///
    /// # Errors
    /// Device errors.
    pub fn sorted_order(&self, device: &Device) -> Result<DeviceOrder> {
        self.order_on(processor_of("numbers", [self.storage.gpu()], device)?, device)
    }

    /// [`sorted_order`](Self::sorted_order) on a given processor of the device.
    #[cfg_attr(not(feature = "cuda"), allow(unused_variables))]
    pub(super) fn order_on(&self, processor: Processor<'_>, device: &Device) -> Result<DeviceOrder> {
        let storage = match processor {
            Processor::Cpu(cpu) => Storage::Host(Cow::Owned(cpu::order::<K>(cpu, bits(self.storage.host())))),
            #[cfg(feature = "cuda")]
            Processor::Cuda(cuda) => {
                let keys = self.storage.operand(cuda, device.progress())?;
                Storage::on_gpu(GpuOrder::sorted::<K>(cuda, &keys)?, cuda)
            }
        };
        Ok(DeviceOrder { len: self.len, largest: self.len.checked_sub(1), storage })
    }
}

/// Indices of the elements of an array, in the memory of a device: a sort order or any selection.
///
/// ```
/// use fuzzion::{Device, arithmetic::{DeviceOrder, LuArray}};
/// let device = Device::best()?;
/// let array = LuArray::<f64>::parse(1, &["1", "2", "3"])?.into_device(&device)?;
/// let selected = array.select(&DeviceOrder::new(&[2, 0, 2], &device)?, &device)?.to_host()?;
/// assert_eq!([0, 1, 2].map(|i| selected.text(i)), ["3", "1", "3"]);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone)]
pub struct DeviceOrder {
    len: usize,
    /// The largest index.
    pub(super) largest: Option<usize>,
    pub(super) storage: Storage<'static, Vec<u32>>,
}

impl DeviceOrder {
    /// Copies indices to the memory of `device`; they may repeat.
    ///
    /// # Errors
    /// Errors of the GPU, and `Interrupted` if the progress callback requests it.
    pub fn new(order: &[u32], device: &Device) -> Result<Self> {
        let largest = order.par_iter().max().map(|index| *index as usize);
        let storage = Storage::new(Cow::Owned(order.to_vec()), order.len(), device)?;
        Ok(DeviceOrder { len: order.len(), largest, storage })
    }

    /// Number of indices.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no indices.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Copies the indices to host memory.
    ///
    /// # Errors
    /// Errors of the GPU.
    pub fn to_host(&self) -> Result<Vec<u32>> {
        match &self.storage {
            Storage::Host(order) => Ok(order.to_vec()),
            #[cfg(feature = "cuda")]
            Storage::Gpu { cuda, values } => Ok(values.download(cuda, &Progress::none())?),
        }
    }
}

impl<K: Key> fmt::Debug for DeviceKeys<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} sort keys in the memory of {}", self.len, self.storage.memory())
    }
}

impl fmt::Debug for DeviceOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} indices in the memory of {}", self.len, self.storage.memory())
    }
}
