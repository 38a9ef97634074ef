//! `fuzzion image`

use super::pictures::{self, After, PictureWords};
use crate::console::Console;
use clap::Parser;
use fuzzion::inference::image::{Operator, READY};
use fuzzion::inference::{System, SystemFormat};
use fuzzion::{Device, Error, Result};
use std::path::Path;
use std::process::ExitCode;

/// Run a fuzzy system for every pixel of a picture, of a folder of pictures or of a video
#[derive(clap::Args)]
#[command(
    after_help = "Ready systems: fire-edges (edges as dark lines), fire-denoise (takes out salt and pepper), contrast (darker \
darks, brighter lights), smooth (evens out what differs little). They are files as you would write them: start from one of them with \
`fuzzion convert`.

The inputs of a system are named after the window around a pixel: `c` is the pixel itself, `d_nw d_n d_ne d_e d_se d_s d_sw d_w` are \
its neighbors less the pixel, `p_nw …` the neighbors as they are, and `d_00 … d_44`, `p_00 … p_44` those of a window of five by five, by \
row and column. Brightness goes from 0 to 255. The last output is the new pixel. Reads and writes PNG, JPEG, PGM, PPM and Y4M; of a \
folder all pictures, which keep their names. `-` is standard input or output.

Examples:
  fuzzion image --system fire-denoise noisy.png clean.png
  fuzzion image --system smooth --color photo.jpg soft.jpg      each color by itself
  fuzzion convert contrast mine.fll                             a file to change
  fuzzion image --system mine.fll photo.jpg out.png"
)]
pub(crate) struct Image {
    /// A file (.fll, .fis, .fcl or .json) or the name of a ready system
    #[arg(long, value_name = "FILE|NAME")]
    system: String,
    #[command(flatten)]
    pictures: PictureWords,
}

/// A command line that holds nothing else.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct Alone {
    #[command(flatten)]
    image: Image,
}

impl Image {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> Result<ExitCode> {
        pictures::run(&self.pictures, || self.operator(), After::default(), device, console)
    }

    /// What `fuzzion image` with these words says; its files are written.
    pub(crate) fn said(words: &[&str], device: &Device) -> Result<String> {
        let Alone { image } = Alone::try_parse_from(words).map_err(|e| Error::Malformed {
            path: "fuzzion image".into(),
            format: "a command",
            reason: e.to_string(),
        })?;
        pictures::said(&image.pictures, image.operator()?, After::default(), device)
    }

    fn operator(&self) -> Result<Operator> {
        // A file of another kind is told what a system's file is called.
        let is_name = READY.iter().any(|(name, _)| *name == self.system) || !Path::new(&self.system).exists();
        if is_name && SystemFormat::of_name(&self.system).is_none() {
            return Operator::named(&self.system);
        }
        let loaded = System::load(&self.system)?;
        Operator::new(&loaded.system, loaded.dialect)
    }
}
