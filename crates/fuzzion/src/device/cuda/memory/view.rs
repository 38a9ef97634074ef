//! Arrays of other libraries in GPU memory.

use std::marker::PhantomData;

/// A borrowed array in GPU memory that belongs to another library, for example a PyTorch tensor or a CuPy array.
///
/// ```no_run
/// use fuzzion::{Device, clustering::FuzzyCMeans, data::DeviceSamples, device::CudaArrayView};
/// # fn tensor() -> (u64, usize) { (0, 0) }
/// let device = Device::cuda(0)?;
/// let (address, rows) = tensor(); // for example from its __cuda_array_interface__
/// // SAFETY: the array has rows × 32 values in the memory of this GPU and outlives the view.
/// let view = unsafe { CudaArrayView::<f32>::new(address, rows * 32) };
/// let partition = FuzzyCMeans::new(8).fit(&DeviceSamples::from_cuda(view, 32, &device)?, &device)?;
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CudaArrayView<'a, T> {
    pub(super) address: u64,
    pub(super) len: usize,
    borrowed: PhantomData<&'a T>,
}

impl<T> CudaArrayView<'_, T> {
    /// `len` values at `address`, one after another.
    ///
    /// # Safety
    /// The memory belongs to the GPU with which the view is used, in its primary context. Until the view and everything
    /// created from it are dropped, it is not freed and the values do not change; the work that writes them is complete
    /// (its stream was synchronized).
    pub unsafe fn new(address: u64, len: usize) -> Self {
        CudaArrayView { address, len, borrowed: PhantomData }
    }

    /// Number of values.
    pub(crate) fn len(&self) -> usize {
        self.len
    }
}
