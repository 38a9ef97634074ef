//! Arguments shared by `edges` and `image`.

use crate::format::display_path;
use fuzzion::inference::image::Border;
use std::path::{Path, PathBuf};

/// Input, output and pixel options.
#[derive(clap::Args, Clone)]
pub(crate) struct ImageArgs {
    /// Image, folder of images or video, or `-` for standard input
    #[arg(value_name = "IN")]
    pub(super) input: PathBuf,
    /// Output image, folder (created if needed) or video, or `-` for standard output
    #[arg(value_name = "OUT")]
    pub(super) output: PathBuf,
    /// Pixels outside the image: replicate (nearest pixel), reflect (mirrored image) or a constant brightness from 0 to 255
    #[arg(long, value_name = "MODE|N", default_value = "replicate")]
    pub(super) border: Border,
    /// Process each color channel separately instead of converting to grayscale; videos keep their colors
    #[arg(long)]
    pub(super) color: bool,
    /// Evaluate the system for every pixel, even if an equivalent lookup table is available
    #[arg(long)]
    pub(super) general: bool,
}

impl ImageArgs {
    /// Whether the output goes to standard output.
    pub(super) fn uses_standard_output(&self) -> bool {
        self.output == Path::new("-")
    }

    /// The error message for invalid combinations of paths.
    pub(super) fn usage_error(&self, json: bool) -> Option<String> {
        let (from, to) = (display_path(&self.input), display_path(&self.output));
        if json && self.uses_standard_output() {
            return Some(
                "`--json` and the image cannot both use standard output; write the image to a file".into(),
            );
        }
        if !self.uses_standard_output() && is_same(&self.input, &self.output) {
            return Some(format!("`{to}` is the input; choose a different output path"));
        }
        let is_file = self.output.is_file() || is_image_name(&self.output);
        match (self.input.is_dir(), self.output.is_dir()) {
            (true, _) if self.uses_standard_output() => Some(format!(
                "`{from}` is a folder, which cannot be written to standard output; choose an output folder"
            )),
            (true, false) if is_file => {
                Some(format!("`{from}` is a folder, but `{to}` is a file; choose an output folder"))
            }
            (false, true) => {
                Some(format!("`{to}` is a folder, but `{from}` is a file; choose an output file"))
            }
            _ => None,
        }
    }
}

/// Whether a path has the extension of an image or a video.
fn is_image_name(path: &Path) -> bool {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    extension.is_some_and(|e| ["png", "jpg", "jpeg", "pgm", "ppm", "pnm", "y4m"].contains(&e.as_str()))
}

/// Whether two paths refer to the same existing file or folder.
fn is_same(a: &Path, b: &Path) -> bool {
    matches!((std::fs::canonicalize(a), std::fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}
