//! What is written: begun before the work, so that a place that cannot be written to is said at once, and given its name
//! after it.

use super::rows::Rows;
use super::rules::share_of;
use crate::commands::learning::Written;
use crate::commands::words::shown;
use crate::page::{Page, Section};
use fuzzion::data::output::Output;
use fuzzion::sonfin::{Model, Prototype};
use fuzzion::{Device, Result};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Where results go.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Results")]
pub(super) struct ResultWords {
    /// Write the model: .json
    #[arg(long, value_name = "OUT")]
    model: Option<PathBuf>,
    /// Write a page of pictures: error and rules from epoch to epoch, and the plane of two inputs
    #[arg(long, value_name = "OUT.html")]
    plot: Option<PathBuf>,
}

impl ResultWords {
    /// Where the model goes.
    pub(super) fn model(&self) -> Option<&Path> {
        self.model.as_deref()
    }

    /// The files that are written.
    pub(super) fn written(&self) -> Written<'_> {
        Written { model: self.model(), plot: self.plot.as_deref() }
    }

    /// What is wrong with these words together, in one sentence.
    pub(super) fn complaint(&self, read: &[&Path], json: bool) -> Option<String> {
        let is_model = |path: &Path| path.extension().is_some_and(|e| e == "json") || path == Path::new("-");
        if let Some(path) = self.model().filter(|path| !is_model(path)) {
            let name = shown(path);
            return Some(format!(
                "`--model {name}` is no model; name a `.json`, which `fuzzion sonfin export` makes an `.fll` of"
            ));
        }
        self.written().complaint(read, json)
    }
}

/// What is being written.
pub(super) struct Results {
    model: Option<Output>,
    plot: Option<Output>,
}

impl Results {
    pub(super) fn create(words: &ResultWords) -> Result<Self> {
        let create = |path: &Option<PathBuf>| path.as_ref().map(Output::create).transpose();
        Ok(Results { model: create(&words.model)?, plot: create(&words.plot)? })
    }

    pub(super) fn write(&mut self, model: &Model) -> Result<()> {
        let Some(out) = &mut self.model else { return Ok(()) };
        let text = model.to_json()? + "\n";
        out.write_all(text.as_bytes()).map_err(|cause| out.error(cause))
    }

    /// Draws the pictures.
    pub(super) fn draw(&mut self, model: &Model, rows: &Rows, device: &Device) -> Result<()> {
        let Some(out) = &mut self.plot else { return Ok(()) };
        let page = page(model, rows, device)?.to_html();
        out.write_all(page.as_bytes()).map_err(|cause| out.error(cause))
    }

    /// Gives all files their names.
    pub(super) fn finish(self) -> Result<()> {
        [self.plot, self.model].into_iter().flatten().try_for_each(Output::finish)
    }

    /// Gives the model alone its name.
    pub(super) fn finish_model(self) -> Result<()> {
        self.model.map_or(Ok(()), Output::finish)
    }
}

/// A fit as one page.
fn page(model: &Model, rows: &Rows, device: &Device) -> Result<Page> {
    let report = &model.report;
    let mut page = Page::new(format!("{} by rules that grew", model.outputs.join(", "))).section(
        Section::new("Course").figure(report.plot().to_svg(), "Error and rules from epoch to epoch."),
    );
    if model.inputs.len() == 2 {
        let caption =
            "What the network says everywhere, with its rules as the ellipses where their membership is 1/e.";
        page = page.section(
            Section::new("Plane")
                .figure(model.plot_plane(&rows.table, device)?.size(680.0, 600.0).to_svg(), caption),
        );
    }
    let (rules, heard) = model.rules_by_share();
    let line = |rule: &Prototype| {
        vec![rule.rule.to_string(), share_of(rule).unwrap_or_default(), model.rule_text(rule, INPUTS)]
    };
    let lines: Vec<Vec<String>> = rules.iter().take(heard.min(RULES)).map(line).collect();
    Ok(page
        .section(Section::new("Rules").table(&["", "say", "rule"], &lines))
        .footer(format!("computed on {}", report.device)))
}

/// The most rules on a page, and inputs of each.
const RULES: usize = 60;
const INPUTS: usize = 6;
