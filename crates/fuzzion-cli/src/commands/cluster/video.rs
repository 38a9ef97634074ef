//! Clusters of the colors of a video, frame by frame. Each frame starts from the centers of the one before, so that a cluster
//! stays the same thing from frame to frame.

use super::palette::Palette;
use super::summary::{self, Timing};
use super::watch::Watch;
use super::{Job, in_clusters};
use crate::commands::words::{counted, short, shown};
use fuzzion::clustering::{FuzzyCMeans, Partition, Start, Stop};
use fuzzion::data::output::Output;
use fuzzion::data::{Chroma, Frame, Pixels, TableWriter, VideoHeader, VideoReader, VideoWriter};
use fuzzion::{Device, Error, Result};
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::Path;

/// What became of the frames so far.
#[derive(Default)]
struct Course {
    last: Option<Partition>,
    frames: Vec<Value>,
    iterations: usize,
    converged: usize,
    /// Frames with no more colors than clusters: they are their own segments.
    poor: usize,
}

pub(super) fn fit(job: &Job<'_>, mut reader: VideoReader) -> Result<String> {
    let words = job.words;
    job.without_columns("a video")?;
    if words.outputs.memberships.is_some() {
        return Err(Error::NotTogether { a: "a video", b: "`--memberships`" });
    }
    for path in [&words.outputs.plot, &words.outputs.labels].into_iter().flatten() {
        let y4m = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("y4m"));
        if !y4m && path.as_path() != Path::new("-") {
            return Err(Error::UnknownFormat { path: path.clone(), known: "`.y4m` for a clustered video" });
        }
    }
    let header = reader.header().clone();
    let clusters = words.clusters.unwrap_or_default();
    let mut plot = words.outputs.plot.as_ref().map(|path| VideoWriter::create(path, &header)).transpose()?;
    let mut labels =
        words.outputs.labels.as_ref().map(|path| label_video(path, &header, clusters)).transpose()?;
    let centers = words.outputs.centers.as_ref().map(TableWriter::create).transpose()?;
    let model = words.outputs.model.as_ref().map(Output::create).transpose()?;
    let watch = Watch::start();
    let names: Vec<String> = channels(&header).iter().map(|name| (*name).to_owned()).collect();
    let course = job.with_settings(clusters, &names, &watch, true, |settings| {
        let mut course = Course::default();
        while let Some(frame) = reader.next()? {
            let (done, total) = reader.position();
            if job.bar.step(done, total).is_break() {
                return Err(Error::Interrupted);
            }
            job.bar.rename(format!("frame {}", reader.frames()));
            let palette = colors(&frame, &header)?;
            let fitted = course.add(settings, &palette, job.device)?;
            let found = course.labels(&palette, job.device)?;
            if let Some(out) = &mut plot {
                out.write(&if fitted { course.painted(&frame, &header, &found) } else { frame })?;
            }
            if let Some(out) = &mut labels {
                out.write(&label_frame(&found, clusters))?;
            }
        }
        Ok(course)
    })?;
    let seconds = watch.seconds();
    let frames = reader.frames();
    let Some(last) = &course.last else { return Err(course.nothing(job, clusters)) };
    write_last(last, centers, model)?;
    plot.into_iter().chain(labels).try_for_each(VideoWriter::finish)?;
    let timing = Timing { seconds, ms_per_iteration: watch.ms_per_iteration(seconds) };
    if job.json {
        let mut told = summary::json(last, &job.device.to_string(), timing);
        told["frames"] = Value::Array(course.frames);
        return Ok(told.to_string());
    }
    let (width, height) = (header.width(), header.height());
    let heading = format!(
        "{}: {} of {width} × {height} in {}",
        shown(&words.data),
        counted(frames, "frame"),
        in_clusters(clusters)
    );
    let fitted = course.frames.len() - course.poor;
    let each = short((course.iterations as f64 / fitted as f64 * 10.0).round() / 10.0);
    let course = format!(
        "{} of {} converged, after {each} iterations each in the mean; the last frame:",
        course.converged,
        counted(fitted as u64, "fit")
    );
    Ok(format!("{heading}\n{course}\n\n{}{}", summary::text(last, timing), job.notes(&[], false)))
}

impl Course {
    /// Clusters one frame, starting from the one before; whether there was something to cluster.
    fn add(&mut self, settings: &FuzzyCMeans<'_>, palette: &Palette, device: &Device) -> Result<bool> {
        if settings.clusters > 0 && palette.len() < settings.clusters {
            self.poor += 1;
            self.frames.push(json!({ "colors": palette.len() }));
            return Ok(false);
        }
        let partition = match self.last.take().map(|last| Start::Centers(last.centers)) {
            Some(start) => palette.fit(&FuzzyCMeans { start, ..settings.clone() }, device)?,
            None => palette.fit(settings, device)?,
        };
        let report = &partition.report;
        self.iterations += report.iterations;
        self.converged += usize::from(report.stop == Stop::Converged);
        self.frames.push(json!({
            "iterations": report.iterations, "objective": report.objective, "stop": report.stop, "sizes": report.sizes,
        }));
        self.last = Some(partition);
        Ok(true)
    }

