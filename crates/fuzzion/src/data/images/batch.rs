//! Batches of video frames, whose memory is reused.

use super::stack::Pixels;
use super::y4m::VideoHeader;

/// Consecutive frames of a video, with the planes of the same kind one after another: the luma of all frames is one stack
/// of images.
///
/// ```
/// use fuzzion::data::{FrameBatch, Pixels, VideoReader};
/// let bytes: &[u8] = b"YUV4MPEG2 W2 H1 Cmono\nFRAME\n\x00\x01FRAME\n\x02\x03";
/// let mut video = VideoReader::from_reader("camera", bytes)?;
/// let mut batch = FrameBatch::default();
/// while video.read_into(&mut batch)? {}
/// assert_eq!(batch.frames(), 2);
/// assert_eq!(batch.take_plane(0), Pixels::U8(vec![0, 1, 2, 3]));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct FrameBatch {
    /// Values of each plane in all frames. After [`FrameBatch::clear`], former values remain until they are overwritten.
    pub(super) planes: Vec<Pixels>,
    /// Number of values of each plane in one frame.
    pub(super) plane_len: Vec<usize>,
    /// For each frame, the parameters of its header line.
    pub(super) parameters: Vec<String>,
}

impl FrameBatch {
    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.parameters.len()
    }

    /// Removes all frames, but keeps their memory.
    ///
    /// ```
    /// # use fuzzion::data::{FrameBatch, VideoReader};
    /// # let mut video = VideoReader::from_reader("camera", &b"YUV4MPEG2 W2 H1 Cmono\nFRAME\n\x00\x01"[..])?;
    /// let mut batch = FrameBatch::default();
    /// video.read_into(&mut batch)?;
    /// batch.clear();
    /// assert_eq!(batch.frames(), 0);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn clear(&mut self) {
        self.parameters.clear();
    }

    /// Takes the values of plane `index` in all frames; empty if there is no such plane.
    pub fn take_plane(&mut self, index: usize) -> Pixels {
        let Some(plane) = self.planes.get_mut(index) else { return Pixels::U8(Vec::new()) };
        let mut plane = std::mem::replace(plane, Pixels::U8(Vec::new()));
        plane.truncate(self.parameters.len() * self.plane_len[index]);
        plane
    }

    /// Replaces the values of plane `index` in all frames.
    ///
    /// ```
    /// # use fuzzion::data::{FrameBatch, Pixels, VideoReader};
    /// # let mut video = VideoReader::from_reader("camera", &b"YUV4MPEG2 W2 H1 Cmono\nFRAME\n\x00\x01"[..])?;
    /// # let mut batch = FrameBatch::default();
    /// # video.read_into(&mut batch)?;
    /// batch.set_plane(0, Pixels::U8(vec![7, 8]));
    /// assert_eq!(batch.take_plane(0), Pixels::U8(vec![7, 8]));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn set_plane(&mut self, index: usize, values: Pixels) {
        if self.planes.len() <= index {
            self.planes.resize_with(index + 1, || Pixels::U8(Vec::new()));
            self.plane_len.resize(index + 1, 0);
        }
        self.planes[index] = values;
    }

    /// The values of the planes in `frame`.
    pub(super) fn frame(&self, frame: usize) -> impl Iterator<Item = (&Pixels, std::ops::Range<usize>)> {
        let range = move |len: &usize| frame * len..(frame + 1) * len;
        self.planes.iter().zip(self.plane_len.iter().map(range))
    }

    /// Prepares the batch for frames of a video; memory of another pixel type is released.
    pub(super) fn prepare(&mut self, header: &VideoHeader) {
        let sizes = header.planes();
        self.planes.resize_with(sizes.len(), || Pixels::U8(Vec::new()));
        self.plane_len = sizes.iter().map(|(width, height)| width * height).collect();
        for plane in &mut self.planes {
            match (&*plane, header.bytes_per_value()) {
                (Pixels::U16(_), 1) => *plane = Pixels::U8(Vec::new()),
                (Pixels::U8(_), 2) => *plane = Pixels::U16(Vec::new()),
                _ => {}
            }
        }
    }

    /// Whether the planes have the sizes given by `header` in all frames.
    pub(super) fn matches(&self, header: &VideoHeader) -> bool {
        let expected = header.planes();
        let fits = |(plane, (width, height)): (&Pixels, (usize, usize))| {
            plane.len() >= self.frames() * width * height
                && plane.bits() as usize == 8 * header.bytes_per_value()
        };
        self.planes.len() == expected.len()
            && self.plane_len.iter().copied().eq(expected.iter().map(|(width, height)| width * height))
            && self.planes.iter().zip(expected).all(fits)
    }
}
