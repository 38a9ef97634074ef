//! Image files.

use super::stack::{Images, Pixels};
use crate::data::input::Source;
use crate::data::output::Output;
use crate::error::{Error, Result};
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::{DynamicImage, ExtendedColorType, ImageEncoder, ImageError, ImageFormat, ImageReader, Limits};
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

const KNOWN: &str = "`.png`, `.jpg`, `.jpeg`, `.pgm`, `.ppm` and `.pnm`";
/// The most pixels in a row or a column.
const MAX_SIDE: u32 = 1 << 20;
/// The most memory a decoder may take, and the most it may take for each byte of the file: no format packs
/// pixels more tightly than this, so that a small file cannot ask for a large picture.
const MAX_MEMORY: u64 = 8 << 30;
const MAX_RATIO: u64 = 4096;
/// The most bytes of an image file.
const MAX_FILE: u64 = 1 << 30;
/// What is wrong with an image that ends too early.
const CUT_SHORT: &str = "it is damaged or cut short; fetch or save it again";
/// JPEG is the one format here that loses something; this much is not seen.
const JPEG_QUALITY: u8 = 95;

impl Images {
    /// Reads the image at `path` (`-` is standard input), or all images of a folder in the order of their names,
    /// in which `2` comes before `10`.
    ///
    /// Brightness with opacity becomes red, green, blue and opacity.
    ///
    /// # Errors
    /// [`Error::File`], [`Error::UnknownFormat`], [`Error::Malformed`], and [`Error::ImageShape`] where the
    /// images of a folder differ in size, channels or bits.
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
                Some(stack) if stack.matches(&image) => stack.push(image),
                Some(stack) => {
                    return Err(Error::ImageShape {
                        what: file.display().to_string(),
                        found: image.shape_in_words(),
                        must: format!("{} as the images before it", stack.shape_in_words()),
                    });
                }
            }
        }
        stack.ok_or_else(|| Error::NoData { path: path.to_path_buf(), what: "images" })
    }

    /// The image files of the folder `folder` in the order in which [`Images::read`] takes them.
    ///
    /// # Errors
    /// [`Error::File`] when the folder cannot be read.
    pub fn files_in(folder: impl AsRef<Path>) -> Result<Vec<PathBuf>> {
        let folder = folder.as_ref();
        let fail = |cause| Error::File { doing: "read", path: folder.to_path_buf(), cause };
        let mut files = Vec::new();
        for entry in fs::read_dir(folder).map_err(fail)? {
            let path = entry.map_err(fail)?.path();
            if format_of(&path).is_some() && path.is_file() {
                files.push(path);
            }
        }
        files.sort_by_cached_key(|path| natural_key(&path.to_string_lossy()));
        Ok(files)
    }

    /// Writes one frame to `path` in the format its ending names (`-` is PNG on standard output), or several
    /// into the folder `path` as `0001.png`, `0002.png`, ….
    ///
    /// JPEG holds 8 bits and no opacity, PGM one channel, PPM three.
    ///
    /// # Errors
    /// [`Error::File`], [`Error::UnknownFormat`], and [`Error::ImageShape`] where the format cannot hold it.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        if self.frames() == 1 && !path.is_dir() {
            let format = if path == Path::new("-") { Some(ImageFormat::Png) } else { format_of(path) };
            let format = format.ok_or(Error::UnknownFormat { path: path.to_path_buf(), known: KNOWN })?;
            return write_image(self, path, format);
        }
        let several = || Error::ImageShape {
            what: format!("the number of frames for {}", path.display()),
            found: self.frames().to_string(),
            must: "1 for a file; name a folder to write one file for each frame".into(),
        };
        if path == Path::new("-") || format_of(path).is_some() {
            return Err(several());
        }
        fs::create_dir_all(path).map_err(|cause| Error::File { doing: "write", path: path.into(), cause })?;
        let digits = self.frames().to_string().len().max(4);
        for (i, frame) in (0..self.frames()).filter_map(|i| self.frame(i)).enumerate() {
            write_image(&frame, &path.join(format!("{:0digits$}.png", i + 1)), ImageFormat::Png)?;
        }
        Ok(())
    }
}

