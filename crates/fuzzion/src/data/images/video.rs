//! Reading and writing Y4M video, frame by frame.

use super::batch::FrameBatch;
use super::stack::Pixels;
use super::y4m::{Frame, VideoHeader};
use crate::data::error::{DataError, Result};
use crate::data::files::Source;
use crate::data::files::output::AtomicFile;
use bytemuck::Pod;
use std::fmt;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write as _};
use std::ops::Range;
use std::path::Path;

/// Maximum size of a header line.
const MAX_LINE_BYTES: u64 = 4096;
/// Size of the buffer; larger reads go directly to the memory of the frame.
const BUFFER_BYTES: usize = 32 * 1024;
/// Maximum number of values by which the memory of a plane grows before they are read.
const MAX_GROWTH: usize = 1024 * 1024;

/// Reader for Y4M video; only one frame is in memory at a time.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("clip.y4m");
/// # std::fs::write(&path, b"YUV4MPEG2 W2 H1 F25:1 Cmono\nFRAME\n\x00\xff").unwrap();
/// use fuzzion::data::{Pixels, VideoReader};
/// let mut video = VideoReader::open(&path)?; // 2 × 1 pixels, luma only, one frame
/// while let Some(frame) = video.next()? {
///     assert_eq!(frame.planes, [Pixels::U8(vec![0, 255])]);
/// }
/// assert_eq!(video.frames(), 1);
/// # Ok::<(), fuzzion::Error>(())
/// ```
pub struct VideoReader {
    source: Source,
    reader: BufReader<Box<dyn Read + Send>>,
    header: VideoHeader,
    frames: u64,
}

impl VideoReader {
    /// Opens the video at `path`; `-` is standard input.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("clip.y4m");
    /// # std::fs::write(&path, b"YUV4MPEG2 W2 H1 F25:1 Cmono\nFRAME\n\x00\xff").unwrap();
    /// use fuzzion::data::VideoReader;
    /// let video = VideoReader::open(&path)?;
    /// assert_eq!((video.header().width(), video.header().height()), (2, 1));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::File`] and [`DataError::Malformed`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        VideoReader::from_source(Source::open(path.as_ref())?)
    }

    /// Reads video from `reader`; errors refer to it as `name`.
    ///
    /// ```
    /// use fuzzion::data::{Pixels, VideoReader};
    /// let bytes: &[u8] = b"YUV4MPEG2 W2 H1 Cmono\nFRAME\n\x00\xff";
    /// let mut video = VideoReader::from_reader("camera", bytes)?;
    /// assert_eq!(video.next()?.map(|frame| frame.planes), Some(vec![Pixels::U8(vec![0, 255])]));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::File`] and [`DataError::Malformed`].
    pub fn from_reader(name: impl AsRef<Path>, reader: impl Read + Send + 'static) -> Result<Self> {
        VideoReader::from_source(Source::new(name.as_ref(), Box::new(reader), None, 0)?)
    }

    pub(crate) fn from_source(mut source: Source) -> Result<Self> {
        let reader = std::mem::replace(&mut source.reader, Box::new(std::io::empty()));
        let mut reader = BufReader::with_capacity(BUFFER_BYTES, reader);
        let line = read_line(&mut reader, &source)?.unwrap_or_default();
        let header = VideoHeader::parse(&line).map_err(|reason| malformed(&source, reason))?;
        Ok(VideoReader { source, reader, header, frames: 0 })
    }

    /// Header of the video.
    pub fn header(&self) -> &VideoHeader {
        &self.header
    }

    /// Number of frames read so far.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Number of bytes read so far, and the file size (0 if unknown).
    pub fn position(&self) -> (u64, u64) {
        (self.source.bytes_read(), self.source.size)
    }

    /// The next frame; `None` after the last one.
    ///
    /// ```
    /// use fuzzion::data::VideoReader;
    /// let bytes: &[u8] = b"YUV4MPEG2 W2 H1 Cmono\nFRAME\n\x00\xffFRAME\n\x00"; // the second frame is incomplete
    /// let mut video = VideoReader::from_reader("camera", bytes)?;
    /// assert!(video.next()?.is_some());
    /// assert!(video.next().is_err());
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::File`], and [`DataError::Malformed`] for an incomplete frame.
    #[allow(clippy::should_implement_trait)] // can fail
    pub fn next(&mut self) -> Result<Option<Frame>> {
        let mut batch = FrameBatch::default();
        let found = self.read_into(&mut batch)?;
        Ok(found.then(|| Frame { planes: batch.planes, parameters: batch.parameters.concat() }))
    }

    /// Appends the next frame to `batch`; `false` after the last one.
    ///
    /// ```
    /// use fuzzion::data::{FrameBatch, VideoReader};
    /// let mut video = VideoReader::from_reader("camera", &b"YUV4MPEG2 W2 H1 Cmono\nFRAME\n\x00\xff"[..])?;
    /// let mut batch = FrameBatch::default();
    /// assert!(video.read_into(&mut batch)?);
    /// assert!(!video.read_into(&mut batch)?);
    /// assert_eq!(batch.frames(), 1);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`VideoReader::next`]; `batch` then has the frames before the incomplete one.
    pub fn read_into(&mut self, batch: &mut FrameBatch) -> Result<bool> {
        let Some(line) = read_line(&mut self.reader, &self.source)? else { return Ok(false) };
        let number = self.frames + 1;
        let parameters = match line.strip_prefix("FRAME") {
            Some(rest) if rest.is_empty() || rest.starts_with(' ') => rest.trim_start().to_owned(),
            _ => return Err(malformed(&self.source, format!("frame {number} does not start with `FRAME`"))),
        };
        batch.prepare(&self.header);
        let index = batch.frames();
        for (plane, len) in batch.planes.iter_mut().zip(&batch.plane_len) {
            match plane {
                Pixels::U8(values) => self.read_plane(values, index * len, *len)?,
                Pixels::U16(values) => {
                    self.read_plane(values, index * len, *len)?;
                    values[index * len..(index + 1) * len]
                        .iter_mut()
                        .for_each(|value| *value = u16::from_le(*value));
                }
            }
        }
        batch.parameters.push(parameters);
        self.frames = number;
        Ok(true)
    }

    /// Reads `len` values to `values`, from index `start`.
    fn read_plane<P: Pod>(&mut self, values: &mut Vec<P>, start: usize, len: usize) -> Result<()> {
        let (mut at, end) = (start, start + len);
        while at < end {
            // Memory grows with the data received, so a header alone cannot cause a large allocation.
            let next = end.min(at + MAX_GROWTH);
            if values.len() < next {
                values.resize(next, P::zeroed());
            }
            let mut rest: &mut [u8] = bytemuck::cast_slice_mut(&mut values[at..next]);
            while !rest.is_empty() {
                match self.reader.read(rest) {
                    Ok(0) => {
                        let frame = self.frames + 1;
                        return Err(malformed(
                            &self.source,
                            format!("the file ends within frame {frame}; download it or save it again"),
                        ));
                    }
                    Ok(n) => rest = &mut rest[n..],
                    Err(e) if e.kind() == ErrorKind::Interrupted => {}
                    Err(e) => return Err(self.source.error(e)),
                }
            }
            at = next;
        }
        Ok(())
    }
}

