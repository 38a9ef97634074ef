//! Images in the memory of a GPU.

use super::source::{channels, pixel_type};
use super::{OPACITY, kernels_of};
use crate::data::{Images, Pixels, PixelsMut};
use crate::device::Cuda;
use crate::device::cuda::{Buffer, Chunked, CudaArrayView, Element, Kernel, StreamInput, StreamOutput};
use crate::device::error::Result;
use crate::device::storage::Transferable;
use crate::inference::image::operator::{FastPixel, Operator};
use crate::progress::Progress;
use std::sync::Arc;

/// Interleaved pixels in GPU memory, in an array of another library.
///
/// ```no_run
/// use fuzzion::inference::image::{CudaPixels, DeviceImages, Operator};
/// use fuzzion::{Device, device::CudaArrayView};
/// # fn tensor() -> u64 { 0 }
/// let device = Device::cuda(0)?;
/// let address = tensor(); // for example from its __cuda_array_interface__
/// // SAFETY: the array has 10 × 480 × 640 values in the memory of this GPU and outlives the view.
/// let view = unsafe { CudaArrayView::<u8>::new(address, 10 * 480 * 640) };
/// let images = DeviceImages::from_cuda(640, 480, 1, CudaPixels::U8(view), &device)?;
/// let edges = Operator::named("fire-edges")?.apply(&images, &device)?.to_interleaved()?;
/// assert!(edges.is_some_and(|edges| edges.address() != 0));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum CudaPixels<'a> {
    /// 0 to 255.
    U8(CudaArrayView<'a, u8>),
    /// 0 to 65,535.
    U16(CudaArrayView<'a, u16>),
}

impl CudaPixels<'_> {
    /// Number of values.
    pub(crate) fn len(&self) -> usize {
        match self {
            CudaPixels::U8(view) => view.len(),
            CudaPixels::U16(view) => view.len(),
        }
    }

    /// Bits per value.
    pub(crate) fn bits(&self) -> u32 {
        if matches!(self, CudaPixels::U8(_)) { 8 } else { 16 }
    }
}

/// Frames of 8 or 16 bits in the memory of a GPU.
pub(crate) enum GpuImages {
    U8(GpuFrames<u8>),
    U16(GpuFrames<u16>),
}

/// Frames with their channels as planes, so that operators process each channel without a conversion.
pub(crate) struct GpuFrames<P> {
    size: PlaneSize,
    frames: usize,
    /// The gray plane, or the three color planes, of every frame.
    planes: Buffer<P>,
    /// The opacity of every frame, shared by the results of operators, which do not change it.
    opacity: Option<Arc<Buffer<P>>>,
    /// If the planes belong to another library, which must not change them before our kernels have read them.
    _wait: Option<WaitOnDrop>,
}

/// Waits for all kernels of a GPU when it is dropped.
struct WaitOnDrop(Cuda);

impl Drop for WaitOnDrop {
    fn drop(&mut self) {
        let _ = self.0.stream().synchronize(); // an error is reported by the next operation
    }
}

/// Width and height.
#[derive(Clone, Copy)]
struct PlaneSize {
    width: usize,
    height: usize,
}

impl PlaneSize {
    fn of(images: &Images) -> Self {
        PlaneSize { width: images.width(), height: images.height() }
    }

    fn pixels(self) -> usize {
        self.width * self.height
    }
}

/// A channel of interleaved pixels, and the planes that contain it: plane `offset` of every `step` planes.
#[derive(Clone, Copy)]
struct Channel {
    channels: usize,
    channel: usize,
    step: usize,
    offset: usize,
}

impl Channel {
    /// The color channels of frames with `channels` channels.
    fn colors(channels: usize) -> impl Iterator<Item = Channel> {
        (0..OPACITY).map(move |channel| Channel { channels, channel, step: OPACITY, offset: channel })
    }

    const OPACITY: Channel = Channel { channels: OPACITY + 1, channel: OPACITY, step: 1, offset: 0 };

