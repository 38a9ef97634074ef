//! Summaries of images and videos.

use crate::format::{align_columns, count_of, display_path, format_number, json_number, min_mean_max};
use fuzzion::data::DataError;
use fuzzion::data::{Chroma, Frame, Pixels, Summary, VideoReader};
use fuzzion::{Error, Images, Progress, Result};
use serde_json::{Value, json};
use std::path::Path;

/// Size and value ranges of an image or a stack of images.
pub(super) struct ImagesHead {
    frames: usize,
    width: usize,
    height: usize,
    channels: usize,
    bits: u32,
    ranges: Vec<Summary>,
}

impl ImagesHead {
    /// Summarizes all images of a folder, one at a time.
    pub(super) fn of_folder(folder: &Path, progress: &Progress) -> Result<Self> {
        let files = Images::files_in(folder)?;
        let mut all: Option<Self> = None;
        for (i, file) in files.iter().enumerate() {
            progress.report(i as u64, files.len() as u64)?;
            let one = ImagesHead::of(&Images::read(file)?);
            match &mut all {
                None => all = Some(one),
                Some(all) if all.shape() == one.shape() => {
                    all.frames += one.frames;
                    all.ranges.iter_mut().zip(&one.ranges).for_each(|(all, one)| *all = all.merge(one));
                }
                Some(all) => {
                    return Err(Error::Data(DataError::ImageShape {
                        what: display_path(file),
                        found: one.shape(),
                        must: format!("{}, like the preceding images", all.shape()),
                    }));
                }
            }
        }
        all.ok_or_else(|| Error::Data(DataError::NoData { path: folder.to_path_buf(), what: "images" }))
    }

    /// The shape that all images of a folder must share.
    fn shape(&self) -> String {
        let channels = count_of(self.channels as u64, "channel");
        format!("{} × {} with {channels} of {} bits", self.width, self.height, self.bits)
    }

    pub(super) fn of(images: &Images) -> Self {
        let channels = images.channels();
        let ranges = (0..channels).map(|channel| match images.pixels() {
            Pixels::U8(v) => Summary::of(v.iter().skip(channel).step_by(channels).map(|x| f64::from(*x))),
            Pixels::U16(v) => Summary::of(v.iter().skip(channel).step_by(channels).map(|x| f64::from(*x))),
        });
        ImagesHead {
            frames: images.frames(),
            width: images.width(),
            height: images.height(),
            channels,
            bits: images.bits(),
            ranges: ranges.collect(),
        }
    }

    fn channel_names(&self) -> &'static [&'static str] {
        if self.channels == 1 { &["brightness"] } else { &["red", "green", "blue", "opacity"] }
    }

    pub(super) fn text(&self, path: &Path) -> String {
        let images = match self.frames {
            1 => "image".to_owned(),
            frames => format!("{frames} images"),
        };
        let mut lines = vec![["channel", "min", "mean", "max"].map(str::to_owned).to_vec()];
        for (name, s) in self.channel_names().iter().zip(&self.ranges) {
            lines.push(std::iter::once((*name).to_owned()).chain(min_mean_max(s)).collect());
        }
        let (width, height) = (self.width, self.height);
        let heading = format!("{images}, {width} × {height}, {} bits", self.bits);
        format!("{}: {heading}\n\n{}", display_path(path), align_columns(&lines, &[0]))
    }

    pub(super) fn json(&self, path: &Path) -> Value {
        let channels = self.channel_names().iter().zip(&self.ranges);
        let channels =
            channels.map(|(name, s)| json!({ "name": name, "min": s.min, "mean": s.mean, "max": s.max }));
        json!({
            "file": path.to_string_lossy(), "kind": "images", "frames": self.frames, "width": self.width,
            "height": self.height, "bits": self.bits, "channels": channels.collect::<Vec<_>>(),
        })
    }
}

/// Frame count and brightness range of a video.
pub(super) struct VideoHead {
    reader: VideoReader,
    luma: Summary,
}

impl VideoHead {
    pub(super) fn of(mut reader: VideoReader, progress: &Progress) -> Result<Self> {
        let mut luma = Summary::default();
        while let Some(Frame { planes, .. }) = reader.next()? {
            let part = match planes.first() {
                Some(Pixels::U8(v)) => Summary::of(v.iter().map(|x| f64::from(*x))),
                Some(Pixels::U16(v)) => Summary::of(v.iter().map(|x| f64::from(*x))),
                None => Summary::default(),
            };
            luma = luma.merge(&part);
            let (done, total) = reader.position();
            progress.report(done, total)?;
        }
        Ok(VideoHead { reader, luma })
    }

    pub(super) fn text(&self, path: &Path) -> String {
        let (header, frames) = (self.reader.header(), self.reader.frames());
        let mut out = format!(
            "{}: video, {}, {} × {}, {}, {} bits\n",
            display_path(path),
            count_of(frames, "frame"),
            header.width(),
            header.height(),
            chroma(header.chroma()),
            header.bits()
        );
        if let Some(rate) = header.frames_per_second() {
            let seconds = format_number(frames as f64 / rate);
            out.push_str(&format!("{} frames per second, duration {seconds} s\n", format_number(rate)));
        }
        if frames > 0 {
            let [min, mean, max] = min_mean_max(&self.luma);
            out.push_str(&format!("brightness: min {min}, mean {mean}, max {max}\n"));
        }
        out.push_str(&format!("parameters: {}\n", header.parameters().join(" ")));
        out
    }

    pub(super) fn json(&self, path: &Path) -> Value {
        let header = self.reader.header();
        // A video without frames has no brightness range.
        let value = |x: f64| if self.luma.count == 0 { Value::Null } else { json_number(x) };
        json!({
            "file": path.to_string_lossy(), "kind": "video", "frames": self.reader.frames(),
            "width": header.width(), "height": header.height(), "bits": header.bits(),
            "chroma": chroma(header.chroma()), "frames_per_second": header.frames_per_second(),
            "luma": { "min": value(self.luma.min), "mean": value(self.luma.mean), "max": value(self.luma.max) },
            "parameters": header.parameters(),
        })
    }
}

/// Common name of a chroma format.
fn chroma(chroma: Chroma) -> &'static str {
    match chroma {
        Chroma::Mono => "mono",
        Chroma::Yuv420 => "4:2:0",
        Chroma::Yuv411 => "4:1:1",
        Chroma::Yuv422 => "4:2:2",
        Chroma::Yuv444 => "4:4:4",
        Chroma::Yuv444Alpha => "4:4:4 with opacity",
        _ => "other",
    }
}
