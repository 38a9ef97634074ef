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

/// Number of frames and their shape, for error messages.
pub(super) fn describe_frames(frames: usize, shape: &str) -> String {
    format!("{frames} frame{} of {shape}", if frames == 1 { "" } else { "s" })
}

impl Operator {
    /// Applies the operator to every frame. The result has one channel, or the channels of the input if they are processed
    /// separately.
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`] for a constant border outside 0 to 255, errors of the GPU, and [`InferenceError::Interrupted`](crate::inference::InferenceError::Interrupted).
    pub fn apply(&self, images: &Images, device: &Device) -> Result<Images> {
        let (width, height, channels) = (images.width(), images.height(), self.channels_of(images));
        let len = images.frames() * width * height * channels;
        let pixels = match images.pixels() {
            Pixels::U8(_) => Pixels::U8(zeros_in_huge_pages(len)),
            Pixels::U16(_) => Pixels::U16(zeros_in_huge_pages(len)),
        };
        let mut result = Images::new(width, height, channels, pixels)?;
        self.apply_into(images, &mut result, device)?;
        Ok(result)
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
        if let Border::Constant(value) = self.border
            && !(0.0..=255.0).contains(&value)
        {
            let must = "a brightness from 0 to 255";
            return Err(SettingError::OutOfRange {
                algorithm: "window operator",
                name: "border",
                value,
                must,
            }
            .into());
        }
        let shape = |images: &Images, channels: usize| {
            (images.width(), images.height(), images.frames(), channels, images.bits())
        };
        if shape(out, out.channels()) != shape(images, self.channels_of(images)) {
            let (width, height, channels) = (images.width(), images.height(), self.channels_of(images));
            let plural = if channels == 1 { "" } else { "s" };
            let shape =
                format!("{width} × {height} with {channels} channel{plural} of {} bits", images.bits());
            return Err(DataError::ImageShape {
                what: "the output buffer".into(),
                found: describe_frames(out.frames(), &out.describe_shape()),
                must: describe_frames(images.frames(), &shape),
            }
            .into());
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
                Ok(cuda::apply(self, images, x, cuda, progress, out)?)
            }
            #[cfg(feature = "cuda")]
            (Pixels::U16(x), PixelsMut::U16(out), Processor::Cuda(cuda)) => {
                Ok(cuda::apply(self, images, x, cuda, progress, out)?)
            }
            _ => unreachable!("invariant: both images have the same bit depth"),
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