/// The format that a file's name promises.
pub(crate) fn format_of(path: &Path) -> Option<ImageFormat> {
    match path.extension()?.to_string_lossy().to_ascii_lowercase().as_str() {
        "png" => Some(ImageFormat::Png),
        "jpg" | "jpeg" => Some(ImageFormat::Jpeg),
        "pgm" | "ppm" | "pnm" => Some(ImageFormat::Pnm),
        _ => None,
    }
}

/// Text and numbers in turn, so that names compare as people order them; the text itself settles the rest.
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

/// The format of a file that begins with `head`; of PNM only what no table of text begins with.
pub(crate) fn image_format(head: &[u8]) -> Option<ImageFormat> {
    if let [b'P', b'1'..=b'6', blank, rest @ ..] = head {
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let sized = digits > 0
            && matches!(rest.get(digits..digits + 2), Some([b' ' | b'\t' | b'\n' | b'\r', b'0'..=b'9']));
        return (blank.is_ascii_whitespace() && (rest.starts_with(b"#") || sized))
            .then_some(ImageFormat::Pnm);
    }
    let format = image::guess_format(head).ok()?;
    matches!(format, ImageFormat::Png | ImageFormat::Jpeg).then_some(format)
}

/// Whether a JPEG's segments follow each other up to its end marker.
fn is_whole_jpeg(bytes: &[u8]) -> bool {
    const END: u8 = 0xd9;
    let mut at = 2; // behind the marker it begins with
    // Pixels stand between segments; a 0xff among them is followed by 0, or begins a marker without a length.
    while let Some(mark) = bytes.get(at..).and_then(|rest| memchr::memchr(0xff, rest)) {
        at += mark + 1;
        match bytes.get(at) {
            Some(&END) => return true,
            Some(0xff) => {} // fills
            Some(0x00 | 0x01 | 0xd0..=0xd7) => at += 1,
            _ => match bytes.get(at + 1..at + 3) {
                Some(&[high, low]) => at += 1 + usize::from(u16::from_be_bytes([high, low])),
                _ => return false,
            },
        }
    }
    false
}

/// The image in `source`; nothing is read of what does not begin as an image.
pub(crate) fn read_image(mut source: Source) -> Result<Images> {
    let path = source.path.clone();
    let malformed =
        |reason: &str| Error::Malformed { path: path.clone(), format: "an image", reason: reason.into() };
    // The first bytes know better than the name.
    let pnm = source.head.starts_with(b"P") && format_of(&path) == Some(ImageFormat::Pnm);
    let Some(format) = image_format(&source.head).or(pnm.then_some(ImageFormat::Pnm)) else {
        if format_of(&path).is_none() && !source.nameless {
            return Err(Error::UnknownFormat { path, known: KNOWN });
        }
        return Err(malformed("it does not begin as PNG, JPEG, PGM or PPM files do; save it as PNG"));
    };
    let Some(bytes) = source.rest(MAX_FILE)? else {
        return Err(malformed("it is larger than 1 GiB; save it in parts"));
    };
    if format == ImageFormat::Jpeg && !is_whole_jpeg(&bytes) {
        return Err(malformed(CUT_SHORT)); // the decoder would make up what is missing
    }
    let reader = || {
        let mut reader = ImageReader::new(Cursor::new(&bytes));
        reader.set_format(format);
        let mut limits = Limits::default();
        limits.max_image_width = Some(MAX_SIDE);
        limits.max_image_height = Some(MAX_SIDE);
        limits.max_alloc = Some(MAX_MEMORY.min(bytes.len() as u64 * MAX_RATIO + (1 << 20)));
        reader.limits(limits);
        reader
    };
    let image = reader().decode().map_err(|error| match error {
        ImageError::Limits(_) => {
            let mut unlimited = reader();
            unlimited.no_limits();
            let size =
                unlimited.into_dimensions().map_or("too large".into(), |(w, h)| format!("{w} × {h} pixels"));
            let held = bytes.len();
            malformed(&format!(
                "it is {size}, more than its {held} bytes can hold or fits in 8 GiB; is it damaged?"
            ))
        }
        ImageError::Unsupported(_) => {
            malformed("it is of a kind that is not known here; save it as PNG of 8 or 16 bits")
        }
        _ => malformed(CUT_SHORT),
    })?;
    unpack(image).map_err(|e| malformed(&e.to_string()))
}

