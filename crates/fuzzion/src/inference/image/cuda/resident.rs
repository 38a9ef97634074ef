//! Images in the memory of a GPU.

use super::source::{channels, pixel_type};
use super::{OPACITY, kernels_of};
use crate::data::{Images, Pixels, PixelsMut};
use crate::device::Cuda;
use crate::device::cuda::{Buffer, Chunked, Element, Kernel, StreamInput, StreamOutput};
use crate::device::error::Result;
use crate::device::storage::Transferable;
use crate::inference::image::operator::{FastPixel, Operator};
use crate::progress::Progress;
use std::sync::Arc;

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
            return Ok(GpuFrames { size, frames, planes, opacity: None });
        }
        let mut planes = cuda.alloc(frames * size.pixels() * OPACITY)?;
        let opacity = || cuda.alloc(frames * size.pixels());
        let mut opacity = (channels > OPACITY).then(opacity).transpose()?;
        let kernel = channel_kernel::<P>(cuda, "read_channel")?;
        let work = lines_of(frames, size).input(StreamInput::copied(pixels, size.width * channels));
        cuda.stream_chunks(work, progress, |lines, inputs, _| {
            let (first, count) = (lines.start * size.width, lines.len() * size.width);
            let read = |channel: Channel, planes: &mut Buffer<P>| {
                let launch = kernel.launch().input(inputs.buffer::<P>(0)?).output(planes);
                let launch = launch.value(first as i64).value(count as i64).value(size.pixels() as i64);
                let launch = launch.value(channel.channels as i32).value(channel.channel as i32);
                let launch = launch.value(channel.step as i32).value(channel.offset as i32);
                // SAFETY: the arguments match read_channel(interleaved, planes, first, n, size, channels, channel, step,
                // offset); the chunk has n pixels, which are pixels `first` to `first + n` of the frames, and the planes of
                // all frames are within `planes`.
                unsafe { launch.run(cuda.stream(), cuda.grid_for(count)) }
            };
            Channel::colors(channels).try_for_each(|channel| read(channel, &mut planes))?;
            opacity.iter_mut().try_for_each(|opacity| read(Channel::OPACITY, opacity))
        })?;
        Ok(GpuFrames { size, frames, planes, opacity: opacity.map(Arc::new) })
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
            let mut write = |channel: Channel, planes: &Buffer<P>| {
                let launch = kernel.launch().input(planes).output(outputs.buffer_mut::<P>(0)?);
                let launch = launch.value(first as i64).value(count as i64).value(size.pixels() as i64);
                let launch = launch.value(channel.channels as i32).value(channel.channel as i32);
                let launch = launch.value(channel.step as i32).value(channel.offset as i32);
                // SAFETY: as in `upload`, for write_channel(planes, interleaved, first, n, …).
                unsafe { launch.run(cuda.stream(), cuda.grid_for(count)) }
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
        Ok(GpuFrames { size: self.size, frames: self.frames, planes, opacity })
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
