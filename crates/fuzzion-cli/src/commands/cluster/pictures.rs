//! Clusters of the colors of an image.

use super::outputs::{self, OutputWords, is_svg};
use super::palette::Palette;
use super::plot;
use super::samples::title;
use super::summary::{self, Timing};
use super::tables::subtitle;
use super::watch::Watch;
use super::{Job, in_clusters};
use crate::commands::words::{counted, shown};
use fuzzion::clustering::Partition;
use fuzzion::data::output::Output;
use fuzzion::data::{Format, Pixels, PixelsMut, TableWriter};
use fuzzion::plot::{Chart, Figure, Picture};
use fuzzion::{Device, Error, Images, Result, Table};
use std::io::Write as _;
use std::path::Path;

/// Pixels written to a table at a time.
const PIECE: usize = 1 << 16;

pub(super) fn fit(job: &Job<'_>, image: &Images) -> Result<String> {
    job.without_columns("an image")?;
    check(&job.words.outputs)?;
    let palette = Palette::of(image)?;
    let (watch, clusters) = (Watch::start(), job.words.clusters.unwrap_or_default());
    let partition = job.with_settings(clusters, palette.names(), &watch, false, |settings| {
        palette.fit(settings, job.device)
    })?;
    let seconds = watch.seconds();
    let timing = Timing { seconds, ms_per_iteration: watch.ms_per_iteration(seconds) };
    Painted::of(image, &palette, &partition, job.device)?.write(job)?;
    if job.json {
        return Ok(summary::json(&partition, &job.device.to_string(), timing).to_string());
    }
    let (width, height) = (image.width(), image.height());
    let colors =
        counted(palette.len() as u64, if image.channels() == 1 { "brightness level" } else { "color" });
    let clusters = in_clusters(partition.clusters());
    let heading = format!("{}: {width} × {height} pixels of {colors} in {clusters}", shown(&job.words.data));
    Ok(format!("{heading}\n\n{}{}", summary::text(&partition, timing), job.notes(&[], false)))
}

/// Refuses places that nothing can be written to, before the work.
pub(super) fn check(words: &OutputWords) -> Result<()> {
    if let Some(path) = words.plot.as_ref().filter(|path| !is_svg(path) && !is_image(path, true)) {
        let known = "`.png`, `.jpg`, `.jpeg`, `.pgm`, `.ppm`, `.pnm` and `.svg` for a clustered image";
        return Err(Error::UnknownFormat { path: path.clone(), known });
    }
    if let Some(path) = words.labels.as_ref().filter(|path| !is_table(path) && !is_image(path, false)) {
        let known = "`.png`, `.pgm` and the tables `.csv`, `.tsv`, `.npy` for the labels of an image";
        return Err(Error::UnknownFormat { path: path.clone(), known });
    }
    let is_folder = |path: &Path| !is_image(path, true) && words.top.is_none();
    if let Some(path) = words.memberships.as_ref().filter(|path| !is_table(path) && !is_folder(path)) {
        let known = "`.csv`, `.tsv`, `.npy`, and without `--top` a folder for a picture of each cluster";
        return Err(Error::UnknownFormat { path: path.clone(), known });
    }
    for path in words.paths() {
        if Some(path) != words.memberships.as_deref() || is_table(path) {
            Output::create(path).map(drop)?;
        }
    }
    Ok(())
}

fn is_table(path: &Path) -> bool {
    path == Path::new("-") || Format::of_name(path).is_some()
}

/// Whether `path` names an image; `lossy` ones too.
fn is_image(path: &Path, lossy: bool) -> bool {
    let ending = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    ["png", "pgm"].contains(&ending.as_str())
        || lossy && ["jpg", "jpeg", "ppm", "pnm"].contains(&ending.as_str())
}

/// An image whose every color has its cluster.
pub(super) struct Painted<'a> {
    image: &'a Images,
    palette: &'a Palette,
    partition: &'a Partition,
    device: &'a Device,
    /// The cluster of each color.
    clusters: Vec<u32>,
}

impl<'a> Painted<'a> {
    pub(super) fn of(
        image: &'a Images,
        palette: &'a Palette,
        partition: &'a Partition,
        device: &'a Device,
    ) -> Result<Self> {
        let clusters = partition.predict(&palette.colors, device)?;
        Ok(Painted { image, palette, partition, device, clusters })
    }

    /// The cluster of every pixel, from 0.
    pub(super) fn labels(&self) -> impl Iterator<Item = u32> {
        self.palette.index().iter().map(|color| self.clusters[*color as usize])
    }

