//! Netpbm: PBM (P1, P4), PGM (P2, P5) and PPM (P3, P6).

use super::common::{DecodeError, Decoded, Limits, from_big_endian, to_big_endian};
use crate::data::images::stack::Pixels;
use std::io;

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0b | 0x0c | b'\r' | b' ')
}

/// Decodes an image and scales its values from the maximum of the file to the full range of 8 or 16 bits.
pub(super) fn decode(bytes: &[u8], limits: Limits) -> Result<Decoded, DecodeError> {
    let Some(([b'P', kind @ b'1'..=b'6'], rest)) = bytes.split_first_chunk() else {
        return Err(DecodeError::Unsupported);
    };
    let kind = kind - b'0';
    let mut reader = Reader { rest };
    let (width, height) = (reader.header_number()?, reader.header_number()?);
    let max = if matches!(kind, 1 | 4) { 1 } else { reader.header_number()? };
    if width == 0 || height == 0 || !(1..=0xffff).contains(&max) {
        return Err(DecodeError::Damaged);
    }
    let channels = if matches!(kind, 3 | 6) { 3 } else { 1 };
    let wide = max > 0xff;
    limits.check(width, height, channels as u64 * if wide { 2 } else { 1 })?;
    let (width, height) = (width as usize, height as usize);
    let count = width * height * channels;
    let values = match kind {
        1 => Pixels::U8(reader.text_bits(count)?),
        4 => Pixels::U8(reader.packed_bits(width, height)?),
        2 | 3 if wide => Pixels::U16(reader.text(count)?),
        2 | 3 => Pixels::U8(reader.text(count)?),
        _ if wide => Pixels::U16(from_big_endian(reader.raw(2 * count)?)),
        _ => Pixels::U8(reader.raw(count)?.to_vec()),
    };
    Ok(Decoded { width, height, channels, pixels: scaled(values, max) })
}

/// Scales values with the maximum `max` to the full range of their type.
fn scaled(mut pixels: Pixels, max: u64) -> Pixels {
    match &mut pixels {
        Pixels::U8(values) if max != 0xff => {
            let factor = 255.0 / max as f32;
            values.iter_mut().for_each(|v| *v = (f32::from(*v) * factor).round() as u8);
        }
        Pixels::U16(values) if max != 0xffff => {
            let factor = 65535.0 / max as f32;
            values.iter_mut().for_each(|v| *v = (f32::from(*v) * factor).round() as u16);
        }
        _ => {}
    }
    pixels
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Reads the next number of the header and the space after it; comments extend from `#` to the end of the line.
    fn header_number(&mut self) -> Result<u64, DecodeError> {
        let mut value: Option<u64> = None;
        while let Some((byte, rest)) = self.rest.split_first() {
            self.rest = rest;
            match (*byte, value) {
                (b'#', _) => {
                    let end = self.rest.iter().position(|b| matches!(b, b'\n' | b'\r'));
                    self.rest = &self.rest[end.unwrap_or(self.rest.len())..];
                }
                (byte, Some(value)) if is_space(byte) => return Ok(value),
                (byte, None) if is_space(byte) => {}
                (digit @ b'0'..=b'9', before) => {
                    let before = before.unwrap_or(0);
                    value = Some(before * 10 + u64::from(digit - b'0'));
                    if before > u64::from(u32::MAX) {
                        return Err(DecodeError::Damaged);
                    }
                }
                _ => return Err(DecodeError::Damaged),
            }
        }
        value.ok_or(DecodeError::Damaged)
    }

    fn raw(&mut self, bytes: usize) -> Result<&'a [u8], DecodeError> {
        self.rest.get(..bytes).ok_or(DecodeError::Damaged)
    }

    /// Reads `count` numbers separated by whitespace.
    fn text<T: TryFrom<u16>>(&mut self, count: usize) -> Result<Vec<T>, DecodeError> {
        let words = self.rest.split(|byte| is_space(*byte)).filter(|word| !word.is_empty());
        let value = |word: &[u8]| {
            let digits =
                std::str::from_utf8(word).ok().filter(|word| word.bytes().all(|b| b.is_ascii_digit()))?;
            T::try_from(digits.parse::<u16>().ok()?).ok()
        };
        let values: Option<Vec<T>> = words.take(count).map(value).collect();
        values.filter(|values| values.len() == count).ok_or(DecodeError::Damaged)
    }

    /// Reads `count` digits 0 (white, decoded as 1) and 1 (black, decoded as 0), with optional whitespace.
    fn text_bits(&mut self, count: usize) -> Result<Vec<u8>, DecodeError> {
        let bit = |byte: &u8| match byte {
            b'0' => Ok(1),
            b'1' => Ok(0),
            _ => Err(DecodeError::Damaged),
        };
        let bits: Result<Vec<u8>, _> =
            self.rest.iter().filter(|byte| !is_space(**byte)).take(count).map(bit).collect();
        bits.and_then(|bits| if bits.len() == count { Ok(bits) } else { Err(DecodeError::Damaged) })
    }

    /// Reads eight pixels per byte, highest bit first; each row starts at a byte boundary.
    fn packed_bits(&mut self, width: usize, height: usize) -> Result<Vec<u8>, DecodeError> {
        let row_bytes = width.div_ceil(8);
        let rows = self.raw(row_bytes * height)?.chunks_exact(row_bytes);
        Ok(rows.flat_map(|row| (0..width).map(|x| 1 - (row[x / 8] >> (7 - x % 8) & 1))).collect())
    }
}

