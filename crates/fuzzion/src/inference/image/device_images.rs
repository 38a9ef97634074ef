//! Images in the memory of a device.

use super::apply::{ImageStack, Sealed, StackShape};
#[cfg(feature = "cuda")]
use super::cuda::{CudaPixels, GpuImages};
use super::operator::Operator;
use crate::data::Images;
#[cfg(feature = "cuda")]
use crate::device::DeviceError;
use crate::device::storage::{Storage, processor_of};
use crate::device::{Device, Processor};
use crate::inference::error::Result;
use std::borrow::Cow;
use std::fmt;
#[cfg(feature = "cuda")]
use std::marker::PhantomData;
#[cfg(feature = "cuda")]
use std::sync::Arc;

/// A stack of frames in the memory of a device; created by [`Images::to_device`].
///
/// The results of [`Operator::apply`] stay in the memory of the device, so that a sequence of operators on a GPU transfers
/// nothing: the operators are enqueued, and `apply` returns before they are complete. [`to_host`](Self::to_host) copies the
/// frames to host memory, where their pixels can be read. On the CPU no copy is made.
///
/// Every operation takes the device of the images; with several GPUs, the first one is used. Only small images on the device
/// `best` stay in host memory.
///
/// ```
/// use fuzzion::{Device, Images, data::Pixels, inference::image::Operator};
/// let device = Device::best()?;
/// let frames = Images::new(4, 1, 1, Pixels::U8(vec![50, 50, 200, 200]))?;
/// let (denoise, edges) = (Operator::named("fire-denoise")?, Operator::named("fire-edges")?);
///
/// let placed = frames.to_device(&device)?; // copied once
/// let found = edges.apply(&denoise.apply(&placed, &device)?, &device)?.to_host()?; // without another copy in between
/// assert_eq!(found, edges.apply(&denoise.apply(&frames, &device)?, &device)?);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone)]
pub struct DeviceImages<'a> {
    pub(super) shape: StackShape,
    pub(super) storage: Storage<'a, Images>,
}

impl<'a> DeviceImages<'a> {
    fn new(host: Cow<'a, Images>, device: &Device) -> Result<Self> {
        let (shape, values) = (StackShape::of(&host), host.pixels().len());
        Ok(DeviceImages { shape, storage: Storage::new(host, values, device)? })
    }

    /// Width in pixels.
    pub fn width(&self) -> usize {
        self.shape.width
    }

    /// Height in pixels.
    pub fn height(&self) -> usize {
        self.shape.height
    }

    /// Number of channels: 1, 3 or 4.
    pub fn channels(&self) -> usize {
        self.shape.channels
    }

    /// Number of frames, at least 1.
    pub fn frames(&self) -> usize {
        self.shape.frames
    }

    /// Bits per value: 8 or 16.
    pub fn bits(&self) -> u32 {
        self.shape.bits
    }

    /// Whether the frames are in the memory of a GPU.
    pub fn is_on_gpu(&self) -> bool {
        self.storage.gpu().is_some()
    }

    /// Copies the frames to host memory; waits for all operators that compute them.
    ///
    /// # Errors
    /// Errors of the GPU.
    pub fn to_host(&self) -> Result<Images> {
        match &self.storage {
            Storage::Host(images) => Ok(images.clone().into_owned()),
            #[cfg(feature = "cuda")]
            Storage::Gpu { cuda, values } => {
                let mut images = self.shape.zeros()?;
                values.download(&mut images, cuda)?;
                Ok(images)
            }
        }
    }
}

