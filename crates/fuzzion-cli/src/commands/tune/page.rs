//! The HTML page of a fit.

use super::fitted::Fitted;
use super::summary;
use crate::format::{count_of, display_path, format_number};
use crate::page::{Page, Section};
use fuzzion::inference::plot::Response;
use fuzzion::tuning::inspect::rules;
use fuzzion::{Device, Result};

/// Size of charts that are placed side by side.
const HALF_WIDTH: (f64, f64) = (404.0, 280.0);
/// Maximum number of inputs whose sets are plotted.
const MAX_INPUTS: usize = 24;

pub(super) fn page(fitted: &Fitted<'_>, device: &Device) -> Result<Page> {
    let tuned = &fitted.tuned;
    let data = display_path(&fitted.args.data);
    let title = format!("Rules for {}", tuned.targets.join(", "));
    let rules_count = count_of(tuned.report.rules as u64, "rule");
    let rows = count_of(fitted.rows.table.rows() as u64, "row");
    let rmse = format_number(tuned.report.rmse);
    let intro = format!("Learned from {rows} of {data}: {rules_count}, RMSE {rmse}.");
    let mut page = Page::new(title).intro(intro);
    let caption = match tuned.report.path.is_empty() {
        true => "Error per iteration; the first point is the least-squares fit with the initial sets.",
        false => {
            "Cross-validation error for each number of rules; the smallest number whose error is at most one standard error \
             above the lowest is selected."
        }
    };
    let error = Section::new("Error").figure(tuned.report.plot().to_svg(), caption);
    page = page.section(error.output(summary::errors(&tuned.report)));
    let has_sets = |input: &usize| !tuned.system.inputs[*input].sets.is_empty();
    let inputs = (0..tuned.inputs.len()).filter(has_sets).take(MAX_INPUTS);
    let sets = inputs.map(|i| Ok(tuned.plot_sets(i)?.size(HALF_WIDTH.0, HALF_WIDTH.1).to_svg()));
    let caption = match tuned.report.path.is_empty() {
        true => "Membership functions after tuning (solid) and before (dashed).",
        false => "Membership functions of the inputs in the conditions.",
    };
    page = page.section(Section::new("Sets").gallery(sets.collect::<Result<_>>()?, caption));
    let texts = rules(&tuned.system)?;
    let percent = |fraction: f64| format!("{:.1} %", 100.0 * fraction);
    let lines = texts.into_iter().zip(&fitted.supports).enumerate().map(|(i, (text, support))| {
        vec![(i + 1).to_string(), percent(support.support), percent(support.coverage), text]
    });
    let legend = "Support is the mean normalized firing strength of a rule; coverage is the fraction of rows in which it is at \
                  least 0.1.";
    let table = Section::new("Rules").text(legend);
    page = page.section(table.table(&["", "support", "coverage", "rule"], &lines.collect::<Vec<_>>()));
    page = page.section(predictions(fitted, device)?);
    if !fitted.importance.is_empty() {
        let each = fitted.importance.iter().map(|one| vec![one.input.clone(), format_number(one.importance)]);
        let section =
            Section::new("Importance").text("Increase in the error when the column of an input is shuffled.");
        page = page.section(section.table(&["input", "increase"], &each.collect::<Vec<_>>()));
    }
    Ok(page.footer(format!("computed on {}", tuned.report.device)))
}

/// The response of the system over its input range, and the residuals of the rows.
fn predictions(fitted: &Fitted<'_>, device: &Device) -> Result<Section> {
    let tuned = &fitted.tuned;
    let mut section = Section::new("Predictions");
    let outputs = tuned.system.outputs.len();
    for output in (0..outputs).filter(|_| tuned.inputs.len() <= 2) {
        let response = match tuned.inputs.len() {
            1 => Response::curve(output, 0),
            _ => Response::surface(output, 0, 1),
        };
        let caption = "Output of the learned system over the input range.";
        section = section.figure(response.chart(&tuned.system, device)?.to_svg(), caption);
    }
    if tuned.classes.is_empty() {
        let residuals = tuned.plot_residuals(&fitted.rows.table, device)?.to_svg();
        section = section.figure(residuals, "Residuals of the training rows, one point per row.");
    }
    Ok(section)
}