impl fmt::Debug for VideoReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VideoReader").field("header", &self.header).field("frames", &self.frames).finish()
    }
}

fn malformed(source: &Source, reason: String) -> DataError {
    DataError::Malformed { path: source.path.clone(), format: "Y4M video", reason }
}

/// The next line without its line end; `None` at the end of the file.
fn read_line(reader: &mut BufReader<Box<dyn Read + Send>>, source: &Source) -> Result<Option<String>> {
    let mut line = Vec::new();
    reader.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line).map_err(|e| source.error(e))?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.pop() != Some(b'\n') {
        return Err(malformed(source, "a header line is incomplete or longer than 4096 bytes".into()));
    }
    Ok(Some(String::from_utf8_lossy(&line).into_owned()))
}

/// Writer for Y4M video; the file appears when it is finished.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("clip.y4m");
/// use fuzzion::data::{Chroma, Frame, Pixels, VideoHeader, VideoReader, VideoWriter};
/// let header = VideoHeader::new(2, 1, Chroma::Mono, 8, (25, 1))?;
/// let frame = Frame { planes: vec![Pixels::U8(vec![0, 255])], parameters: String::new() };
/// let mut video = VideoWriter::create(&path, &header)?;
/// video.write(&frame)?;
/// video.finish()?;
/// assert_eq!(VideoReader::open(&path)?.next()?, Some(frame));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Debug)]
pub struct VideoWriter {
    output: AtomicFile,
    header: VideoHeader,
}

