//! PNG.

use super::common::{DecodeError, Decoded, Limits, from_big_endian, gray_alpha_to_rgba, to_big_endian};
use crate::data::images::stack::Pixels;
use ::png::{BitDepth, ColorType, DecodingError, Transformations};
use std::io::{self, Cursor, Write};

impl From<DecodingError> for DecodeError {
    fn from(_: DecodingError) -> Self {
        DecodeError::Damaged
    }
}

/// Expands palettes and fewer than 8 bits to 8 bits per channel, and transparency to an alpha channel.
pub(super) fn decode(bytes: &[u8], limits: Limits) -> Result<Decoded, DecodeError> {
    let max_bytes = usize::try_from(limits.max_bytes).unwrap_or(usize::MAX);
    let mut decoder = ::png::Decoder::new_with_limits(Cursor::new(bytes), ::png::Limits { bytes: max_bytes });
    let info = decoder.read_header_info()?;
    let (width, height) = (u64::from(info.width), u64::from(info.height));
    limits.check(width, height, info.bytes_per_pixel() as u64)?;
    let too_large = |error| match error {
        DecodingError::LimitsExceeded => DecodeError::TooLarge(width, height),
        _ => DecodeError::Damaged,
    };
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(too_large)?;
    let (color, depth) = reader.output_color_type();
    limits.check(width, height, color.samples() as u64 * if depth == BitDepth::Sixteen { 2 } else { 1 })?;
    let mut pixels = vec![0; reader.output_buffer_size().ok_or(DecodeError::TooLarge(width, height))?];
    reader.next_frame(&mut pixels).map_err(too_large)?;
    let channels = match color {
        ColorType::Grayscale => 1,
        ColorType::Rgb => 3,
        ColorType::GrayscaleAlpha | ColorType::Rgba => 4,
        ColorType::Indexed => return Err(DecodeError::Unsupported),
    };
    let two = color == ColorType::GrayscaleAlpha;
    let pixels = match depth {
        BitDepth::Eight if two => Pixels::U8(gray_alpha_to_rgba(&pixels)),
        BitDepth::Eight => Pixels::U8(pixels),
        BitDepth::Sixteen if two => Pixels::U16(gray_alpha_to_rgba(&from_big_endian(&pixels))),
        BitDepth::Sixteen => Pixels::U16(from_big_endian(&pixels)),
        _ => return Err(DecodeError::Unsupported),
    };
    Ok(Decoded { width: width as usize, height: height as usize, channels, pixels })
}

pub(super) fn encode(
    out: &mut dyn Write,
    (width, height): (usize, usize),
    channels: usize,
    pixels: &Pixels,
) -> io::Result<()> {
    let depth = if matches!(pixels, Pixels::U8(_)) { BitDepth::Eight } else { BitDepth::Sixteen };
    write(out, (width as u32, height as u32), channels, depth, &to_big_endian(pixels))
}

/// Writes 8-bit pixels of 1, 3 or 4 channels.
pub(crate) fn encode_bytes(
    out: &mut dyn Write,
    size: (u32, u32),
    channels: usize,
    pixels: &[u8],
) -> io::Result<()> {
    write(out, size, channels, BitDepth::Eight, pixels)
}

fn write(
    out: &mut dyn Write,
    (width, height): (u32, u32),
    channels: usize,
    depth: BitDepth,
    bytes: &[u8],
) -> io::Result<()> {
    let mut encoder = ::png::Encoder::new(out, width, height);
    encoder.set_color(match channels {
        1 => ColorType::Grayscale,
        3 => ColorType::Rgb,
        _ => ColorType::Rgba,
    });
    encoder.set_depth(depth);
    encoder.set_compression(::png::Compression::Fast);
    encoder.set_filter(::png::Filter::Adaptive);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(bytes)?;
    writer.finish()?;
    Ok(())
}
