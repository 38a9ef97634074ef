//! Words that all commands share which learn from a table: what is learned, and where the results go.

use super::paths::clash;
use super::words::shown;
use std::path::Path;

/// Which columns are learned, and from which.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Data")]
pub(crate) struct ColumnWords {
    /// The columns to be learned
    #[arg(long, value_name = "COL,…", value_delimiter = ',', required = true)]
    pub(crate) target: Vec<String>,
    /// The columns to learn from (default: all others that hold numbers)
    #[arg(long, value_name = "COL,…", value_delimiter = ',')]
    pub(crate) inputs: Option<Vec<String>>,
}

impl ColumnWords {
    pub(crate) fn targets(&self) -> Vec<&str> {
        self.target.iter().map(String::as_str).collect()
    }
}

/// The files that are written.
#[derive(Clone, Copy)]
pub(crate) struct Written<'a> {
    pub(crate) model: Option<&'a Path>,
    pub(crate) plot: Option<&'a Path>,
}

impl<'a> Written<'a> {
    /// Each with the word that names it.
    pub(crate) fn paths(self) -> Vec<(&'static str, &'a Path)> {
        let all = [("--model", self.model), ("--plot", self.plot)];
        all.into_iter().filter_map(|(flag, path)| Some((flag, path?))).collect()
    }

    /// Whether something other than the summary goes to standard output.
    pub(crate) fn takes_standard_output(self) -> bool {
        self.paths().iter().any(|(_, path)| *path == Path::new("-"))
    }

    /// What is wrong with them beside the files that are read, in one sentence.
    pub(crate) fn complaint(self, read: &[&Path], json: bool) -> Option<String> {
        if json && self.takes_standard_output() {
            return Some("`--json` and a result on `-` cannot share standard output; name a file".into());
        }
        let is_page =
            |path: &Path| path.extension().is_some_and(|end| end == "html") || path == Path::new("-");
        let no_page = || {
            let path = self.plot.filter(|path| !is_page(path))?;
            Some(format!("`--plot {}` is no page; name a `.html`", shown(path)))
        };
        clash(read, &self.paths()).or_else(no_page)
    }
}
