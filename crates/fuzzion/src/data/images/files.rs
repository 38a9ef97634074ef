//! Reading and writing image files.

use super::codec::{self, DecodeError, ImageFormat, Limits};
use super::stack::Images;
use crate::data::error::{DataError, Result, read_error};
use crate::data::files::Source;
use crate::data::files::output::AtomicFile;
use std::fs;
use std::path::{Path, PathBuf};

const SUPPORTED: &str = "`.png`, `.jpg`, `.jpeg`, `.pgm`, `.ppm` and `.pnm`";
/// Maximum width and height.
const MAX_SIDE: u64 = 1 << 20;
/// Maximum size of a decoded image in bytes, and per byte of the file. No format compresses better, so a small file
/// cannot cause a large allocation.
const MAX_DECODED_BYTES: u64 = 8 << 30;
const MAX_EXPANSION: u64 = 4096;
/// Maximum size of an image file.
const MAX_FILE_BYTES: u64 = 1 << 30;
const UNKNOWN: &str = "the file is not PNG, JPEG, PGM or PPM; save it as PNG";
const TRUNCATED: &str = "the file is damaged or truncated; download it or save it again";

impl Images {
    /// Reads the image at `path` (`-` is standard input), or all images of a folder in natural order of their names
    /// (`2` before `10`).
    ///
    /// Grayscale with alpha is converted to RGBA.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("gray.pgm");
    /// # std::fs::write(&path, "P2 2 1 255 0 255").unwrap();
    /// use fuzzion::data::{Images, Pixels};
    /// let image = Images::read(&path)?; // a text PGM file: P2 2 1 255 0 255
    /// assert_eq!((image.width(), image.height(), image.channels()), (2, 1, 1));
    /// assert_eq!(image.pixels(), &Pixels::U8(vec![0, 255]));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::File`], [`DataError::UnknownFormat`], [`DataError::Malformed`], and [`DataError::ImageShape`] if the images of a
    /// folder differ in size, channels or bits.
    pub fn read(path: impl AsRef<Path>) -> Result<Images> {
        let path = path.as_ref();
        if !path.is_dir() {
            return read_image(Source::open(path)?);
        }
        let mut stack: Option<Images> = None;
        for file in Images::files_in(path)? {
            let image = read_image(Source::open(&file)?)?;
            match &mut stack {
                None => stack = Some(image),
                Some(stack) if stack.same_shape(&image) => stack.push(image),
                Some(stack) => {
                    return Err(DataError::ImageShape {
                        what: file.display().to_string(),
                        found: image.describe_shape(),
                        must: format!("{} like the previous images", stack.describe_shape()),
                    });
                }
            }
        }
        stack.ok_or_else(|| DataError::NoData { path: path.to_path_buf(), what: "images" })
    }

    /// Decodes an image file in memory that has at most `max_pixels` pixels, which is checked before the pixels are decoded.
    /// `name` is the name of the file in messages.
    ///
    /// ```
    /// use fuzzion::data::{Images, Pixels};
    /// let image = Images::from_bytes("gray.pgm", b"P2 2 1 255 0 255", 100)?;
    /// assert_eq!(image.pixels(), &Pixels::U8(vec![0, 255]));
    /// assert!(Images::from_bytes("gray.pgm", b"P2 2 1 255 0 255", 1).is_err());
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::Malformed`] if the file is not an image, or larger.
    pub fn from_bytes(name: impl AsRef<Path>, bytes: &[u8], max_pixels: u64) -> Result<Images> {
        let path = name.as_ref();
        let Some(format) = format_of(bytes, path) else {
            let reason = UNKNOWN.into();
            return Err(DataError::Malformed { path: path.to_path_buf(), format: "an image", reason });
        };
        decode(path, bytes, format, Some(max_pixels))
    }

    /// The first frame as a PNG file.
    ///
    /// ```
    /// use fuzzion::data::{Images, Pixels};
    /// let image = Images::new(2, 1, 1, Pixels::U8(vec![0, 255]))?;
    /// assert_eq!(Images::from_bytes("a.png", &image.to_png()?, 2)?, image);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::InvalidImage`] if the image is too large for the format.
    pub fn to_png(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let first = if self.frames() > 1 { self.frame(0) } else { None };
        let pixels = first.as_ref().map_or(self.pixels(), Images::pixels);
        let size = (self.width(), self.height());
        codec::encode(&mut bytes, ImageFormat::Png, size, self.channels(), pixels)
            .map_err(|cause| DataError::InvalidImage { reason: cause.to_string() })?;
        Ok(bytes)
    }

