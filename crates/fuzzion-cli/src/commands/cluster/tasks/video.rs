//! Clusters the colors of a video, frame by frame. Each fit starts from the centers of the previous frame, so that clusters
//! keep their identity.

use crate::commands::cluster::job::Job;
use crate::commands::cluster::outputs::write_text;
use crate::commands::cluster::palette::Palette;
use crate::commands::cluster::summary;
use crate::commands::cluster::timer::IterationTimer;
use crate::format::{count_of, display_path, format_number};
use fuzzion::clustering::{ClusteringError, FuzzyCMeans, InitialCenters, Partition, Stop};
use fuzzion::data::output::AtomicFile;
use fuzzion::data::{Chroma, DataError, Frame, Pixels, TableWriter, VideoHeader, VideoReader, VideoWriter};
use fuzzion::{Device, Error, Result, SettingError};
use serde_json::{Value, json};
use std::path::Path;

/// The fits of the frames so far.
#[derive(Default)]
struct FrameFits {
    last: Option<Partition>,
    frames: Vec<Value>,
    iterations: usize,
    converged: usize,
    /// Number of frames with fewer colors than clusters, which are not fitted.
    unfitted: usize,
}

pub(crate) fn fit(job: &Job<'_>, mut reader: VideoReader) -> Result<String> {
    let args = job.args;
    job.reject_table_options("a video")?;
    if args.outputs.memberships.is_some() {
        return Err(Error::Setting(SettingError::Conflict { a: "a video", b: "`--memberships`" }));
    }
    for path in [&args.outputs.plot, &args.outputs.labels].into_iter().flatten() {
        let y4m = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("y4m"));
        if !y4m && path.as_path() != Path::new("-") {
            return Err(Error::Data(DataError::UnknownFormat {
                path: path.clone(),
                known: "`.y4m` for a clustered video",
            }));
        }
    }
    let header = reader.header().clone();
    let clusters = args.cluster_count();
    let mut plot = args.outputs.plot.as_ref().map(|path| VideoWriter::create(path, &header)).transpose()?;
    let mut labels =
        args.outputs.labels.as_ref().map(|path| label_video(path, &header, clusters)).transpose()?;
    let centers = args.outputs.centers.as_ref().map(TableWriter::create).transpose()?;
    let model = args.outputs.model.as_ref().map(AtomicFile::create).transpose()?;
    let timer = IterationTimer::start();
    let names: Vec<String> = channels(&header).iter().map(|name| (*name).to_owned()).collect();
    let fits = job.with_settings(clusters, &names, &timer, true, |settings, device| {
        let mut fits = FrameFits::default();
        while let Some(frame) = reader.next()? {
            let (done, total) = reader.position();
            if job.bar.step(done, total).is_break() {
                return Err(Error::Interrupted);
            }
            job.bar.set_message(format!("frame {}", reader.frames()));
            let palette = colors(&frame, &header)?;
            let is_fitted = fits.add(settings, &palette, device)?;
            let pixel_labels = fits.labels(&palette, job.device)?;
            if let Some(out) = &mut plot {
                out.write(&if is_fitted { fits.segmented(&frame, &header, &pixel_labels) } else { frame })?;
            }
            if let Some(out) = &mut labels {
                out.write(&label_frame(&pixel_labels, clusters))?;
            }
        }
        Ok(fits)
    })?;
    let timing = timer.timing(fits.iterations);
    let frames = reader.frames();
    let Some(last) = &fits.last else { return Err(fits.no_fit(job, clusters)) };
    write_last(last, centers, model)?;
    plot.into_iter().chain(labels).try_for_each(VideoWriter::finish)?;
    if job.json {
        let mut value = summary::json(last, timing);
        value["frames"] = Value::Array(fits.frames);
        return Ok(value.to_string());
    }
    let (width, height) = (header.width(), header.height());
    let heading = format!(
        "{}: {} of {width} × {height}, {}",
        display_path(&args.data),
        count_of(frames, "frame"),
        count_of(clusters as u64, "cluster")
    );
    let fitted = fits.frames.len() - fits.unfitted;
    let mean = format_number((fits.iterations as f64 / fitted as f64 * 10.0).round() / 10.0);
    let convergence = format!(
        "{} of {} converged, {mean} iterations on average; last frame:",
        fits.converged,
        count_of(fitted as u64, "fit")
    );
    Ok(format!("{heading}\n{convergence}\n\n{}{}", summary::text(last, timing), job.notes(&[], false, None)))
}

