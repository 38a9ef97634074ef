//! Image files.

use super::codec::{self, DecodeError, ImageFormat, Limits};
use super::stack::Images;
use crate::data::input::Source;
use crate::data::output::Output;
use crate::error::{Error, Result};
use std::fs;
use std::path::{Path, PathBuf};

const KNOWN: &str = "`.png`, `.jpg`, `.jpeg`, `.pgm`, `.ppm` and `.pnm`";
/// The most pixels in a row or a column.
const MAX_SIDE: u64 = 1 << 20;
/// The most memory a decoder may take, and the most it may take for each byte of the file: no format packs
/// pixels more tightly than this, so that a small file cannot ask for a large picture.
const MAX_MEMORY: u64 = 8 << 30;
const MAX_RATIO: u64 = 4096;
/// The most bytes of an image file.
const MAX_FILE: u64 = 1 << 30;
/// What is wrong with an image that ends too early.
const CUT_SHORT: &str = "it is damaged or cut short; fetch or save it again";

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
    match head {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(ImageFormat::Png),
        [0xff, 0xd8, 0xff, ..] => Some(ImageFormat::Jpeg),
        _ => None,
    }
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
    let max_bytes = MAX_MEMORY.min(bytes.len() as u64 * MAX_RATIO + (1 << 20));
    let image = codec::decode(&bytes, format, Limits { max_side: MAX_SIDE, max_bytes });
    let image = image.map_err(|error| match error {
        DecodeError::TooLarge(width, height) => malformed(&format!(
            "it is {width} × {height} pixels, more than its {} bytes can hold or fits in 8 GiB; is it damaged?",
            bytes.len()
        )),
        DecodeError::Unsupported => {
            malformed("it is of a kind that is not known here; save it as PNG of 8 or 16 bits")
        }
        DecodeError::Damaged => malformed(CUT_SHORT),
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
        let must = format!("of {must}; write PNG instead");
        return Err(Error::ImageShape { what, found: image.shape_in_words(), must });
    }
    let mut output = Output::create(path)?;
    let size = (image.width(), image.height());
    match codec::encode(&mut output, format, size, image.channels(), image.pixels()) {
        Ok(()) => output.finish(),
        Err(cause) => Err(output.error(cause)),
    }
}
