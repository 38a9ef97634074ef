//! Pixels inside an SVG.

use super::svg::{base64, num};
use crate::data::encode_png;
use crate::error::{Error, Result};
use std::fmt::Write;

/// An image that a chart can show, held as PNG.
#[derive(Clone, Debug)]
pub struct Picture {
    png: Vec<u8>,
    width: u32,
    height: u32,
}

impl Picture {
    /// A picture that is PNG already.
    ///
    /// # Errors
    /// [`Error::Picture`] when the bytes do not begin as a PNG file does.
    pub fn png(bytes: &[u8]) -> Result<Self> {
        // Signature (8 bytes), length and name of the first chunk (8), then width and height.
        let size = |at: usize| bytes.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes);
        match (bytes.starts_with(b"\x89PNG\r\n\x1a\n"), size(16), size(20)) {
            (true, Some(width), Some(height)) => Ok(Picture { png: bytes.to_vec(), width, height }),
            _ => Err(Error::Picture { reason: "the bytes are not those of a PNG file".into() }),
        }
    }

    /// A picture from rows of grey pixels, the top row first.
    ///
    /// # Errors
    /// [`Error::Picture`] when there are not `width` × `height` pixels, or none.
    pub fn grey(width: u32, height: u32, pixels: &[u8]) -> Result<Self> {
        encode(width, height, pixels, 1)
    }

    /// A picture from rows of red, green and blue bytes, the top row first.
    ///
    /// # Errors
    /// [`Error::Picture`] when there are not three times `width` × `height` bytes, or none.
    pub fn rgb(width: u32, height: u32, pixels: &[u8]) -> Result<Self> {
        encode(width, height, pixels, 3)
    }

    /// As `rgb`, with a byte of opacity behind each pixel.
    pub(super) fn rgba(width: u32, height: u32, pixels: &[u8]) -> Result<Self> {
        encode(width, height, pixels, 4)
    }

    /// The size in pixels, width and height.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Draws the picture stretched over a box, its pixels kept as squares where `crisp`.
    pub(super) fn draw(&self, out: &mut String, [x, y, width, height]: [f64; 4], crisp: bool) {
        let [x, y, width, height] = [x, y, width, height].map(num);
        let rendering = if crisp { " style=\"image-rendering:pixelated\"" } else { "" };
        let _ = writeln!(
            out,
            "<image x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" preserveAspectRatio=\"none\"\
             {rendering} href=\"data:image/png;base64,{}\"/>",
            base64(&self.png)
        );
    }
}

fn encode(width: u32, height: u32, pixels: &[u8], channels: usize) -> Result<Picture> {
    let needed = u64::from(width) * u64::from(height) * channels as u64;
    if needed == 0 || pixels.len() as u64 != needed {
        let reason =
            format!("{width} × {height} pixels take {needed} bytes, but {} were given", pixels.len());
        return Err(Error::Picture { reason });
    }
    let mut png = Vec::new();
    encode_png(&mut png, (width, height), channels, pixels)
        .map_err(|error| Error::Picture { reason: error.to_string() })?;
    Ok(Picture { png, width, height })
}
