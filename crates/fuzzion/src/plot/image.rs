//! Pixel images in an SVG.

use super::svg::{base64, num};
use crate::data::DataError;
use crate::data::encode_png;

type Result<T> = std::result::Result<T, DataError>;
use std::fmt::Write;

/// A pixel image for a chart, stored as PNG.
///
/// ```
/// use fuzzion::plot::{Chart, Image};
/// let image = Image::gray(2, 1, &[0, 255])?; // a black and a white pixel
/// assert_eq!(image.size(), (2, 1));
/// assert!(Chart::new("").image(image).to_svg().contains("data:image/png;base64,"));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Image {
    png: Vec<u8>,
    width: u32,
    height: u32,
}

impl Image {
    /// An image from the bytes of a PNG file.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("gray.png");
    /// use fuzzion::{Images, data::Pixels, plot::Image};
    /// Images::new(2, 1, 1, Pixels::U8(vec![0, 255]))?.write(&path)?;
    /// assert_eq!(Image::png(&std::fs::read(&path).unwrap())?.size(), (2, 1));
    /// assert!(Image::png(b"GIF89a").is_err());
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::InvalidImage`] if the bytes do not start with a PNG header.
    pub fn png(bytes: &[u8]) -> Result<Self> {
        // Signature (8 bytes), length and name of the first chunk (8), then width and height.
        let size = |at: usize| bytes.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes);
        match (bytes.starts_with(b"\x89PNG\r\n\x1a\n"), size(16), size(20)) {
            (true, Some(width), Some(height)) => Ok(Image { png: bytes.to_vec(), width, height }),
            _ => Err(DataError::InvalidImage { reason: "the data is not a PNG file".into() }),
        }
    }

    /// An image from gray pixels in row-major order, top row first.
    ///
    /// ```
    /// use fuzzion::plot::Image;
    /// assert!(Image::gray(2, 2, &[0, 80, 160, 240]).is_ok());
    /// assert!(Image::gray(2, 2, &[0, 80, 160]).is_err()); // a pixel is missing
    /// ```
    ///
    /// # Errors
    /// [`DataError::InvalidImage`] if `pixels` is empty or does not have `width` × `height` bytes.
    pub fn gray(width: u32, height: u32, pixels: &[u8]) -> Result<Self> {
        encode(width, height, pixels, 1)
    }

    /// An image from RGB pixels in row-major order, top row first.
    ///
    /// ```
    /// use fuzzion::plot::Image;
    /// let image = Image::rgb(2, 1, &[255, 0, 0, 0, 0, 255])?; // red and blue
    /// assert_eq!(image.size(), (2, 1));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::InvalidImage`] if `pixels` is empty or does not have 3 × `width` × `height` bytes.
    pub fn rgb(width: u32, height: u32, pixels: &[u8]) -> Result<Self> {
        encode(width, height, pixels, 3)
    }

    /// [`Image::rgb`] with an alpha channel.
    pub(super) fn rgba(width: u32, height: u32, pixels: &[u8]) -> Result<Self> {
        encode(width, height, pixels, 4)
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Draws the image scaled to a box, without interpolation if `pixelated`.
    pub(super) fn draw(&self, out: &mut String, [x, y, width, height]: [f64; 4], pixelated: bool) {
        let [x, y, width, height] = [x, y, width, height].map(num);
        let rendering = if pixelated { " style=\"image-rendering:pixelated\"" } else { "" };
        let _ = writeln!(
            out,
            "<image x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" preserveAspectRatio=\"none\"\
             {rendering} href=\"data:image/png;base64,{}\"/>",
            base64(&self.png)
        );
    }
}

fn encode(width: u32, height: u32, pixels: &[u8], channels: usize) -> Result<Image> {
    let needed = u64::from(width) * u64::from(height) * channels as u64;
    if needed == 0 || pixels.len() as u64 != needed {
        let reason =
            format!("{width} × {height} pixels need {needed} bytes, but {} were given", pixels.len());
        return Err(DataError::InvalidImage { reason });
    }
    let mut png = Vec::new();
    encode_png(&mut png, (width, height), channels, pixels)
        .map_err(|error| DataError::InvalidImage { reason: error.to_string() })?;
    Ok(Image { png, width, height })
}
