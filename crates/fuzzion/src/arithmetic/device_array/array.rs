//! The array type.

use crate::arithmetic::array::dispatch::ComputeArray;
use crate::arithmetic::array::{ArrayShape, Element, LuArray, Midpoint, MrArray};
use crate::arithmetic::error::Result;
use crate::device::Device;
use crate::device::storage::Storage;
#[cfg(feature = "cuda")]
use crate::progress::Progress;
use std::borrow::Cow;
use std::fmt;

/// Array of fuzzy numbers in the memory of a device; created by [`LuArray::to_device`] or [`MrArray::to_device`].
///
/// It has the operations of the array type `A`. Their results stay in the memory of the device, so that a sequence of
/// operations on a GPU transfers nothing; [`to_host`](Self::to_host) copies an array to host memory, where its elements
/// can be read. On the CPU no copy is made.
///
/// Every operation takes the device of its operands. Only small arrays on the device `best` stay in host memory, from
/// which each operation on a GPU copies them.
///
/// ```
/// use fuzzion::{Device, arithmetic::{DeviceKeys, LuArray}};
/// let device = Device::best()?;
/// let stock = LuArray::<f64>::parse(1, &["[9, 11]", "[4, 7]"])?;
/// let (half, added) = (LuArray::parse(1, &["0.5"])?, LuArray::parse(1, &["[1, 2]"])?);
///
/// let stock = stock.to_device(&device)?; // copied once
/// let (half, added) = (half.to_device(&device)?, added.to_device(&device)?);
/// let keys = DeviceKeys::new(&[2u32, 1], &device)?;
/// let later = stock.axpy(&half, &added, 2, &device)?.sort_by_key(&keys, &device)?; // without another copy
/// let later = later.to_host()?;
/// assert_eq!((later.text(0), later.text(1)), ("[2.5, 4.75]".into(), "[3.75, 5.75]".into()));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[allow(private_bounds)] // `LuArray` or `MrArray`
pub struct DeviceArray<'a, A: ComputeArray> {
    cuts: usize,
    len: usize,
    pub(in crate::arithmetic) storage: Storage<'a, A>,
}

#[allow(private_bounds)] // as above
impl<'a, A: ComputeArray> DeviceArray<'a, A> {
    #[doc(hidden)] // for generic code; see `LuArray::to_device`
    pub fn new(host: Cow<'a, A>, device: &Device) -> Result<Self> {
        let (cuts, len) = (host.cut_count(), host.number_count());
        let storage = Storage::new(host, len * (cuts + 1), device)?;
        Ok(DeviceArray { cuts, len, storage })
    }

    pub(in crate::arithmetic) fn with_storage(cuts: usize, len: usize, storage: Storage<'a, A>) -> Self {
        DeviceArray { cuts, len, storage }
    }

    /// A result in host memory.
    pub(in crate::arithmetic) fn in_host_memory(array: A) -> Self {
        DeviceArray {
            cuts: array.cut_count(),
            len: array.number_count(),
            storage: Storage::Host(Cow::Owned(array)),
        }
    }

    /// Number of fuzzy numbers.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the array has no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Number of cuts of each fuzzy number.
    pub fn cuts(&self) -> usize {
        self.cuts
    }

    /// Whether the numbers are in the memory of a GPU.
    pub fn is_on_gpu(&self) -> bool {
        self.storage.gpu().is_some()
    }

    /// Copies the numbers to host memory; waits for all operations that compute them.
    ///
    /// # Errors
    /// Errors of the GPU.
    pub fn to_host(&self) -> Result<A> {
        match &self.storage {
            Storage::Host(host) => Ok(host.clone().into_owned()),
            #[cfg(feature = "cuda")]
            Storage::Gpu { cuda, values } => {
                let mut host = A::zeros(self.cuts, self.len)?;
                host.download(values, cuda, &Progress::none())?;
                Ok(host)
            }
        }
    }
}

impl<A: ComputeArray> ArrayShape for DeviceArray<'_, A> {
    fn number_count(&self) -> usize {
        self.len
    }
    fn cut_count(&self) -> usize {
        self.cuts
    }
}

/// The copy shares the memory of a GPU.
impl<A: ComputeArray> Clone for DeviceArray<'_, A> {
    fn clone(&self) -> Self {
        DeviceArray { cuts: self.cuts, len: self.len, storage: self.storage.clone() }
    }
}

impl<A: ComputeArray> fmt::Debug for DeviceArray<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (len, cuts, memory) = (self.len, self.cuts, self.storage.memory());
        write!(f, "DeviceArray of {len} numbers with {cuts} cuts in the memory of {memory}")
    }
}

macro_rules! to_device {
    (<$($parameter:ident: $bound:path),*> $type:ty) => {
        impl<$($parameter: $bound),*> $type {
            /// Copies the numbers to the memory of `device`, for several operations without further transfers; on the
            /// CPU no copy is made. With several GPUs, the first one is used.
            ///
            /// # Errors
            /// Errors of the GPU, and `Interrupted` if the progress callback requests it.
            pub fn to_device(&self, device: &Device) -> Result<DeviceArray<'_, Self>> {
                DeviceArray::new(Cow::Borrowed(self), device)
            }

            /// Like [`to_device`](Self::to_device), with a result that does not borrow this array.
            ///
            /// # Errors
            /// Same as [`to_device`](Self::to_device).
            pub fn into_device(self, device: &Device) -> Result<DeviceArray<'static, Self>> {
                DeviceArray::new(Cow::Owned(self), device)
            }
        }
    };
}

to_device!(<T: Element> LuArray<T>);
to_device!(<T: Midpoint<R>, R: Element> MrArray<T, R>);
