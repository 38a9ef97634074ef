//! Clusters the colors of an image.

use crate::commands::cluster::job::Job;
use crate::commands::cluster::outputs::{self, OutputArgs, is_svg};
use crate::commands::cluster::palette::Palette;
use crate::commands::cluster::plot;
use crate::commands::cluster::summary;
use crate::commands::cluster::timer::IterationTimer;
use crate::commands::common::files::{create_folder, write_file};
use crate::console::Stage;
use crate::format::{count_of, display_path};
use fuzzion::clustering::Partition;
use fuzzion::data::output::AtomicFile;
use fuzzion::data::{DataError, Format, Pixels, PixelsMut, TableWriter};
use fuzzion::plot::{Chart, Figure, Image};
use fuzzion::{Device, Error, Images, Result, Table};
use std::path::Path;

/// Pixels per chunk of an output table.
const CHUNK_PIXELS: usize = 1 << 16;

pub(crate) fn fit(job: &Job<'_>, image: &Images) -> Result<String> {
    job.reject_table_options("an image")?;
    check_outputs(&job.args.outputs)?;
    let palette = Palette::of(image)?;
    let (timer, clusters) = (IterationTimer::start(), job.args.cluster_count());
    let partition = job.with_settings(clusters, palette.names(), &timer, false, |settings, device| {
        palette.fit(settings, device)
    })?;
    let timing = timer.timing(partition.report.iterations);
    job.bar.begin(Stage::Write, "writing");
    SegmentedImage::of(image, &palette, &partition, job.device)?.write(job)?;
    if job.json {
        return Ok(summary::json(&partition, timing).to_string());
    }
    let (width, height) = (image.width(), image.height());
    let colors =
        count_of(palette.len() as u64, if image.channels() == 1 { "brightness level" } else { "color" });
    let clusters = count_of(partition.clusters() as u64, "cluster");
    let data = display_path(&job.args.data);
    let heading = format!("{data}: {width} × {height} pixels, {colors}, {clusters}");
    Ok(format!("{heading}\n\n{}{}", summary::text(&partition, timing), job.notes(&[], false, None)))
}

/// Rejects unsupported output formats and unwritable paths before the fit.
pub(super) fn check_outputs(args: &OutputArgs) -> Result<()> {
    if let Some(path) = args.plot.as_ref().filter(|path| !is_svg(path) && !is_image(path, true)) {
        let known = "`.png`, `.jpg`, `.jpeg`, `.pgm`, `.ppm`, `.pnm` and `.svg` for a clustered image";
        return Err(Error::Data(DataError::UnknownFormat { path: path.clone(), known }));
    }
    if let Some(path) = args.labels.as_ref().filter(|path| !is_table(path) && !is_image(path, false)) {
        let known = "`.png`, `.pgm`, `.csv`, `.tsv` and `.npy` for the labels of an image";
        return Err(Error::Data(DataError::UnknownFormat { path: path.clone(), known }));
    }
    let is_folder = |path: &Path| !is_image(path, true) && args.top.is_none();
    if let Some(path) = args.memberships.as_ref().filter(|path| !is_table(path) && !is_folder(path)) {
        let known = "`.csv`, `.tsv`, `.npy`, or without `--top` a folder for one image per cluster";
        return Err(Error::Data(DataError::UnknownFormat { path: path.clone(), known }));
    }
    for path in args.paths() {
        if Some(path) != args.memberships.as_deref() || is_table(path) {
            AtomicFile::create(path).map(drop)?;
        }
    }
    Ok(())
}

fn is_table(path: &Path) -> bool {
    path == Path::new("-") || Format::from_path(path).is_some()
}

/// Whether `path` is an image file, including formats for color or lossy compression if `any_format`.
fn is_image(path: &Path, any_format: bool) -> bool {
    let ending = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    ["png", "pgm"].contains(&ending.as_str())
        || any_format && ["jpg", "jpeg", "ppm", "pnm"].contains(&ending.as_str())
}

/// An image with the cluster of every color.
pub(super) struct SegmentedImage<'a> {
    image: &'a Images,
    palette: &'a Palette,
    partition: &'a Partition,
    device: &'a Device,
    /// Zero-based cluster index of each color.
    clusters: Vec<u32>,
}

impl<'a> SegmentedImage<'a> {
    pub(super) fn of(
        image: &'a Images,
        palette: &'a Palette,
        partition: &'a Partition,
        device: &'a Device,
    ) -> Result<Self> {
        let clusters = partition.labels(&palette.colors, device)?;
        Ok(SegmentedImage { image, palette, partition, device, clusters })
    }

    /// Zero-based cluster index of every pixel.
    pub(super) fn labels(&self) -> impl Iterator<Item = u32> {
        self.palette.index().iter().map(|color| self.clusters[*color as usize])
    }

    /// Writes all outputs; images first, because only they can still be rejected.
    pub(super) fn write(&self, job: &Job<'_>) -> Result<()> {
        let args = &job.args.outputs;
        job.check_interrupt()?;
        match args.plot.as_deref() {
            Some(path) if is_svg(path) => write_file(path, self.figure(job)?.as_bytes())?,
            Some(path) => self.segmented()?.write(path)?,
            None => {}
        }
        match args.labels.as_deref() {
            Some(path) if is_table(path) => self.write_labels(path)?,
            Some(path) => self.label_image()?.write(path)?,
            None => {}
        }
        match args.memberships.as_deref() {
            Some(path) if is_table(path) => self.write_memberships(path, args.top)?,
            Some(path) => self.membership_images(path)?,
            None => {}
        }
        if let Some(path) = &args.centers {
            self.partition.centers.write(path)?;
        }
        match &args.model {
            Some(path) => write_file(path, (self.partition.to_json()? + "\n").as_bytes()),
            None => Ok(()),
        }
    }

