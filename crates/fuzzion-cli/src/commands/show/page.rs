//! A system as one page.

use super::describe::{block_settings, counts, range, rule_text, settings};
use super::pictures::{Picture, Pictures, View};
use crate::commands::systems::SystemWords;
use crate::commands::words::{clipped, shown};
use crate::page::{Page, Section};
use fuzzion::Result;
use fuzzion::inference::{System, Variable};

/// The size of pictures that stand side by side.
const HALF: (f64, f64) = (404.0, 250.0);

pub(super) fn page(system: &System, view: &View, pictures: &Pictures, words: &SystemWords) -> Result<Page> {
    let stem = words.file.file_stem().unwrap_or_default().to_string_lossy();
    let name = if system.name.is_empty() { stem.as_ref() } else { &system.name };
    let mut page = Page::new(name);
    if !system.description.is_empty() {
        page = page.intro(&system.description);
    }
    let dialect = view.dialect.name();
    page = page.intro(format!("A fuzzy system of {}, computed as {dialect} does.", counts(system)));
    let inputs = Section::new("Inputs")
        .gallery(gallery(&pictures.inputs), "How far each value belongs to each set.")
        .table(&["input", "range", "set", "shape"], &sets(system, system.inputs.iter()));
    let outputs = system.outputs.iter().map(|output| &output.variable);
    let made = system.outputs.iter().map(|o| vec![clipped(&o.variable.name), settings(o, view.dialect)]);
    let outputs = Section::new("Outputs")
        .gallery(gallery(&pictures.outputs), "What rules conclude about.")
        .table(&["output", "range", "set", "shape"], &sets(system, outputs))
        .table(&["output", "its number"], &made.collect::<Vec<_>>());
    let mut rules = Section::new("Rules");
    for block in &system.blocks {
        let numbered = block.rules.iter().enumerate();
        let rows = numbered.map(|(i, rule)| vec![(i + 1).to_string(), rule_text(system, rule)]);
        let about = [block.name.clone(), block_settings(block)];
        let about = about.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(": ");
        rules = if about.is_empty() { rules } else { rules.text(about) };
        rules = rules.table(&["", "rule"], &rows.collect::<Vec<_>>());
    }
    let curve = view.over.len() == 1;
    let mut surface = Section::new(if curve { "Curve" } else { "Surface" });
    for picture in &pictures.surfaces {
        let caption = if curve { "" } else { "Lines join places of equal output." };
        surface = surface.figure(picture.chart.to_svg(), caption);
    }
    Ok(page
        .section(inputs)
        .section(outputs)
        .section(rules)
        .section(surface)
        .section(one_row(system, view, words)?)
        .footer(format!("from {}", shown(&words.file))))
}

fn gallery(pictures: &[Picture]) -> Vec<String> {
    pictures.iter().map(|picture| picture.chart.clone().size(HALF.0, HALF.1).to_svg()).collect()
}

fn sets<'a>(system: &System, variables: impl Iterator<Item = &'a Variable>) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for variable in variables {
        let mut front = vec![variable.name.clone(), range(variable)];
        for named in &variable.sets {
            front.extend([named.name.clone(), system.set_text(&named.set)]);
            rows.push(front);
            front = vec![String::new(), String::new()];
        }
        if variable.sets.is_empty() {
            rows.push(front);
        }
    }
    rows
}

/// One row explained, as `fuzzion explain` does.
fn one_row(system: &System, view: &View, words: &SystemWords) -> Result<Section> {
    let row = view.row(system);
    let explanation = system.explain(&row, view.dialect)?;
    let values = row.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
    let file = shown(&words.file);
    let file = if file.contains(' ') { format!("'{file}'") } else { file };
    let dialect = words.dialect.map_or_else(String::new, |dialect| format!(" --dialect {}", dialect.name()));
    let charts = explanation.outputs.iter().zip(&system.outputs);
    let charts =
        charts.map(|(explained, output)| explained.chart(&output.variable).size(HALF.0, HALF.1).to_svg());
    Ok(Section::new("One row")
        .text("What each rule does with one row of inputs:")
        .command(format!("fuzzion explain {file} --at {values}{dialect}"))
        .output(explanation.to_string())
        .gallery(charts.collect(), "What the rules conclude from this row, and the number that comes out."))
}
