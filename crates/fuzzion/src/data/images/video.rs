//! Video streamed frame by frame, from a file or a pipe and to one.

use super::stack::Pixels;
use super::y4m::{Frame, VideoHeader};
use crate::data::input::Source;
use crate::data::output::Output;
use crate::error::{Error, Result};
use std::fmt;
use std::io::{BufRead, BufReader, Read, Write as _};
use std::path::Path;

/// The longest line that describes a video or a frame.
const MAX_LINE: u64 = 4096;
const BUFFER: usize = 1024 * 1024;

/// A Y4M video being read; one frame at a time is in memory.
pub struct VideoReader {
    source: Source,
    reader: BufReader<Box<dyn Read + Send>>,
    header: VideoHeader,
    frames: u64,
}

impl VideoReader {
    /// Opens the video at `path`; `-` is standard input.
    ///
    /// # Errors
    /// [`Error::File`] and [`Error::Malformed`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        VideoReader::from_source(Source::open(path.as_ref())?)
    }

    /// The video that `reader` yields; errors call it `name`.
    ///
    /// # Errors
    /// [`Error::File`] and [`Error::Malformed`].
    pub fn from_reader(name: impl AsRef<Path>, reader: impl Read + Send + 'static) -> Result<Self> {
        VideoReader::from_source(Source::new(name.as_ref(), Box::new(reader), None, 0)?)
    }

    pub(crate) fn from_source(mut source: Source) -> Result<Self> {
        let reader = std::mem::replace(&mut source.reader, Box::new(std::io::empty()));
        let mut reader = BufReader::with_capacity(BUFFER, reader);
        let line = read_line(&mut reader, &source)?.unwrap_or_default();
        let header = VideoHeader::parse(&line).map_err(|reason| malformed(&source, reason))?;
        Ok(VideoReader { source, reader, header, frames: 0 })
    }

    /// What the video says about itself.
    pub fn header(&self) -> &VideoHeader {
        &self.header
    }

    /// How many frames were read so far.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// How many bytes of the file were read, and how many it has (0 where that is unknown).
    pub fn position(&self) -> (u64, u64) {
        (self.source.taken(), self.source.size)
    }

    /// The next frame; `None` after the last one.
    ///
    /// # Errors
    /// [`Error::File`], and [`Error::Malformed`] for a frame that is not whole.
    #[allow(clippy::should_implement_trait)] // it fails, and an `Iterator` would not stop there
    pub fn next(&mut self) -> Result<Option<Frame>> {
        let Some(line) = read_line(&mut self.reader, &self.source)? else { return Ok(None) };
        let number = self.frames + 1;
        let parameters = match line.strip_prefix("FRAME") {
            Some(rest) if rest.is_empty() || rest.starts_with(' ') => rest.trim_start().to_owned(),
            _ => return Err(malformed(&self.source, format!("frame {number} does not begin with `FRAME`"))),
        };
        let planes = self.header.planes().into_iter().map(|(width, height)| self.plane(width * height));
        let planes = planes.collect::<Vec<_>>().into_iter().collect::<Result<_>>()?;
        self.frames = number;
        Ok(Some(Frame { planes, parameters }))
    }

    fn plane(&mut self, values: usize) -> Result<Pixels> {
        let size = values * self.header.value_size();
        // Memory grows with what arrives: a header alone cannot make us take it.
        let mut bytes = Vec::new();
        let read = self.reader.by_ref().take(size as u64).read_to_end(&mut bytes);
        read.map_err(|e| self.source.error(e))?;
        if bytes.len() < size {
            return Err(malformed(&self.source, format!("it ends within frame {}", self.frames + 1)));
        }
        if self.header.value_size() == 1 {
            return Ok(Pixels::U8(bytes));
        }
        let (pairs, _) = bytes.as_chunks::<2>();
        Ok(Pixels::U16(pairs.iter().map(|pair| u16::from_le_bytes(*pair)).collect()))
    }
}

impl fmt::Debug for VideoReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VideoReader").field("header", &self.header).field("frames", &self.frames).finish()
    }
}

fn malformed(source: &Source, reason: String) -> Error {
    Error::Malformed { path: source.path.clone(), format: "Y4M video", reason }
}

/// The next line without its end; `None` where there are no more bytes.
fn read_line(reader: &mut BufReader<Box<dyn Read + Send>>, source: &Source) -> Result<Option<String>> {
    let mut line = Vec::new();
    reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).map_err(|e| source.error(e))?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.pop() != Some(b'\n') {
        return Err(malformed(source, "a line of its description has no end".into()));
    }
    Ok(Some(String::from_utf8_lossy(&line).into_owned()))
}

/// A Y4M video being written; it appears under its name when it is finished.
#[derive(Debug)]
pub struct VideoWriter {
    output: Output,
    header: VideoHeader,
}

impl VideoWriter {
    /// Begins a video at `path`; `-` is standard output.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn create(path: impl AsRef<Path>, header: &VideoHeader) -> Result<Self> {
        let mut output = Output::create(path)?;
        output.put(header.line().as_bytes())?;
        output.put(b"\n")?;
        Ok(VideoWriter { output, header: header.clone() })
    }

    /// Adds a frame.
    ///
    /// # Errors
    /// [`Error::File`], and [`Error::ImageShape`] for a frame of another size than the header says.
    pub fn write(&mut self, frame: &Frame) -> Result<()> {
        if !frame.fits(&self.header) {
            let sizes: Vec<String> =
                frame.planes.iter().map(|p| format!("{} of {} bits", p.len(), p.bits())).collect();
            return Err(Error::ImageShape {
                what: "the frame's planes".into(),
                found: sizes.join(", "),
                must: format!("what the header says: {}", self.header.line()),
            });
        }
        self.output.put(b"FRAME")?;
        if !frame.parameters.is_empty() {
            self.output.put(b" ")?;
            self.output.put(frame.parameters.as_bytes())?;
        }
        self.output.put(b"\n")?;
        for plane in &frame.planes {
            match plane {
                Pixels::U8(values) => self.output.put(values)?,
                Pixels::U16(values) if cfg!(target_endian = "little") => {
                    self.output.put(bytemuck::cast_slice(values))?;
                }
                Pixels::U16(values) => {
                    let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
                    self.output.put(&bytes)?;
                }
            }
        }
        Ok(())
    }

    /// Sends what was written so far on its way, for whoever watches the other end of a pipe.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn flush(&mut self) -> Result<()> {
        self.output.flush().map_err(|cause| self.output.error(cause))
    }

    /// Completes the video and gives it its name.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn finish(self) -> Result<()> {
        self.output.finish()
    }
}
