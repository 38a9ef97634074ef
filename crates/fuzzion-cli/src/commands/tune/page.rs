//! The HTML page of a fit.

mod classification;
mod effects;

use super::fitted::Fitted;
use super::summary;
use crate::format::{count_of, display_path, format_number};
use crate::page::{Page, Section};
use fuzzion::inference::plot::Response;
use fuzzion::tuning::inspect;
use fuzzion::{Device, Result};

/// Size of charts that are placed side by side.
const HALF_WIDTH: (f64, f64) = (404.0, 280.0);
/// Maximum number of inputs whose sets are plotted.
const MAX_INPUTS: usize = 24;

/// Explanation of the table of rules.
const RULES_LEGEND: &str = "A conclusion holds where its rule applies: at the mean of the rows, weighted by the firing strength of \
the rule; slopes say how it changes with the inputs. Support is the mean normalized firing strength of a rule; coverage is the \
fraction of rows in which it is at least 0.1. The error is that of the system in the rows of the rule, and the last column but one \
contains the numbers of typical rows. Stability, if it was computed, is the fraction of bootstrap resamples in which a similar rule \
was learned.";

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
    let (mut heading, mut lines) = summary::rule_lines(fitted);
    // The text is the first thing to see on a narrow screen.
    heading[1..].rotate_right(1);
    lines.iter_mut().for_each(|cells| cells[1..].rotate_right(1));
    let mut rules = Section::new("Rules").text(RULES_LEGEND).table(&heading, &lines);
    let sets = inspect::sets(&tuned.system);
    if !sets.is_empty() {
        rules = rules.output(sets.join("\n"));
    }
    page = page.section(rules);
    let section = responses(Section::new("Predictions"), fitted, device)?;
    let results = match tuned.classes.is_empty() {
        true => {
            let residuals = tuned.plot_residuals(&fitted.rows.table, device)?.to_svg();
            section.figure(residuals, "Residuals, one point per row.")
        }
        false => classification::add(section, fitted, device)?,
    };
    page = page.section(results);
    page = page.section(effects::importance(fitted));
    if tuned.inputs.len() > 1 {
        page = page.section(effects::effects(fitted, device)?);
    }
    Ok(page.footer(format!("computed on {}", tuned.report.device)))
}

/// Adds the response of a system with one or two inputs over their range.
fn responses(mut section: Section, fitted: &Fitted<'_>, device: &Device) -> Result<Section> {
    let tuned = &fitted.tuned;
    for output in (0..tuned.system.outputs.len()).filter(|_| tuned.inputs.len() <= 2) {
        let response = match tuned.inputs.len() {
            1 => Response::curve(output, 0),
            _ => Response::surface(output, 0, 1),
        };
        let caption = "Output of the learned system over the input range.";
        section = section.figure(response.chart(&tuned.system, device)?.to_svg(), caption);
    }
    Ok(section)
}
