//! `fuzzion edges`

use super::args::ImageArgs;
use super::job::PostProcessing;
use super::run;
use crate::commands::common::standalone::parse_args;
use crate::console::Console;
use fuzzion::inference::image::{DEFAULT_SPREAD, DEFAULT_THRESHOLD, Operator};
use fuzzion::{Device, Result};
use std::process::ExitCode;

/// Detect edges in an image, a folder of images or a video
#[derive(clap::Args)]
#[command(
    after_help = "Runs FIRE, a fuzzy system with nine rules, on every pixel: eight rules detect a brightness step in one direction \
each, and an else rule covers all other pixels. Edges are dark lines on white. Use `fuzzion show fire-edges` to print the rules. \
Reads and writes PNG, JPEG, PGM, PPM and Y4M; the images in a folder keep their file names. `-` is standard input or output.

Examples:
  fuzzion edges photo.jpg edges.png                       weaker edges are lighter
  fuzzion edges photo.jpg lines.png --thin --invert       draw thin white lines on black
  fuzzion edges frames edges --threshold 24               process a folder; also detect weaker edges
  ffmpeg -i film.mp4 -f yuv4mpegpipe - | fuzzion edges - - | ffplay -"
)]
pub(crate) struct Edges {
    /// Brightness difference of a full-strength edge, from 0 to 255
    #[arg(long, value_name = "T", default_value_t = DEFAULT_THRESHOLD)]
    threshold: f64,
    /// Width of the output sets black and white, above 0 and at most 255
    #[arg(long, value_name = "B", default_value_t = DEFAULT_SPREAD)]
    spread: f64,
    /// Draw light lines on a black background
    #[arg(long)]
    invert: bool,
    /// Thin the lines to a width of one pixel
    #[arg(long)]
    thin: bool,
    #[command(flatten)]
    images: ImageArgs,
}

impl Edges {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> Result<ExitCode> {
        run::run(&self.images, || self.operator(), self.post_processing(), device, console)
    }

    /// Runs `fuzzion edges` with `args` and returns its printed output.
    pub(crate) fn output_of(args: &[&str], device: &Device) -> Result<String> {
        let edges: Edges = parse_args("fuzzion edges", args)?;
        run::output_of(&edges.images, edges.operator()?, edges.post_processing(), device)
    }

    fn operator(&self) -> Result<Operator> {
        Ok(Operator::edges(self.threshold, self.spread)?)
    }

    fn post_processing(&self) -> PostProcessing {
        PostProcessing { thin: self.thin, invert: self.invert }
    }
}
