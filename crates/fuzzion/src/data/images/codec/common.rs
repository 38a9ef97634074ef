//! Types and conversions shared by the codecs.

use crate::data::images::stack::Pixels;

/// File formats of images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ImageFormat {
    Png,
    Jpeg,
    /// PBM, PGM and PPM, as text or binary.
    Pnm,
}

/// A decoded image: rows from top to bottom, with interleaved channels.
pub(crate) struct Decoded {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) channels: usize,
    pub(crate) pixels: Pixels,
}

/// Reasons why an image cannot be decoded.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum DecodeError {
    /// An image of this width and height exceeds the limits.
    TooLarge(u64, u64),
    Unsupported,
    Damaged,
}

/// Limits that are checked before memory is allocated.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// Maximum width and height.
    pub(crate) max_side: u64,
    /// Maximum number of pixels.
    pub(crate) max_pixels: u64,
    /// Maximum size of the decoded image in bytes.
    pub(crate) max_bytes: u64,
}

impl Limits {
    pub(super) fn check(self, width: u64, height: u64, bytes_per_pixel: u64) -> Result<(), DecodeError> {
        let pixels = width.checked_mul(height).filter(|pixels| *pixels <= self.max_pixels);
        let bytes = pixels.and_then(|pixels| pixels.checked_mul(bytes_per_pixel));
        let fits = width.max(height) <= self.max_side && bytes.is_some_and(|bytes| bytes <= self.max_bytes);
        if fits { Ok(()) } else { Err(DecodeError::TooLarge(width, height)) }
    }
}

/// Converts grayscale with alpha to RGBA.
pub(super) fn gray_alpha_to_rgba<T: Copy>(pixels: &[T]) -> Vec<T> {
    let (pixels, _) = pixels.as_chunks::<2>();
    pixels.iter().flat_map(|[gray, alpha]| [*gray, *gray, *gray, *alpha]).collect()
}

/// Decodes big-endian 16-bit values.
pub(super) fn from_big_endian(bytes: &[u8]) -> Vec<u16> {
    let (pairs, _) = bytes.as_chunks::<2>();
    pairs.iter().map(|pair| u16::from_be_bytes(*pair)).collect()
}

/// Values as bytes; 16-bit values are big-endian.
pub(super) fn to_big_endian(pixels: &Pixels) -> std::borrow::Cow<'_, [u8]> {
    match pixels {
        Pixels::U8(pixels) => pixels.into(),
        Pixels::U16(pixels) => pixels.iter().flat_map(|v| v.to_be_bytes()).collect::<Vec<_>>().into(),
    }
}
