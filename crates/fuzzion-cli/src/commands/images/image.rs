//! `fuzzion image`

use super::args::ImageArgs;
use super::job::PostProcessing;
use super::run;
use crate::commands::common::standalone::parse_args;
use crate::commands::common::system_args;
use crate::console::Console;
use fuzzion::inference::image::Operator;
use fuzzion::{Device, Result};
use std::path::Path;
use std::process::ExitCode;

/// Run a fuzzy system on every pixel of an image, a folder of images or a video
#[derive(clap::Args)]
#[command(
    after_help = "Built-in systems: fire-edges (edges as dark lines), fire-denoise (removes salt-and-pepper noise), contrast \
(increases contrast) and smooth (smooths out small differences). Use `fuzzion convert` to save one to a file and edit it.

The inputs of a system are named after the window around a pixel: `c` is the pixel itself, `d_nw d_n d_ne d_e d_se d_s d_sw d_w` are \
the differences between its neighbors and the pixel, `p_nw …` the neighbors themselves, and `d_00 … d_44`, `p_00 … p_44` those of a 5 × 5 \
window, by row and column. Brightness ranges from 0 to 255. The last output is the new pixel. Reads and writes PNG, JPEG, PGM, PPM and \
Y4M; the images in a folder keep their file names. `-` is standard input or output.

Examples:
  fuzzion image --system fire-denoise noisy.png clean.png
  fuzzion image --system smooth --color photo.jpg soft.jpg      process each color channel
  fuzzion convert contrast mine.fll                             save a built-in system as a file
  fuzzion image --system mine.fll photo.jpg out.png"
)]
pub(crate) struct Image {
    /// System file (.fll, .fis, .fcl or .json) or name of a built-in system
    #[arg(long, value_name = "FILE|NAME")]
    system: String,
    #[command(flatten)]
    images: ImageArgs,
}

impl Image {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> Result<ExitCode> {
        run::run(&self.images, || self.operator(), PostProcessing::default(), device, console)
    }

    /// Runs `fuzzion image` with `args` and returns its printed output.
    pub(crate) fn output_of(args: &[&str], device: &Device) -> Result<String> {
        let image: Image = parse_args("fuzzion image", args)?;
        run::output_of(&image.images, image.operator()?, PostProcessing::default(), device)
    }

    fn operator(&self) -> Result<Operator> {
        let loaded = system_args::load(Path::new(&self.system))?;
        Ok(Operator::new(&loaded.system, loaded.dialect)?)
    }
}
