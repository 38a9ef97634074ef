//! Arguments of commands that learn from a table: columns and output files.

use crate::commands::common::paths::{JSON_AND_STANDARD_OUTPUT, path_conflict};
use crate::format::display_path;
use std::path::Path;

/// Target and input columns.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Data")]
pub(crate) struct ColumnArgs {
    /// Target columns
    #[arg(long, value_name = "COL,…", value_delimiter = ',', required = true)]
    pub(crate) target: Vec<String>,
    /// Input columns [default: all other numeric columns]
    #[arg(long, value_name = "COL,…", value_delimiter = ',')]
    pub(crate) inputs: Option<Vec<String>>,
}

impl ColumnArgs {
    pub(crate) fn targets(&self) -> Vec<&str> {
        self.target.iter().map(String::as_str).collect()
    }
}

/// The output files.
#[derive(Clone, Copy)]
pub(crate) struct OutputPaths<'a> {
    pub(crate) model: Option<&'a Path>,
    pub(crate) plot: Option<&'a Path>,
}

impl<'a> OutputPaths<'a> {
    /// The paths with their flags.
    pub(crate) fn entries(self) -> Vec<(&'static str, &'a Path)> {
        let all = [("--model", self.model), ("--plot", self.plot)];
        all.into_iter().filter_map(|(flag, path)| Some((flag, path?))).collect()
    }

    /// Whether an output file replaces the summary on standard output.
    pub(crate) fn uses_standard_output(self) -> bool {
        self.entries().iter().any(|(_, path)| *path == Path::new("-"))
    }

    /// The error message for invalid output paths, given the input paths.
    pub(crate) fn usage_error(self, inputs: &[&Path], json: bool) -> Option<String> {
        if json && self.uses_standard_output() {
            return Some(JSON_AND_STANDARD_OUTPUT.into());
        }
        let is_page =
            |path: &Path| path.extension().is_some_and(|end| end == "html") || path == Path::new("-");
        let not_html = || {
            let path = self.plot.filter(|path| !is_page(path))?;
            Some(format!("`--plot {}`: expected a path ending in `.html`", display_path(path)))
        };
        path_conflict(inputs, &self.entries()).or_else(not_html)
    }
}
