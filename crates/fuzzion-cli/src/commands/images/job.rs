//! The context of a run over images.

use super::args::ImageArgs;
use crate::console::Bar;
use crate::format::with_prefix;
use crate::interrupt;
use fuzzion::data::Pixels;
use fuzzion::inference::image::{Operator, invert, thin};
use fuzzion::{Device, Error, Images, Result};
use std::time::Instant;

/// Operations on the resulting images.
#[derive(Clone, Copy, Default)]
pub(super) struct PostProcessing {
    pub(super) thin: bool,
    pub(super) invert: bool,
}

/// Arguments, operator and device of a run.
pub(super) struct Job<'a> {
    pub(super) args: &'a ImageArgs,
    pub(super) operator: Operator,
    pub(super) post_processing: PostProcessing,
    pub(super) device: &'a Device,
    /// Reads, writes and thins images, whatever device runs the operator.
    pub(super) bar: &'a Bar,
    pub(super) started: Instant,
}

/// Sizes and counts of the processed images.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ImageStats {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Whether the images of a folder have different sizes.
    pub(super) mixed_sizes: bool,
    /// Bits per pixel given to the operator, 8 or 16.
    pub(super) bits: u32,
    pub(super) frames: u64,
    /// Number of unreadable files in a folder.
    pub(super) skipped: u64,
}

impl ImageStats {
    /// The size and depth of `images`.
    pub(super) fn of(images: &Images) -> Self {
        ImageStats {
            width: images.width(),
            height: images.height(),
            bits: images.bits(),
            ..ImageStats::default()
        }
    }
}

impl Job<'_> {
    /// Runs the operator and the post-processing.
    pub(super) fn apply(&self, images: &Images) -> Result<Images> {
        let device = self.device.with_progress(|_, _| interrupt::check());
        Ok(self.post_process(self.operator.apply(images, &device)?))
    }

    /// Like [`Job::apply`] for images of one channel, with the memory of `reused` for the results.
    pub(super) fn apply_reusing(&self, images: &Images, reused: Pixels) -> Result<Images> {
        let len = images.pixels().len();
        let pixels = match (images.pixels(), reused) {
            (Pixels::U8(_), Pixels::U8(mut values)) if !values.is_empty() => {
                values.resize(len, 0);
                Pixels::U8(values)
            }
            (Pixels::U16(_), Pixels::U16(mut values)) if !values.is_empty() => {
                values.resize(len, 0);
                Pixels::U16(values)
            }
            _ => return self.apply(images),
        };
        let mut results = Images::new(images.width(), images.height(), 1, pixels)?;
        let device = self.device.with_progress(|_, _| interrupt::check());
        self.operator.apply_into(images, &mut results, &device)?;
        Ok(self.post_process(results))
    }

    fn post_process(&self, mut results: Images) -> Images {
        if self.post_processing.thin {
            self.device.host_cpu().run(|| thin(&mut results));
        }
        if self.post_processing.invert {
            invert(&mut results);
        }
        results
    }

    /// Updates the progress bar, in frames (a `total` of 0 is unknown); fails after Ctrl-C.
    pub(super) fn report(&self, frames: u64, total: u64) -> Result<()> {
        let rate = frames as f64 / self.started.elapsed().as_secs_f64();
        self.bar.set_message(format!("{}frames/s", with_prefix(rate)));
        let total = if total == 0 { frames } else { total };
        if self.bar.step(frames, total).is_break() { Err(Error::Interrupted) } else { Ok(()) }
    }
}