    /// Enqueues the kernel `read_channel`, from interleaved pixels to the planes of all frames, or `write_channel`, in the
    /// other direction. The interleaved pixels are `count` pixels of the stack, starting at `first`.
    fn copy<P: Element>(
        self,
        kernel: &Kernel,
        from: &Buffer<P>,
        to: &mut Buffer<P>,
        (first, count): (usize, usize),
        size: PlaneSize,
        cuda: &Cuda,
    ) -> Result<()> {
        let launch = kernel.launch().input(from).output(to);
        let launch = launch.value(first as i64).value(count as i64).value(size.pixels() as i64);
        let launch = launch.value(self.channels as i32).value(self.channel as i32);
        let launch = launch.value(self.step as i32).value(self.offset as i32);
        // SAFETY: the arguments match read_channel(interleaved, planes, first, n, size, channels, channel, step, offset) and
        // write_channel(planes, interleaved, first, …); pixels `first` to `first + n` are within the frames, whose planes the
        // buffer contains.
        unsafe { launch.run(cuda.stream(), cuda.grid_for(count)) }
    }
}

impl Transferable for Images {
    type Copied = GpuImages;
    fn upload(&self, cuda: &Cuda, progress: &Progress) -> Result<GpuImages> {
        Ok(match self.pixels() {
            Pixels::U8(pixels) => GpuImages::U8(GpuFrames::upload(self, pixels, cuda, progress)?),
            Pixels::U16(pixels) => GpuImages::U16(GpuFrames::upload(self, pixels, cuda, progress)?),
        })
    }
}

impl GpuImages {
    /// Copies the frames to `images`, which have the same shape.
    pub(crate) fn download(&self, images: &mut Images, cuda: &Cuda) -> Result<()> {
        let channels = images.channels();
        match (self, images.pixels_mut()) {
            (GpuImages::U8(frames), PixelsMut::U8(out)) => frames.download(channels, out, cuda),
            (GpuImages::U16(frames), PixelsMut::U16(out)) => frames.download(channels, out, cuda),
            _ => unreachable!("invariant: the images have the bit depth of the copy"),
        }
    }

    /// The array of another library, which has complete frames of this width, height and number of channels. The result
    /// must not outlive `pixels`.
    pub(crate) fn borrow(
        pixels: CudaPixels<'_>,
        (width, height, channels): (usize, usize, usize),
        cuda: &Cuda,
    ) -> Result<Self> {
        let size = PlaneSize { width, height };
        Ok(match pixels {
            CudaPixels::U8(view) => GpuImages::U8(GpuFrames::borrow(view, size, channels, cuda)?),
            CudaPixels::U16(view) => GpuImages::U16(GpuFrames::borrow(view, size, channels, cuda)?),
        })
    }

    /// Like [`GpuImages::borrow`], with a copy of interleaved pixels in host memory.
    #[cfg(test)]
    pub(crate) fn from_interleaved(images: &Images, cuda: &Cuda) -> Result<Self> {
        let (size, channels) = (PlaneSize::of(images), images.channels());
        Ok(match images.pixels() {
            Pixels::U8(p) => {
                GpuImages::U8(GpuFrames::from_interleaved(cuda.upload(p)?, size, channels, cuda)?)
            }
            Pixels::U16(p) => {
                GpuImages::U16(GpuFrames::from_interleaved(cuda.upload(p)?, size, channels, cuda)?)
            }
        })
    }

    /// Interleaved pixels as frames with one channel; `None` if the frames have one channel. Waits for all kernels.
    pub(crate) fn to_interleaved(&self, channels: usize, cuda: &Cuda) -> Result<Option<GpuImages>> {
        let interleaved = match self {
            GpuImages::U8(frames) => frames.to_interleaved(channels, cuda)?.map(GpuImages::U8),
            GpuImages::U16(frames) => frames.to_interleaved(channels, cuda)?.map(GpuImages::U16),
        };
        cuda.stream().synchronize()?;
        Ok(interleaved)
    }

    /// Address of frames with one channel.
    pub(crate) fn address(&self) -> u64 {
        match self {
            GpuImages::U8(frames) => frames.planes.address(),
            GpuImages::U16(frames) => frames.planes.address(),
        }
    }

