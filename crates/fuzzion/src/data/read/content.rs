//! Detection of the file type from the first bytes or the file name.

use super::format::Format;
use super::reader::TableReader;
use super::settings::ReadTable;
use crate::data::error::{DataError, Result};
use crate::data::files::Source;
use crate::data::images::codec::ImageFormat;
use crate::data::images::{Images, VideoReader, detect_image_format, format_from_extension, read_image};
use std::path::Path;

/// Supported file extensions.
#[cfg(feature = "parquet")]
const SUPPORTED: &str = "tables (`.csv`, `.tsv`, `.txt`, `.dat` and `.data`, also with `.gz`; `.npy` and `.parquet`), \
    images (`.png`, `.jpg`, `.jpeg`, `.pgm`, `.ppm`, `.pnm`) and video (`.y4m`)";
#[cfg(not(feature = "parquet"))]
const SUPPORTED: &str = "tables (`.csv`, `.tsv`, `.txt`, `.dat` and `.data`, also with `.gz`; `.npy`), \
    images (`.png`, `.jpg`, `.jpeg`, `.pgm`, `.ppm`, `.pnm`) and video (`.y4m`)";

/// Supported file extensions of images and video.
const SUPPORTED_IMAGES: &str = "images (`.png`, `.jpg`, `.jpeg`, `.pgm`, `.ppm`, `.pnm`) and video (`.y4m`)";

/// Content of a file.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("x.csv");
/// # std::fs::write(&path, "x\n1\n2\n").unwrap();
/// use fuzzion::data::{Content, ReadTable};
/// match ReadTable::new().open_any(&path)? {
///     Content::Table(table) => assert_eq!(table.names(), ["x"]), // the file is a CSV file
///     Content::Image(image) => println!("{} × {} pixels", image.width(), image.height()),
///     Content::Video(video) => println!("{:?} frames per second", video.header().frames_per_second()),
/// }
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Debug)]
pub enum Content {
    /// A table, read in chunks.
    Table(TableReader),
    /// An image.
    Image(Images),
    /// A video, read frame by frame.
    Video(VideoReader),
}

/// An image, or a video that is read frame by frame.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("clip.y4m");
/// # std::fs::write(&path, b"YUV4MPEG2 W2 H1 F25:1 Cmono\nFRAME\n\x00\xff").unwrap();
/// use fuzzion::data::ImageOrVideo;
/// let ImageOrVideo::Video(mut video) = ImageOrVideo::open(&path)? else { panic!("expected a video") };
/// assert!(video.next()?.is_some());
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Debug)]
pub enum ImageOrVideo {
    /// An image.
    Image(Images),
    /// A video.
    Video(VideoReader),
}

impl ImageOrVideo {
    /// Opens the image or video at `path`; `-` is standard input.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("gray.pgm");
    /// # std::fs::write(&path, "P2 2 1 255 0 255").unwrap();
    /// use fuzzion::data::ImageOrVideo;
    /// assert!(matches!(ImageOrVideo::open(&path)?, ImageOrVideo::Image(image) if image.width() == 2)); // gray.pgm
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Images::read`] and [`VideoReader::open`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let source = Source::open(path.as_ref())?;
        if is_video(&source) {
            return VideoReader::from_source(source).map(ImageOrVideo::Video);
        }
        match read_image(source) {
            Err(DataError::UnknownFormat { path, .. }) => {
                Err(DataError::UnknownFormat { path, known: SUPPORTED_IMAGES })
            }
            image => image.map(ImageOrVideo::Image),
        }
    }
}

/// Whether the first bytes or the extension indicate a video.
fn is_video(source: &Source) -> bool {
    let name = source.path.to_string_lossy().to_ascii_lowercase();
    source.head.starts_with(b"YUV4MPEG2") || name.strip_suffix(".gz").unwrap_or(&name).ends_with(".y4m")
}

impl ReadTable {
    /// Opens a table, image or video; `-` is standard input.
    ///
    /// Images, videos and NPY files are recognized by their first bytes, including in pipes and gzip files. A pipe
    /// without a known signature is read as CSV.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("gray.pgm");
    /// # std::fs::write(&path, "P2 2 1 255 0 255").unwrap();
    /// use fuzzion::data::{Content, ReadTable};
    /// assert!(matches!(ReadTable::new().open_any(&path)?, Content::Image(image) if image.width() == 2)); // gray.pgm
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`ReadTable::open`], [`Images::read`] and [`VideoReader::open`].
    pub fn open_any(&self, path: impl AsRef<Path>) -> Result<Content> {
        let path = path.as_ref();
        let source = Source::open(path)?;
        let name = path.to_string_lossy().to_ascii_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        let table = self.format.or_else(|| Format::from_path(path));
        if source.head.starts_with(b"YUV4MPEG2") || (is_video(&source) && table.is_none()) {
            return VideoReader::from_source(source).map(Content::Video);
        }
        let image = detect_image_format(&source.head);
        // Text can start like a PNM file; the extension of a table takes precedence.
        let pnm = image == Some(ImageFormat::Pnm);
        if (image.is_some() && !(pnm && table.is_some())) || format_from_extension(Path::new(name)).is_some()
        {
            return read_image(source).map(Content::Image);
        }
        match self.open_source(source) {
            Err(DataError::UnknownFormat { path, .. }) => {
                Err(DataError::UnknownFormat { path, known: SUPPORTED })
            }
            opened => opened.map(Content::Table),
        }
    }
}
