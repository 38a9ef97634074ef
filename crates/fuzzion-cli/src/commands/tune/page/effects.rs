//! Importance and effects of the inputs.

use super::HALF_WIDTH;
use crate::commands::tune::{fitted::Fitted, summary};
use crate::page::Section;
use fuzzion::tuning::inspect::InputInteraction;
use fuzzion::{Device, Result};

/// Maximum number of inputs whose partial dependence is plotted.
const MAX_CURVES: usize = 6;
/// Maximum number of inputs whose interactions are computed.
const MAX_INTERACTING: usize = 5;
/// Maximum number of pairs of inputs whose partial dependence is plotted.
const MAX_SURFACES: usize = 2;
/// Weaker interactions are not plotted.
const MIN_STRENGTH: f64 = 0.05;

/// The table of importances.
pub(super) fn importance(fitted: &Fitted<'_>) -> Section {
    let text = "Mean of five permutations of the column of an input, with its standard error: the larger, the more the \
                predictions depend on the input.";
    let (heading, lines) = summary::importance_table(fitted);
    Section::new("Importance").text(text).table(&["input", heading], &lines)
}

/// Partial dependence on the most important inputs, and their interactions.
pub(super) fn effects(fitted: &Fitted<'_>, device: &Device) -> Result<Section> {
    let (tuned, samples) = (&fitted.tuned, fitted.rows.samples()?);
    let inputs: Vec<&str> = fitted.importance.iter().map(|one| one.input.as_str()).collect();
    let plot = |inputs: &[&str]| -> Result<String> {
        let chart = tuned.partial_dependence(samples.clone(), inputs, device)?.plot();
        Ok(chart.size(HALF_WIDTH.0, HALF_WIDTH.1).to_svg())
    };
    let curves = inputs.iter().take(MAX_CURVES).map(|input| plot(&[*input])).collect::<Result<_>>()?;
    let caption = "Partial dependence on the most important inputs: the mean prediction if all rows had the same value of an input.";
    let section = Section::new("Effects of the inputs").gallery(curves, caption);
    let strongest = &inputs[..inputs.len().min(MAX_INTERACTING)];
    let interactions = tuned.interactions(samples.clone(), strongest, device)?;
    let line = |one: &InputInteraction| vec![one.inputs.join(" and "), format!("{:.2}", one.strength)];
    let lines: Vec<Vec<String>> = interactions.iter().map(line).collect();
    let text = "Interactions of the most important inputs (Friedman's H): 0 if their effects add up, 1 if the joint effect is due to \
                the interaction alone.";
    let section = section.text(text).table(&["inputs", "interaction"], &lines);
    let strong = interactions.iter().filter(|one| one.strength >= MIN_STRENGTH).take(MAX_SURFACES);
    let surfaces =
        strong.map(|one| plot(&one.inputs.each_ref().map(String::as_str))).collect::<Result<Vec<_>>>()?;
    let caption = "Partial dependence on the pairs with the strongest interactions.";
    Ok(if surfaces.is_empty() { section } else { section.gallery(surfaces, caption) })
}
