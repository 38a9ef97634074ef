//! What images and videos hold.

use crate::commands::words::{aligned, counted, number, range, short, shown};
use fuzzion::data::{Chroma, Frame, Pixels, Summary, VideoReader};
use fuzzion::{Error, Images, Progress, Result};
use serde_json::{Value, json};
use std::path::Path;

/// The ranges of an image or a stack of them.
pub(super) struct PicturesHead {
    frames: usize,
    width: usize,
    height: usize,
    channels: usize,
    bits: u32,
    ranges: Vec<Summary>,
}

impl PicturesHead {
    /// All images of a folder, of which one at a time is in memory.
    pub(super) fn of_folder(folder: &Path, progress: Progress<'_>) -> Result<Self> {
        let files = Images::files_in(folder)?;
        let mut all: Option<Self> = None;
        for (i, file) in files.iter().enumerate() {
            progress.report(i as u64, files.len() as u64)?;
            let one = PicturesHead::of(&Images::read(file)?);
            match &mut all {
                None => all = Some(one),
                Some(all) if all.shape() == one.shape() => {
                    all.frames += one.frames;
                    all.ranges.iter_mut().zip(&one.ranges).for_each(|(all, one)| *all = all.merge(one));
                }
                Some(all) => {
                    return Err(Error::ImageShape {
                        what: shown(file),
                        found: one.shape(),
                        must: format!("{} as the images before it", all.shape()),
                    });
                }
            }
        }
        all.ok_or_else(|| Error::NoData { path: folder.to_path_buf(), what: "images" })
    }

    /// What all images of a folder must have in common.
    fn shape(&self) -> String {
        let channels = counted(self.channels as u64, "channel");
        format!("{} × {} with {channels} of {} bits", self.width, self.height, self.bits)
    }

    pub(super) fn of(images: &Images) -> Self {
        let channels = images.channels();
        let ranges = (0..channels).map(|channel| match images.pixels() {
            Pixels::U8(v) => Summary::of(v.iter().skip(channel).step_by(channels).map(|x| f64::from(*x))),
            Pixels::U16(v) => Summary::of(v.iter().skip(channel).step_by(channels).map(|x| f64::from(*x))),
        });
        PicturesHead {
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
        let what = match self.frames {
            1 => "an image".to_owned(),
            frames => format!("{frames} images"),
        };
        let mut lines = vec![["channel", "least", "mean", "greatest"].map(str::to_owned).to_vec()];
        for (name, s) in self.channel_names().iter().zip(&self.ranges) {
            lines.push(std::iter::once((*name).to_owned()).chain(range(s)).collect());
        }
        let (width, height) = (self.width, self.height);
        let kind = format!("{what} of {width} × {height}, {} bits", self.bits);
        format!("{}: {kind}\n\n{}", shown(path), aligned(&lines, &[0]))
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

/// A video read once from end to end.
pub(super) struct VideoHead {
    reader: VideoReader,
    luma: Summary,
}

impl VideoHead {
    pub(super) fn of(mut reader: VideoReader, progress: Progress<'_>) -> Result<Self> {
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
            "{}: a video of {} of {} × {}, {}, {} bits\n",
            shown(path),
            counted(frames, "frame"),
            header.width(),
            header.height(),
            chroma(header.chroma()),
            header.bits()
        );
        if let Some(rate) = header.frames_per_second() {
            let seconds = short(frames as f64 / rate);
            out.push_str(&format!("{} frames per second, {seconds} seconds\n", short(rate)));
        }
        if frames > 0 {
            let [min, mean, max] = range(&self.luma);
            out.push_str(&format!("brightness from {min} to {max}, mean {mean}\n"));
        }
        out.push_str(&format!("parameters: {}\n", header.parameters().join(" ")));
        out
    }

    pub(super) fn json(&self, path: &Path) -> Value {
        let header = self.reader.header();
        // A video without frames has no brightness.
        let value = |x: f64| if self.luma.count == 0 { Value::Null } else { number(x) };
        json!({
            "file": path.to_string_lossy(), "kind": "video", "frames": self.reader.frames(),
            "width": header.width(), "height": header.height(), "bits": header.bits(),
            "chroma": chroma(header.chroma()), "frames_per_second": header.frames_per_second(),
            "luma": { "min": value(self.luma.min), "mean": value(self.luma.mean), "max": value(self.luma.max) },
            "parameters": header.parameters(),
        })
    }
}

/// How videos call their chroma.
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