    /// Enqueues the kernels of the operator.
    pub(crate) fn apply(&self, operator: &Operator, cuda: &Cuda) -> Result<GpuImages> {
        Ok(match self {
            GpuImages::U8(frames) => GpuImages::U8(frames.apply(operator, cuda)?),
            GpuImages::U16(frames) => GpuImages::U16(frames.apply(operator, cuda)?),
        })
    }
}

impl<P: FastPixel + Element> GpuFrames<P> {
    fn upload(images: &Images, pixels: &[P], cuda: &Cuda, progress: &Progress) -> Result<Self> {
        let (size, frames, channels) = (PlaneSize::of(images), images.frames(), images.channels());
        if channels == 1 {
            let planes = cuda.upload_large(pixels, progress)?;
            return Ok(GpuFrames { size, frames, planes, opacity: None, _wait: None });
        }
        let (mut planes, mut opacity) = Self::alloc_planes(frames, size, channels, cuda)?;
        let kernel = channel_kernel::<P>(cuda, "read_channel")?;
        let work = lines_of(frames, size).input(StreamInput::copied(pixels, size.width * channels));
        cuda.stream_chunks(work, progress, |lines, inputs, _| {
            let (first, count) = (lines.start * size.width, lines.len() * size.width);
            let interleaved = inputs.buffer::<P>(0)?;
            let read = |channel: Channel, planes: &mut Buffer<P>| {
                channel.copy(&kernel, interleaved, planes, (first, count), size, cuda)
            };
            Channel::colors(channels).try_for_each(|channel| read(channel, &mut planes))?;
            opacity.iter_mut().try_for_each(|opacity| read(Channel::OPACITY, opacity))
        })?;
        Ok(GpuFrames { size, frames, planes, opacity: opacity.map(Arc::new), _wait: None })
    }

    /// Planes for the colors, and for the opacity if there is a fourth channel.
    fn alloc_planes(
        frames: usize,
        size: PlaneSize,
        channels: usize,
        cuda: &Cuda,
    ) -> Result<(Buffer<P>, Option<Buffer<P>>)> {
        let planes = cuda.alloc(frames * size.pixels() * OPACITY)?;
        let opacity = || cuda.alloc(frames * size.pixels());
        Ok((planes, (channels > OPACITY).then(opacity).transpose()?))
    }

    /// Enqueues the conversion of interleaved pixels; a single channel is used as it is.
    fn from_interleaved(pixels: Buffer<P>, size: PlaneSize, channels: usize, cuda: &Cuda) -> Result<Self> {
        let count = pixels.len() / channels;
        let frames = count / size.pixels();
        if channels == 1 {
            return Ok(GpuFrames { size, frames, planes: pixels, opacity: None, _wait: None });
        }
        let (mut planes, mut opacity) = Self::alloc_planes(frames, size, channels, cuda)?;
        let kernel = channel_kernel::<P>(cuda, "read_channel")?;
        for channel in Channel::colors(channels) {
            channel.copy(&kernel, &pixels, &mut planes, (0, count), size, cuda)?;
        }
        if let Some(opacity) = &mut opacity {
            Channel::OPACITY.copy(&kernel, &pixels, opacity, (0, count), size, cuda)?;
        }
        Ok(GpuFrames { size, frames, planes, opacity: opacity.map(Arc::new), _wait: None })
    }

    /// Enqueues the conversion to interleaved pixels, which are frames with one channel and longer lines; `None` if the
    /// frames have one channel.
    fn to_interleaved(&self, channels: usize, cuda: &Cuda) -> Result<Option<Self>> {
        if channels == 1 {
            return Ok(None);
        }
        let (frames, count) = (self.frames, self.frames * self.size.pixels());
        let mut pixels = cuda.alloc(count * channels)?;
        let kernel = channel_kernel::<P>(cuda, "write_channel")?;
        for channel in Channel::colors(channels) {
            channel.copy(&kernel, &self.planes, &mut pixels, (0, count), self.size, cuda)?;
        }
        if let Some(opacity) = &self.opacity {
            Channel::OPACITY.copy(&kernel, opacity, &mut pixels, (0, count), self.size, cuda)?;
        }
        let size = PlaneSize { width: self.size.width * channels, ..self.size };
        Ok(Some(GpuFrames { size, frames, planes: pixels, opacity: None, _wait: None }))
    }