impl FrameFits {
    /// Fits a frame, starting from the previous fit. Returns false if the frame has too few colors.
    fn add(&mut self, settings: &FuzzyCMeans, palette: &Palette, device: &Device) -> Result<bool> {
        if settings.clusters > 0 && palette.len() < settings.clusters {
            self.unfitted += 1;
            self.frames.push(json!({ "colors": palette.len() }));
            return Ok(false);
        }
        let partition = match self.last.take().map(|last| InitialCenters::Centers(last.centers)) {
            Some(centers) => palette.fit(&settings.clone().initial_centers(centers), device)?,
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

    /// Cluster of every pixel; before the first fit, the index of its color.
    fn labels(&self, palette: &Palette, device: &Device) -> Result<Vec<u32>> {
        let of_colors = match &self.last {
            Some(last) => last.labels(&palette.colors, device)?,
            None => (0..palette.len() as u32).collect(),
        };
        Ok(palette.index().iter().map(|color| of_colors[*color as usize]).collect())
    }

    /// The frame with every pixel in the color of its cluster center.
    fn segmented(&self, frame: &Frame, header: &VideoHeader, labels: &[u32]) -> Frame {
        let Some(last) = &self.last else { return frame.clone() };
        let (centers, columns) = (last.centers.to_f64(), last.centers.columns());
        let value = |label: u32, plane: usize| centers[label as usize * columns + plane];
        let planes = frame.planes.iter().enumerate().map(|(plane, old)| {
            if plane >= columns {
                return old.clone(); // alpha channel
            }
            let mean = means(header, plane, labels, |label| value(label, plane));
            match old {
                Pixels::U8(_) => Pixels::U8(mean.iter().map(|v| v.round() as u8).collect()),
                Pixels::U16(_) => Pixels::U16(mean.iter().map(|v| v.round() as u16).collect()),
            }
        });
        Frame { planes: planes.collect(), parameters: frame.parameters.clone() }
    }

    /// The error for a video without any fitted frame.
    fn no_fit(&self, job: &Job<'_>, clusters: usize) -> Error {
        match self.frames.iter().filter_map(|frame| frame["colors"].as_u64()).max() {
            Some(rows) => Error::Clustering(ClusteringError::TooFewRows { clusters, rows }),
            None => Error::Data(DataError::NoData { path: job.args.data.clone(), what: "frames" }),
        }
    }
}

/// Number of pixels that share a chroma value, horizontally and vertically.
fn chroma_block(chroma: Chroma) -> (usize, usize) {
    match chroma {
        Chroma::Yuv420 => (2, 2),
        Chroma::Yuv411 => (4, 1),
        Chroma::Yuv422 => (2, 1),
        _ => (1, 1),
    }
}

/// Index into plane `plane` of the value of each pixel, row by row.
fn plane_indices(header: &VideoHeader, plane: usize) -> impl Iterator<Item = usize> + use<> {
    let (block_width, block_height) = if plane == 0 { (1, 1) } else { chroma_block(header.chroma()) };
    let (width, height) = (header.width(), header.height());
    let stride = width.div_ceil(block_width);
    (0..height).flat_map(move |y| (0..width).map(move |x| y / block_height * stride + x / block_width))
}

/// Names of the clustered channels: brightness, and chroma if present.
fn channels(header: &VideoHeader) -> &'static [&'static str] {
    if header.chroma() == Chroma::Mono { &["y"] } else { &["y", "cb", "cr"] }
}

/// The distinct colors of a frame.
fn colors(frame: &Frame, header: &VideoHeader) -> Result<Palette> {
    let names = channels(header);
    let mut keys = vec![0u64; header.width() * header.height()];
    for (plane, values) in frame.planes.iter().take(names.len()).enumerate() {
        let value = |i: usize| match values {
            Pixels::U8(values) => u16::from(values[i]),
            Pixels::U16(values) => values[i],
        };
        for (key, i) in keys.iter_mut().zip(plane_indices(header, plane)) {
            *key = (*key << 16) | u64::from(value(i));
        }
    }
    Palette::new(names, &keys, &[], header.bits() == 8)
}

/// For each value of plane `plane`, the mean of `value` over the pixels that share it.
fn means(header: &VideoHeader, plane: usize, labels: &[u32], value: impl Fn(u32) -> f64) -> Vec<f64> {
    let (width, height) = header.planes()[plane];
    let (mut sums, mut counts) = (vec![0.0; width * height], vec![0.0; width * height]);
    for (label, i) in labels.iter().zip(plane_indices(header, plane)) {
        sums[i] += value(*label);
        counts[i] += 1.0;
    }
    sums.iter().zip(&counts).map(|(sum, n)| sum / n).collect()
}

/// Creates a grayscale video of the labels, counted from 1.
fn label_video(path: &Path, like: &VideoHeader, clusters: usize) -> Result<VideoWriter> {
    let bits = if clusters > usize::from(u8::MAX) { 16 } else { 8 };
    let rate = like.parameters().iter().find_map(|p| p.strip_prefix('F')?.split_once(':'));
    let rate = rate.and_then(|(frames, seconds)| Some((frames.parse().ok()?, seconds.parse().ok()?)));
    let header = VideoHeader::new(like.width(), like.height(), Chroma::Mono, bits, rate.unwrap_or((25, 1)))?;
    Ok(VideoWriter::create(path, &header)?)
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
fn write_last(last: &Partition, centers: Option<TableWriter>, model: Option<AtomicFile>) -> Result<()> {
    if let Some(mut out) = centers {
        out.write(&last.centers)?;
        out.finish()?;
    }
    if let Some(mut out) = model {
        write_text(&mut out, &(last.to_json()? + "\n"))?;
        out.finish()?;
    }
    Ok(())
}
