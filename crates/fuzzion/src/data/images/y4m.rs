//! The Y4M video format: a header line followed by frames of raw planes.
//!
//! Source: the `yuv4mpeg(5)` manual of MJPEG Tools, with FFmpeg's tags `p10`, `p12`, … for more than 8 bits
//! (two bytes per value, little-endian).

use super::stack::Pixels;
use crate::data::error::{DataError, Result};

/// Maximum width and height.
const MAX_SIDE: usize = 1 << 16;
/// Signature of Y4M files.
pub(crate) const MAGIC: &str = "YUV4MPEG2";

/// Chroma subsampling.
///
/// ```
/// use fuzzion::data::Chroma;
/// assert_eq!(Chroma::Mono.planes(4, 2), [(4, 2)]);
/// assert_eq!(Chroma::Yuv420.planes(4, 2), [(4, 2), (2, 1), (2, 1)]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Chroma {
    /// Luma only.
    Mono,
    /// 4:2:0, one pair of chroma values per 2 × 2 pixels.
    Yuv420,
    /// 4:1:1, one pair per 4 × 1 pixels.
    Yuv411,
    /// 4:2:2, one pair per 2 × 1 pixels.
    Yuv422,
    /// 4:4:4, one pair per pixel.
    Yuv444,
    /// 4:4:4 with an alpha plane.
    Yuv444Alpha,
}

impl Chroma {
    /// Width and height of each plane of a frame, luma first.
    ///
    /// ```
    /// use fuzzion::data::Chroma;
    /// assert_eq!(Chroma::Yuv422.planes(5, 2), [(5, 2), (3, 2), (3, 2)]); // odd sizes are rounded up
    /// ```
    pub fn planes(self, width: usize, height: usize) -> Vec<(usize, usize)> {
        let (across, down, chroma) = match self {
            Chroma::Mono => (1, 1, 0),
            Chroma::Yuv420 => (2, 2, 2),
            Chroma::Yuv411 => (4, 1, 2),
            Chroma::Yuv422 => (2, 1, 2),
            Chroma::Yuv444 => (1, 1, 2),
            Chroma::Yuv444Alpha => (1, 1, 3),
        };
        let subsampled = (width.div_ceil(across), height.div_ceil(down));
        std::iter::once((width, height)).chain(std::iter::repeat_n(subsampled, chroma)).collect()
    }

    fn tag(self) -> &'static str {
        match self {
            Chroma::Mono => "mono",
            Chroma::Yuv420 => "420jpeg",
            Chroma::Yuv411 => "411",
            Chroma::Yuv422 => "422",
            Chroma::Yuv444 => "444",
            Chroma::Yuv444Alpha => "444alpha",
        }
    }
}

/// Header of a video; unknown parameters are passed through unchanged.
///
/// ```
/// use fuzzion::data::{Chroma, VideoHeader};
/// let header = VideoHeader::new(640, 480, Chroma::Yuv420, 10, (25, 1))?;
/// assert_eq!(header.parameters(), ["W640", "H480", "F25:1", "Ip", "A1:1", "C420p10"]);
/// assert_eq!(header.planes()[1], (320, 240));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VideoHeader {
    width: usize,
    height: usize,
    chroma: Chroma,
    bits: u32,
    /// All parameters of the header line, in file order.
    parameters: Vec<String>,
}

impl VideoHeader {
    /// Header of a video with 8 to 16 bits per value and a frame rate of `rate.0` / `rate.1` frames per second.
    ///
    /// ```
    /// use fuzzion::data::{Chroma, VideoHeader};
    /// assert!(VideoHeader::new(0, 480, Chroma::Mono, 8, (25, 1)).is_err()); // no width
    /// assert!(VideoHeader::new(640, 480, Chroma::Mono, 32, (25, 1)).is_err()); // too many bits
    /// ```
    ///
    /// # Errors
    /// [`DataError::ImageShape`] if Y4M does not support the size or the number of bits.
    pub fn new(width: usize, height: usize, chroma: Chroma, bits: u32, rate: (u32, u32)) -> Result<Self> {
        let tag = match (chroma, bits) {
            (_, 8) => chroma.tag().to_owned(),
            (Chroma::Mono, _) => format!("mono{bits}"),
            (Chroma::Yuv420, _) => format!("420p{bits}"),
            (_, _) => format!("{}p{bits}", chroma.tag()),
        };
        let line = format!("{MAGIC} W{width} H{height} F{}:{} Ip A1:1 C{tag}", rate.0, rate.1);
        VideoHeader::parse(&line).map_err(|reason| DataError::ImageShape {
            what: format!("the header of a {width} × {height} video with {bits} bits"),
            found: "invalid".into(),
            must: format!("valid Y4M: {reason}"),
        })
    }

    /// Width in pixels.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Height in pixels.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Chroma subsampling.
    pub fn chroma(&self) -> Chroma {
        self.chroma
    }