    /// Image files of `folder`, in the order of [`Images::read`].
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # ["10.png", "2.png", "notes.txt"].map(|name| std::fs::write(folder.path().join(name), "").unwrap());
    /// # let folder = folder.path();
    /// use fuzzion::data::Images;
    /// let files = Images::files_in(folder)?; // of 10.png, 2.png and notes.txt
    /// assert_eq!(files, [folder.join("2.png"), folder.join("10.png")]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::File`] if the folder cannot be read.
    pub fn files_in(folder: impl AsRef<Path>) -> Result<Vec<PathBuf>> {
        let folder = folder.as_ref();
        let fail = read_error(folder);
        let mut files = Vec::new();
        for entry in fs::read_dir(folder).map_err(fail)? {
            let path = entry.map_err(fail)?.path();
            if format_from_extension(&path).is_some() && path.is_file() {
                files.push(path);
            }
        }
        files.sort_by_cached_key(|path| natural_key(&path.to_string_lossy()));
        Ok(files)
    }

    /// Writes a single frame to `path` in the format of the file extension (`-` is PNG on standard output), or several
    /// frames to the folder `path` as `0001.png`, `0002.png`, ….
    ///
    /// JPEG stores 8 bits without alpha; PGM stores one channel, PPM three.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let folder = folder.path().join("frames");
    /// use fuzzion::data::{Images, Pixels};
    /// let images = Images::new(1, 1, 1, Pixels::U8(vec![10, 20]))?; // two frames of one pixel
    /// images.write(&folder)?;
    /// assert_eq!(Images::files_in(&folder)?, [folder.join("0001.png"), folder.join("0002.png")]);
    /// assert_eq!(Images::read(&folder)?, images);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::File`], [`DataError::UnknownFormat`], and [`DataError::ImageShape`] if the format does not support the image.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        if self.frames() == 1 && !path.is_dir() {
            let format =
                if path == Path::new("-") { Some(ImageFormat::Png) } else { format_from_extension(path) };
            let format =
                format.ok_or(DataError::UnknownFormat { path: path.to_path_buf(), known: SUPPORTED })?;
            return write_image(self, path, format);
        }
        let several = || DataError::ImageShape {
            what: format!("the number of frames for {}", path.display()),
            found: self.frames().to_string(),
            must: "1 for a file; specify a folder to write one file per frame".into(),
        };
        if path == Path::new("-") || format_from_extension(path).is_some() {
            return Err(several());
        }
        fs::create_dir_all(path).map_err(|cause| DataError::File {
            doing: "write",
            path: path.into(),
            cause,
        })?;
        let digits = self.frames().to_string().len().max(4);
        for (i, frame) in (0..self.frames()).filter_map(|i| self.frame(i)).enumerate() {
            write_image(&frame, &path.join(format!("{:0digits$}.png", i + 1)), ImageFormat::Png)?;
        }
        Ok(())
    }
}

/// The format indicated by the file extension.
pub(crate) fn format_from_extension(path: &Path) -> Option<ImageFormat> {
    match path.extension()?.to_string_lossy().to_ascii_lowercase().as_str() {
        "png" => Some(ImageFormat::Png),
        "jpg" | "jpeg" => Some(ImageFormat::Jpeg),
        "pgm" | "ppm" | "pnm" => Some(ImageFormat::Pnm),
        _ => None,
    }
}

/// Sort key for natural order: alternating text and numbers, then the name itself as a tie-breaker.
fn natural_key(name: &str) -> (Vec<(String, u128)>, String) {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let text = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let digits = rest[text..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |n| text + n);
        parts.push((rest[..text].to_owned(), rest[text..digits].parse().unwrap_or(0)));
        rest = &rest[digits..];
    }
    (parts, name.to_owned())
}

/// Detects the format from the first bytes; PNM only if the text cannot be a table.
pub(crate) fn detect_image_format(head: &[u8]) -> Option<ImageFormat> {
    if let [b'P', b'1'..=b'6', blank, rest @ ..] = head {
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let sized = digits > 0
            && matches!(rest.get(digits..digits + 2), Some([b' ' | b'\t' | b'\n' | b'\r', b'0'..=b'9']));
        return (blank.is_ascii_whitespace() && (rest.starts_with(b"#") || sized))
            .then_some(ImageFormat::Pnm);
    }
    match head {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(ImageFormat::Png),
        [0xff, 0xd8, 0xff, ..] => Some(ImageFormat::Jpeg),
        _ => None,
    }
}

