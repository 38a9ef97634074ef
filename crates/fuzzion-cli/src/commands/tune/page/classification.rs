//! Confusion matrix, receiver operating characteristics and calibration of a classifier.

use super::HALF_WIDTH;
use crate::commands::tune::fitted::Fitted;
use crate::format::{count_of, format_number};
use crate::page::Section;
use fuzzion::tuning::inspect::ClassificationReport;
use fuzzion::{Device, Result};

/// Maximum number of classes in the confusion matrix.
const MAX_CLASSES: usize = 12;

/// Adds the results for the validation rows or, if there are none, for the training rows.
pub(super) fn add(section: Section, fitted: &Fitted<'_>, device: &Device) -> Result<Section> {
    let samples = fitted.rows.samples()?;
    let weights = validation_weights(fitted, samples.weights());
    let (rows, samples) = match &weights {
        Some(weights) => {
            (count_of(fitted.held_out.len() as u64, "validation row"), samples.with_weights(weights)?)
        }
        None => (count_of(fitted.rows.table.rows() as u64, "training row"), samples),
    };
    let report = fitted.tuned.classification_report(samples, device)?;
    let section = section.text(format!("Computed from the {rows}."));
    let section = match report.classes.len() {
        0..=MAX_CLASSES => confusion_table(section, &report),
        _ => section,
    };
    let charts = [report.plot_roc(), report.plot_calibration()];
    let svgs = charts.map(|chart| chart.size(HALF_WIDTH.0, HALF_WIDTH.0).to_svg()).to_vec();
    let caption = "Left: each class against all others, for all thresholds of its output; an area of 1 is a perfect separation, 0.5 a \
                   random guess. Right: predicted probabilities of all classes, in ten bins, and how often they were right; the \
                   dashed line is a perfect calibration, and the bars are standard errors.";
    Ok(section.gallery(svgs, caption))
}

/// The weights of the validation rows, and 0 for the training rows; `None` without validation rows.
fn validation_weights(fitted: &Fitted<'_>, weights: Option<&[f64]>) -> Option<Vec<f64>> {
    let mut of_rows = vec![0.0; fitted.rows.table.rows()];
    fitted.held_out.iter().for_each(|row| of_rows[*row] = weights.map_or(1.0, |weights| weights[*row]));
    of_rows.iter().any(|weight| *weight > 0.0).then_some(of_rows)
}

fn confusion_table(section: Section, report: &ClassificationReport) -> Section {
    let heading: Vec<String> = std::iter::once("class".to_owned())
        .chain(report.classes.iter().map(|class| format!("predicted {class}")))
        .collect();
    let heading: Vec<&str> = heading.iter().map(String::as_str).collect();
    let line = |(class, counts): (&String, &Vec<f64>)| {
        std::iter::once(class.clone()).chain(counts.iter().map(|count| format_number(*count))).collect()
    };
    let lines: Vec<Vec<String>> = report.classes.iter().zip(&report.confusion).map(line).collect();
    section.text("Numbers of rows of each class by their predicted class:").table(&heading, &lines)
}