    /// The array of another library, which has complete frames. The result must not outlive `view`.
    fn borrow(view: CudaArrayView<'_, P>, size: PlaneSize, channels: usize, cuda: &Cuda) -> Result<Self> {
        // SAFETY: required of the caller.
        let pixels = unsafe { cuda.borrow(view)? };
        let mut frames = GpuFrames::from_interleaved(pixels, size, channels, cuda)?;
        if channels == 1 {
            frames._wait = Some(WaitOnDrop(cuda.clone()));
        } else {
            cuda.stream().synchronize()?; // the array is not used again
        }
        Ok(frames)
    }

    fn download(&self, channels: usize, out: &mut [P], cuda: &Cuda) -> Result<()> {
        let size = self.size;
        if channels == 1 {
            return cuda.read_large(&self.planes, out, &Progress::none());
        }
        let kernel = channel_kernel::<P>(cuda, "write_channel")?;
        let work = lines_of(self.frames, size).output(StreamOutput::copied(out, size.width * channels));
        cuda.stream_chunks(work, &Progress::none(), |lines, _, outputs| {
            let (first, count) = (lines.start * size.width, lines.len() * size.width);
            let interleaved = outputs.buffer_mut::<P>(0)?;
            let mut write = |channel: Channel, planes: &Buffer<P>| {
                channel.copy(&kernel, planes, interleaved, (first, count), size, cuda)
            };
            Channel::colors(channels).try_for_each(|channel| write(channel, &self.planes))?;
            self.opacity.iter().try_for_each(|opacity| write(Channel::OPACITY, opacity))
        })
    }

    fn apply(&self, operator: &Operator, cuda: &Cuda) -> Result<Self> {
        let PlaneSize { width, height } = self.size;
        let kernels = kernels_of::<P>(operator, cuda, (width, height))?;
        let is_gray = self.planes.len() == self.frames * self.size.pixels();
        let (gray, opacity) = match operator.per_channel {
            false if !is_gray => (Some(self.to_gray(cuda)?), None),
            _ => (None, self.opacity.clone()),
        };
        let from = gray.as_ref().unwrap_or(&self.planes);
        let mut planes = cuda.alloc(from.len())?;
        kernels.launch(cuda, from, &mut planes, from.len() / self.size.pixels())?;
        Ok(GpuFrames { size: self.size, frames: self.frames, planes, opacity, _wait: None })
    }

    /// The gray planes of colors.
    fn to_gray(&self, cuda: &Cuda) -> Result<Buffer<P>> {
        let pixels = self.frames * self.size.pixels();
        let mut gray = cuda.alloc(pixels)?;
        let launch = channel_kernel::<P>(cuda, "to_gray")?;
        let launch = launch.launch().input(&self.planes).output(&mut gray);
        let launch = launch.value(pixels as i64).value(self.size.pixels() as i64);
        // SAFETY: the arguments match to_gray(colors, gray, n, size); there are three planes of `size` pixels for every
        // plane of `gray`, which has n pixels.
        unsafe { launch.run(cuda.stream(), cuda.grid_for(pixels)) }?;
        Ok(gray)
    }
}

/// Streamed work on the lines of all frames.
fn lines_of<'a>(frames: usize, size: PlaneSize) -> Chunked<'a> {
    let work = Chunked::new(frames * size.height);
    // The small images of the tests have several chunks too, which begin within a frame.
    if cfg!(test) { work.chunk_rows(3) } else { work }
}

fn channel_kernel<P: FastPixel>(cuda: &Cuda, name: &'static str) -> Result<Kernel> {
    cuda.kernel_by_key(format!("image channels {}", pixel_type::<P>()), name, channels::<P>)
}
