//! JPEG: 8 bits, one channel or three.

use super::common::{DecodeError, Decoded, Limits, gray_alpha_to_rgba};
use crate::data::images::stack::Pixels;
use jpeg_encoder::{ColorType, Encoder, EncodingError, SamplingFactor};
use std::io;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// Encoder quality, at which the loss is not visible.
const QUALITY: u8 = 95;

impl From<DecodeErrors> for DecodeError {
    fn from(error: DecodeErrors) -> Self {
        match error {
            DecodeErrors::Unsupported(_) => DecodeError::Unsupported,
            _ => DecodeError::Damaged,
        }
    }
}

pub(super) fn decode(bytes: &[u8], limits: Limits) -> Result<Decoded, DecodeError> {
    // `limits` are checked below, where the size can be reported.
    let options =
        DecoderOptions::default().set_strict_mode(false).set_max_width(usize::MAX).set_max_height(usize::MAX);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers()?;
    let (width, height) = decoder.dimensions().ok_or(DecodeError::Damaged)?;
    let color = match decoder.input_colorspace().ok_or(DecodeError::Damaged)? {
        color @ (ColorSpace::RGB | ColorSpace::RGBA | ColorSpace::Luma | ColorSpace::LumaA) => color,
        _ => ColorSpace::RGB, // converted by the decoder
    };
    limits.check(width as u64, height as u64, color.num_components() as u64)?;
    let options = options.jpeg_set_out_colorspace(color);
    let pixels = JpegDecoder::new_with_options(ZCursor::new(bytes), options).decode()?;
    let (channels, pixels) = match color {
        ColorSpace::LumaA => (4, gray_alpha_to_rgba(&pixels)),
        color => (color.num_components(), pixels),
    };
    Ok(Decoded { width, height, channels, pixels: Pixels::U8(pixels) })
}

pub(super) fn encode(
    out: &mut dyn io::Write,
    (width, height): (usize, usize),
    channels: usize,
    pixels: &Pixels,
) -> io::Result<()> {
    let invalid = |problem: &str| io::Error::other(problem.to_owned());
    let Pixels::U8(pixels) = pixels else {
        return Err(invalid("JPEG stores 8 bits per channel; write a PNG file"));
    };
    let side = |pixels: usize| {
        u16::try_from(pixels)
            .map_err(|_| invalid("JPEG stores at most 65535 × 65535 pixels; write a PNG file"))
    };
    let (width, height) = (side(width)?, side(height)?);
    let mut encoder = Encoder::new(out, QUALITY);
    encoder.set_sampling_factor(SamplingFactor::F_1_1);
    let color = if channels == 1 { ColorType::Luma } else { ColorType::Rgb };
    encoder.encode(pixels, width, height, color).map_err(|error| match error {
        EncodingError::IoError(error) => error,
        other => invalid(&other.to_string()),
    })
}
