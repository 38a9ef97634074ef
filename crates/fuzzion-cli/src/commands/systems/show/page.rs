//! The HTML page of a system.

use super::charts::{Charts, NamedChart, View};
use super::describe::{block_settings, counts, range, rule_text, settings};
use crate::commands::common::system_args::SystemArgs;
use crate::format::{display_path, ellipsize};
use crate::page::{Page, Section};
use fuzzion::Result;
use fuzzion::inference::{System, Variable};

/// Size of charts that are placed side by side.
const HALF_WIDTH: (f64, f64) = (404.0, 250.0);

pub(super) fn page(system: &System, view: &View, charts: &Charts, args: &SystemArgs) -> Result<Page> {
    let stem = args.file.file_stem().unwrap_or_default().to_string_lossy();
    let name = if system.name.is_empty() { stem.as_ref() } else { &system.name };
    let mut page = Page::new(name);
    if !system.description.is_empty() {
        page = page.intro(&system.description);
    }
    let dialect = view.dialect.name();
    page = page.intro(format!("A fuzzy system with {} (dialect {dialect}).", counts(system)));
    let inputs = Section::new("Inputs")
        .gallery(gallery(&charts.inputs), "Membership functions of the inputs.")
        .table(&["input", "range", "set", "shape"], &sets(system, system.inputs.iter()));
    let outputs = system.outputs.iter().map(|output| &output.variable);
    let defuzzifiers =
        system.outputs.iter().map(|o| vec![ellipsize(&o.variable.name), settings(o, view.dialect)]);
    let outputs = Section::new("Outputs")
        .gallery(gallery(&charts.outputs), "Membership functions of the outputs.")
        .table(&["output", "range", "set", "shape"], &sets(system, outputs))
        .table(&["output", "defuzzification"], &defuzzifiers.collect::<Vec<_>>());
    let mut rules = Section::new("Rules");
    for block in &system.blocks {
        let numbered = block.rules.iter().enumerate();
        let rows = numbered.map(|(i, rule)| vec![(i + 1).to_string(), rule_text(system, rule)]);
        let description = [block.name.clone(), block_settings(block)];
        let description =
            description.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(": ");
        rules = if description.is_empty() { rules } else { rules.text(description) };
        rules = rules.table(&["", "rule"], &rows.collect::<Vec<_>>());
    }
    let is_curve = view.over.len() == 1;
    let mut surface = Section::new(if is_curve { "Curve" } else { "Surface" });
    for named in &charts.surfaces {
        let caption = if is_curve { "" } else { "Contour lines connect points of equal output." };
        surface = surface.figure(named.chart.to_svg(), caption);
    }
    Ok(page
        .section(inputs)
        .section(outputs)
        .section(rules)
        .section(surface)
        .section(example(system, view, args)?)
        .footer(format!("from {}", display_path(&args.file))))
}

fn gallery(charts: &[NamedChart]) -> Vec<String> {
    charts.iter().map(|named| named.chart.clone().size(HALF_WIDTH.0, HALF_WIDTH.1).to_svg()).collect()
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

/// The explanation of one row, as printed by `fuzzion explain`.
fn example(system: &System, view: &View, args: &SystemArgs) -> Result<Section> {
    let row = view.row(system);
    let explanation = system.explain(&row, view.dialect)?;
    let values = row.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
    let file = display_path(&args.file);
    let file = if file.contains(' ') { format!("'{file}'") } else { file };
    let dialect = args.dialect.map_or_else(String::new, |dialect| format!(" --dialect {}", dialect.name()));
    let charts = explanation.outputs.iter().zip(&system.outputs);
    let charts = charts.map(|(explained, output)| {
        explained.chart(&output.variable).size(HALF_WIDTH.0, HALF_WIDTH.1).to_svg()
    });
    Ok(Section::new("Example")
        .text("The contribution of each rule for one row of inputs:")
        .command(format!("fuzzion explain {file} --at {values}{dialect}"))
        .output(explanation.to_string())
        .gallery(charts.collect(), "The conclusion of the rules for this row, and the defuzzified output."))
}
