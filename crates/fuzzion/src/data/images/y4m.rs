//! The Y4M video format: a line that describes the video, then frames of raw planes.
//!
//! Source: the `yuv4mpeg(5)` manual of MJPEG Tools, with the `p10`, `p12`, … tags that FFmpeg added for more
//! than 8 bits (each value then takes two bytes, the low one first).

use super::stack::Pixels;
use crate::error::{Error, Result};

/// The longest side of a frame.
const MAX_SIDE: usize = 1 << 16;
/// What every Y4M file begins with.
pub(crate) const MAGIC: &str = "YUV4MPEG2";

/// How many chroma values there are for the pixels of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Chroma {
    /// Brightness alone.
    Mono,
    /// 4:2:0, one pair of values for 2 × 2 pixels.
    Yuv420,
    /// 4:1:1, one pair for 4 × 1 pixels.
    Yuv411,
    /// 4:2:2, one pair for 2 × 1 pixels.
    Yuv422,
    /// 4:4:4, one pair for every pixel.
    Yuv444,
    /// 4:4:4 and a plane of opacity.
    Yuv444Alpha,
}

impl Chroma {
    /// Width and height of each plane of a frame, brightness first.
    pub fn planes(self, width: usize, height: usize) -> Vec<(usize, usize)> {
        let (across, down, chroma) = match self {
            Chroma::Mono => (1, 1, 0),
            Chroma::Yuv420 => (2, 2, 2),
            Chroma::Yuv411 => (4, 1, 2),
            Chroma::Yuv422 => (2, 1, 2),
            Chroma::Yuv444 => (1, 1, 2),
            Chroma::Yuv444Alpha => (1, 1, 3),
        };
        let small = (width.div_ceil(across), height.div_ceil(down));
        std::iter::once((width, height)).chain(std::iter::repeat_n(small, chroma)).collect()
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

/// What a video says about itself; parameters that are not understood pass through unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VideoHeader {
    width: usize,
    height: usize,
    chroma: Chroma,
    bits: u32,
    /// All parameters as they stand in the first line, this video's own order kept.
    parameters: Vec<String>,
}

impl VideoHeader {
    /// A video of `width` × `height` pixels of 8 to 16 `bits`, with `rate` = (frames, seconds).
    ///
    /// # Errors
    /// [`Error::ImageShape`] for a size or a number of bits outside what Y4M holds.
    pub fn new(width: usize, height: usize, chroma: Chroma, bits: u32, rate: (u32, u32)) -> Result<Self> {
        let tag = match (chroma, bits) {
            (_, 8) => chroma.tag().to_owned(),
            (Chroma::Mono, _) => format!("mono{bits}"),
            (Chroma::Yuv420, _) => format!("420p{bits}"),
            (_, _) => format!("{}p{bits}", chroma.tag()),
        };
        let line = format!("{MAGIC} W{width} H{height} F{}:{} Ip A1:1 C{tag}", rate.0, rate.1);
        VideoHeader::parse(&line).map_err(|reason| Error::ImageShape {
            what: format!("a video of {width} × {height} with {bits} bits"),
            found: "impossible".into(),
            must: reason,
        })
    }

    /// Pixels of a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows of a frame.
    pub fn height(&self) -> usize {
        self.height
    }

    /// How many chroma values there are.
    pub fn chroma(&self) -> Chroma {
        self.chroma
    }

    /// Bits of a value, 8 to 16.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// All parameters of the first line, each beginning with its letter.
    pub fn parameters(&self) -> &[String] {
        &self.parameters
    }

    /// Frames per second, where the video says so.
    pub fn frames_per_second(&self) -> Option<f64> {
        let rate = self.parameters.iter().find_map(|p| p.strip_prefix('F'))?;
        let (frames, seconds) = rate.split_once(':')?;
        let (frames, seconds): (f64, f64) = (frames.parse().ok()?, seconds.parse().ok()?);
        (frames > 0.0 && seconds > 0.0).then_some(frames / seconds)
    }

    /// Width and height of each plane of a frame, brightness first.
    pub fn planes(&self) -> Vec<(usize, usize)> {
        self.chroma.planes(self.width, self.height)
    }

    /// Bytes of one stored value.
    pub(crate) fn value_size(&self) -> usize {
        if self.bits > 8 { 2 } else { 1 }
    }

    /// The first line, without its end.
    pub(crate) fn line(&self) -> String {
        std::iter::once(MAGIC).chain(self.parameters.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
    }

    /// The header that a first line states; `Err` says what is wrong with it.
    pub(crate) fn parse(line: &str) -> Result<VideoHeader, String> {
        let mut words = line.split(' ').filter(|word| !word.is_empty());
        if words.next() != Some(MAGIC) {
            return Err(format!("it does not begin with `{MAGIC}`"));
        }
        let parameters: Vec<String> = words.map(str::to_owned).collect();
        let find = |letter: char| parameters.iter().find_map(|p| p.strip_prefix(letter));
        let side = |letter, name| {
            let text = find(letter).ok_or(format!("its first line states no {name} ({letter})"))?;
            let side = text.parse().ok().filter(|n| (1..=MAX_SIDE).contains(n));
            side.ok_or(format!("its {name} is `{text}`, but it must be from 1 to {MAX_SIDE}"))
        };
        let (width, height) = (side('W', "width")?, side('H', "height")?);
        let (chroma, bits) = chroma_of(find('C').unwrap_or("420jpeg"))?;
        Ok(VideoHeader { width, height, chroma, bits, parameters })
    }
}

/// What a chroma tag such as `420jpeg`, `422p10` or `mono12` means.
fn chroma_of(tag: &str) -> Result<(Chroma, u32), String> {
    let unknown = || {
        format!(
            "its chroma `{tag}` is not known; known are mono, 411, 420, 422, 444 and their p10, p12 and p16 kin"
        )
    };
    let bits = |text: &str| text.parse().ok().filter(|bits| (9..=16).contains(bits)).ok_or_else(unknown);
    if let Some(deep) = tag.strip_prefix("mono") {
        return Ok((Chroma::Mono, if deep.is_empty() { 8 } else { bits(deep)? }));
    }
    match tag {
        "420" | "420jpeg" | "420mpeg2" | "420paldv" => return Ok((Chroma::Yuv420, 8)),
        "411" => return Ok((Chroma::Yuv411, 8)),
        "422" => return Ok((Chroma::Yuv422, 8)),
        "444" => return Ok((Chroma::Yuv444, 8)),
        "444alpha" => return Ok((Chroma::Yuv444Alpha, 8)),
        _ => {}
    }
    let (family, deep) = tag.split_once('p').ok_or_else(unknown)?;
    let chroma = match family {
        "420" => Chroma::Yuv420,
        "422" => Chroma::Yuv422,
        "444" => Chroma::Yuv444,
        _ => return Err(unknown()),
    };
    Ok((chroma, bits(deep)?))
}

/// One frame of a video.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The planes: brightness first, then the chroma planes, which most operators pass through.
    pub planes: Vec<Pixels>,
    /// What stands after `FRAME` in its line.
    pub parameters: String,
}

impl Frame {
    /// Whether this frame has the planes that `header` promises.
    pub(crate) fn fits(&self, header: &VideoHeader) -> bool {
        let wanted = header.planes();
        self.planes.len() == wanted.len()
            && self.planes.iter().zip(wanted).all(|(plane, (width, height))| {
                plane.len() == width * height && plane.bits() as usize == 8 * header.value_size()
            })
    }
}