    /// Writes whatever was asked for; pictures first, since only they can still be refused.
    pub(super) fn write(&self, job: &Job<'_>) -> Result<()> {
        let words = &job.words.outputs;
        job.go_on()?;
        match words.plot.as_deref() {
            Some(path) if is_svg(path) => put(path, &self.figure(job)?)?,
            Some(path) => self.segmented()?.write(path)?,
            None => {}
        }
        match words.labels.as_deref() {
            Some(path) if is_table(path) => self.write_labels(path)?,
            Some(path) => self.label_image()?.write(path)?,
            None => {}
        }
        match words.memberships.as_deref() {
            Some(path) if is_table(path) => self.write_memberships(path, words.top)?,
            Some(path) => self.membership_images(path)?,
            None => {}
        }
        if let Some(path) = &words.centers {
            self.partition.centers.write(path)?;
        }
        match &words.model {
            Some(path) => put(path, &(self.partition.to_json()? + "\n")),
            None => Ok(()),
        }
    }

    /// The image with every pixel in the color of its cluster's center.
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

    /// A grey image whose values are the clusters, from 1.
    fn label_image(&self) -> Result<Images> {
        let few = self.partition.clusters() <= usize::from(u8::MAX);
        let pixels = if few {
            Pixels::U8(self.labels().map(|label| label as u8 + 1).collect())
        } else {
            Pixels::U16(self.labels().map(|label| (label + 1).min(u32::from(u16::MAX)) as u16).collect())
        };
        Images::new(self.image.width(), self.image.height(), 1, pixels)
    }

    fn write_labels(&self, path: &Path) -> Result<()> {
        let mut out = TableWriter::create(path)?;
        let labels: Vec<u32> = self.labels().collect();
        labels.chunks(PIECE).try_for_each(|piece| out.write(&outputs::labels_table(piece)?))?;
        out.finish()
    }

    fn write_memberships(&self, path: &Path, top: Option<u32>) -> Result<()> {
        let mut out = TableWriter::create(path)?;
        let of_colors = outputs::memberships(self.partition, &self.palette.colors, top, self.device)?;
        let (values, columns) = (of_colors.to_f64(), of_colors.columns());
        for piece in self.palette.index().chunks(PIECE) {
            let rows =
                piece.iter().flat_map(|color| &values[*color as usize * columns..][..columns]).copied();
            out.write(&Table::new(of_colors.names(), rows.collect::<Vec<_>>())?)?;
        }
        out.finish()
    }

    /// A picture for each cluster: white where a pixel belongs to it, black where it does not.
    fn membership_images(&self, folder: &Path) -> Result<()> {
        let of_colors = self.partition.memberships(&self.palette.colors, self.device)?.into_f64();
        let clusters = self.partition.clusters();
        let level = |color: &u32, k: usize| (of_colors[*color as usize * clusters + k] * 255.0).round() as u8;
        let pixels = (0..clusters).flat_map(|k| self.palette.index().iter().map(move |color| (color, k)));
        let pixels = pixels.map(|(color, k)| level(color, k)).collect();
        let refused = |cause| Error::File { doing: "make the folder", path: folder.to_path_buf(), cause };
        std::fs::create_dir_all(folder).map_err(refused)?;
        Images::new(self.image.width(), self.image.height(), 1, Pixels::U8(pixels))?.write(folder)
    }

    /// The image beside its segments; of a grey one also its brightnesses with the memberships above.
    fn figure(&self, job: &Job<'_>) -> Result<String> {
        let subtitle = subtitle(job, self.partition);
        let before = Chart::new(title(&job.words.data)).picture(picture(self.image)?);
        let after = Chart::new("in the colors of its clusters").subtitle(&subtitle);
        let after = after.picture(picture(&self.segmented()?)?);
        if self.image.channels() > 1 || self.image.bits() > 8 {
            return Ok(Figure::grid(2).width(960.0).add(before).add(after).to_svg());
        }
        let bins: Vec<f64> = self.palette.histogram().iter().map(|n| *n as f64).collect();
        let curves = Chart::new("its brightnesses");
        let curves = plot::curves(curves, &bins, (-0.5, 255.5), self.partition, self.device)?;
        Ok(Figure::grid(3).width(1290.0).add(before).add(after).add(curves).to_svg())
    }
}

/// An image as a chart shows it: 8 bits, no opacity.
fn picture(image: &Images) -> Result<Picture> {
    let bytes: Vec<u8> = match image.pixels() {
        Pixels::U8(values) => values.clone(),
        Pixels::U16(values) => values.iter().map(|v| (v >> 8) as u8).collect(),
    };
    let (width, height) = (image.width() as u32, image.height() as u32);
    match image.channels() {
        1 => Picture::grey(width, height, &bytes),
        3 => Picture::rgb(width, height, &bytes),
        n => Picture::rgb(
            width,
            height,
            &bytes.chunks_exact(n).flat_map(|p| [p[0], p[1], p[2]]).collect::<Vec<_>>(),
        ),
    }
}

fn put(path: &Path, text: &str) -> Result<()> {
    let mut out = Output::create(path)?;
    out.write_all(text.as_bytes()).map_err(|cause| out.error(cause))?;
    out.finish()
}
