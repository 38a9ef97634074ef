//! Application of window operators to images, on the CPU or a GPU.

use super::cpu;
#[cfg(feature = "cuda")]
use super::cuda;
use super::operator::{Execution, Operator};
use super::window::Border;
use crate::base::SettingError;
use crate::data::{DataError, Images, Pixels, PixelsMut};
use crate::device::{Device, Operation, Processor, zeros_in_huge_pages};
use crate::inference::error::Result;
use std::fmt;

/// Images to which an operator can be applied: [`Images`], or [`DeviceImages`](super::DeviceImages) in the memory of a device,
/// whose results stay there.
///
/// ```
/// use fuzzion::inference::image::{ImageStack, Operator};
/// use fuzzion::{Device, Images, data::Pixels};
/// fn edges<I: ImageStack>(images: &I, device: &Device) -> fuzzion::Result<I::Output> {
///     Ok(Operator::named("fire-edges")?.apply(images, device)?)
/// }
/// let (image, device) = (Images::new(2, 1, 1, Pixels::U8(vec![7, 7]))?, Device::cpu()?);
/// assert_eq!(edges(&image, &device)?, edges(&image.to_device(&device)?, &device)?.to_host()?);
/// # Ok::<(), fuzzion::Error>(())
/// ```
pub trait ImageStack: Sealed {
    /// The resulting images, in the same memory.
    type Output;

    #[doc(hidden)] // see `Operator::apply`
    fn apply(&self, operator: &Operator, device: &Device) -> Result<Self::Output>;
}

/// Prevents implementations outside this crate.
pub(super) trait Sealed {}

impl Sealed for Images {}

impl ImageStack for Images {
    type Output = Images;

    fn apply(&self, operator: &Operator, device: &Device) -> Result<Images> {
        let mut result = StackShape::of(self).after(operator).zeros()?;
        operator.apply_into(self, &mut result, device)?;
        Ok(result)
    }
}

/// Size, number and type of the frames of a stack.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct StackShape {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) channels: usize,
    pub(super) frames: usize,
    pub(super) bits: u32,
}

impl StackShape {
    pub(super) fn of(images: &Images) -> Self {
        StackShape {
            width: images.width(),
            height: images.height(),
            channels: images.channels(),
            frames: images.frames(),
            bits: images.bits(),
        }
    }

    /// The shape of the result of an operator.
    pub(super) fn after(self, operator: &Operator) -> Self {
        StackShape { channels: operator.out_channels(self.channels), ..self }
    }

    /// Frames of zeros.
    pub(super) fn zeros(self) -> Result<Images> {
        let len = self.frames * self.width * self.height * self.channels;
        let pixels = match self.bits {
            8 => Pixels::U8(zeros_in_huge_pages(len)),
            _ => Pixels::U16(zeros_in_huge_pages(len)),
        };
        Ok(Images::new(self.width, self.height, self.channels, pixels)?)
    }
}

impl fmt::Display for StackShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StackShape { width, height, channels, frames, bits } = self;
        let s = |count: &usize| if *count == 1 { "" } else { "s" };
        write!(f, "{frames} frame{} of ", s(frames))?;
        write!(f, "{width} × {height} with {channels} channel{} of {bits} bits", s(channels))
    }
}

impl Operator {
    /// Applies the operator to every frame. The result has one channel, or the channels of the input if they are processed
    /// separately. The result of [`Images`] is in host memory; that of [`DeviceImages`](super::DeviceImages) stays in the memory
    /// of the device. Several GPUs share the frames of [`Images`].
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`] for a constant border outside 0 to 255, errors of the GPU, and [`InferenceError::Interrupted`](crate::inference::InferenceError::Interrupted).
    pub fn apply<I: ImageStack>(&self, images: &I, device: &Device) -> Result<I::Output> {
        images.apply(self, device)
    }

    /// Like [`Operator::apply`], into existing frames, for example when processing a video.
    ///
    /// ```
    /// # use fuzzion::{Device, data::{Images, Pixels}, inference::image::Operator};
    /// let image = Images::new(2, 1, 1, Pixels::U8(vec![7, 7]))?;
    /// let mut out = image.clone();
    /// Operator::named("fire-edges")?.apply_into(&image, &mut out, &Device::cpu()?)?;
    /// assert_eq!(out.pixels(), &Pixels::U8(vec![255, 255])); // no edges
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Operator::apply`], and [`DataError::ImageShape`] if `out` has another size, number of frames or bit depth.
    pub fn apply_into(&self, images: &Images, out: &mut Images, device: &Device) -> Result<()> {
        let progress = device.progress();
        self.check_border()?;
        let (found, must) = (StackShape::of(out), StackShape::of(images).after(self));
        if found != must {
            let (what, found, must) = ("the output buffer".into(), found.to_string(), must.to_string());
            return Err(DataError::ImageShape { what, found, must }.into());
        }
        let small = self.prefers_cpu(images.pixels().len() as f64, images.bits(), device);
        match (images.pixels(), out.pixels_mut(), device.processor(small)) {
            (Pixels::U8(x), PixelsMut::U8(out), Processor::Cpu(cpu)) => {
                cpu::apply(self, images, x, cpu, progress, out)
            }
            (Pixels::U16(x), PixelsMut::U16(out), Processor::Cpu(cpu)) => {
                cpu::apply(self, images, x, cpu, progress, out)
            }
            #[cfg(feature = "cuda")]
            (Pixels::U8(x), PixelsMut::U8(out), Processor::Cuda(cuda)) => {
                Ok(cuda::apply(self, images, x, device.gpus_with(cuda), progress, out)?)
            }
            #[cfg(feature = "cuda")]
            (Pixels::U16(x), PixelsMut::U16(out), Processor::Cuda(cuda)) => {
                Ok(cuda::apply(self, images, x, device.gpus_with(cuda), progress, out)?)
            }
            _ => unreachable!("invariant: both images have the same bit depth"),
        }
    }

    pub(super) fn check_border(&self) -> Result<()> {
        match self.border {
            Border::Constant(value) if !(0.0..=255.0).contains(&value) => {
                let (algorithm, must) = ("window operator", "a brightness from 0 to 255");
                Err(SettingError::OutOfRange { algorithm, name: "border", value, must }.into())
            }
            _ => Ok(()),
        }
    }

    /// For the device `best`, the device that processes this number of pixels of 8 or 16 bits faster: the CPU or a GPU;
    /// otherwise `device`. Use it to process a video batch by batch.
    pub fn device_for(&self, pixels: u64, bits: u32, device: &Device) -> Device {
        device.resolve(self.prefers_cpu(pixels as f64, bits, device))
    }

    /// Whether the device `best` processes this number of pixels in host memory on the CPU.
    fn prefers_cpu(&self, pixels: f64, bits: u32, device: &Device) -> bool {
        let bytes = 2.0 * pixels * f64::from(bits / 8);
        match self.execution_for(bits) {
            Execution::Fast => device.prefers_cpu(Operation::ImageLookup, pixels, bytes),
            Execution::General => {
                let work = pixels * self.plan().general_steps().steps.len() as f64;
                device.prefers_cpu(Operation::Inference, work, bytes)
            }
        }
    }
}
