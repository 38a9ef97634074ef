//! Image stacks.

use crate::data::error::{DataError, Result};

/// Pixel values, 8 or 16 bits each.
///
/// ```
/// use fuzzion::data::Pixels;
/// let pixels = Pixels::U16(vec![0, 65_535]);
/// assert_eq!((pixels.len(), pixels.bits()), (2, 16));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pixels {
    /// 0 to 255.
    U8(Vec<u8>),
    /// 0 to 65,535.
    U16(Vec<u16>),
}

impl Pixels {
    /// Number of values.
    pub fn len(&self) -> usize {
        match self {
            Pixels::U8(pixels) => pixels.len(),
            Pixels::U16(pixels) => pixels.len(),
        }
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bits per value.
    pub fn bits(&self) -> u32 {
        match self {
            Pixels::U8(_) => 8,
            Pixels::U16(_) => 16,
        }
    }

    /// Removes the values after the first `len`.
    pub(super) fn truncate(&mut self, len: usize) {
        match self {
            Pixels::U8(pixels) => pixels.truncate(len),
            Pixels::U16(pixels) => pixels.truncate(len),
        }
    }
}

/// A stack of frames of the same size, in the order frame, row, pixel, channel.
///
/// One channel is grayscale, three channels are RGB, four are RGBA.
///
/// ```
/// use fuzzion::data::{Images, Pixels};
/// let images = Images::new(2, 1, 3, Pixels::U8(vec![255, 0, 0, 0, 0, 255]))?;
/// assert_eq!((images.frames(), images.width(), images.height(), images.channels()), (1, 2, 1, 3));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Images {
    width: usize,
    height: usize,
    channels: usize,
    pixels: Pixels,
}

impl Images {
    /// A stack of `width` × `height` frames with `channels` channels.
    ///
    /// ```
    /// use fuzzion::data::{Images, Pixels};
    /// assert_eq!(Images::new(2, 1, 1, Pixels::U8(vec![0; 6]))?.frames(), 3);
    /// assert!(Images::new(2, 1, 1, Pixels::U8(vec![0; 5])).is_err()); // half of the third frame
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::ImageShape`] if the size is empty, `channels` is not 1, 3 or 4, or the last frame is incomplete.
    pub fn new(width: usize, height: usize, channels: usize, pixels: Pixels) -> Result<Self> {
        Images::check_shape(width, height, channels, pixels.len())?;
        Ok(Images { width, height, channels, pixels })
    }

    /// Checks that `values` values are complete frames, and returns their number.
    pub(crate) fn check_shape(width: usize, height: usize, channels: usize, values: usize) -> Result<usize> {
        let shape = |what: &str, found: String, must: &str| {
            Err(DataError::ImageShape { what: what.into(), found, must: must.into() })
        };
        if !matches!(channels, 1 | 3 | 4) {
            return shape("the number of channels", channels.to_string(), "1, 3 or 4");
        }
        let frame = width.checked_mul(height).and_then(|n| n.checked_mul(channels)).unwrap_or(0);
        if frame == 0 {
            return shape("the size of a frame", format!("{width} × {height}"), "at least 1 × 1");
        }
        if values == 0 || !values.is_multiple_of(frame) {
            let must = format!("a multiple of {width} × {height} × {channels}");
            return shape("the number of values", values.to_string(), &must);
        }
        Ok(values / frame)
    }

    /// Concatenates the frames of `images`.
    ///
    /// ```
    /// use fuzzion::data::{Images, Pixels};
    /// let black = Images::new(1, 1, 1, Pixels::U8(vec![0]))?;
    /// let white = Images::new(1, 1, 1, Pixels::U8(vec![255]))?;
    /// assert_eq!(Images::stack([black, white])?.pixels(), &Pixels::U8(vec![0, 255]));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::ImageShape`] if the images differ in size, channels or bits, or if there are none.
    pub fn stack(images: impl IntoIterator<Item = Images>) -> Result<Self> {
        let mut images = images.into_iter();
        let none = || DataError::ImageShape {
            what: "the number of images".into(),
            found: "0".into(),
            must: "at least 1".into(),
        };
        let mut stack = images.next().ok_or_else(none)?;
        for (i, image) in images.enumerate() {
            if !stack.same_shape(&image) {
                return Err(DataError::ImageShape {
                    what: format!("image {}", i + 2),
                    found: image.describe_shape(),
                    must: format!("{} like the previous images", stack.describe_shape()),
                });
            }
            stack.push(image);
        }
        Ok(stack)
    }

