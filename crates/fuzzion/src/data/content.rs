//! A file of any kind, known by its first bytes or else by its name.

use super::images::codec::ImageFormat;
use super::images::{Images, VideoReader, image_format, read_image};
use super::input::Source;
use super::read::{Format, ReadTable};
use super::reader::TableReader;
use crate::error::{Error, Result};
use std::path::Path;

/// Everything that can be read here, by the endings of its name.
#[cfg(feature = "parquet")]
const KNOWN: &str = "tables (`.csv`, `.tsv`, `.txt`, `.dat`, `.data`, each also with `.gz`, `.npy`, `.parquet`), \
    images (`.png`, `.jpg`, `.jpeg`, `.pgm`, `.ppm`, `.pnm`) and video (`.y4m`)";
#[cfg(not(feature = "parquet"))]
const KNOWN: &str = "tables (`.csv`, `.tsv`, `.txt`, `.dat`, `.data`, each also with `.gz`, `.npy`), \
    images (`.png`, `.jpg`, `.jpeg`, `.pgm`, `.ppm`, `.pnm`) and video (`.y4m`)";

/// The pictures among it.
const FOOTAGE: &str = "images (`.png`, `.jpg`, `.jpeg`, `.pgm`, `.ppm`, `.pnm`) and video (`.y4m`)";

/// What a file holds.
#[derive(Debug)]
pub enum Content<'a> {
    /// A table, to be read in pieces.
    Table(TableReader<'a>),
    /// An image.
    Image(Images),
    /// A video, to be read frame by frame.
    Video(VideoReader),
}

/// A picture, or a video to be read frame by frame.
#[derive(Debug)]
pub enum Footage {
    /// An image.
    Image(Images),
    /// A video.
    Video(VideoReader),
}

impl Footage {
    /// Opens the image or the video at `path`; `-` is standard input.
    ///
    /// # Errors
    /// As [`Images::read`] and [`VideoReader::open`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let source = Source::open(path.as_ref())?;
        if is_video(&source) {
            return VideoReader::from_source(source).map(Footage::Video);
        }
        match read_image(source) {
            Err(Error::UnknownFormat { path, .. }) => Err(Error::UnknownFormat { path, known: FOOTAGE }),
            image => image.map(Footage::Image),
        }
    }
}

/// Whether this begins as a video, or its name says that it is one.
fn is_video(source: &Source) -> bool {
    let name = source.path.to_string_lossy().to_ascii_lowercase();
    source.head.starts_with(b"YUV4MPEG2") || name.strip_suffix(".gz").unwrap_or(&name).ends_with(".y4m")
}

impl<'a> ReadTable<'a> {
    /// Opens the file at `path`, whatever it holds; `-` is standard input.
    ///
    /// The first bytes of images, videos and NPY files are unmistakable, also through a pipe and within gzip; a
    /// pipe that begins with none of them is a table of text.
    ///
    /// # Errors
    /// As [`ReadTable::open`], [`Images::read`] and [`VideoReader::open`].
    pub fn open_any(&self, path: impl AsRef<Path>) -> Result<Content<'a>> {
        let path = path.as_ref();
        let source = Source::open(path)?;
        let name = path.to_string_lossy().to_ascii_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        let table = self.format.or_else(|| Format::of_name(path));
        if source.head.starts_with(b"YUV4MPEG2") || (is_video(&source) && table.is_none()) {
            return VideoReader::from_source(source).map(Content::Video);
        }
        let image = image_format(&source.head);
        // Text may begin like a plain PNM file: a name that promises a table is believed.
        let pnm = image == Some(ImageFormat::Pnm);
        if (image.is_some() && !(pnm && table.is_some()))
            || super::images::format_of(Path::new(name)).is_some()
        {
            return read_image(source).map(Content::Image);
        }
        match self.open_source(source) {
            Err(Error::UnknownFormat { path, .. }) => Err(Error::UnknownFormat { path, known: KNOWN }),
            opened => opened.map(Content::Table),
        }
    }
}