    /// The image with every pixel in the color of its cluster center.
    pub(super) fn segmented(&self) -> Result<Images> {
        let mut out = self.image.clone();
        let channels = out.channels();
        let (centers, columns) = (self.partition.centers.to_f64(), self.partition.centers.columns());
        let center = |label: u32| &centers[label as usize * columns..][..columns];
        match out.pixels_mut() {
            PixelsMut::U8(pixels) => {
                for (pixel, label) in pixels.chunks_exact_mut(channels).zip(self.labels()) {
                    pixel.iter_mut().zip(center(label)).for_each(|(p, v)| *p = v.round() as u8);
                }
            }
            PixelsMut::U16(pixels) => {
                for (pixel, label) in pixels.chunks_exact_mut(channels).zip(self.labels()) {
                    pixel.iter_mut().zip(center(label)).for_each(|(p, v)| *p = v.round() as u16);
                }
            }
        }
        Ok(out)
    }

    /// A grayscale image of the labels, counted from 1.
    fn label_image(&self) -> Result<Images> {
        let few = self.partition.clusters() <= usize::from(u8::MAX);
        let pixels = if few {
            Pixels::U8(self.labels().map(|label| label as u8 + 1).collect())
        } else {
            Pixels::U16(self.labels().map(|label| (label + 1).min(u32::from(u16::MAX)) as u16).collect())
        };
        Ok(Images::new(self.image.width(), self.image.height(), 1, pixels)?)
    }

    fn write_labels(&self, path: &Path) -> Result<()> {
        let mut out = TableWriter::create(path)?;
        let labels: Vec<u32> = self.labels().collect();
        for chunk in labels.chunks(CHUNK_PIXELS) {
            out.write(&outputs::labels_table(chunk)?)?;
        }
        Ok(out.finish()?)
    }

    fn write_memberships(&self, path: &Path, top: Option<u32>) -> Result<()> {
        let mut out = TableWriter::create(path)?;
        let of_colors =
            outputs::memberships(self.partition, &self.palette.colors.samples(), top, self.device)?;
        let (values, columns) = (of_colors.to_f64(), of_colors.columns());
        for chunk in self.palette.index().chunks(CHUNK_PIXELS) {
            let rows =
                chunk.iter().flat_map(|color| &values[*color as usize * columns..][..columns]).copied();
            out.write(&Table::new(of_colors.names(), rows.collect::<Vec<_>>())?)?;
        }
        Ok(out.finish()?)
    }

    /// Writes one grayscale image of the memberships per cluster, white for 1 and black for 0.
    fn membership_images(&self, folder: &Path) -> Result<()> {
        let of_colors = self.partition.memberships(&self.palette.colors, self.device)?.into_f64();
        let clusters = self.partition.clusters();
        let level = |color: &u32, k: usize| (of_colors[*color as usize * clusters + k] * 255.0).round() as u8;
        let pixels = (0..clusters).flat_map(|k| self.palette.index().iter().map(move |color| (color, k)));
        let pixels = pixels.map(|(color, k)| level(color, k)).collect();
        create_folder(folder)?;
        Ok(Images::new(self.image.width(), self.image.height(), 1, Pixels::U8(pixels))?.write(folder)?)
    }

    /// The image next to its segmentation; for 8-bit grayscale also the histogram with the membership curves.
    fn figure(&self, job: &Job<'_>) -> Result<String> {
        let subtitle = job.subtitle(self.partition);
        let before = Chart::new(job.title()).image(plot_image(self.image)?);
        let after = Chart::new("segmented").subtitle(&subtitle);
        let after = after.image(plot_image(&self.segmented()?)?);
        if self.image.channels() > 1 || self.image.bits() > 8 {
            return Ok(Figure::grid(2).width(960.0).add(before).add(after).to_svg());
        }
        let bins: Vec<f64> = self.palette.histogram().iter().map(|n| *n as f64).collect();
        let curves = Chart::new("brightness histogram");
        let curves = plot::curves(curves, &bins, (-0.5, 255.5), self.partition, self.device)?;
        Ok(Figure::grid(3).width(1290.0).add(before).add(after).add(curves).to_svg())
    }
}

/// Converts an image for a chart: 8 bits, no alpha channel.
fn plot_image(image: &Images) -> Result<Image> {
    let bytes: Vec<u8> = match image.pixels() {
        Pixels::U8(values) => values.clone(),
        Pixels::U16(values) => values.iter().map(|v| (v >> 8) as u8).collect(),
    };
    let (width, height) = (image.width() as u32, image.height() as u32);
    match image.channels() {
        1 => Ok(Image::gray(width, height, &bytes)?),
        3 => Ok(Image::rgb(width, height, &bytes)?),
        n => Ok(Image::rgb(
            width,
            height,
            &bytes.chunks_exact(n).flat_map(|p| [p[0], p[1], p[2]]).collect::<Vec<_>>(),
        )?),
    }
}