#[cfg(feature = "cuda")]
impl<'a> DeviceImages<'a> {
    /// Frames of `width` × `height` pixels with `channels` channels that are in the memory of a GPU, in an array of another
    /// library. No copy is made of frames with one channel, unless the array is not aligned to 16 bytes.
    ///
    /// # Errors
    /// [`DataError::ImageShape`](crate::data::DataError::ImageShape) if the last frame is incomplete or the number of channels
    /// is not 1, 3 or 4, and [`DeviceError::OtherDevice`] if `device` is not a GPU.
    pub fn from_cuda(
        width: usize,
        height: usize,
        channels: usize,
        pixels: CudaPixels<'a>,
        device: &Device,
    ) -> Result<Self> {
        let Processor::Cuda(cuda) = device.processor(false) else {
            let (memory, device) = ("cuda".to_owned(), device.to_string());
            return Err(DeviceError::OtherDevice { what: "images", memory, device }.into());
        };
        let frames = Images::check_shape(width, height, channels, pixels.len())?;
        let shape = StackShape { width, height, channels, frames, bits: pixels.bits() };
        let images = GpuImages::borrow(pixels, (width, height, channels), cuda)?;
        Ok(DeviceImages { shape, storage: Storage::on_gpu(images, cuda) })
    }

    /// The frames with interleaved channels in GPU memory, for other libraries; waits for all operators that compute them.
    /// `None` if the frames are in host memory.
    ///
    /// # Errors
    /// Errors of the GPU.
    pub fn to_interleaved(&self) -> Result<Option<InterleavedImages<'a>>> {
        let Storage::Gpu { cuda, values } = &self.storage else { return Ok(None) };
        let interleaved = values.to_interleaved(self.shape.channels, cuda)?;
        let images = interleaved.map_or_else(|| values.clone(), Arc::new);
        Ok(Some(InterleavedImages { images, borrowed: PhantomData }))
    }
}

/// Frames in GPU memory in the order frame, row, pixel, channel; created by [`DeviceImages::to_interleaved`]. The kernels that
/// write them have finished. See [`CudaPixels`] for an example.
#[cfg(feature = "cuda")]
pub struct InterleavedImages<'a> {
    pub(super) images: Arc<GpuImages>,
    borrowed: PhantomData<&'a ()>,
}

#[cfg(feature = "cuda")]
impl InterleavedImages<'_> {
    /// Address of the first value, which is valid as long as these images.
    pub fn address(&self) -> u64 {
        self.images.address()
    }
}

#[cfg(feature = "cuda")]
impl fmt::Debug for InterleavedImages<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "InterleavedImages: at {:#x}", self.address())
    }
}

impl Sealed for DeviceImages<'_> {}

impl ImageStack for DeviceImages<'_> {
    type Output = DeviceImages<'static>;

    fn apply(&self, operator: &Operator, device: &Device) -> Result<DeviceImages<'static>> {
        let shape = self.shape.after(operator);
        let storage = match processor_of("images", [self.storage.gpu()], device)? {
            Processor::Cpu(_) => Storage::Host(Cow::Owned(operator.apply(self.storage.host(), device)?)),
            #[cfg(feature = "cuda")]
            Processor::Cuda(cuda) => {
                operator.check_border()?;
                let images = self.storage.operand(cuda, device.progress())?;
                Storage::on_gpu(images.apply(operator, cuda)?, cuda)
            }
        };
        Ok(DeviceImages { shape, storage })
    }
}

impl fmt::Debug for DeviceImages<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DeviceImages: {} in the memory of {}", self.shape, self.storage.memory())
    }
}

impl Images {
    /// Copies the frames to the memory of `device`, for several operators without further transfers; on the CPU no copy is
    /// made. With several GPUs, the first one is used. See [`DeviceImages`].
    ///
    /// # Errors
    /// Errors of the GPU, and `Interrupted` if the progress callback requests it.
    pub fn to_device(&self, device: &Device) -> Result<DeviceImages<'_>> {
        DeviceImages::new(Cow::Borrowed(self), device)
    }

    /// Like [`to_device`](Self::to_device), with a result that does not borrow these images.
    ///
    /// # Errors
    /// Same as [`to_device`](Self::to_device).
    pub fn into_device(self, device: &Device) -> Result<DeviceImages<'static>> {
        DeviceImages::new(Cow::Owned(self), device)
    }
}
