//! Output options of `fuzzion tune`.

use crate::commands::common::learning_args::OutputPaths;
use crate::format::display_path;
use fuzzion::inference::SystemFormat;
use std::path::{Path, PathBuf};

/// Output files and post-processing.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Results")]
pub(super) struct OutputArgs {
    /// Write the model to this .json file, for `tune predict`, or its system to a .fll (fuzzylite) or .fis (MATLAB; order 0 or 1) file
    #[arg(long, value_name = "OUT")]
    pub(super) model: Option<PathBuf>,
    /// Write an HTML page with the error, the sets, the rules, the effects of the inputs and the residuals or, for classifiers,
    /// the confusion matrix, receiver operating characteristics and calibration
    #[arg(long, value_name = "OUT.html")]
    pub(super) plot: Option<PathBuf>,
    /// Merge sets with at least this similarity, in (0, 1) (try 0.8), and refit the consequents
    #[arg(id = "similarity", long = "merge", value_name = "SIMILARITY")]
    pub(super) merge: Option<f64>,
    /// Remove rules with less than this support (try 0.001), and refit the consequents
    #[arg(long, value_name = "SUPPORT")]
    pub(super) prune: Option<f64>,
    /// Print the permutation importance of every input: the increase of the error when its column is permuted
    #[arg(long)]
    pub(super) importance: bool,
    /// Print the stability of every rule: fit B bootstrap resamples of the rows (try 20), and count those with a similar rule
    #[arg(long, value_name = "B")]
    pub(super) stability: Option<usize>,
}

impl OutputArgs {
    /// The output paths.
    pub(super) fn paths(&self) -> OutputPaths<'_> {
        OutputPaths { model: self.model.as_deref(), plot: self.plot.as_deref() }
    }

    /// File format of the system.
    pub(super) fn format(&self) -> Option<SystemFormat> {
        self.model.as_ref().and_then(SystemFormat::from_path)
    }

    /// The error message for invalid values.
    pub(super) fn usage_error(
        &self,
        inputs: &[&Path],
        json: bool,
        order: usize,
        auto: bool,
    ) -> Option<String> {
        match self.model.as_ref().map(|path| (path, self.format())) {
            Some((_, Some(SystemFormat::Fis))) if order > 1 && !auto => {
                return Some(
                    "`.fis` supports only consequents of order 0 and 1; write `.fll` or `.json`".into(),
                );
            }
            Some((_, Some(SystemFormat::Fll | SystemFormat::Fis | SystemFormat::Json))) | None => {}
            Some((path, _)) if path == Path::new("-") => {
                return Some(
                    "`--model -`: a model cannot be written to standard output; expected a path ending in `.fll`, `.fis` or `.json`"
                        .into(),
                );
            }
            Some((path, _)) => {
                let name = display_path(path);
                return Some(format!(
                    "`--model {name}`: expected a path ending in `.fll`, `.fis` or `.json`"
                ));
            }
        }
        if let Some(message) = self.paths().usage_error(inputs, json) {
            return Some(message);
        }
        if let Some(support) = self.prune.filter(|support| !(0.0..1.0).contains(support)) {
            return Some(format!("`--prune {support}`: expected a support of at least 0 and less than 1"));
        }
        (self.stability == Some(0)).then(|| "`--stability 0`: expected at least 1 resample".into())
    }
}