impl VideoWriter {
    /// Creates a video at `path`; `-` is standard output.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("clip.y4m");
    /// use fuzzion::data::{Chroma, VideoHeader, VideoWriter};
    /// let video = VideoWriter::create(&path, &VideoHeader::new(2, 1, Chroma::Mono, 8, (25, 1))?)?;
    /// video.finish()?; // without frames
    /// assert_eq!(std::fs::read_to_string(&path).unwrap(), "YUV4MPEG2 W2 H1 F25:1 Ip A1:1 Cmono\n");
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::File`].
    pub fn create(path: impl AsRef<Path>, header: &VideoHeader) -> Result<Self> {
        let mut output = AtomicFile::create(path)?;
        output.write_bytes(header.to_line().as_bytes())?;
        output.write_bytes(b"\n")?;
        Ok(VideoWriter { output, header: header.clone() })
    }

    /// Appends a frame.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("clip.y4m");
    /// use fuzzion::data::{Chroma, Frame, Pixels, VideoHeader, VideoWriter};
    /// let mut video = VideoWriter::create(&path, &VideoHeader::new(2, 1, Chroma::Mono, 8, (25, 1))?)?;
    /// let three = Frame { planes: vec![Pixels::U8(vec![0, 1, 2])], parameters: String::new() };
    /// assert!(video.write(&three).is_err()); // a frame has 2 × 1 values
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::File`], and [`DataError::ImageShape`] if the planes do not match the header.
    pub fn write(&mut self, frame: &Frame) -> Result<()> {
        if !frame.matches(&self.header) {
            return Err(self.wrong_planes(&frame.planes));
        }
        let planes = frame.planes.iter().map(|plane| (plane, 0..plane.len()));
        self.write_frame(&frame.parameters, planes)
    }

    /// Appends all frames of `batch`.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("copy.y4m");
    /// use fuzzion::data::{FrameBatch, VideoReader, VideoWriter};
    /// let bytes: &[u8] = b"YUV4MPEG2 W2 H1 Cmono\nFRAME\n\x00\x01FRAME\n\x02\x03";
    /// let mut video = VideoReader::from_reader("camera", bytes)?;
    /// let mut batch = FrameBatch::default();
    /// while video.read_into(&mut batch)? {}
    /// let mut copy = VideoWriter::create(&path, video.header())?;
    /// copy.write_batch(&batch)?;
    /// copy.finish()?;
    /// assert_eq!(std::fs::read(&path).unwrap(), bytes);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`VideoWriter::write`].
    pub fn write_batch(&mut self, batch: &FrameBatch) -> Result<()> {
        if batch.frames() > 0 && !batch.matches(&self.header) {
            return Err(self.wrong_planes(&batch.planes));
        }
        batch.parameters.iter().enumerate().try_for_each(|(i, text)| self.write_frame(text, batch.frame(i)))
    }

    fn wrong_planes(&self, planes: &[Pixels]) -> DataError {
        let sizes: Vec<String> =
            planes.iter().map(|p| format!("{} values of {} bits", p.len(), p.bits())).collect();
        DataError::ImageShape {
            what: "the size of the frame's planes".into(),
            found: sizes.join(", "),
            must: format!("that of the header `{}`", self.header.to_line()),
        }
    }

    fn write_frame<'a>(
        &mut self,
        parameters: &str,
        planes: impl Iterator<Item = (&'a Pixels, Range<usize>)>,
    ) -> Result<()> {
        self.output.write_bytes(b"FRAME")?;
        if !parameters.is_empty() {
            self.output.write_bytes(b" ")?;
            self.output.write_bytes(parameters.as_bytes())?;
        }
        self.output.write_bytes(b"\n")?;
        for (plane, range) in planes {
            match plane {
                Pixels::U8(values) => self.output.write_bytes(&values[range])?,
                Pixels::U16(values) if cfg!(target_endian = "little") => {
                    self.output.write_bytes(bytemuck::cast_slice(&values[range]))?;
                }
                Pixels::U16(values) => {
                    let bytes: Vec<u8> = values[range].iter().flat_map(|v| v.to_le_bytes()).collect();
                    self.output.write_bytes(&bytes)?;
                }
            }
        }
        Ok(())
    }

    /// Flushes the buffer, for readers at the other end of a pipe.
    ///
    /// # Errors
    /// [`DataError::File`].
    pub fn flush(&mut self) -> Result<()> {
        self.output.flush().map_err(|cause| self.output.error(cause))
    }

    /// Completes the file and renames it to its target.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("clip.y4m");
    /// use fuzzion::data::{Chroma, VideoHeader, VideoWriter};
    /// let video = VideoWriter::create(&path, &VideoHeader::new(2, 1, Chroma::Mono, 8, (25, 1))?)?;
    /// assert!(!path.exists());
    /// video.finish()?;
    /// assert!(path.exists());
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::File`].
    pub fn finish(self) -> Result<()> {
        self.output.finish()
    }
}
