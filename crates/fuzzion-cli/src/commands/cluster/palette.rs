//! The distinct colors of an image with their pixel counts. Clustering the colors with the counts as weights is equivalent
//! to clustering all pixels, with only one row per color.

use fuzzion::clustering::{FuzzyCMeans, Partition};
use fuzzion::data::Pixels;
use fuzzion::{Device, Images, Result, Table};
use std::ops::RangeInclusive;

/// Bits per channel in the key of a color.
const BITS: u32 = 16;

/// The distinct colors of an image.
pub(super) struct Palette {
    names: Vec<String>,
    /// One row per distinct color, in ascending order.
    pub(super) colors: Table,
    /// Number of pixels of each color.
    counts: Vec<u64>,
    /// Color index of each pixel.
    index: Vec<u32>,
    /// Whether the image is grayscale with 8 bits.
    is_gray8: bool,
}

impl Palette {
    /// The colors of `image`; fully transparent pixels are ignored.
    pub(super) fn of(image: &Images) -> Result<Self> {
        let channels = image.channels();
        let (keys, transparent) = match image.pixels() {
            Pixels::U8(values) => keys(values, channels),
            Pixels::U16(values) => keys(values, channels),
        };
        let names: &[&str] = if channels == 1 { &["brightness"] } else { &["red", "green", "blue"] };
        Palette::new(names, &keys, &transparent, image.bits() == 8)
    }

    /// The colors of pixels given by their [`key`]s; pixels marked in `transparent`, if not empty, are ignored.
    pub(super) fn new(names: &[&str], keys: &[u64], transparent: &[bool], is_8_bit: bool) -> Result<Self> {
        let mut distinct = keys.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let mut counts = vec![0u64; distinct.len()];
        let mut last = (0, 0u32);
        let index: Vec<u32> = keys
            .iter()
            .enumerate()
            .map(|(i, key)| {
                // Neighboring pixels often have the same color.
                if i == 0 || last.0 != *key {
                    last = (
                        *key,
                        distinct.binary_search(key).expect("invariant: the list contains every key") as u32,
                    );
                }
                counts[last.1 as usize] += u64::from(transparent.is_empty() || !transparent[i]);
                last.1
            })
            .collect();
        let channel = |key: u64, c: usize| (key >> (BITS * (names.len() - 1 - c) as u32)) & 0xffff;
        let values = distinct.iter().flat_map(|key| (0..names.len()).map(|c| channel(*key, c) as f64));
        let colors = Table::new(names.iter().copied(), values.collect::<Vec<_>>())?;
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let is_gray8 = names.len() == 1 && is_8_bit;
        Ok(Palette { names, colors, counts, index, is_gray8 })
    }

    /// Names of the clustered channels.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// Number of distinct colors.
    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    /// For each pixel, its row in [`Palette::colors`].
    pub(super) fn index(&self) -> &[u32] {
        &self.index
    }

    /// Clusters all pixels.
    pub(super) fn fit(&self, settings: &FuzzyCMeans, device: &Device) -> Result<Partition> {
        if self.is_gray8 {
            return Ok(settings.fit_histogram(&self.histogram(), device)?);
        }
        Ok(settings.fit(self.colors.samples().with_weights(&self.weights())?, device)?)
    }

    /// Like [`Palette::fit`], for each number of clusters in `range`.
    pub(super) fn sweep(
        &self,
        range: RangeInclusive<usize>,
        settings: &FuzzyCMeans,
        device: &Device,
    ) -> Result<Vec<Partition>> {
        Ok(settings.sweep(range, self.colors.samples().with_weights(&self.weights())?, device)?)
    }

    fn weights(&self) -> Vec<f64> {
        self.counts.iter().map(|n| *n as f64).collect()
    }

    /// Number of pixels of each 8-bit brightness.
    pub(super) fn histogram(&self) -> [u64; 256] {
        let mut histogram = [0; 256];
        for (brightness, count) in self.colors.to_f64().iter().zip(&self.counts) {
            histogram[(*brightness as usize).min(255)] += count;
        }
        histogram
    }
}

/// Packs the channels of a color into one integer.
pub(super) fn key(channels: impl IntoIterator<Item = u16>) -> u64 {
    channels.into_iter().fold(0, |key, channel| (key << BITS) | u64::from(channel))
}

/// The keys of all pixels, and for images with an alpha channel whether each pixel is fully transparent.
fn keys<T: Copy + Into<u16>>(values: &[T], channels: usize) -> (Vec<u64>, Vec<bool>) {
    let colors = channels.min(3);
    let pixels = || values.chunks_exact(channels);
    let keys = pixels().map(|pixel| key(pixel[..colors].iter().map(|c| (*c).into()))).collect();
    let transparent =
        if channels > 3 { pixels().map(|pixel| pixel[3].into() == 0).collect() } else { Vec::new() };
    (keys, transparent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fuzzion::clustering::InitialCenters;

    #[test]
    fn colors_are_counted_and_indexed_per_pixel() {
        let red_blue_red = vec![255, 0, 0, 255, 0, 0, 9, 255, 255, 0, 0, 0];
        let image = Images::new(3, 1, 4, Pixels::U8(red_blue_red)).unwrap();
        let palette = Palette::of(&image).unwrap();
        assert_eq!(palette.names(), ["red", "green", "blue"]);
        assert_eq!(*palette.colors.to_f64(), [0.0, 0.0, 9.0, 255.0, 0.0, 0.0]);
        // The last pixel has opacity 0.
        assert_eq!((palette.counts.as_slice(), palette.index()), (&[1, 1][..], &[1, 0, 1][..]));
    }

    #[test]
    fn clustering_the_colors_is_equivalent_to_clustering_the_pixels() {
        let device = Device::cpu().unwrap();
        let values: Vec<u16> =
            (0..3 * 400).map(|i| [7, 60_000, 300, 41][(i * i + i / 3) % 4] + (i % 5) as u16).collect();
        let pixels = Table::unnamed(3, values.iter().map(|v| f64::from(*v)).collect::<Vec<_>>()).unwrap();
        let palette = Palette::of(&Images::new(20, 20, 3, Pixels::U16(values)).unwrap()).unwrap();
        assert!(palette.len() < 400);
        let initial = Table::unnamed(3, vec![0.0, 0.0, 0.0, 6e4, 6e4, 6e4, 0.0, 6e4, 0.0]).unwrap();
        let settings = FuzzyCMeans::new(3).initial_centers(InitialCenters::Centers(initial)).tolerance(1e-12);
        let all = settings.fit(&pixels, &device).unwrap();
        let colors = palette.fit(&settings, &device).unwrap();
        // Both stop within 1e-12 of the spread, about 3e4, of the same fixed point.
        let difference = all
            .centers
            .to_f64()
            .iter()
            .zip(colors.centers.to_f64().iter())
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f64::max);
        assert!(difference < 1e-6, "{difference}");
        assert_eq!(all.report.sizes, colors.report.sizes);
    }
}