    /// Width in pixels.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Height in pixels.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Number of channels: 1, 3 or 4.
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// Number of frames, at least 1.
    pub fn frames(&self) -> usize {
        self.pixels.len() / self.frame_len()
    }

    /// Number of values per frame.
    ///
    /// ```
    /// use fuzzion::data::{Images, Pixels};
    /// let images = Images::new(4, 2, 3, Pixels::U8(vec![0; 48]))?;
    /// assert_eq!((images.frame_len(), images.frames()), (24, 2)); // 4 × 2 × 3 values per frame
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn frame_len(&self) -> usize {
        self.width * self.height * self.channels
    }

    /// Bits per value: 8 or 16.
    pub fn bits(&self) -> u32 {
        self.pixels.bits()
    }

    /// Values of all frames.
    pub fn pixels(&self) -> &Pixels {
        &self.pixels
    }

    /// Mutable values of all frames.
    ///
    /// ```
    /// use fuzzion::data::{Images, Pixels, PixelsMut};
    /// let mut image = Images::new(2, 1, 1, Pixels::U8(vec![0, 55]))?;
    /// if let PixelsMut::U8(values) = image.pixels_mut() {
    ///     values.iter_mut().for_each(|value| *value = 255 - *value);
    /// }
    /// assert_eq!(image.into_pixels(), Pixels::U8(vec![255, 200]));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn pixels_mut(&mut self) -> PixelsMut<'_> {
        match &mut self.pixels {
            Pixels::U8(pixels) => PixelsMut::U8(pixels),
            Pixels::U16(pixels) => PixelsMut::U16(pixels),
        }
    }

    /// Converts the stack into its values.
    pub fn into_pixels(self) -> Pixels {
        self.pixels
    }

    /// A copy of a single frame; `None` if it does not exist.
    ///
    /// ```
    /// use fuzzion::data::{Images, Pixels};
    /// let images = Images::new(1, 1, 1, Pixels::U8(vec![10, 20]))?;
    /// assert_eq!(images.frame(1).map(Images::into_pixels), Some(Pixels::U8(vec![20])));
    /// assert!(images.frame(2).is_none());
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn frame(&self, frame: usize) -> Option<Images> {
        let start = frame.checked_mul(self.frame_len())?;
        let range = start..start.checked_add(self.frame_len())?;
        let pixels = match &self.pixels {
            Pixels::U8(pixels) => Pixels::U8(pixels.get(range)?.to_vec()),
            Pixels::U16(pixels) => Pixels::U16(pixels.get(range)?.to_vec()),
        };
        Some(Images { pixels, ..*self })
    }

    /// Whether the frames of `other` have the same size, channels and bits.
    pub(crate) fn same_shape(&self, other: &Images) -> bool {
        (self.width, self.height, self.channels, self.bits())
            == (other.width, other.height, other.channels, other.bits())
    }

    /// Description of the size, channels and bits for messages.
    pub(crate) fn describe_shape(&self) -> String {
        let Images { width, height, channels, .. } = self;
        let s = if *channels == 1 { "" } else { "s" };
        format!("{width} × {height} with {channels} channel{s} of {} bits", self.bits())
    }

    /// Appends the frames of `other`, which must have the same shape.
    pub(crate) fn push(&mut self, other: Images) {
        match (&mut self.pixels, other.pixels) {
            (Pixels::U8(to), Pixels::U8(from)) => to.extend(from),
            (Pixels::U16(to), Pixels::U16(from)) => to.extend(from),
            _ => {}
        }
    }
}

/// Mutable pixel values.
///
/// ```
/// use fuzzion::data::{Images, Pixels, PixelsMut};
/// let mut image = Images::new(2, 1, 1, Pixels::U16(vec![1, 2]))?;
/// match image.pixels_mut() {
///     PixelsMut::U8(values) => values.fill(0),
///     PixelsMut::U16(values) => values.fill(500),
/// }
/// assert_eq!(image.pixels(), &Pixels::U16(vec![500, 500]));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Debug)]
pub enum PixelsMut<'a> {
    /// 0 to 255.
    U8(&'a mut [u8]),
    /// 0 to 65,535.
    U16(&'a mut [u16]),
}
