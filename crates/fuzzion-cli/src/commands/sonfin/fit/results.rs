//! The output files. They are created before training, so that an unwritable path is reported early, and renamed to
//! their final names afterward.

use super::rows::Rows;
use crate::commands::common::learning_args::OutputPaths;
use crate::commands::sonfin::rules::mean_strength;
use crate::format::display_path;
use crate::page::{Page, Section};
use fuzzion::data::output::AtomicFile;
use fuzzion::sonfin::{Model, Prototype};
use fuzzion::{Device, Result};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Output options.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Results")]
pub(super) struct OutputArgs {
    /// Write the model to this .json file
    #[arg(long, value_name = "OUT.json")]
    model: Option<PathBuf>,
    /// Write an HTML page with the error and number of rules per epoch, and the decision surface of two inputs
    #[arg(long, value_name = "OUT.html")]
    plot: Option<PathBuf>,
}

impl OutputArgs {
    /// The path of the model.
    pub(super) fn model(&self) -> Option<&Path> {
        self.model.as_deref()
    }

    /// The output paths.
    pub(super) fn paths(&self) -> OutputPaths<'_> {
        OutputPaths { model: self.model(), plot: self.plot.as_deref() }
    }

    /// The error message for invalid paths.
    pub(super) fn usage_error(&self, inputs: &[&Path], json: bool) -> Option<String> {
        let is_model = |path: &Path| path.extension().is_some_and(|e| e == "json") || path == Path::new("-");
        if let Some(path) = self.model().filter(|path| !is_model(path)) {
            let name = display_path(path);
            return Some(format!(
                "`--model {name}`: expected a path ending in `.json`; use `fuzzion sonfin export` to create other formats"
            ));
        }
        self.paths().usage_error(inputs, json)
    }
}

/// Output files that are being written.
pub(super) struct Results {
    model: Option<AtomicFile>,
    plot: Option<AtomicFile>,
}

impl Results {
    pub(super) fn create(args: &OutputArgs) -> Result<Self> {
        let create = |path: &Option<PathBuf>| path.as_ref().map(AtomicFile::create).transpose();
        Ok(Results { model: create(&args.model)?, plot: create(&args.plot)? })
    }

    /// Writes the model.
    pub(super) fn write_model(&mut self, model: &Model) -> Result<()> {
        let Some(out) = &mut self.model else { return Ok(()) };
        let text = model.to_json()? + "\n";
        Ok(out.write_all(text.as_bytes()).map_err(|cause| out.error(cause))?)
    }

    /// Writes the page.
    pub(super) fn write_page(&mut self, model: &Model, rows: &Rows, device: &Device) -> Result<()> {
        let Some(out) = &mut self.plot else { return Ok(()) };
        let page = page(model, rows, device)?.to_html();
        Ok(out.write_all(page.as_bytes()).map_err(|cause| out.error(cause))?)
    }

    /// Renames all files to their final names.
    pub(super) fn finish(self) -> Result<()> {
        Ok([self.plot, self.model].into_iter().flatten().try_for_each(AtomicFile::finish)?)
    }

    /// Renames only the model file to its final name.
    pub(super) fn finish_model(self) -> Result<()> {
        Ok(self.model.map_or(Ok(()), AtomicFile::finish)?)
    }
}

/// The HTML page of a fit.
fn page(model: &Model, rows: &Rows, device: &Device) -> Result<Page> {
    let report = &model.report;
    let mut page = Page::new(format!("Rules for {}", model.outputs.join(", "))).section(
        Section::new("Training").figure(report.plot().to_svg(), "Error and number of rules per epoch."),
    );
    if model.inputs.len() == 2 {
        let caption = "Output of the network over the two inputs; each ellipse shows where the membership of a rule is 1/e.";
        page = page.section(
            Section::new("Input plane")
                .figure(model.plot_plane(&rows.table, device)?.size(680.0, 600.0).to_svg(), caption),
        );
    }
    let (rules, active) = model.rules_by_firing_strength();
    let line = |rule: &Prototype| {
        vec![
            rule.rule.to_string(),
            mean_strength(rule).unwrap_or_default(),
            model.rule_text(rule, MAX_INPUTS),
        ]
    };
    let lines: Vec<Vec<String>> = rules.iter().take(active.min(MAX_RULES)).map(line).collect();
    Ok(page
        .section(Section::new("Rules").table(&["", "mean firing strength", "rule"], &lines))
        .footer(format!("computed on {}", report.device)))
}

/// Maximum number of rules on the page.
const MAX_RULES: usize = 60;
/// Maximum number of inputs per rule on the page.
const MAX_INPUTS: usize = 6;
