//! A fit as one page.

use super::{Told, summary};
use crate::commands::words::{counted, short, shown};
use crate::page::{Page, Section};
use fuzzion::inference::plot::Response;
use fuzzion::tuning::reading::rules;
use fuzzion::{Device, Progress, Result};

/// The size of pictures that stand side by side.
const HALF: (f64, f64) = (404.0, 280.0);
/// The most inputs whose sets are drawn.
const INPUTS: usize = 24;

pub(super) fn page(told: &Told<'_>, device: &Device) -> Result<Page> {
    let tuned = &told.tuned;
    let data = shown(&told.words.data);
    let title = format!("{} by rules", tuned.targets.join(", "));
    let rules_count = counted(tuned.report.rules as u64, "rule");
    let rows = counted(told.rows.table.rows() as u64, "row");
    let intro = format!("Learned from {rows} of {data}: {rules_count}, RMSE {}.", short(tuned.report.rmse));
    let mut page = Page::new(title).intro(intro);
    let error = Section::new("Error").figure(
        tuned.report.plot().to_svg(),
        "From iteration to iteration; the first point is least squares with the sets of the start.",
    );
    page = page.section(error.output(summary::course(&tuned.report)));
    let inputs = tuned.inputs.len().min(INPUTS);
    let sets = (0..inputs).map(|i| Ok(tuned.plot_sets(i)?.size(HALF.0, HALF.1).to_svg()));
    let caption = "How far each value belongs to each set: as learned, and dashed as at the start.";
    page = page.section(Section::new("Sets").gallery(sets.collect::<Result<_>>()?, caption));
    let texts = rules(&tuned.system)?;
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let lines = texts.into_iter().zip(&told.supports).enumerate().map(|(i, (text, support))| {
        vec![(i + 1).to_string(), percent(support.support), percent(support.coverage), text]
    });
    let heard = "Support is a rule's mean share of the say, coverage the share of rows in which it has a tenth or more.";
    let table = Section::new("Rules").text(heard);
    page = page.section(table.table(&["", "support", "coverage", "rule"], &lines.collect::<Vec<_>>()));
    page = page.section(outcome(told, device)?);
    if !told.importance.is_empty() {
        let each = told.importance.iter().map(|one| vec![one.input.clone(), short(one.importance)]);
        let section =
            Section::new("Importance").text("How much the error grows when an input's column is shuffled.");
        page = page.section(section.table(&["input", "growth"], &each.collect::<Vec<_>>()));
    }
    Ok(page.footer(format!("computed on {}", tuned.report.device)))
}

/// What the system makes of its inputs, and how far that is from the rows.
fn outcome(told: &Told<'_>, device: &Device) -> Result<Section> {
    let tuned = &told.tuned;
    let mut section = Section::new("Outcome");
    let outputs = tuned.system.outputs.len();
    for output in (0..outputs).filter(|_| tuned.inputs.len() <= 2) {
        let response = match tuned.inputs.len() {
            1 => Response::curve(output, 0),
            _ => Response::surface(output, 0, 1),
        };
        let caption = "What the learned system concludes over the whole range.";
        section = section.figure(response.chart(&tuned.system, Progress::none())?.to_svg(), caption);
    }
    if tuned.classes.is_empty() {
        let residuals = tuned.plot_residuals(&told.rows.table, device)?.to_svg();
        section = section
            .figure(residuals, "What is left: each point a row, level with 0 where the system is right.");
    }
    Ok(section)
}