    /// Bits per value, 8 to 16.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// All parameters of the header line, including their letters.
    pub fn parameters(&self) -> &[String] {
        &self.parameters
    }

    /// Frames per second, if the header specifies it.
    ///
    /// ```
    /// use fuzzion::data::{Chroma, VideoHeader};
    /// let header = VideoHeader::new(640, 480, Chroma::Mono, 8, (50, 2))?;
    /// assert_eq!(header.frames_per_second(), Some(25.0));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn frames_per_second(&self) -> Option<f64> {
        let rate = self.parameters.iter().find_map(|p| p.strip_prefix('F'))?;
        let (frames, seconds) = rate.split_once(':')?;
        let (frames, seconds): (f64, f64) = (frames.parse().ok()?, seconds.parse().ok()?);
        (frames > 0.0 && seconds > 0.0).then_some(frames / seconds)
    }

    /// Width and height of each plane of a frame, luma first.
    pub fn planes(&self) -> Vec<(usize, usize)> {
        self.chroma.planes(self.width, self.height)
    }

    /// Bytes per stored value.
    pub(crate) fn bytes_per_value(&self) -> usize {
        if self.bits > 8 { 2 } else { 1 }
    }

    /// The header line without its line end.
    pub(crate) fn to_line(&self) -> String {
        std::iter::once(MAGIC).chain(self.parameters.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
    }

    /// Parses the header line; `Err` describes the problem.
    pub(crate) fn parse(line: &str) -> Result<VideoHeader, String> {
        let mut tokens = line.split(' ').filter(|token| !token.is_empty());
        if tokens.next() != Some(MAGIC) {
            return Err(format!("the file does not start with `{MAGIC}`"));
        }
        let parameters: Vec<String> = tokens.map(str::to_owned).collect();
        let find = |letter: char| parameters.iter().find_map(|p| p.strip_prefix(letter));
        let side = |letter, name| {
            let text = find(letter).ok_or(format!("the header has no {name} (`{letter}`)"))?;
            let side = text.parse().ok().filter(|n| (1..=MAX_SIDE).contains(n));
            side.ok_or(format!("the {name} is `{text}`, but it must be between 1 and {MAX_SIDE}"))
        };
        let (width, height) = (side('W', "width")?, side('H', "height")?);
        let (chroma, bits) = parse_chroma(find('C').unwrap_or("420jpeg"))?;
        Ok(VideoHeader { width, height, chroma, bits, parameters })
    }
}

/// Parses a chroma tag such as `420jpeg`, `422p10` or `mono12` into the subsampling and the bits per value.
fn parse_chroma(tag: &str) -> Result<(Chroma, u32), String> {
    let unknown = || {
        format!(
            "unsupported chroma `{tag}`; supported: mono, 411, 420, 422, 444, and variants such as mono10, 420p10 and 422p12"
        )
    };
    let bits = |text: &str| text.parse().ok().filter(|bits| (9..=16).contains(bits)).ok_or_else(unknown);
    if let Some(depth) = tag.strip_prefix("mono") {
        return Ok((Chroma::Mono, if depth.is_empty() { 8 } else { bits(depth)? }));
    }
    match tag {
        "420" | "420jpeg" | "420mpeg2" | "420paldv" => return Ok((Chroma::Yuv420, 8)),
        "411" => return Ok((Chroma::Yuv411, 8)),
        "422" => return Ok((Chroma::Yuv422, 8)),
        "444" => return Ok((Chroma::Yuv444, 8)),
        "444alpha" => return Ok((Chroma::Yuv444Alpha, 8)),
        _ => {}
    }
    let (family, depth) = tag.split_once('p').ok_or_else(unknown)?;
    let chroma = match family {
        "420" => Chroma::Yuv420,
        "422" => Chroma::Yuv422,
        "444" => Chroma::Yuv444,
        _ => return Err(unknown()),
    };
    Ok((chroma, bits(depth)?))
}

/// One frame of a video.
///
/// ```
/// use fuzzion::data::{Chroma, Frame, Pixels};
/// let sizes = Chroma::Yuv420.planes(4, 2);
/// let gray = sizes.iter().map(|(width, height)| Pixels::U8(vec![128; width * height])).collect();
/// let frame = Frame { planes: gray, parameters: String::new() };
/// assert_eq!(frame.planes.iter().map(Pixels::len).collect::<Vec<_>>(), [8, 2, 2]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Planes: luma first, then the chroma planes.
    pub planes: Vec<Pixels>,
    /// Parameters after `FRAME` in the header line of the frame.
    pub parameters: String,
}

impl Frame {
    /// Whether the planes have the sizes given by `header`.
    pub(crate) fn matches(&self, header: &VideoHeader) -> bool {
        let expected = header.planes();
        self.planes.len() == expected.len()
            && self.planes.iter().zip(expected).all(|(plane, (width, height))| {
                plane.len() == width * height && plane.bits() as usize == 8 * header.bytes_per_value()
            })
    }
}
