//! Decoders and encoders of image files. None of them limits or reports anything by itself: see `files`.

mod jpeg;
pub(crate) mod png;
mod pnm;

use super::stack::Pixels;
use std::io;

/// File formats of images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ImageFormat {
    Png,
    Jpeg,
    /// PBM, PGM and PPM, as text or binary.
    Pnm,
}

/// A decoded image: rows from top to bottom, channels of a pixel side by side.
pub(super) struct Decoded {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) channels: usize,
    pub(super) pixels: Pixels,
}

/// Reasons why an image cannot be decoded.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum DecodeError {
    /// An image of this width and height exceeds the limits.
    TooLarge(u64, u64),
    Unsupported,
    Damaged,
}

/// Limits that hold before memory is allocated.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// Largest width and height.
    pub(super) max_side: u64,
    /// Largest number of bytes of the decoded image.
    pub(super) max_bytes: u64,
}

impl Limits {
    fn check(self, width: u64, height: u64, bytes_per_pixel: u64) -> Result<(), DecodeError> {
        let bytes = width.checked_mul(height).and_then(|pixels| pixels.checked_mul(bytes_per_pixel));
        let fits = width.max(height) <= self.max_side && bytes.is_some_and(|bytes| bytes <= self.max_bytes);
        if fits { Ok(()) } else { Err(DecodeError::TooLarge(width, height)) }
    }
}

pub(super) fn decode(bytes: &[u8], format: ImageFormat, limits: Limits) -> Result<Decoded, DecodeError> {
    match format {
        ImageFormat::Png => png::decode(bytes, limits),
        ImageFormat::Jpeg => jpeg::decode(bytes, limits),
        ImageFormat::Pnm => pnm::decode(bytes, limits),
    }
}

/// Writes one frame; `channels` is 1, 3 or 4 for PNG, and 1 or 3 for JPEG (8 bits only) and PNM.
pub(super) fn encode(
    out: &mut dyn io::Write,
    format: ImageFormat,
    (width, height): (usize, usize),
    channels: usize,
    pixels: &Pixels,
) -> io::Result<()> {
    match format {
        ImageFormat::Png => png::encode(out, (width, height), channels, pixels),
        ImageFormat::Jpeg => jpeg::encode(out, (width, height), channels, pixels),
        ImageFormat::Pnm => pnm::encode(out, (width, height), channels, pixels),
    }
}

/// Brightness with opacity as red, green, blue and opacity.
fn gray_alpha_to_rgba<T: Copy>(pixels: &[T]) -> Vec<T> {
    let (pixels, _) = pixels.as_chunks::<2>();
    pixels.iter().flat_map(|[gray, alpha]| [*gray, *gray, *gray, *alpha]).collect()
}

/// 16-bit values from bytes, the high byte first.
fn from_big_endian(bytes: &[u8]) -> Vec<u16> {
    let (pairs, _) = bytes.as_chunks::<2>();
    pairs.iter().map(|pair| u16::from_be_bytes(*pair)).collect()
}

/// Values as bytes; 16 bits with the high byte first.
fn to_big_endian(pixels: &Pixels) -> std::borrow::Cow<'_, [u8]> {
    match pixels {
        Pixels::U8(pixels) => pixels.into(),
        Pixels::U16(pixels) => pixels.iter().flat_map(|v| v.to_be_bytes()).collect::<Vec<_>>().into(),
    }
}