/// Binary PGM or PPM.
pub(super) fn encode(
    out: &mut dyn io::Write,
    (width, height): (usize, usize),
    channels: usize,
    pixels: &Pixels,
) -> io::Result<()> {
    let kind = if channels == 1 { "P5" } else { "P6" };
    let max = if matches!(pixels, Pixels::U8(_)) { 0xff } else { 0xffff };
    write!(out, "{kind}\n{width} {height}\n{max}\n")?;
    out.write_all(&to_big_endian(pixels))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { max_side: 100, max_pixels: 10_000, max_bytes: 10_000 };

    fn values(file: &[u8]) -> Result<(usize, usize, usize, Vec<u16>), DecodeError> {
        decode(file, LIMITS).map(|image| {
            let values = match image.pixels {
                Pixels::U8(values) => values.into_iter().map(u16::from).collect(),
                Pixels::U16(values) => values,
            };
            (image.width, image.height, image.channels, values)
        })
    }

    #[test]
    fn every_kind_of_netpbm_file_is_decoded() {
        let white = 255;
        assert_eq!(values(b"P1 3 2 0 1 0\n110"), Ok((3, 2, 1, vec![white, 0, white, 0, 0, white])));
        assert_eq!(values(b"P4\n3 2\n\x40\xc0"), Ok((3, 2, 1, vec![white, 0, white, 0, 0, white])));
        assert_eq!(values(b"P2 2 1 255 7 250 "), Ok((2, 1, 1, vec![7, 250])));
        assert_eq!(values(b"P2 2 1 65535 7 65000"), Ok((2, 1, 1, vec![7, 65000])));
        assert_eq!(values(b"P3\n1 1\n255\n1 2 3"), Ok((1, 1, 3, vec![1, 2, 3])));
        assert_eq!(values(b"P5 2 1 255\n\x07\xfa"), Ok((2, 1, 1, vec![7, 250])));
        assert_eq!(values(b"P5 1 1 65535\n\x01\x02"), Ok((1, 1, 1, vec![0x0102])));
        assert_eq!(values(b"P6 # width\n1 # height\n1\n255\n\x01\x02\x03"), Ok((1, 1, 3, vec![1, 2, 3])));
    }

    #[test]
    fn values_are_scaled_to_the_whole_range() {
        assert_eq!(values(b"P2 3 1 15 0 7 15"), Ok((3, 1, 1, vec![0, 119, 255]))); // 7·17
        assert_eq!(values(b"P2 2 1 1023 1023 1"), Ok((2, 1, 1, vec![65535, 64]))); // 64.06
    }

    #[test]
    fn damaged_files_are_rejected() {
        for file in [
            &b"P5 2 2 255\n\x01\x02\x03"[..],
            b"P5 0 2 255\n",
            b"P5 2 2 0\n\x01\x02\x03\x04",
            b"P5 2 2 65536\n\x01\x02\x03\x04",
            b"P2 2 1 255 7",
            b"P2 2 1 255 7 -1",
            b"P2 2 1 255 7 256",
            b"P1 2 1 0 2",
            b"P5 2",
            b"P5 99999999999999999999 1 255\n",
        ] {
            assert_eq!(values(file), Err(DecodeError::Damaged), "{:?}", String::from_utf8_lossy(file));
        }
        assert_eq!(values(b"P7\n"), Err(DecodeError::Unsupported));
        assert_eq!(values(b"P5 101 1 255\n"), Err(DecodeError::TooLarge(101, 1)));
        assert_eq!(values(b"P5 100 100 65535\n"), Err(DecodeError::TooLarge(100, 100)));
    }
}