fn unpack(image: DynamicImage) -> Result<Images> {
    let (width, height) = (image.width() as usize, image.height() as usize);
    let (channels, pixels) = match image {
        DynamicImage::ImageLuma8(i) => (1, Pixels::U8(i.into_raw())),
        DynamicImage::ImageLuma16(i) => (1, Pixels::U16(i.into_raw())),
        DynamicImage::ImageRgb8(i) => (3, Pixels::U8(i.into_raw())),
        DynamicImage::ImageRgb16(i) => (3, Pixels::U16(i.into_raw())),
        DynamicImage::ImageRgba8(i) => (4, Pixels::U8(i.into_raw())),
        DynamicImage::ImageRgba16(i) => (4, Pixels::U16(i.into_raw())),
        DynamicImage::ImageLumaA16(_) => (4, Pixels::U16(image.into_rgba16().into_raw())),
        other => (4, Pixels::U8(other.into_rgba8().into_raw())),
    };
    Images::new(width, height, channels, pixels)
}

fn write_image(image: &Images, path: &Path, format: ImageFormat) -> Result<()> {
    let color = match (image.channels(), image.bits()) {
        (1, 8) => ExtendedColorType::L8,
        (1, _) => ExtendedColorType::L16,
        (3, 8) => ExtendedColorType::Rgb8,
        (3, _) => ExtendedColorType::Rgb16,
        (_, 8) => ExtendedColorType::Rgba8,
        _ => ExtendedColorType::Rgba16,
    };
    let must = match format {
        ImageFormat::Jpeg if image.bits() != 8 || image.channels() == 4 => "1 or 3 channels of 8 bits",
        ImageFormat::Pnm if image.channels() == 4 => "1 or 3 channels",
        _ => "",
    };
    if !must.is_empty() {
        let what = format!("the image for {}", path.display());
        let must = format!("of {must}; write PNG instead");
        return Err(Error::ImageShape { what, found: image.shape_in_words(), must });
    }
    let bytes: &[u8] = match image.pixels() {
        Pixels::U8(pixels) => pixels,
        Pixels::U16(pixels) => bytemuck::cast_slice(pixels),
    };
    let (width, height) = (image.width() as u32, image.height() as u32);
    let mut output = Output::create(path)?;
    let done = match format {
        ImageFormat::Jpeg => {
            JpegEncoder::new_with_quality(&mut output, JPEG_QUALITY).write_image(bytes, width, height, color)
        }
        ImageFormat::Pnm => return write_pnm(image, output),
        _ => PngEncoder::new(&mut output).write_image(bytes, width, height, color),
    };
    match done {
        Ok(()) => output.finish(),
        Err(image::ImageError::IoError(source)) => Err(output.error(source)),
        Err(other) => Err(output.error(std::io::Error::other(other.to_string()))),
    }
}

/// Plain PGM or PPM; 16-bit values are stored with the high byte first.
fn write_pnm(image: &Images, mut output: Output) -> Result<()> {
    let kind = if image.channels() == 1 { "P5" } else { "P6" };
    let greatest = (1u32 << image.bits()) - 1;
    output.put(format!("{kind}\n{} {}\n{greatest}\n", image.width(), image.height()).as_bytes())?;
    match image.pixels() {
        Pixels::U8(pixels) => output.put(pixels)?,
        Pixels::U16(pixels) => {
            let row = image.width() * image.channels();
            for row in pixels.chunks(row) {
                output.put(&row.iter().flat_map(|v| v.to_be_bytes()).collect::<Vec<_>>())?;
            }
        }
    }
    output.finish()
}