/// Whether the segments of a JPEG file continue up to its end marker.
fn is_complete_jpeg(bytes: &[u8]) -> bool {
    const END: u8 = 0xd9;
    let mut at = 2; // after the start marker
    // Pixels are stored between segments; a 0xff in them is followed by 0, or starts a marker without a length.
    while let Some(mark) = bytes.get(at..).and_then(|rest| memchr::memchr(0xff, rest)) {
        at += mark + 1;
        match bytes.get(at) {
            Some(&END) => return true,
            Some(0xff) => {} // padding
            Some(0x00 | 0x01 | 0xd0..=0xd7) => at += 1,
            _ => match bytes.get(at + 1..at + 3) {
                Some(&[high, low]) => at += 1 + usize::from(u16::from_be_bytes([high, low])),
                _ => return false,
            },
        }
    }
    false
}

/// Reads the image in `source`; checks its signature before reading the rest.
pub(crate) fn read_image(mut source: Source) -> Result<Images> {
    let path = source.path.clone();
    let malformed =
        |reason: &str| DataError::Malformed { path: path.clone(), format: "an image", reason: reason.into() };
    let Some(format) = format_of(&source.head, &path) else {
        if format_from_extension(&path).is_none() && !source.is_stream {
            return Err(DataError::UnknownFormat { path, known: SUPPORTED });
        }
        return Err(malformed(UNKNOWN));
    };
    let Some(bytes) = source.read_rest(MAX_FILE_BYTES)? else {
        return Err(malformed("the file is larger than 1 GiB; split the image"));
    };
    decode(&path, &bytes, format, None)
}

/// The format of the file `path` that starts with `head`. The first bytes take precedence over the extension.
fn format_of(head: &[u8], path: &Path) -> Option<ImageFormat> {
    let pnm = head.starts_with(b"P") && format_from_extension(path) == Some(ImageFormat::Pnm);
    detect_image_format(head).or(pnm.then_some(ImageFormat::Pnm))
}

/// Decodes the file `path`, which may have a maximum number of pixels.
fn decode(path: &Path, bytes: &[u8], format: ImageFormat, most: Option<u64>) -> Result<Images> {
    let malformed = |reason: &str| DataError::Malformed {
        path: path.to_path_buf(),
        format: "an image",
        reason: reason.into(),
    };
    if format == ImageFormat::Jpeg && !is_complete_jpeg(bytes) {
        return Err(malformed(TRUNCATED)); // the decoder would fill in the missing pixels
    }
    let max_bytes = MAX_DECODED_BYTES.min(bytes.len() as u64 * MAX_EXPANSION + (1 << 20));
    let image = codec::decode(
        bytes,
        format,
        Limits { max_side: MAX_SIDE, max_pixels: most.unwrap_or(u64::MAX), max_bytes },
    );
    let image = image.map_err(|error| match error {
        DecodeError::TooLarge(width, height)
            if most.is_some_and(|most| width.checked_mul(height).is_none_or(|pixels| pixels > most)) =>
        {
            malformed(&format!(
                "{width} × {height} pixels are more than the maximum of {}; scale the image down",
                most.unwrap_or_default()
            ))
        }
        DecodeError::TooLarge(width, height) => malformed(&format!(
            "{width} × {height} pixels are too many for a file of {} bytes or for 8 GiB of memory; check if it is damaged",
            bytes.len()
        )),
        DecodeError::Unsupported => {
            malformed("unsupported image type; save it as PNG with 8 or 16 bits per channel")
        }
        DecodeError::Damaged => malformed(TRUNCATED),
    })?;
    Images::new(image.width, image.height, image.channels, image.pixels)
        .map_err(|e| malformed(&e.to_string()))
}

fn write_image(image: &Images, path: &Path, format: ImageFormat) -> Result<()> {
    let must = match format {
        ImageFormat::Jpeg if image.bits() != 8 || image.channels() == 4 => "1 or 3 channels of 8 bits",
        ImageFormat::Pnm if image.channels() == 4 => "1 or 3 channels",
        _ => "",
    };
    if !must.is_empty() {
        let what = format!("the image for {}", path.display());
        let must = format!("an image with {must}; write PNG instead");
        return Err(DataError::ImageShape { what, found: image.describe_shape(), must });
    }
    let mut output = AtomicFile::create(path)?;
    let size = (image.width(), image.height());
    match codec::encode(&mut output, format, size, image.channels(), image.pixels()) {
        Ok(()) => output.finish(),
        Err(cause) => Err(output.error(cause)),
    }
}
