//! Context and helpers of the sections.

use fuzzion::data::DataError;
use fuzzion::plot::Image;
use fuzzion::{Device, Error, Result};
use std::path::{Path, PathBuf};

/// The output folder and the device of the tour.
pub(super) struct Guide<'a> {
    /// The folder of the page and the sample files.
    pub(super) folder: &'a Path,
    pub(super) device: &'a Device,
}

impl Guide<'_> {
    /// The path of a file in the output folder.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The path of a file in the output folder, as a command-line argument.
    pub(super) fn argument(&self, name: &str) -> String {
        self.path(name).to_string_lossy().into_owned()
    }
}

/// A shell command with quoted arguments.
pub(super) fn command_line(command: &str, args: &[&str]) -> String {
    let is_special = |arg: &str| arg.contains([' ', '(', '[', '*']);
    let quoted = |arg: &&str| if is_special(arg) { format!("'{arg}'") } else { (*arg).to_owned() };
    format!("fuzzion {command} {}", args.iter().map(quoted).collect::<Vec<_>>().join(" "))
}

/// Reads a PNG file for a chart.
pub(super) fn read_png(path: &Path) -> Result<Image> {
    let failed = |cause| Error::Data(DataError::File { doing: "read", path: path.to_path_buf(), cause });
    Ok(Image::png(&std::fs::read(path).map_err(failed)?)?)
}
