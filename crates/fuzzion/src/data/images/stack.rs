//! A stack of frames of one size.

use crate::error::{Error, Result};

/// The numbers of all frames, 8 or 16 bits each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pixels {
    /// 0 to 255.
    U8(Vec<u8>),
    /// 0 to 65 535.
    U16(Vec<u16>),
}

impl Pixels {
    /// How many numbers these are.
    pub fn len(&self) -> usize {
        match self {
            Pixels::U8(pixels) => pixels.len(),
            Pixels::U16(pixels) => pixels.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bits of one number.
    pub fn bits(&self) -> u32 {
        match self {
            Pixels::U8(_) => 8,
            Pixels::U16(_) => 16,
        }
    }
}

/// A stack of frames of one size: frame by frame, row by row, pixel by pixel, channel by channel.
///
/// One channel is brightness, three are red, green and blue, a fourth is opacity.
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
    /// A stack of frames `width` × `height` with `channels` channels.
    ///
    /// # Errors
    /// [`Error::ImageShape`] for an empty size, channels other than 1, 3 or 4, or a last frame that is not full.
    pub fn new(width: usize, height: usize, channels: usize, pixels: Pixels) -> Result<Self> {
        let shape = |what: &str, found: String, must: &str| {
            Err(Error::ImageShape { what: what.into(), found, must: must.into() })
        };
        if !matches!(channels, 1 | 3 | 4) {
            return shape("the number of channels", channels.to_string(), "1, 3 or 4");
        }
        let frame = width.checked_mul(height).and_then(|n| n.checked_mul(channels)).unwrap_or(0);
        if frame == 0 {
            return shape("the size of a frame", format!("{width} × {height}"), "at least 1 × 1");
        }
        if pixels.is_empty() || !pixels.len().is_multiple_of(frame) {
            let must = format!("a multiple of {width} × {height} × {channels}");
            return shape("the number of values", pixels.len().to_string(), &must);
        }
        Ok(Images { width, height, channels, pixels })
    }

    /// All frames of `images` in one stack.
    ///
    /// # Errors
    /// [`Error::ImageShape`] where they differ in size, channels or bits, or where there are none.
    pub fn stack(images: impl IntoIterator<Item = Images>) -> Result<Self> {
        let mut images = images.into_iter();
        let none = || Error::ImageShape {
            what: "the number of images".into(),
            found: "0".into(),
            must: "at least 1".into(),
        };
        let mut stack = images.next().ok_or_else(none)?;
        for (i, image) in images.enumerate() {
            if !stack.matches(&image) {
                return Err(Error::ImageShape {
                    what: format!("image {}", i + 2),
                    found: image.shape_in_words(),
                    must: format!("{} as the images before it", stack.shape_in_words()),
                });
            }
            stack.push(image);
        }
        Ok(stack)
    }

    /// Pixels of a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows of a frame.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Numbers of a pixel: 1, 3 or 4.
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// How many frames there are, at least one.
    pub fn frames(&self) -> usize {
        self.pixels.len() / self.frame_len()
    }

    /// How many numbers a frame has.
    pub fn frame_len(&self) -> usize {
        self.width * self.height * self.channels
    }

    /// Bits of each number, 8 or 16.
    pub fn bits(&self) -> u32 {
        self.pixels.bits()
    }

    /// The numbers of all frames.
    pub fn pixels(&self) -> &Pixels {
        &self.pixels
    }

    /// The numbers of all frames, to be changed in place.
    pub fn pixels_mut(&mut self) -> PixelsMut<'_> {
        match &mut self.pixels {
            Pixels::U8(pixels) => PixelsMut::U8(pixels),
            Pixels::U16(pixels) => PixelsMut::U16(pixels),
        }
    }

    /// The numbers of all frames, given away.
    pub fn into_pixels(self) -> Pixels {
        self.pixels
    }

    /// One frame as a stack of its own, if there is such a frame.
    pub fn frame(&self, frame: usize) -> Option<Images> {
        let start = frame.checked_mul(self.frame_len())?;
        let range = start..start.checked_add(self.frame_len())?;
        let pixels = match &self.pixels {
            Pixels::U8(pixels) => Pixels::U8(pixels.get(range)?.to_vec()),
            Pixels::U16(pixels) => Pixels::U16(pixels.get(range)?.to_vec()),
        };
        Some(Images { pixels, ..*self })
    }

    /// Whether the frames of `other` can lie on this stack.
    pub(crate) fn matches(&self, other: &Images) -> bool {
        (self.width, self.height, self.channels, self.bits())
            == (other.width, other.height, other.channels, other.bits())
    }

    /// What [`Images::matches`] compares, in words.
    pub(crate) fn shape_in_words(&self) -> String {
        let Images { width, height, channels, .. } = self;
        let s = if *channels == 1 { "" } else { "s" };
        format!("{width} × {height} with {channels} channel{s} of {} bits", self.bits())
    }

    /// Lays the frames of `other` on this stack; they match.
    pub(crate) fn push(&mut self, other: Images) {
        match (&mut self.pixels, other.pixels) {
            (Pixels::U8(to), Pixels::U8(from)) => to.extend(from),
            (Pixels::U16(to), Pixels::U16(from)) => to.extend(from),
            _ => {}
        }
    }
}

/// The numbers of all frames, to be changed in place but not in number.
#[derive(Debug)]
pub enum PixelsMut<'a> {
    /// 0 to 255.
    U8(&'a mut [u8]),
    /// 0 to 65 535.
    U16(&'a mut [u16]),
}
