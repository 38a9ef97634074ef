//! Decoders and encoders of image files; limits and error messages are set in `files`.

mod common;
mod jpeg;
pub(crate) mod png;
mod pnm;

pub(crate) use common::{DecodeError, Decoded, ImageFormat, Limits};

use super::stack::Pixels;
use std::io;

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