    /// The cluster of every pixel: that of the last centers, or where there are none yet the color itself.
    fn labels(&self, palette: &Palette, device: &Device) -> Result<Vec<u32>> {
        let of_colors = match &self.last {
            Some(last) => last.predict(&palette.colors, device)?,
            None => (0..palette.len() as u32).collect(),
        };
        Ok(palette.index().iter().map(|color| of_colors[*color as usize]).collect())
    }

    /// The frame with every pixel in the color of its cluster's center.
    fn painted(&self, frame: &Frame, header: &VideoHeader, labels: &[u32]) -> Frame {
        let Some(last) = &self.last else { return frame.clone() };
        let (centers, columns) = (last.centers.to_f64(), last.centers.columns());
        let value = |label: u32, plane: usize| centers[label as usize * columns + plane];
        let planes = frame.planes.iter().enumerate().map(|(plane, old)| {
            if plane >= columns {
                return old.clone(); // opacity
            }
            let mean = means(header, plane, labels, |label| value(label, plane));
            match old {
                Pixels::U8(_) => Pixels::U8(mean.iter().map(|v| v.round() as u8).collect()),
                Pixels::U16(_) => Pixels::U16(mean.iter().map(|v| v.round() as u16).collect()),
            }
        });
        Frame { planes: planes.collect(), parameters: frame.parameters.clone() }
    }

    /// Why no frame was fitted.
    fn nothing(&self, job: &Job<'_>, clusters: usize) -> Error {
        match self.frames.iter().filter_map(|frame| frame["colors"].as_u64()).max() {
            Some(rows) => Error::TooFewRows { clusters, rows },
            None => Error::NoData { path: job.words.data.clone(), what: "frames" },
        }
    }
}

/// How many pixels share a chroma value, across and down.
fn block(chroma: Chroma) -> (usize, usize) {
    match chroma {
        Chroma::Yuv420 => (2, 2),
        Chroma::Yuv411 => (4, 1),
        Chroma::Yuv422 => (2, 1),
        _ => (1, 1),
    }
}

/// The place in plane `plane` that holds the value of each pixel, row by row.
fn places(header: &VideoHeader, plane: usize) -> impl Iterator<Item = usize> + use<> {
    let (across, down) = if plane == 0 { (1, 1) } else { block(header.chroma()) };
    let (width, height) = (header.width(), header.height());
    let stride = width.div_ceil(across);
    (0..height).flat_map(move |y| (0..width).map(move |x| y / down * stride + x / across))
}

/// What is clustered: the brightness of a pixel, and its chroma where there is any.
fn channels(header: &VideoHeader) -> &'static [&'static str] {
    if header.chroma() == Chroma::Mono { &["y"] } else { &["y", "cb", "cr"] }
}

/// The colors of a frame: brightness and the two chroma values of every pixel.
fn colors(frame: &Frame, header: &VideoHeader) -> Result<Palette> {
    let names = channels(header);
    let mut keys = vec![0u64; header.width() * header.height()];
    for (plane, values) in frame.planes.iter().take(names.len()).enumerate() {
        let at = |place: usize| match values {
            Pixels::U8(values) => u16::from(values[place]),
            Pixels::U16(values) => values[place],
        };
        for (key, place) in keys.iter_mut().zip(places(header, plane)) {
            *key = (*key << 16) | u64::from(at(place));
        }
    }
    Palette::new(names, &keys, &[], header.bits() == 8)
}

/// For each place of plane `plane` the mean of `value` over the pixels that share it.
fn means(header: &VideoHeader, plane: usize, labels: &[u32], value: impl Fn(u32) -> f64) -> Vec<f64> {
    let (width, height) = header.planes()[plane];
    let (mut sums, mut counts) = (vec![0.0; width * height], vec![0.0; width * height]);
    for (label, place) in labels.iter().zip(places(header, plane)) {
        sums[place] += value(*label);
        counts[place] += 1.0;
    }
    sums.iter().zip(&counts).map(|(sum, n)| sum / n).collect()
}

/// A video of clusters, from 1, as brightnesses.
fn label_video(path: &Path, like: &VideoHeader, clusters: usize) -> Result<VideoWriter> {
    let bits = if clusters > usize::from(u8::MAX) { 16 } else { 8 };
    let rate = like.parameters().iter().find_map(|p| p.strip_prefix('F')?.split_once(':'));
    let rate = rate.and_then(|(frames, seconds)| Some((frames.parse().ok()?, seconds.parse().ok()?)));
    let header = VideoHeader::new(like.width(), like.height(), Chroma::Mono, bits, rate.unwrap_or((25, 1)))?;
    VideoWriter::create(path, &header)
}

fn label_frame(labels: &[u32], clusters: usize) -> Frame {
    let plane = if clusters > usize::from(u8::MAX) {
        Pixels::U16(labels.iter().map(|label| (label + 1) as u16).collect())
    } else {
        Pixels::U8(labels.iter().map(|label| (label + 1) as u8).collect())
    };
    Frame { planes: vec![plane], parameters: String::new() }
}

/// Writes the fit of the last frame.
fn write_last(last: &Partition, centers: Option<TableWriter>, model: Option<Output>) -> Result<()> {
    if let Some(mut out) = centers {
        out.write(&last.centers)?;
        out.finish()?;
    }
    if let Some(mut out) = model {
        let text = last.to_json()? + "\n";
        out.write_all(text.as_bytes()).map_err(|cause| out.error(cause))?;
        out.finish()?;
    }
    Ok(())
}
