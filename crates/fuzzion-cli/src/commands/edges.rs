//! `fuzzion edges`

use super::pictures::{self, After, PictureWords};
use crate::console::Console;
use clap::Parser;
use fuzzion::inference::image::{DEFAULT_SPREAD, DEFAULT_THRESHOLD, Operator};
use fuzzion::{Device, Error, Result};
use std::process::ExitCode;

/// Draw the edges of a picture, of a folder of pictures or of a video as dark lines on white
#[derive(clap::Args)]
#[command(
    after_help = "FIRE, a fuzzy system of nine rules for every pixel: eight say that one side is brighter and the other \
darker, and the last one that otherwise there is no edge. `fuzzion show fire-edges` prints them. Reads and writes PNG, JPEG, PGM, \
PPM and Y4M; of a folder all pictures, which keep their names. `-` is standard input or output.

Examples:
  fuzzion edges photo.jpg edges.png                       the fainter an edge, the lighter
  fuzzion edges photo.jpg lines.png --thin --invert       white lines one pixel wide on black
  fuzzion edges frames edges --threshold 24               a folder of pictures, and fainter edges
  ffmpeg -i film.mp4 -f yuv4mpegpipe - | fuzzion edges - - | ffplay -"
)]
pub(crate) struct Edges {
    /// The difference of brightness, of 255, that is surely an edge
    #[arg(long, value_name = "T", default_value_t = DEFAULT_THRESHOLD, allow_negative_numbers = true)]
    threshold: f64,
    /// How far black and white reach into the greys, of 255
    #[arg(long, value_name = "B", default_value_t = DEFAULT_SPREAD, allow_negative_numbers = true)]
    spread: f64,
    /// Light lines on black
    #[arg(long)]
    invert: bool,
    /// Lines one pixel wide
    #[arg(long)]
    thin: bool,
    #[command(flatten)]
    pictures: PictureWords,
}

/// A command line that holds nothing else.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct Alone {
    #[command(flatten)]
    edges: Edges,
}

impl Edges {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> Result<ExitCode> {
        pictures::run(&self.pictures, || self.operator(), self.after(), device, console)
    }

    /// What `fuzzion edges` with these words says; its files are written.
    pub(crate) fn said(words: &[&str], device: &Device) -> Result<String> {
        let Alone { edges } = Alone::try_parse_from(words).map_err(|e| Error::Malformed {
            path: "fuzzion edges".into(),
            format: "a command",
            reason: e.to_string(),
        })?;
        pictures::said(&edges.pictures, edges.operator()?, edges.after(), device)
    }

    fn operator(&self) -> Result<Operator> {
        Operator::edges(self.threshold, self.spread)
    }

    fn after(&self) -> After {
        After { thin: self.thin, invert: self.invert }
    }
}
